"""Filters by length, cost, repetition, language and shared n-grams."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment._to_english import Detector, language_probabilities
from skpara.augment._translationese import ngrams
from skpara.augment.filters._base import PairFilter
from skpara.text import Sides, overlaps, tokenize

# Pairs whose n-grams are counted at a time: about a million tokens. Their counts take tens of
# megabytes, and their distinct tokens can be numbered by Unicode's 1.1 million characters.
_CHUNK = 20_000


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

    def _score(self, paraphrases: Paraphrases) -> Floats:
        return np.array(
            [len(tokenize(text)) for text in paraphrases.pairs[:, 1]], dtype=np.float64
        )


@set_module("skpara.augment.filters")
class TranslationCostFilter(PairFilter):
    """Keep paraphrases that are likely under the translator's model.

    The score is the negative log-likelihood per token of the translation, in nats. It comes with
    :class:`~skpara.augment.Paraphrases` of a translator that has such a model, which Apertium has
    not; for plain pairs, and pairs without a cost, a ValueError is raised.

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

    def _score(self, paraphrases: Paraphrases) -> Floats:
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

    Sentences are the same if their tokens are, and pairs are if they hold the same sentences in
    either order. The score is how often the pair occurred before, plus one if both sentences are
    the same.

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

    def _score(self, paraphrases: Paraphrases) -> Floats:
        seen: dict[frozenset[tuple[str, ...]], int] = {}
        scores = np.zeros(len(paraphrases))
        for i, pair in enumerate(paraphrases):
            sides = frozenset(tuple(tokenize(text)) for text in pair)
            scores[i] = seen.get(sides, 0) + (len(sides) == 1)
            seen[sides] = seen.get(sides, 0) + 1
        return scores


@set_module("skpara.augment.filters")
class LanguageFilter(PairFilter):
    """Keep pairs of which both sentences are in one language.

    The score is the language's probability by a detector, the smaller one of both sentences. Text
    that a translator left untranslated is dropped.

    Parameters
    ----------
    language : str, default="en"
        Two-letter code of the language.
    languages : sequence of str, default=None
        Codes of the languages that may occur, see :class:`~skpara.augment.TranslateToEnglish`.
    detector : "py3langid" or callable, default="py3langid"
        A callable takes a list of sentences and returns the language of each.
    lower : float, default=0.5
        Inclusive lower bound of the probability.
    upper : float, default=None
        Inclusive upper bound of the probability.

    Examples
    --------
    >>> from skpara.augment.filters import LanguageFilter
    >>> pairs = [("The house is big.", "The house is large."), ("the house", "la casa es grande")]
    >>> LanguageFilter(languages=["en", "es"]).select(pairs).tolist()
    [True, False]
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairFilter._parameter_constraints,
        "language": [str],
        "languages": ["array-like", None],
        "detector": [StrOptions({"py3langid"}), callable],
    }

    def __init__(
        self,
        language: str = "en",
        *,
        languages: Sequence[str] | None = None,
        detector: Detector = "py3langid",
        lower: float | None = 0.5,
        upper: float | None = None,
    ) -> None:
        super().__init__(lower, upper)
        self.language = language
        self.languages = languages
        self.detector = detector

    def _score(self, paraphrases: Paraphrases) -> Floats:
        sentences = paraphrases.pairs.ravel().tolist()
        scores = np.zeros(len(sentences))
        rows = language_probabilities(sentences, self.detector, self.languages)
        for i, row in enumerate(rows):
            if self.language not in row and not callable(self.detector):
                raise ValueError(f"{self.language!r} is not among the languages {sorted(row)}.")
            scores[i] = row.get(self.language, 0.0)
        return scores.reshape(-1, 2).min(axis=1)


@set_module("skpara.augment.filters")
class OverlapFilter(PairFilter):
    """Keep pairs that share neither too many nor too few n-grams.

    The score is the number of shared n-grams of tokens, divided by the number of n-grams of the
    sentence that has fewer (Wieting and others 2017, section 5.7); 0 if one has none. An n-gram of
    that sentence is shared, at each place where it occurs, if the other sentence has it at least
    once. The paper leaves open how repetitions count; this is how its authors' script counts them.
    If both sentences have equally many n-grams, those of the first are counted.

    Parameters
    ----------
    order : int, default=1
        Number of tokens of an n-gram.
    lower, upper : float, default=None
        Inclusive bounds of the score, which is in [0, 1]. The paper tries lower bounds from 0 to
        0.5 and upper ones from 0.5 to 1, of which 0.6 and 0.7 were often the best.

    Examples
    --------
    >>> from skpara.augment.filters import OverlapFilter
    >>> pairs = [("a big dog", "a large dog"), ("a big dog", "the hound")]
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

    def _score(self, paraphrases: Paraphrases) -> Floats:
        scores = np.zeros(len(paraphrases))
        pairs = paraphrases.pairs
        for start in range(0, len(pairs), _CHUNK):
            chunk = pairs[start : start + _CHUNK]
            left, right = Sides.number(*(map(tokenize, side) for side in chunk.T))
            counts = list(overlaps(left, right, 4))
            logs = [np.log((count.shared + 1) / (count.n_right + 1)) for count in counts]
            r, c = counts[0].n_left, counts[0].n_right
            # Without tokens c is 0; the score is then 0 by np.where, and no division may warn.
            brevity = np.minimum(0.0, 1 - (r + 1) / np.maximum(c, 1))
            bleu = np.where(c > 0, np.exp(np.mean(logs, axis=0) + brevity), 0.0)
            scores[start : start + _CHUNK] = bleu
        return scores
