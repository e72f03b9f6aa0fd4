"""How far apart two sentences are in length and in information."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara.features._family import Family

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_TINY = 1e-5  # TakeLab's, so that two empty sides do not differ


def relative_difference(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """Difference of two sizes over the larger one: 0 for equal ones, towards 1. Symmetric.

    Examples
    --------
    >>> from skpara.features.families._lengths import relative_difference
    >>> relative_difference([3, 0], [4, 0]).round(4).tolist()
    [0.25, 0.0]
    """
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    return np.abs(first - second) / (np.maximum(first, second) + _TINY)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    rel_len_diff_lc
        Difference of the numbers of content words / (the larger + 0.00001), in [0, 1).
    rel_ic_diff_olc
        The same of the sums over the words of what each tells beyond the commonest word.
    len_sum
        ln(1 + words of both sides): short and long pairs are scored differently.
    len_ratio
        (1 + words of the shorter side) / (1 + words of the longer side), in (0, 1].

    All are symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
    """
    sides, frequencies = batch.takelab, batch.frequencies
    information = batch.takelab_information
    telling = np.maximum(0.0, information - frequencies.min_information)
    first, second, _ = sides.word_counts
    content = [side.lengths for side in sides.content_word_ids]
    words = [side.lengths for side in sides.word_ids]
    return np.column_stack(
        [
            relative_difference(*content),
            relative_difference(first @ telling, second @ telling),
            np.log(1 + words[0] + words[1]),
            (1 + np.minimum(*words)) / (1 + np.maximum(*words)),
        ]
    )


FAMILY = Family(
    "lengths",
    ("rel_len_diff_lc", "rel_ic_diff_olc", "len_sum", "len_ratio"),
    compute,
    needs=frozenset({"frequencies"}),
)
