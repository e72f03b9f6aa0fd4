"""How much two sentences differ in length and in information."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch

_TINY = 1e-5  # as in TakeLab; two empty sides have a difference of 0


def relative_difference(first: ArrayLike, second: ArrayLike) -> Floats:
    """Return the difference of two sizes over the larger one, from 0 to 1. Symmetric."""
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return np.abs(first - second) / (np.maximum(first, second) + _TINY)


def compute(batch: PairBatch) -> Floats:
    """Compare lengths, symmetrically.

    rel_len_diff_lc
        Difference of the numbers of content words / (the larger + 0.00001), in [0, 1).
    rel_ic_diff_olc
        The same of the sums of each word's information beyond that of the commonest word.
    len_sum
        ln(1 + words of both sides): people score short and long pairs differently.
    len_ratio
        (1 + words of the shorter side) / (1 + words of the longer side), in (0, 1].
    """
    takelab, frequencies = batch.takelab, batch.frequencies
    excess = np.maximum(0.0, batch.takelab_information - frequencies.min_information)
    content = takelab.content_word_ids.lengths
    words, surplus = takelab.word_ids.lengths, takelab.word_ids.sums(excess)
    left, right = takelab.sides
    return np.array(
        [
            relative_difference(content[left], content[right]),
            relative_difference(surplus[left], surplus[right]),
            np.log(1 + words[left] + words[right]),
            (1 + np.minimum(words[left], words[right]))
            / (1 + np.maximum(words[left], words[right])),
        ]
    ).T


FAMILY = Family(
    "lengths",
    ("rel_len_diff_lc", "rel_ic_diff_olc", "len_sum", "len_ratio"),
    compute,
    needs={"frequencies"},
)
