"""Paraphrases of sentences by translation into another language and back, or from bitext."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from itertools import islice
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, TransformerMixin, _fit_context
from sklearn.utils import check_consistent_length
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._pairs import as_pairs, as_sentences
from skpara._progress import progress_bar
from skpara._public import set_module
from skpara._typing import Floats, Pairs, PairsLike, SentencesLike
from skpara.augment._apertium import ApertiumTranslator
from skpara.augment._cached_translator import CachedTranslator
from skpara.augment._paraphrases import Paraphrases, collect
from skpara.augment._translator import Translator, nbest_translations
from skpara.text import tokenize


class ResampleMixin:
    """Adds paraphrases to scored pairs; a subclass has ``pairs``, or a ``paraphraser`` with it."""

    def fit_resample(self, X: PairsLike, y: ArrayLike) -> tuple[Pairs, Floats]:
        """Append each sentence of scored pairs with its paraphrases.

        Parameters
        ----------
        X : pairs of shape (n_pairs, 2)
            The sentences.
        y : array-like of shape (n_pairs,)
            Their scores.

        Returns
        -------
        X : ndarray of str, shape (n_pairs + n_paraphrases, 2)
            The pairs, followed by the paraphrases of each distinct sentence.
        y : ndarray of float64, shape (n_pairs + n_paraphrases,)
            The scores; those of paraphrases are the largest score of the pairs.
        """
        pairs, scores = as_pairs(X), np.asarray(y, dtype=np.float64)
        check_consistent_length(pairs, scores)
        paraphraser: Any = getattr(self, "paraphraser", self)
        paraphrases = paraphraser.pairs(list(dict.fromkeys(pairs.ravel().tolist())))
        best = np.full(len(paraphrases), scores.max(initial=-np.inf))
        return np.concatenate([pairs, paraphrases]), np.append(scores, best)


@set_module("skpara.augment")
class PivotParaphraser(ResampleMixin, TransformerMixin, BaseEstimator):
    """Paraphrase sentences by translating them into other languages and back.

    The sentences to be scored can be paraphrased before any of their scores is known, which
    adapts an encoder to their kind of text: ``ParagramEncoder(paraphraser=PivotParaphraser())``.
    Copies and repetitions are dropped, since nothing can be learned from them.

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
        Translations back that are used of each sentence; see :class:`BackTranslator`.
    filters : sequence, default=()
        Only pairs that pass all of them are kept; see :meth:`Paraphrases.filtered`.
    keep : {"all", "most_different"}, default="all"
        Whether to keep all paraphrases of a sentence, or only the one that shares the smallest
        part of its words with the sentence.
    cache : path, default=None
        File of stored translations; see :class:`CachedTranslator`.

    See Also
    --------
    skpara.ParagramEncoder : Learns from the pairs.
    ParaphraseSampler : Adds them to scored pairs in a pipeline of imbalanced-learn.

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

    _parameter_constraints: dict[str, Any] = {
        "pivots": ["array-like"],
        "language": [str],
        "translator": [StrOptions({"apertium"}), callable],
        "n_best": [Interval(Integral, 1, None, closed="left")],
        "filters": ["array-like"],
        "keep": [StrOptions({"all", "most_different"})],
        "cache": [str, os.PathLike, None],
    }

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

    def transform(self, X: SentencesLike) -> NDArray[np.object_]:
        """Paraphrase each sentence.

        Parameters
        ----------
        X : sentences of shape (n_sentences,)
            What to paraphrase.

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
            What to paraphrase.

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
        paraphrases = collect(sentences, nbest_lists).filtered(self.filters)
        if self.keep == "most_different":
            paraphrases = paraphrases.take(_most_different(paraphrases), "less different")
        return paraphrases

    # Everything that the paraphraser does begins here, so parameters are checked without fit too.
    @_fit_context(prefer_skip_nested_validation=False)
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
class ParaphraseSampler(ResampleMixin, BaseEstimator):
    """Add to scored pairs each of their sentences with its paraphrases.

    It is a sampler for the ``Pipeline`` of imbalanced-learn, which adds the pairs in ``fit`` and
    not in ``predict``, and which refuses samplers that are also transformers, as paraphrasers are.

    Parameters
    ----------
    paraphraser : PivotParaphraser, or any object with ``pairs(sentences)``
        Paraphrases the sentences.

    Examples
    --------
    >>> from skpara.augment import FunctionTranslator, ParaphraseSampler, PivotParaphraser
    >>> def translators(source, target):
    ...     return FunctionTranslator(lambda texts: [f"{text} {target}" for text in texts], target)
    >>> sampler = ParaphraseSampler(PivotParaphraser(translator=translators))
    >>> X, y = sampler.fit_resample([("a dog", "a dog")], [3.5])
    >>> X.tolist(), y.tolist()
    ([['a dog', 'a dog'], ['a dog', 'a dog es en']], [3.5, 3.5])
    """

    def __init__(self, paraphraser: Any) -> None:
        self.paraphraser = paraphraser


@set_module("skpara.augment")
class BackTranslator(BaseEstimator):
    """Make paraphrases from bitext by translating its foreign sentences.

    Each row of bitext is a sentence, the reference, and its translation into another language by
    a person. A machine translates the latter back; reference and back-translation have roughly
    the same meaning in different words.

    Parameters
    ----------
    translator : Translator
        Translates from the bitext's other language into that of the references.
    n_best : int, default=1
        Translations that are used of each sentence; more than one needs a translator with
        ``nbest``, such as :class:`MarianTranslator`.
    filters : sequence, default=()
        Only pairs that pass all of them are kept; see :meth:`Paraphrases.filtered`. Each chunk
        fits a clone of an unfitted one.
    chunk_size : int, default=2000
        Rows that are translated at a time.
    verbose : int, default=0
        1 shows a progress bar.

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

    def __init__(
        self,
        translator: Translator,
        *,
        n_best: int = 1,
        filters: Sequence[Any] = (),
        chunk_size: int = 2000,
        verbose: int = 0,
    ) -> None:
        self.translator = translator
        self.n_best = n_best
        self.filters = filters
        self.chunk_size = chunk_size
        self.verbose = verbose

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
        return Paraphrases.joined(list(self.stream(as_pairs(X))))

    def stream(self, X: Iterable[Sequence[str]]) -> Iterator[Paraphrases]:
        """Yield back-translations chunk by chunk, for bitext that does not fit into memory.

        Parameters
        ----------
        X : iterable of (reference, sentence of the other language)
            The bitext; ``chunk_size`` rows are read at a time.

        Yields
        ------
        Paraphrases
            The pairs of a chunk; ``rows`` count from the start of the bitext.
        """
        total = len(X) if isinstance(X, Sized) else None
        rows, start = iter(X), 0
        with progress_bar(total, "row", shown=bool(self.verbose)) as progress:
            while chunk := list(islice(rows, self.chunk_size)):
                try:
                    references, sentences = as_pairs([tuple(row) for row in chunk]).T.tolist()
                except (TypeError, ValueError) as error:
                    where = f"In the chunk that starts at row {start}, counted from there"
                    raise type(error)(f"{where}: {error}") from error
                nbest = nbest_translations(self.translator, sentences, self.n_best)
                paraphrases = collect(references, [nbest]).filtered(self.filters)
                yield replace(paraphrases, rows=paraphrases.rows + start)
                start += len(chunk)
                progress.update(len(chunk))


def _most_different(paraphrases: Paraphrases) -> NDArray[np.intp]:
    """Return, for each sentence, the index of the pair that shares the smallest part of words."""
    best: dict[int, tuple[float, int]] = {}
    for i, (row, pair) in enumerate(zip(paraphrases.rows.tolist(), paraphrases, strict=True)):
        first, second = (set(tokenize(sentence)) for sentence in pair)
        share = len(first & second) / max(1, len(first | second))
        best[row] = min(best.get(row, (np.inf, -1)), (share, i))
    return np.array([i for _, i in best.values()], dtype=np.intp)
