"""Modules in C, which are optional: NumPy code takes their place where they are not built."""

from __future__ import annotations

import os
from importlib import import_module
from typing import Any

# In the package skpara; show_versions lists them.
MODULES = ("_native", "features._native", "resources._native")


def compiled(name: str) -> Any:
    """Import a module in C; None if it was not built, or if ``SKPARA_NATIVE=0`` is set."""
    if os.environ.get("SKPARA_NATIVE") == "0":
        return None
    try:
        return import_module(name)
    except ImportError:
        return None
