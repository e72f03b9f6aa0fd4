"""Pairs that were there before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.text import tokenize


@set_module("skpara.augment.filters")
class DuplicateFilter(PairFilter):
    """Keep each pair once, and none whose two sentences are the same.

    Sentences are the same if their tokens are; the order of a pair's sides does not count. The
    score is how often the pair came before, and one more where both sides are the same.

    Parameters
    ----------
    lower : float, default=None
        Least score that is kept.
    upper : float, default=0
        Largest score that is kept; 1 keeps pairs twice.

    Examples
    --------
    >>> from skpara.augment.filters import DuplicateFilter
    >>> pairs = [("a dog", "a hound"), ("A hound", "a dog"), ("a cat", "A cat")]
    >>> DuplicateFilter().select(pairs).tolist()
    [True, False, False]
    """

    def __init__(self, lower: float | None = None, upper: float | None = 0) -> None:
        super().__init__(lower, upper)

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        seen: dict[frozenset[tuple[str, ...]], int] = {}
        scores = np.zeros(len(paraphrases))
        for i, pair in enumerate(paraphrases):
            sides = frozenset(tuple(tokenize(text)) for text in pair)
            scores[i] = seen.get(sides, 0) + (len(sides) == 1)
            seen[sides] = seen.get(sides, 0) + 1
        return scores
