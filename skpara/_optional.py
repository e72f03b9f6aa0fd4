"""Imports of optional packages."""

from __future__ import annotations

from importlib import import_module
from typing import Any


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
