"""Modules in C, which are optional: NumPy code takes their place where they are not built."""

from __future__ import annotations

import os
import warnings
from importlib import import_module
from typing import Any

# In the package skpara, with functions that the newest code calls: one built from older code has
# not all of them. setup.py builds these modules.
MODULES = {
    "_native": "fill_index nearest_words row_sums token_ids",
    "features._native": "distinct shared_ngrams shared_weights weighted_dots cut sequences "
    "cell_cosines best_of_cells align_cells vector_cosines tokens",
}


def compiled(name: str) -> Any:
    """Import a module in C; None if it was not built, or if ``SKPARA_NATIVE=0`` is set."""
    if os.environ.get("SKPARA_NATIVE") == "0":
        return None
    try:
        module = import_module(name)
    except ImportError:
        return None
    functions = MODULES[name.removeprefix("skpara.")].split()
    missing = [function for function in functions if not hasattr(module, function)]
    if missing:
        warnings.warn(
            f"{name} was built from older code without {missing[0]}, so NumPy is used instead. "
            "Build it again: python setup.py build_ext --inplace",
            stacklevel=2,
        )
        return None
    return module
