"""By how usual the words of the paraphrase are in a row."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases
from skpara.augment.filters._base import PairFilter
from skpara.text import tokenize


@set_module("skpara.augment.filters")
class LanguageModelFilter(PairFilter):
    """Keep paraphrases that a language model finds likely.

    The score is the perplexity of the second sentence of each pair under an n-gram model of the
    first sentences, the references, that ``fit`` saw::

        exp(-(sum_i ln p(w_i | the order - 1 tokens before)) / m)

    over its m tokens, the end of the sentence among them. The model is nltk's, interpolated after
    Witten and Bell; words that the references hold once stand for unknown ones.

    Parameters
    ----------
    order : int, default=3
        Tokens of an n-gram.
    model : path, default=None
        A model of KenLM (ARPA or binary, of lower-cased tokens with spaces between them) to take
        instead; nothing is then learned. Needs the ``kenlm`` package.
    lower, upper : float, default=None
        Bounds of the score, which is 1 or more.

    Notes
    -----
    The paper fits the model to other references than those whose translations it filters: fit the
    filter first, then pass it to a paraphraser within a ``FrozenEstimator``. An unfitted one is
    fitted to the references at hand.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Section 5.6.

    I. Witten, T. Bell (1991). The zero-frequency problem: estimating the probabilities of novel
    events in adaptive text compression. IEEE Transactions on Information Theory 37(4).

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

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        lists = [tokenize(text) for text in paraphrases.pairs[:, 1]]
        if self.model is not None:
            return _kenlm_perplexities(Path(self.model), lists)
        return np.array([self._ngrams.perplexity(tokens) for tokens in lists])

    def __sklearn_is_fitted__(self) -> bool:
        return self.model is not None or super().__sklearn_is_fitted__()


class _WittenBell:
    """nltk's model, which works each probability out anew; here each is worked out once."""

    def __init__(self, sentences: Iterable[Sequence[str]], order: int) -> None:
        from nltk.lm import Vocabulary, WittenBellInterpolated
        from nltk.lm.preprocessing import pad_both_ends
        from nltk.util import everygrams

        padded = [list(pad_both_ends(sentence, n=max(2, order))) for sentence in sentences]
        vocabulary = Vocabulary((token for tokens in padded for token in tokens), unk_cutoff=2)
        self._order = order
        self._model = WittenBellInterpolated(order, vocabulary=vocabulary)
        self._model.fit(everygrams(vocabulary.lookup(tokens), max_len=order) for tokens in padded)
        self._known: dict[tuple[str, ...], float] = {}

    def perplexity(self, tokens: Sequence[str]) -> float:
        from nltk.lm.preprocessing import pad_both_ends

        padded = list(self._model.vocab.lookup(pad_both_ends(tokens, n=max(2, self._order))))
        first = max(1, self._order - 1)  # behind the marks of the start
        logs = [
            self._log(tuple(padded[max(0, i - self._order + 1) : i + 1]))
            for i in range(first, first + len(tokens) + 1)
        ]
        return float(np.exp(-np.mean(logs)))

    def _log(self, ngram: tuple[str, ...]) -> float:
        found = self._known.get(ngram)
        if found is None:
            *context, word = ngram
            probability = self._model.unmasked_score(word, tuple(context) or None)
            # No reference holds a word only once: there is no mass for unknown words.
            found = self._known[ngram] = float(np.log(probability)) if probability else -np.inf
        return found

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_known": {}}


def _kenlm_perplexities(path: Path, lists: Iterable[Sequence[str]]) -> NDArray[np.float64]:
    try:
        import kenlm
    except ImportError as error:
        raise ImportError(
            "model= takes a model of KenLM, which is not installed: pip install kenlm. Without "
            "model=, nltk's n-gram model is used."
        ) from error
    if not path.is_file():
        raise FileNotFoundError(f"There is no language model at {path}.")
    model = kenlm.Model(str(path))
    # KenLM gives logarithms to the base of ten, the end of the sentence among them.
    logs = [model.score(" ".join(tokens)) / (len(tokens) + 1) for tokens in lists]
    return np.power(10.0, -np.array(logs, dtype=np.float64))
