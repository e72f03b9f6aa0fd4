"""Imports of packages that skpara works without."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def import_optional(module: str, purpose: str, *, install: str | None = None) -> Any:
    """Import a module of an optional package, or say how to install it.

    Parameters
    ----------
    module : str
        Full name of the module.
    purpose : str
        What needs it, as the subject of a sentence: "MarianTranslator", "Reading a .skops file".
    install : str, optional
        What ``pip install`` takes; by default the name of the top-level package.

    Returns
    -------
    module

    Raises
    ------
    ImportError
        If it is not installed. The message names ``purpose`` and the command that installs it.
    """
    try:
        return import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(
            f"{purpose} needs {package}: pip install '{install or package}'"
        ) from error
