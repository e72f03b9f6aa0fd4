"""By smoothed BLEU."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter, ngram_overlaps

_LONGEST = 4


@set_module("skpara.augment.filters")
class BleuFilter(PairFilter):
    """Keep pairs by the BLEU of the paraphrase against its reference.

    For single sentences BLEU is smoothed at all lengths of n-grams and in its brevity penalty
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

    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.7.

    Examples
    --------
    >>> from skpara.augment.filters import BleuFilter
    >>> pairs = [("a big dog runs", "a large dog runs"), ("a big dog runs", "hounds run")]
    >>> BleuFilter().score_pairs(pairs).round(2).tolist()
    [0.4, 0.14]
    """

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        scores = np.zeros(len(paraphrases))
        for rows, counted in ngram_overlaps(paraphrases, _LONGEST):
            logs = [np.log((found.shared + 1) / (found.n_right + 1)) for found in counted]
            r, c = counted[0].n_left, counted[0].n_right
            brevity = np.minimum(0.0, 1 - (r + 1) / np.maximum(c, 1))
            scores[rows] = np.where(c > 0, np.exp(np.mean(logs, axis=0) + brevity), 0.0)
        return scores
