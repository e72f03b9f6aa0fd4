"""Filter by the probability of the paraphrase under an n-gram model."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sklearn.utils._param_validation import Interval

from skpara._optional import import_optional
from skpara._public import set_module
from skpara._typing import Floats
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.text import tokenize


@set_module("skpara.augment.filters")
class LanguageModelFilter(PairFilter):
    """Keep paraphrases that are likely under a language model.

    The score is the perplexity of the second sentence of each pair under an n-gram model that
    ``fit`` learns from the first sentences, the references::

        exp(-(sum_i ln p(w_i | the order - 1 tokens before)) / m)

    over its m tokens, of which the last marks the end of the sentence. The model is nltk's with
    the interpolation of Witten and Bell (1991); words that occur once in the references count as
    unknown.

    Parameters
    ----------
    order : int, default=3
        Number of tokens of an n-gram.
    model : path, default=None
        A model of KenLM (ARPA or binary, of lower-cased tokens separated by spaces) that is used
        instead; ``fit`` then learns nothing. Needs the ``kenlm`` package.
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

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **PairFilter._parameter_constraints,
        "order": [Interval(Integral, 1, None, closed="left")],
        "model": [str, os.PathLike, None],
    }
    _learns = True

    def __init__(
        self,
        order: int = 3,
        *,
        model: str | os.PathLike[str] | None = None,
        lower: float | None = None,
        upper: float | None = None,
    ) -> None:
        super().__init__(lower, upper)
        self.order = order
        self.model = model

    def _fit(self, paraphrases: Paraphrases) -> None:
        if self.model is not None:
            return
        if len(paraphrases) == 0:
            raise ValueError(
                "Found no pairs to fit LanguageModelFilter to: pass at least one reference."
            )
        references = dict.fromkeys(tuple(tokenize(text)) for text in paraphrases.pairs[:, 0])
        self._ngrams = _WittenBell(references, self.order)

    def _score(self, paraphrases: Paraphrases) -> Floats:
        sentences = [tokenize(text) for text in paraphrases.pairs[:, 1]]
        if self.model is not None:
            return _kenlm_perplexities(Path(self.model), sentences)
        return np.array([self._ngrams.perplexity(tokens) for tokens in sentences])

    def __sklearn_is_fitted__(self) -> bool:
        return self.model is not None or super().__sklearn_is_fitted__()


# About 20 MB of n-grams, more than the distinct ones of 20,000 sentences.
_MAX_LOGS = 100_000


class _WittenBell:
    """nltk's model with a cache of probabilities, each of which nltk computes slowly."""

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
            # A context that the references do not have adds nothing to the interpolation, but
            # nltk would keep an empty count of it, so that memory grew with every text scored.
            while context and context not in self._model.counts[len(context) + 1]:
                context = context[1:]
            probability = self._model.unmasked_score(word, context or None)
            if len(self._logs) >= _MAX_LOGS:
                self._logs.clear()
            # It is 0 for an unknown word if each word occurs more than once in the references.
            self._logs[ngram] = float(np.log(probability)) if probability else -np.inf
        return self._logs[ngram]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_logs": {}}


def _kenlm_perplexities(path: Path, sentences: Iterable[Sequence[str]]) -> Floats:
    kenlm = import_optional("kenlm", "LanguageModelFilter(model=...)")
    if not path.is_file():
        raise FileNotFoundError(f"There is no language model at {path}.")
    model = kenlm.Model(str(path))
    # KenLM returns logarithms to the base of ten, and adds an end mark to the tokens.
    logs = [model.score(" ".join(tokens)) / (len(tokens) + 1) for tokens in sentences]
    return np.power(10.0, -np.array(logs, dtype=np.float64))
