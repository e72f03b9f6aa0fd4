"""By what the translator itself thinks of its translation."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter


@set_module("skpara.augment.filters")
class TranslationCostFilter(PairFilter):
    """Keep paraphrases that the translator was sure of.

    The score is the negative log-likelihood of the translation, divided by its tokens, in nats.

    Parameters
    ----------
    lower, upper : float, default=None
        Bounds of the score, which is 0 or more.

    Notes
    -----
    Bare pairs know nothing of costs: ``score_pairs`` and ``select`` take :class:`Paraphrases`, and
    raise a ValueError where the translator (Apertium, say) has no model to ask.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.6.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.augment import Paraphrases
    >>> from skpara.augment.filters import TranslationCostFilter
    >>> pairs = np.array([("a big dog", "a large dog"), ("a big dog", "the it")], dtype=object)
    >>> found = Paraphrases(pairs, np.array([0, 0]), np.array([0.3, 2.1]), np.array([0, 1]))
    >>> TranslationCostFilter(upper=1.0).select(found).tolist()
    [True, False]
    """

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        missing: Any = np.flatnonzero(np.isnan(paraphrases.costs))
        if len(missing):
            raise ValueError(
                f"{len(missing)} of {len(paraphrases)} pairs have no translation cost, the first "
                f"at row {missing[0]}. Costs come with the Paraphrases of a translator that has "
                "nbest, such as MarianTranslator; leave this filter out for others."
            )
        return paraphrases.costs
