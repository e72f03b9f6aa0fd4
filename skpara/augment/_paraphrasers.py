"""Paraphrases of sentences by translation into another language and back, or from bitext."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils._param_validation import StrOptions

from skpara._pairs import as_pairs, as_sentences
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, TransformerMixin, checks_parameters
from skpara._typing import Constraints, FilePath, Objects, Pairs, PairsLike, SentencesLike
from skpara._validation import COUNT
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cached_translator import CachedTranslator
from skpara.augment._paraphrases import Paraphrases, collect
from skpara.augment._translator import Translator, nbest_translations
from skpara.text import tokenize


@set_module("skpara.augment")
@with_fields
class PivotParaphraser(TransformerMixin, BaseEstimator):
    """Paraphrase sentences by translating them into other languages and back.

    Sentences to be scored can be paraphrased before any score is known, which adapts an encoder to
    their kind of text: ``ParagramEncoder(paraphraser=PivotParaphraser())``. Copies and repetitions
    are dropped, since nothing can be learned from them.

    Parameters
    ----------
    pivots : sequence of str, default=("es",)
        The languages to translate into and back; each gives a paraphrase.
    language : str, default="en"
        The language of the sentences.
    translator : "apertium" or callable, default="apertium"
        A callable takes two languages and returns a :class:`Translator` from the first into the
        second.
    n_best : int, default=1
        Back-translations of each sentence; see :class:`BackTranslator`.
    filters : sequence, default=()
        Only pairs that pass all of them are kept; see :meth:`Paraphrases.filtered`.
    cache : path, default=None
        File of stored translations; see :class:`CachedTranslator`.

    See Also
    --------
    skpara.ParagramEncoder : Learns from the pairs.

    References
    ----------
    Hokamp and Arora (2016), DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram embeddings.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, PivotParaphraser
    >>> def translators(source, target):
    ...     old, new = ("big", "grande") if target == "es" else ("grande", "large")
    ...     name = f"words {source}-{target}"
    ...     return FunctionTranslator(lambda texts: [t.replace(old, new) for t in texts], name)
    >>> PivotParaphraser(translator=translators).pairs(["a big dog", "a small dog"]).tolist()
    [['a big dog', 'a large dog']]
    """

    pivots: Sequence[str] = ("es",)
    _: KW_ONLY
    language: str = "en"
    translator: str | Callable[[str, str], Translator] = "apertium"
    n_best: int = 1
    filters: Sequence[Any] = ()
    cache: FilePath | None = None

    _parameter_constraints: ClassVar[Constraints] = {
        "pivots": ["array-like"],
        "language": [str],
        "translator": [StrOptions({"apertium"}), callable],
        "n_best": [COUNT],
        "filters": ["array-like"],
        "cache": [str, os.PathLike, None],
    }

    def fit(self, X: Any = None, y: Any = None) -> Self:
        """Check the parameters and that the translators are installed.

        Parameters
        ----------
        X, y : object, default=None
            Ignored.

        Returns
        -------
        self
            The paraphraser.
        """
        self.translators()
        return self

    def transform(self, X: SentencesLike) -> Objects:
        """Paraphrase each sentence.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            The sentences to paraphrase.

        Returns
        -------
        ndarray of str, shape (n_sentences,)
            The most different paraphrase, or the sentence itself if there is none.
        """
        sentences = as_sentences(X)
        paraphrases = self.paraphrase(sentences)
        best = paraphrases.take(_most_different(paraphrases))
        transformed = np.array(sentences, dtype=object)
        transformed[best.rows] = best.pairs[:, 1]
        return transformed

    def pairs(self, X: SentencesLike) -> Pairs:
        """Return pairs of a sentence and its paraphrase.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            Each distinct sentence is paraphrased once.

        Returns
        -------
        ndarray of str, shape (n_pairs, 2)
            A sentence and a paraphrase in each row.
        """
        return self.paraphrase(list(dict.fromkeys(as_sentences(X)))).pairs

    def paraphrase(self, X: SentencesLike) -> Paraphrases:
        """Return the paraphrases of all sentences, with rows, costs and dropped pairs.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            The sentences to paraphrase.

        Returns
        -------
        Paraphrases
            The pairs, with the index of each pair's sentence.
        """
        sentences = as_sentences(X)
        nbest_lists = (
            nbest_translations(backward, forward.translate(sentences), self.n_best)
            for forward, backward in self.translators()
        )
        return collect(sentences, nbest_lists).filtered(self.filters)

    # All methods call this one, so parameters are checked without fit too.
    @checks_parameters
    def translators(self) -> list[tuple[Translator, Translator]]:
        """Create the translators into each pivot and back.

        Returns
        -------
        list of tuple of (Translator, Translator)
            One tuple for each pivot.
        """
        if len(self.pivots) == 0:
            raise ValueError("The 'pivots' parameter of PivotParaphraser must not be empty.")
        create = self.translator if callable(self.translator) else ApertiumTranslator
        translators: list[Any] = []
        for pivot in self.pivots:
            pair = create(self.language, pivot), create(pivot, self.language)
            cached = (t if self.cache is None else CachedTranslator(t, self.cache) for t in pair)
            translators.append(tuple(cached))
        return translators


@set_module("skpara.augment")
@with_fields
class BackTranslator(BaseEstimator):
    """Make paraphrases from bitext by translating its foreign sentences.

    Each row of bitext is a sentence, the reference, and a person's translation of it into another
    language. A machine translates it back; reference and back-translation have roughly the same
    meaning in different words.

    Parameters
    ----------
    translator : Translator
        Translates from the bitext's other language into the language of the references.
    n_best : int, default=1
        Translations of each sentence; more than one needs a translator with ``nbest``, such as
        :class:`MarianTranslator`.
    filters : sequence, default=()
        Only pairs that pass all of them are kept; see :meth:`Paraphrases.filtered`.

    See Also
    --------
    PivotParaphraser : Needs sentences of one language only.
    CachedTranslator : Lets an interrupted run continue where it stopped.

    References
    ----------
    Wieting, Mallinson and Gimpel (2017), Learning paraphrastic sentence embeddings from
    back-translated bitext, EMNLP.

    Examples
    --------
    >>> from skpara.augment import BackTranslator, FunctionTranslator
    >>> words = {"un gato grande": "a big cat"}
    >>> spanish = FunctionTranslator(lambda texts: [words[text] for text in texts], "words es-en")
    >>> BackTranslator(spanish).pairs([("a large cat", "un gato grande")]).tolist()
    [['a large cat', 'a big cat']]
    """

    translator: Translator
    _: KW_ONLY
    n_best: int = 1
    filters: Sequence[Any] = ()

    def pairs(self, X: PairsLike) -> Pairs:
        """Return pairs of a reference and a back-translation.

        Parameters
        ----------
        X : bitext of shape (n_rows, 2)
            The reference and the sentence of the other language.

        Returns
        -------
        ndarray of str, shape (n_pairs, 2)
            A reference and a back-translation in each row.
        """
        return self.paraphrase(X).pairs

    def paraphrase(self, X: PairsLike) -> Paraphrases:
        """Return the back-translations with their rows, costs, ranks and dropped pairs.

        Parameters
        ----------
        X : bitext of shape (n_rows, 2)
            The reference and the sentence of the other language.

        Returns
        -------
        Paraphrases
            The pairs. A back-translation that is empty, or has the tokens of its reference, is
            dropped.
        """
        references, sentences = as_pairs(X).T.tolist()
        nbest = nbest_translations(self.translator, sentences, self.n_best)
        return collect(references, [nbest]).filtered(self.filters)


def _most_different(paraphrases: Paraphrases) -> NDArray[np.intp]:
    """Return, for each sentence, the index of the pair with the smallest share of common words."""
    best: dict[int, tuple[float, int]] = {}
    for i, (row, pair) in enumerate(zip(paraphrases.rows.tolist(), paraphrases, strict=True)):
        first, second = (set(tokenize(sentence)) for sentence in pair)
        share = len(first & second) / max(1, len(first | second))
        best[row] = min(best.get(row, (np.inf, -1)), (share, i))
    return np.array([i for _, i in best.values()], dtype=np.intp)
