"""Texts of similar length side by side, so that NumPy can work on whole arrays of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from skpara.text import code_points


def groups(sizes: NDArray[np.integer], most: int) -> Iterator[NDArray[np.intp]]:
    """Split items into groups of similar size, the small ones first, and yield their positions.

    In a group each item is padded to the largest, and ``most`` is the largest padded size of a
    group. A larger item gets a group of its own. Sizes are 1 or more.
    """
    order = np.argsort(sizes, kind="stable")
    while len(order):
        candidates = order[: max(1, most // int(sizes[order[0]]))]
        padded_sizes = np.arange(1, len(candidates) + 1) * sizes[candidates]
        fit = max(1, int(np.searchsorted(padded_sizes, most, side="right")))
        yield order[:fit]
        order = order[fit:]


def padded(texts: Sequence[str], padding: int) -> NDArray[np.int32]:
    """Return the code points of texts, shape (n_texts, longest), padded at the end."""
    lengths = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts))
    rows = np.full((len(texts), lengths.max(initial=0)), padding, dtype=np.int32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = code_points("".join(texts))
    return rows
