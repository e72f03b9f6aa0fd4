"""Filters by length, cost, repetition and shared n-grams."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import ORDER_CONSTRAINTS, PairFilter
from skpara.text import tokenize

_BLEU_ORDER = 4  # the longest n-grams of BLEU


@set_module("skpara.augment.filters")
class LengthFilter(PairFilter):
    """Keep paraphrases whose length lies within bounds.

    The score is the number of tokens of the second sentence of each pair. Translations of at most
    ten tokens were the best to learn from in section 5.5 of Wieting and others (2017).

    Parameters
    ----------
    lower, upper : float, default=None
        Inclusive bounds of the number of tokens.

    Examples
    --------
    >>> from skpara.augment.filters import LengthFilter
    >>> pairs = [("it rains", "rain falls"), ("it rains", "there is rain that falls on us")]
    >>> LengthFilter(upper=5).select(pairs).tolist()
    [True, False]
    """

    def measure(self, paraphrases: Paraphrases) -> Floats:
        return np.array(
            [len(tokenize(text)) for text in paraphrases.pairs[:, 1]], dtype=np.float64
        )


@set_module("skpara.augment.filters")
class TranslationCostFilter(PairFilter):
    """Keep paraphrases that are likely under the translator's model.

    The score is the negative log-likelihood per token of the translation, in nats. It comes with
    :class:`~skpara.augment.Paraphrases` of a translator with such a model, such as
    :class:`~skpara.augment.MarianTranslator`; pairs without a cost raise a ValueError.

    Parameters
    ----------
    lower, upper : float, default=None
        Bounds of the score, which is 0 or more.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.augment import Paraphrases
    >>> from skpara.augment.filters import TranslationCostFilter
    >>> pairs = np.array([("a big dog", "a large dog"), ("a big dog", "the it")], dtype=object)
    >>> rows, ranks = np.array([[0, 0], [0, 1]])
    >>> paraphrases = Paraphrases(pairs, rows, np.array([0.3, 2.1]), ranks)
    >>> TranslationCostFilter(upper=1.0).select(paraphrases).tolist()
    [True, False]
    """

    def measure(self, paraphrases: Paraphrases) -> Floats:
        missing = np.flatnonzero(np.isnan(paraphrases.costs))
        if len(missing):
            raise ValueError(
                f"{len(missing)} of {len(paraphrases)} pairs have no translation cost, the first "
                f"at row {missing[0]}. Pass Paraphrases made with a translator that has nbest, "
                "such as MarianTranslator, or leave this filter out."
            )
        return paraphrases.costs


@set_module("skpara.augment.filters")
class DuplicateFilter(PairFilter):
    """Keep each pair once, and none whose two sentences are the same.

    Sentences are the same if their tokens are, and pairs if they hold the same sentences in either
    order. The score is the number of earlier occurrences of the pair, plus one if both sentences
    are the same.

    Parameters
    ----------
    lower : float, default=None
        Inclusive lower bound of the score.
    upper : float, default=0
        Inclusive upper bound of the score; 1 keeps pairs twice.

    Examples
    --------
    >>> from skpara.augment.filters import DuplicateFilter
    >>> pairs = [("a dog", "a hound"), ("A hound", "a dog"), ("a cat", "A cat")]
    >>> DuplicateFilter().select(pairs).tolist()
    [True, False, False]
    """

    def __init__(self, lower: float | None = None, upper: float | None = 0) -> None:
        super().__init__(lower, upper)

    def measure(self, paraphrases: Paraphrases) -> Floats:
        seen: dict[frozenset[tuple[str, ...]], int] = {}
        scores = np.zeros(len(paraphrases))
        for i, pair in enumerate(paraphrases):
            sides = frozenset(tuple(tokenize(text)) for text in pair)
            scores[i] = seen.get(sides, 0) + (len(sides) == 1)
            seen[sides] = seen.get(sides, 0) + 1
        return scores


@set_module("skpara.augment.filters")
class OverlapFilter(PairFilter):
    """Keep pairs that share neither too many nor too few n-grams.

    The score is the number of shared n-grams of tokens, divided by the number of n-grams of the
    sentence with fewer of them, the first one if equal (Wieting and others 2017, section 5.7); 0
    if one sentence has none. Repetitions count as in the authors' script, since the paper leaves
    it open: each occurrence is shared if the other sentence has the n-gram at least once.

    Parameters
    ----------
    order : int, default=1
        Number of tokens of an n-gram.
    lower, upper : float, default=None
        Inclusive bounds of the score, which is in [0, 1]. The paper tries lower bounds from 0 to
        0.5 and upper bounds from 0.5 to 1; 0.6 and 0.7 were often the best.

    Examples
    --------
    >>> from skpara.augment.filters import OverlapFilter
    >>> pairs = [("a big dog", "a large dog"), ("a big dog", "the hound")]
    >>> OverlapFilter(order=1, lower=0.2, upper=0.7).select(pairs).tolist()
    [True, False]
    """

    _parameter_constraints = ORDER_CONSTRAINTS

    def __init__(
        self, order: int = 1, lower: float | None = None, upper: float | None = None
    ) -> None:
        super().__init__(lower, upper)
        self.order = order

    def measure(self, paraphrases: Paraphrases) -> Floats:
        scores = np.zeros(len(paraphrases))
        for i, pair in enumerate(paraphrases.pairs):
            first, second = (ngrams(tokenize(text), self.order) for text in pair)
            fewer, more = (second, first) if len(second) < len(first) else (first, second)
            if fewer:
                scores[i] = sum(map(set(more).__contains__, fewer)) / len(fewer)
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
    Nakov, Guzman and Vogel (2012), Optimizing for sentence-level BLEU+1, COLING.

    Examples
    --------
    >>> from skpara.augment.filters import BleuFilter
    >>> pairs = [("a big dog runs", "a large dog runs"), ("a big dog runs", "hounds run")]
    >>> BleuFilter().score_pairs(pairs).round(2).tolist()
    [0.4, 0.14]
    """

    def measure(self, paraphrases: Paraphrases) -> Floats:
        lengths = np.empty((len(paraphrases), 2))
        shares = np.empty((_BLEU_ORDER, len(paraphrases)))
        for i, pair in enumerate(paraphrases.pairs):
            first, second = map(tokenize, pair)
            lengths[i] = len(first), len(second)
            for order in range(1, _BLEU_ORDER + 1):
                left, right = (Counter(ngrams(side, order)) for side in (first, second))
                shares[order - 1, i] = ((left & right).total() + 1) / (right.total() + 1)
        r, c = lengths.T
        brevity = np.minimum(0.0, 1 - (r + 1) / np.maximum(c, 1))
        return np.where(c > 0, np.exp(np.mean(np.log(shares), axis=0) + brevity), 0.0)


def ngrams(tokens: Sequence[str], order: int) -> list[tuple[str, ...]]:
    """Return all n-grams of tokens, in order."""
    return list(zip(*(tokens[i:] for i in range(order)), strict=False))
