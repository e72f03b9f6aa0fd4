"""Texts of like length side by side, so that whole arrays of them can be worked on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from skpara.text._overlaps import code_points


def groups(sizes: NDArray[np.integer], most: int) -> Iterator[NDArray[np.intp]]:
    """Numbers of the items, the small ones first, a group at a time.

    Parameters
    ----------
    sizes : ndarray of int, shape (n,)
        What each item takes, 1 or more. In a group each takes as much as the largest.
    most : int
        What a group may take; a larger item is a group of its own.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.features._padding import groups
    >>> [group.tolist() for group in groups(np.array([5, 2, 20, 3]), 10)]
    [[1, 3], [0], [2]]
    """
    order = np.argsort(sizes, kind="stable")
    while len(order):
        first = order[: max(1, most // int(sizes[order[0]]))]
        taken = np.arange(1, len(first) + 1) * sizes[first]
        fit = max(1, int(np.searchsorted(taken, most, side="right")))
        yield order[:fit]
        order = order[fit:]


def padded(texts: Sequence[str], padding: int) -> NDArray[np.int32]:
    """Code points of texts, shape (n_texts, longest), filled up at the end.

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
