"""How far apart two sentences are in length and in information."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_TINY = 1e-5  # TakeLab's, so that two empty sides do not differ


def relative_difference(first: float, second: float) -> float:
    """Difference of two sizes over the larger one: 0 for equal ones, towards 1. Symmetric.

    Examples
    --------
    >>> from skpara.features.families._lengths import relative_difference
    >>> round(relative_difference(3, 4), 4)
    0.25
    """
    return abs(first - second) / (max(first, second) + _TINY)


def information_sum(words: Sequence[str], weights: Mapping[str, float], smallest: float) -> float:
    """Sum over the words, with repeats, of what each tells beyond the commonest word."""
    return sum(max(0.0, weights[word] - smallest) for word in words)


def length_features(first: Sequence[str], second: Sequence[str]) -> tuple[float, float]:
    """Plain lengths of two lists of words.

    Returns
    -------
    len_sum : float
        ln(1 + words of both sides): short and long pairs are scored differently.
    len_ratio : float
        (1 + words of the shorter side) / (1 + words of the longer side), in (0, 1].

    Both are symmetric.
    """
    fewer, more = sorted((len(first), len(second)))
    return math.log(1 + fewer + more), (1 + fewer) / (1 + more)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs."""
    sides = batch.takelab
    weights, smallest = batch.takelab_weights, batch.frequencies.min_information
    content = [len(words) for words in sides.content_words]
    telling = [information_sum(words, weights, smallest) for words in sides.words]
    return np.hstack(
        [
            sides.score(lambda a, b: (relative_difference(a, b),), content),
            sides.score(lambda a, b: (relative_difference(a, b),), telling),
            sides.score(length_features, sides.words),
        ]
    )


FAMILY = Family(
    "lengths",
    ("rel_len_diff_lc", "rel_ic_diff_olc", "len_sum", "len_ratio"),
    compute,
    needs=frozenset({"frequencies"}),
)
