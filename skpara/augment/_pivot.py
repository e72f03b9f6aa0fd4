"""Paraphrases by translation into another language and back."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin

from skpara._pairs import as_sentences
from skpara._public import set_module
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cache import CachedTranslator
from skpara.augment._paraphrases import Collector, Paraphrases
from skpara.augment._sampler import ParaphraseSampler
from skpara.augment._translator import Translator, hypotheses
from skpara.text import tokenize


@set_module("skpara.augment")
class PivotParaphraser(TransformerMixin, BaseEstimator):
    """Paraphrase sentences by translating them into other languages and back.

    The sentences to be scored can be paraphrased before any of their scores is known, which
    adapts an encoder to their kind of text: ``ParagramEncoder(paraphraser=PivotParaphraser())``.

    Parameters
    ----------
    pivots : sequence of str, default=("es",)
        The languages that sentences go through; each gives a paraphrase.
    language : str, default="en"
        The language of the sentences.
    translator : "apertium" or callable, default="apertium"
        A callable takes two languages and gives a :class:`Translator` from the one to the other.
    n_best : int, default=1
        Translations back that are taken of each sentence; more than one needs a translator that
        has ``nbest``, such as :class:`MarianTranslator`.
    filters : sequence, default=()
        Filters of :mod:`skpara.augment.filters`, or anything with ``select(paraphrases)``; only
        pairs that all of them select are kept. One that has to be fitted, and is not, is fitted
        to the pairs found.
    keep : {"all", "most_different"}, default="all"
        With several pivots, whether all paraphrases of a sentence are kept or the one that shares
        the smallest part of its words with the sentence.
    cache : path, default=None
        A file that keeps the translations; see :class:`CachedTranslator`.

    See Also
    --------
    skpara.ParagramEncoder : Learns from the pairs.
    ParaphraseSampler : Adds them to scored pairs in a pipeline of imbalanced-learn.

    Notes
    -----
    A paraphrase that has the same tokens as its sentence, and one that another pivot gave as
    well, teaches nothing and is dropped, and so is an empty one.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, PivotParaphraser
    >>> def translators(source, target):
    ...     old, new = ("big", "grande") if target == "es" else ("grande", "large")
    ...     def translate(texts):
    ...         return [text.replace(old, new) for text in texts]
    ...     return FunctionTranslator(translate, f"words {source}-{target}")
    >>> paraphraser = PivotParaphraser(translator=translators)
    >>> paraphraser.pairs(["a big dog", "a small dog"]).tolist()
    [['a big dog', 'a large dog']]
    >>> paraphraser.transform(["a big dog", "a small dog"]).tolist()
    ['a large dog', 'a small dog']
    """

    def __init__(
        self,
        pivots: Sequence[str] = ("es",),
        *,
        language: str = "en",
        translator: str | Callable[[str, str], Translator] = "apertium",
        n_best: int = 1,
        filters: Sequence[Any] = (),
        keep: str = "all",
        cache: str | os.PathLike[str] | None = None,
    ) -> None:
        self.pivots = pivots
        self.language = language
        self.translator = translator
        self.n_best = n_best
        self.filters = filters
        self.keep = keep
        self.cache = cache

    def fit(self, X: Any = None, y: Any = None) -> PivotParaphraser:
        """Do nothing but check that the translators are there.

        Parameters
        ----------
        X, y : ignored

        Returns
        -------
        self
        """
        self.translators()
        return self

    def transform(self, X: Any) -> NDArray[np.object_]:
        """A paraphrase of each sentence.

        Parameters
        ----------
        X : sentences, shape (n_sentences,)

        Returns
        -------
        ndarray of str, shape (n_sentences,)
            The paraphrase that is most different; the sentence itself where there is none.
        """
        sentences = as_sentences(X)
        found = self.paraphrase(sentences)
        paraphrases = np.array(sentences, dtype=object)
        best = self._most_different(found.pairs, found.rows)
        paraphrases[found.rows[best]] = found.pairs[best, 1]
        return paraphrases

    def pairs(self, X: Any) -> NDArray[np.object_]:
        """Pairs of a sentence and its paraphrase.

        Parameters
        ----------
        X : sentences, shape (n_sentences,)
            A sentence that comes again is paraphrased once.

        Returns
        -------
        ndarray of str, shape (n_pairs, 2)
        """
        return self.paraphrase(dict.fromkeys(as_sentences(X))).pairs

    def paraphrase(self, X: Iterable[str]) -> Paraphrases:
        """Paraphrases of all sentences, with what was dropped and why.

        Parameters
        ----------
        X : sentences, shape (n_sentences,)

        Returns
        -------
        Paraphrases
            The pairs, the number of each pair's sentence, and what was dropped and why.

        Raises
        ------
        FileNotFoundError
            If Apertium or a pair of languages is not installed.
        TranslationError
            If a translator fails.
        TypeError
            If ``n_best`` is more than one and a translator gives but one.
        """
        if self.keep not in ("all", "most_different"):
            raise ValueError(f"keep must be 'all' or 'most_different', got {self.keep!r}.")
        sentences = as_sentences(list(X))
        collector = Collector(sentences)
        for forth, back in self.translators():
            collector.add(hypotheses(back, forth.translate(sentences), self.n_best))
        found = collector.finished().filtered(self.filters)
        if self.keep == "most_different":
            found = found.take(self._most_different(found.pairs, found.rows), "less different")
        return found

    def fit_resample(
        self, X: Any, y: ArrayLike
    ) -> tuple[NDArray[np.object_], NDArray[np.float64]]:
        """What :class:`ParaphraseSampler` does with this paraphraser.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
        y : array-like of shape (n_pairs,)

        Returns
        -------
        X : ndarray of str, shape (n_pairs + n_paraphrases, 2)
        y : ndarray of float64, shape (n_pairs + n_paraphrases,)
        """
        return ParaphraseSampler(self).fit_resample(X, y)

    def translators(self) -> list[tuple[Translator, Translator]]:
        """There and back for each pivot.

        Raises
        ------
        FileNotFoundError
            If Apertium or a pair of languages is not installed.
        """
        if isinstance(self.pivots, str) or not list(self.pivots):
            raise ValueError(f"pivots must be a list of languages, got {self.pivots!r}.")
        make: Callable[[str, str], Translator]
        if callable(self.translator):
            make = self.translator
        elif self.translator == "apertium":
            make = ApertiumTranslator
        else:
            raise ValueError(
                f"translator must be 'apertium' or a callable, got {self.translator!r}."
            )
        both = [(make(self.language, pivot), make(pivot, self.language)) for pivot in self.pivots]
        if self.cache is None:
            return both
        path = self.cache
        return [(CachedTranslator(a, path), CachedTranslator(b, path)) for a, b in both]

    @staticmethod
    def _most_different(pairs: NDArray[np.object_], rows: NDArray[np.intp]) -> NDArray[np.intp]:
        """For each sentence the number of the pair that shares the fewest words."""
        best: dict[int, tuple[float, int]] = {}
        for i, (row, (sentence, other)) in enumerate(zip(rows.tolist(), pairs, strict=True)):
            ours, theirs = set(tokenize(sentence)), set(tokenize(other))
            share = len(ours & theirs) / max(1, len(ours | theirs))
            best[row] = min(best.get(row, (2.0, -1)), (share, i))
        return np.array([i for _, i in best.values()], dtype=np.intp)
