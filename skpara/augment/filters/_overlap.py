"""By the n-grams that both sentences have."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter, ngram_overlaps


@set_module("skpara.augment.filters")
class OverlapFilter(PairFilter):
    """Keep pairs that share not too many of their n-grams, and not too few.

    The score is the number of n-grams of tokens that both sentences have, each counted as often
    as it stands in both, over the number of n-grams of the sentence that has fewer; 0 where one
    has none.

    Parameters
    ----------
    order : int, default=1
        Tokens of an n-gram.
    lower, upper : float, default=None
        Bounds of the score, which is in [0, 1]. The paper tries lower bounds from 0 to 0.5 and
        upper ones from 0.5 to 1; upper bounds of 0.6 or 0.7 were often the best.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.7.

    Examples
    --------
    >>> from skpara.augment.filters import OverlapFilter
    >>> pairs = [("a big dog", "a large dog"), ("a big dog", "the hound")]
    >>> OverlapFilter(order=1).score_pairs(pairs).round(2).tolist()
    [0.67, 0.0]
    >>> OverlapFilter(order=1, lower=0.2, upper=0.7).select(pairs).tolist()
    [True, False]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairFilter._parameter_constraints,
        "order": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self, order: int = 1, lower: float | None = None, upper: float | None = None
    ) -> None:
        super().__init__(lower, upper)
        self.order = order

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        scores = np.zeros(len(paraphrases))
        for rows, counted in ngram_overlaps(paraphrases, self.order):
            found = counted[-1]
            scores[rows] = found.shared / np.maximum(1, np.minimum(found.n_left, found.n_right))
        return scores
