"""Texts as arrays of numbers, the common start of everything that counts n-grams with NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def code_points(text: str) -> NDArray[np.uint32]:
    """Return the characters of a text as numbers.

    Parameters
    ----------
    text : str
        Any text; lone surrogates are allowed.

    Returns
    -------
    ndarray of uint32, shape (n_characters,)
        The code points.
    """
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


def renumber(ids: NDArray[Any]) -> tuple[NDArray[np.int64], int]:
    """Number the distinct ids from 0 in ascending order.

    Parameters
    ----------
    ids : ndarray of int, shape (n_ids,)
        Ids that are not negative.

    Returns
    -------
    numbers : ndarray of int64, shape (n_ids,)
        The number of each id.
    count : int
        How many numbers there are, at least 1.
    """
    distinct = np.unique(ids)
    numbers = np.zeros(int(distinct.max(initial=0)) + 1, dtype=np.int64)
    numbers[distinct] = np.arange(len(distinct))
    # At least 1, since callers use the count as the base of a number system.
    return numbers[ids], max(1, len(distinct))


def items_to_end(lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return how many items follow each item in its own list, the item itself included.

    An n-gram starts wherever that is at least n.

    Parameters
    ----------
    lengths : ndarray of int64, shape (n_lists,)
        The lengths of the lists.

    Returns
    -------
    ndarray of int64, shape (n_items,)
        One number for each item of the concatenated lists.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.text._code_points import items_to_end
    >>> items_to_end(np.array([3, 2])).tolist()
    [3, 2, 1, 2, 1]
    """
    return np.repeat(np.cumsum(lengths), lengths) - np.arange(int(lengths.sum()))
