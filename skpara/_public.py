"""Public classes: the module that they are imported from, and their page of the documentation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from typing import Any, TypeVar, dataclass_transform

from skpara._messages import near_name
from skpara._version import __version__

C = TypeVar("C", bound=type)

_TRUSTED = "__skpara_trusted__"


def set_module(module: str, *, trusted: bool = False) -> Callable[[C], C]:
    """Set the module that a public class is imported from.

    Pickles and model files name a class by ``__module__``. With the public module there, its file
    may move without breaking a saved model. A model file may hold a ``trusted`` class, whoever
    wrote the file: nothing that such a file puts into an object of the class makes loading it or
    predicting with it run a program, open a network connection or load another model.
    """

    def decorate(cls: C) -> C:
        # As "cls.__module__ = module" does but for an ABC, in which that leaves the line of the
        # class in its own file, for Python 3.13 to show from the file of the public module.
        vars(type)["__module__"].__set__(cls, module)
        if trusted:
            setattr(cls, _TRUSTED, True)
        if "__init__" in vars(cls):
            setattr(cls, "__init__", _with_near_names(vars(cls)["__init__"]))  # noqa: B010
        return cls

    return decorate


def _with_near_names(init: Callable[..., None]) -> Callable[..., None]:
    """Return a method whose error for an unknown parameter names the one that is meant."""

    @wraps(init)
    def __init__(self: Any, *values: Any, **parameters: Any) -> None:
        try:
            init(self, *values, **parameters)
        except TypeError as error:
            known = [name for name in signature(init).parameters if name != "self"]
            unknown = [name for name in parameters if name not in known]
            if not unknown:
                raise
            near = near_name(unknown[0], known)
            remedy = f"Did you mean {near}?" if near else f"Parameters are {', '.join(known)}."
            raise TypeError(f"{error}. {remedy}") from None

    return __init__


def is_trusted(cls: type) -> bool:
    """Whether the class itself, not one that it derives from, is marked as trusted."""
    return _TRUSTED in vars(cls)


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def with_fields(cls: C) -> C:
    """Make the annotated attributes of an estimator its parameters, as those of a dataclass are.

    Two estimators with equal parameters are not equal, and scikit-learn shows them.
    """
    dataclass(eq=False, repr=False)(cls)  # it changes the class itself
    return cls


class PublicMixin:
    """Mixin of estimators and their mixins: a notebook links them to their documentation."""

    _doc_link_module = "skpara"
    _doc_link_template = (
        f"https://skpara.github.io/skpara/{'dev' if 'dev' in __version__ else 'stable'}/generated/"
        "{estimator_module}.{estimator_name}.html"
    )
