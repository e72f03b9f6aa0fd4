"""By the number of words."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.text import tokenize


@set_module("skpara.augment.filters")
class LengthFilter(PairFilter):
    """Keep paraphrases of a certain length.

    The score is the number of tokens of the second sentence of each pair. Wieting and others
    found translations of at most ten tokens the best to learn from.

    Parameters
    ----------
    lower, upper : float, default=None
        Least and largest number of tokens that are kept; None is no bound.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.5.

    Examples
    --------
    >>> from skpara.augment.filters import LengthFilter
    >>> pairs = [("it rains", "rain falls"), ("it rains", "there is rain that falls on us")]
    >>> LengthFilter(upper=5).select(pairs).tolist()
    [True, False]
    """

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        lengths = [len(tokenize(text)) for text in paraphrases.pairs[:, 1]]
        return np.array(lengths, dtype=np.float64)
