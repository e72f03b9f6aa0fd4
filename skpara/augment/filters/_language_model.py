"""Filter by the probability of a paraphrase under an n-gram model."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from skpara._compatibility import import_optional
from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import ORDER_CONSTRAINTS, PairFilter
from skpara.text import tokenize

_START, _END = "<s>", "</s>"
# Discounts of n-grams that occur once, twice and more often, where there are too few to estimate
# them; KenLM falls back to these.
_USUAL_DISCOUNTS = (0.5, 1.0, 1.5)


@set_module("skpara.augment.filters")
class LanguageModelFilter(PairFilter):
    """Keep paraphrases that are likely under a language model.

    The score is the perplexity of the second sentence of each pair under an n-gram model that
    ``fit`` learns from the first sentences, the references::

        exp(-(sum_i ln p(w_i | the order - 1 tokens before)) / m)

    over its m tokens, the last one an end mark. As in KenLM, which the paper used, the model is
    the modified Kneser-Ney model of Chen and Goodman (1998) with interpolation; a word that the
    references do not have is as likely as the model leaves open.

    Parameters
    ----------
    order : int, default=3
        Number of tokens of an n-gram.
    lower, upper : float, default=None
        Inclusive bounds of the score, which is 1 or more.

    References
    ----------
    Chen and Goodman (1998), An empirical study of smoothing techniques for language modeling,
    TR-10-98, Harvard University.

    Examples
    --------
    >>> from skpara.augment.filters import LanguageModelFilter
    >>> references = ["the dog runs", "the cat runs", "the dog sleeps", "the cat sleeps"]
    >>> model = LanguageModelFilter(upper=5).fit([(text, text) for text in references])
    >>> model.select([("", "the cat runs"), ("", "runs cat the")]).tolist()
    [True, False]
    """

    _parameter_constraints = ORDER_CONSTRAINTS
    learns = True

    def __init__(
        self, order: int = 3, *, lower: float | None = None, upper: float | None = None
    ) -> None:
        super().__init__(lower, upper)
        self.order = order

    def learn(self, paraphrases: Paraphrases) -> None:
        references = dict.fromkeys(tuple(tokenize(text)) for text in paraphrases.pairs[:, 0])
        self._ngrams = _KneserNey(references, self.order)

    def measure(self, paraphrases: Paraphrases) -> Floats:
        sentences = paraphrases.pairs[:, 1]
        return np.array([self._ngrams.perplexity(tokenize(text)) for text in sentences])


class _KneserNey:
    """The probabilities of n-grams up to an order.

    Only the longest n-grams count how often they occur. A shorter one counts the words before it,
    or how often it begins a sentence.
    """

    def __init__(self, sentences: Iterable[Sequence[str]], order: int) -> None:
        import_optional("nltk", "LanguageModelFilter()")
        from nltk.util import ngrams

        self._order = order
        marked = [(_START, *tokens, _END) for tokens in sentences]
        counted = [ngram for tokens in marked for ngram in ngrams(tokens, order)]
        if order == 1:
            counted = [ngram for ngram in counted if ngram != (_START,)]
        levels = [_Level(counted)]
        for length in range(order - 1, 0, -1):
            counted = [ngram[1:] for ngram in levels[-1].counts]
            if length > 1:  # a start mark is not a word to predict
                counted += [tokens[:length] for tokens in marked if len(tokens) >= length]
            levels.append(_Level(counted))
        self._levels = levels[::-1]
        self._chance = 1 / (len(self._levels[0].counts) + 1)  # unknown words are one

    def perplexity(self, tokens: Sequence[str]) -> float:
        """Return the perplexity of a sentence and its end."""
        marked = (_START, *tokens, _END)
        ngrams = (marked[max(0, i - self._order + 1) : i + 1] for i in range(1, len(marked)))
        return float(np.exp(-np.mean([np.log(self._probability(ngram)) for ngram in ngrams])))

    def _probability(self, ngram: tuple[str, ...]) -> float:
        probability = self._chance
        for length, level in enumerate(self._levels[: len(ngram)], 1):
            probability = level.interpolated(ngram[-length:], probability)
        return probability


class _Level:
    """N-grams of one length: counts, and what discounts leave for words not seen in a context."""

    def __init__(self, ngrams: Iterable[tuple[str, ...]]) -> None:
        from nltk.probability import FreqDist

        self.counts = FreqDist(ngrams)
        self._discounts = _discounts(self.counts.r_Nr())
        self._totals: Counter[tuple[str, ...]] = Counter()
        self._left: defaultdict[tuple[str, ...], float] = defaultdict(float)
        for ngram, count in self.counts.items():
            self._totals[ngram[:-1]] += count
            self._left[ngram[:-1]] += self._discount(count)

    def interpolated(self, ngram: tuple[str, ...], shorter: float) -> float:
        """Return the probability of the last word, given that by a shorter context."""
        context = ngram[:-1]
        if context not in self._totals:
            return shorter
        count = self.counts.get(ngram, 0)
        seen = count - self._discount(count) if count else 0.0
        return (seen + self._left[context] * shorter) / self._totals[context]

    def _discount(self, count: int) -> float:
        return self._discounts[min(count, len(self._discounts)) - 1]


def _discounts(frequencies: Mapping[int, int]) -> tuple[float, ...]:
    """Return the discounts of n-grams that occur once, twice, and more often.

    ``frequencies`` has how many n-grams occur once, twice and so on.
    """
    once, *_ = numbers = [frequencies.get(count, 0) for count in range(1, 5)]
    if not all(numbers):
        return _USUAL_DISCOUNTS
    share = once / (once + 2 * numbers[1])
    discounts = tuple(
        count - (count + 1) * share * numbers[count] / numbers[count - 1] for count in (1, 2, 3)
    )
    sensible = all(0 < discount <= count for count, discount in enumerate(discounts, 1))
    return discounts if sensible else _USUAL_DISCOUNTS
