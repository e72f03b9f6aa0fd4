"""Texts as arrays of numbers, the common start of everything that counts n-grams with NumPy."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the code points of a text; lone surrogates are allowed."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def items_to_end(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many items follow each item in its own list, the item itself included.

    An n-gram starts wherever that is at least n: lists of 3 and 2 items give ``[3, 2, 1, 2, 1]``.
    """
    return np.repeat(np.cumsum(lengths), lengths) - np.arange(int(lengths.sum()))
