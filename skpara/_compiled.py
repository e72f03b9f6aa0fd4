"""Modules in C, which are optional: NumPy code takes their place where they are not built."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

MODULES = ("_native", "features._native")  # setup.py builds them
# Increased with each change of a function in C: a module built from other code is not used.
ABI = 6


def compiled(name: str) -> Any:
    """Import a module in C; None if it was not built, or if ``SKPARA_NATIVE=0`` is set."""
    if os.environ.get("SKPARA_NATIVE") == "0":
        return None
    try:
        module = import_module(name)
    except ImportError:
        return None
    if getattr(module, "ABI", None) != ABI:
        warnings.warn(
            f"{name} was built from other code, so NumPy is used instead. Build it again: "
            "python setup.py build_ext --inplace",
            stacklevel=2,
        )
        return None
    return module
