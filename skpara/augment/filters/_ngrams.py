"""Filters by the n-grams that both sentences have."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter, ngram_overlaps

_MAX_ORDER = 4  # the usual BLEU-4


@set_module("skpara.augment.filters")
class OverlapFilter(PairFilter):
    """Keep pairs that share neither too many nor too few n-grams.

    The score is the number of n-grams of tokens that both sentences have, each counted as often
    as it occurs in both, divided by the number of n-grams of the sentence that has fewer; 0 if one
    has none.

    Parameters
    ----------
    order : int, default=1
        Number of tokens of an n-gram.
    lower, upper : float, default=None
        Inclusive bounds of the score, which is in [0, 1]. Wieting and others (2017, section 5.7)
        try lower bounds from 0 to 0.5 and upper ones from 0.5 to 1, of which 0.6 and 0.7 were
        often the best.

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

    def _score(self, paraphrases: Paraphrases) -> Floats:
        scores = np.zeros(len(paraphrases))
        for rows, counts in ngram_overlaps(paraphrases, self.order):
            count = counts[-1]
            fewer = np.minimum(count.n_left, count.n_right)
            scores[rows] = count.shared / np.maximum(1, fewer)
        return scores


@set_module("skpara.augment.filters")
class BleuFilter(PairFilter):
    """Keep pairs by the BLEU of the paraphrase against its reference.

    BLEU of single sentences is smoothed for n-grams of all orders and in the brevity penalty
    (Nakov and others 2012). With r tokens in the reference, c in the paraphrase, m_n n-grams in
    both and t_n in the paraphrase, for n from 1 to 4::

        BLEU = min(1, exp(1 - (r + 1) / c)) * (prod_n (m_n + 1) / (t_n + 1)) ** (1 / 4)

    An empty paraphrase scores 0.

    Parameters
    ----------
    lower, upper : float, default=None
        Bounds of the score, which is in [0, 1].

    References
    ----------
    P. Nakov, F. Guzman, S. Vogel (2012). Optimizing for sentence-level BLEU+1 yields short
    translations. COLING.

    Examples
    --------
    >>> from skpara.augment.filters import BleuFilter
    >>> pairs = [("a big dog runs", "a large dog runs"), ("a big dog runs", "hounds run")]
    >>> BleuFilter().score_pairs(pairs).round(2).tolist()
    [0.4, 0.14]
    """

    def _score(self, paraphrases: Paraphrases) -> Floats:
        scores = np.zeros(len(paraphrases))
        for rows, counts in ngram_overlaps(paraphrases, _MAX_ORDER):
            logs = [np.log((count.shared + 1) / (count.n_right + 1)) for count in counts]
            r, c = counts[0].n_left, counts[0].n_right
            # Without tokens c is 0; the score is then 0 by np.where, and no division may warn.
            brevity = np.minimum(0.0, 1 - (r + 1) / np.maximum(c, 1))
            scores[rows] = np.where(c > 0, np.exp(np.mean(logs, axis=0) + brevity), 0.0)
        return scores
