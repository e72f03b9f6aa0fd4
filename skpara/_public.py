"""Public classes: the module they are imported from, and errors that name the parameter meant."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import is_dataclass
from functools import wraps
from typing import Any, TypeVar

from skpara._near_names import near_name

C = TypeVar("C", bound=type)

_TRUSTED = "__skpara_trusted__"
# Similarity of a name with the one that is meant: "network" is not "network_decay".
_CLOSE = 0.75
# What other libraries, and earlier versions of this one, call a parameter.
_OTHER_NAMES = {
    "threshold": {
        "cutoff",
        "max_dist",
        "min_probability",
        "min_score",
        "min_similarity",
        "score_cutoff",
        "similarity_threshold",
    },
    "precision": {"min_precision", "target_precision"},
    "top_k": {"k", "limit", "n_matches", "n_neighbors", "top_n"},
    "encoder": {"embedding", "embeddings"},
    "max_iter": {"epochs", "n_epochs", "n_iter"},
    "random_state": {"seed"},
    "vectors": {"embeddings", "word_vectors"},
    "features": {"families", "groups"},
}


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
        if is_dataclass(cls):
            _name_what_is_meant(cls)
        return cls

    return decorate


def is_trusted(cls: type) -> bool:
    """Whether the class itself, not one that it derives from, is marked as trusted."""
    return _TRUSTED in vars(cls)


def _name_what_is_meant(cls: type) -> None:
    """Let the error of an unknown parameter name the one that is probably meant."""
    init: Callable[..., None] = vars(cls)["__init__"]

    @wraps(init)
    def checked(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            init(self, *args, **kwargs)
        except TypeError:
            names = [name for name in inspect.signature(init).parameters if name != "self"]
            for name in kwargs:
                if name not in names and (near := near_name(name, names, _OTHER_NAMES, _CLOSE)):
                    raise TypeError(
                        f"{cls.__name__} has no parameter {name!r}. Did you mean {near!r}?"
                    ) from None
            raise

    cls.__init__ = checked  # type: ignore[misc]
