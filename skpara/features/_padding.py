"""Texts of similar length side by side, so that NumPy can work on whole arrays of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from skpara.text import code_points


def groups(sizes: NDArray[np.integer], most: int) -> Iterator[NDArray[np.intp]]:
    """Split items into groups of similar size, the small ones first.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_items,)
        Size of each item, 1 or more. In a group each item is padded to the largest.
    most : int
        Largest padded size of a group; a larger item gets a group of its own.

    Yields
    ------
    ndarray of int
        Positions of the items of a group.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.features._padding import groups
    >>> [group.tolist() for group in groups(np.array([5, 2, 20, 3]), 10)]
    [[1, 3], [0], [2]]
    """
    order = np.argsort(sizes, kind="stable")
    while len(order):
        candidates = order[: max(1, most // int(sizes[order[0]]))]
        padded_sizes = np.arange(1, len(candidates) + 1) * sizes[candidates]
        fit = max(1, int(np.searchsorted(padded_sizes, most, side="right")))
        yield order[:fit]
        order = order[fit:]


def padded(texts: Sequence[str], padding: int) -> NDArray[np.int32]:
    """Return the code points of texts, shape (n_texts, longest), padded at the end.

    Examples
    --------
    >>> from skpara.features._padding import padded
    >>> padded(["ab", "c"], -1).tolist()
    [[97, 98], [99, -1]]
    """
    lengths = np.fromiter(map(len, texts), dtype=np.intp, count=len(texts))
    rows = np.full((len(texts), lengths.max(initial=0)), padding, dtype=np.int32)
    rows[np.arange(rows.shape[1]) < lengths[:, None]] = code_points("".join(texts))
    return rows
