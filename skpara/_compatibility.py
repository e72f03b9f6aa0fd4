"""Differences between installations: optional packages, pickles of earlier versions, memory."""

from __future__ import annotations

import gc
import inspect
import os
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, Self


def import_optional(module: str, purpose: str, *, install: str | None = None) -> Any:
    """Import a module of an optional package, or say how to install it.

    ``purpose`` is the subject of the message: "MarianTranslator", "The Hugging Face hub".
    ``install`` is what ``pip install`` takes, by default the name of the top-level package.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        message = f"{purpose} needs {package}: pip install '{install or package}'"
        raise ImportError(message) from error


def require_torch() -> None:
    """Raise an error that says how to install torch if it is missing."""
    import_optional("torch", "A network other than the average", install="skpara[networks]")


class DefaultsMixin:
    """Set parameters that a pickle of an earlier version lacks to their defaults.

    A parameter of a part that is None is refused with a reason. Put the mixin left of
    ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if parameter.default is not parameter.empty and not hasattr(self, name):
                setattr(self, name, parameter.default)

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also nested ones such as ``estimator__max_depth``.

        Parameters
        ----------
        **params : dict
            The parameters.

        Returns
        -------
        self
            The estimator.

        Raises
        ------
        ValueError
            If a name is unknown, or its part is None: the default has no parameters to set.
        """
        for name in params:
            part, nested, _ = name.partition("__")
            if nested and part not in params and getattr(self, part, part) is None:
                raise ValueError(
                    f"{name} cannot be set: {part} of {type(self).__name__} is None, which stands "
                    f"for the default. Pass an object as well: set_params({part}=..., {name}=...)."
                )
        return super().set_params(**params)  # type: ignore[misc]


def total_memory() -> int | None:
    """Return the bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


@contextmanager
def no_collection() -> Iterator[None]:
    """Turn garbage collection off while many objects are made that stay in use, in no cycles.

    To look through them takes a seventh of the time of a batch of pairs, and half of the time in
    which the tagger's model is read.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
