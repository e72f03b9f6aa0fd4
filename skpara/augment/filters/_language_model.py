"""Filter by the probability of a paraphrase under an n-gram model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from skpara._optional import import_optional
from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import ORDER_CONSTRAINTS, PairFilter
from skpara.text import tokenize


@set_module("skpara.augment.filters")
class LanguageModelFilter(PairFilter):
    """Keep paraphrases that are likely under a language model.

    The score is the perplexity of the second sentence of each pair under an n-gram model that
    ``fit`` learns from the first sentences, the references::

        exp(-(sum_i ln p(w_i | the order - 1 tokens before)) / m)

    over its m tokens, the last one an end mark. The model is nltk's with the interpolation of
    Witten and Bell (1991); words that occur once in the references count as unknown.

    Parameters
    ----------
    order : int, default=3
        Number of tokens of an n-gram.
    lower, upper : float, default=None
        Inclusive bounds of the score, which is 1 or more.

    References
    ----------
    Witten and Bell (1991), The zero-frequency problem, IEEE Trans. on Information Theory 37(4).

    Examples
    --------
    >>> from skpara.augment.filters import LanguageModelFilter
    >>> references = ["the dog runs", "the cat runs", "the dog sleeps", "the cat sleeps"]
    >>> model = LanguageModelFilter(upper=5).fit([(text, text) for text in references])
    >>> model.select([("", "the cat runs"), ("", "runs cat the")]).tolist()
    [True, False]
    """

    _parameter_constraints = ORDER_CONSTRAINTS
    _learns = True

    def __init__(
        self, order: int = 3, *, lower: float | None = None, upper: float | None = None
    ) -> None:
        super().__init__(lower, upper)
        self.order = order

    def _fit(self, paraphrases: Paraphrases) -> None:
        references = dict.fromkeys(tuple(tokenize(text)) for text in paraphrases.pairs[:, 0])
        self._ngrams = _WittenBell(references, self.order)

    def _score(self, paraphrases: Paraphrases) -> Floats:
        sentences = paraphrases.pairs[:, 1]
        return np.array([self._ngrams.perplexity(tokenize(text)) for text in sentences])


# About 20 MB of n-grams, more than the distinct ones of 20,000 sentences.
_MAX_LOGS = 100_000


class _WittenBell:
    """nltk's model with a cache of probabilities, since nltk is slow."""

    def __init__(self, sentences: Iterable[Sequence[str]], order: int) -> None:
        import_optional("nltk", "LanguageModelFilter()")
        from nltk.lm import Vocabulary, WittenBellInterpolated
        from nltk.util import everygrams

        self._order = order
        padded = [self._pad(sentence) for sentence in sentences]
        vocabulary = Vocabulary((token for tokens in padded for token in tokens), unk_cutoff=2)
        self._model = WittenBellInterpolated(order, vocabulary=vocabulary)
        self._model.fit(everygrams(vocabulary.lookup(tokens), max_len=order) for tokens in padded)
        self._logs: dict[tuple[str, ...], float] = {}

    def perplexity(self, tokens: Sequence[str]) -> float:
        padded = list(self._model.vocab.lookup(self._pad(tokens)))
        first = max(1, self._order - 1)  # after the start marks
        logs = [
            self._log(tuple(padded[max(0, i - self._order + 1) : i + 1]))
            for i in range(first, first + len(tokens) + 1)
        ]
        return float(np.exp(-np.mean(logs)))

    def _pad(self, tokens: Sequence[str]) -> list[str]:
        from nltk.lm.preprocessing import pad_both_ends

        # A model of single tokens needs an end mark as well, and order 1 would pad with none.
        return list(pad_both_ends(tokens, n=max(2, self._order)))

    def _log(self, ngram: tuple[str, ...]) -> float:
        if ngram not in self._logs:
            context, word = ngram[:-1], ngram[-1]
            # An unseen context adds nothing to the interpolation, but nltk would store an empty
            # count of it, and memory would grow with every scored text.
            while context and context not in self._model.counts[len(context) + 1]:
                context = context[1:]
            probability = self._model.unmasked_score(word, context or None)
            if len(self._logs) >= _MAX_LOGS:
                self._logs.clear()
            # An unknown word has probability 0 if no word occurs only once in the references.
            self._logs[ngram] = float(np.log(probability)) if probability else -np.inf
        return self._logs[ngram]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_logs": {}}
