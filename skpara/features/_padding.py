"""Words of sentences side by side in padded arrays, so that NumPy can work on many at once."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._lists import Ids, Lists


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


def padded_words(words: Lists, counts: Floats, rows: Ids, padding: int) -> tuple[Ids, Floats]:
    """Return the distinct words of each sentence and their counts, which are 0 for padding."""
    lengths = words.lengths[rows]
    columns = np.arange(max(1, int(lengths.max())))
    places = np.where(columns < lengths[:, None], words.offsets[rows][:, None] + columns, -1)
    return np.append(words.ids, padding)[places], np.append(counts, 0.0)[places]


def best_similarities(first: Ids, second: Ids, unit: NDArray[Any]) -> tuple[Floats, ...]:
    """Return the best similarity of each word with a word of the other side, in [0, 1].

    The last row of ``unit`` belongs to padding.
    """
    similarity = unit[first] @ unit[second].transpose(0, 2, 1)
    # A word equals itself even without a vector; padding equals nothing.
    similarity[first[:, :, None] == second[:, None, :]] = 1.0
    padding = len(unit) - 1
    similarity[(first == padding)[:, :, None] | (second == padding)[:, None, :]] = 0.0
    best = similarity.max(axis=2), similarity.max(axis=1)
    return tuple(np.clip(side, 0.0, 1.0).astype(np.float64) for side in best)
