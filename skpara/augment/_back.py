"""Paraphrases from bitext: one side translated into the language of the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from tqdm.auto import tqdm

from skpara._pairs import as_pairs
from skpara._public import set_module
from skpara.augment._paraphrases import Collector, Paraphrases, renumbered
from skpara.augment._translator import Translator, hypotheses


@set_module("skpara.augment")
class BackTranslator(BaseEstimator):
    """Make paraphrases of bitext by translating its other language.

    Each row of bitext is a sentence, the reference, and its translation into another language by
    a person. A machine translates that back; reference and back-translation mean the same, more
    or less, in different words. Bitext is plenty, so such pairs are, too.

    Parameters
    ----------
    translator : Translator
        From the bitext's other language into that of the references.
    n_best : int, default=1
        Translations that are taken of each sentence; more than one needs a translator that has
        ``nbest``, such as :class:`MarianTranslator`.
    filters : sequence, default=()
        Filters of :mod:`skpara.augment.filters`; only pairs that all of them select are kept.
        Those that have to be fitted should be, unless all bitext goes through in one chunk.
    chunk_size : int, default=2000
        Rows that are translated at a time.
    verbose : int, default=0
        1 shows a progress bar.

    See Also
    --------
    PivotParaphraser : Needs sentences of one language only.
    CachedTranslator : Makes a stopped run go on where it was.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP.

    Examples
    --------
    >>> from skpara.augment import BackTranslator, FunctionTranslator
    >>> words = {"un": "a", "gato": "cat", "grande": "big"}
    >>> def word_by_word(texts):
    ...     return [" ".join(words[word] for word in text.split()) for text in texts]
    >>> back = BackTranslator(FunctionTranslator(word_by_word, "words es-en"))
    >>> back.pairs([("a large cat", "un gato grande"), ("a cat", "un gato")]).tolist()
    [['a large cat', 'a cat big']]
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

    def pairs(self, X: Any) -> NDArray[np.object_]:
        """Pairs of a reference and a back-translation.

        Parameters
        ----------
        X : bitext of shape (n_rows, 2)
            The reference and the sentence of the other language.

        Returns
        -------
        ndarray of str, shape (n_pairs, 2)
        """
        return self.paraphrase(X).pairs

    def paraphrase(self, X: Any) -> Paraphrases:
        """Back-translations with their costs, their ranks, and what was dropped.

        Parameters
        ----------
        X : bitext of shape (n_rows, 2)

        Returns
        -------
        Paraphrases
            A back-translation that is empty, or has the tokens of its reference, is dropped.

        Raises
        ------
        TranslationError
            If the translator fails.
        TypeError
            If ``n_best`` is more than one and the translator gives but one.
        """
        return Paraphrases.joined(list(self.stream(as_pairs(X))))

    def stream(self, X: Iterable[Sequence[str]]) -> Iterator[Paraphrases]:
        """The same, ``chunk_size`` rows at a time: bitext that memory does not hold goes through.

        Parameters
        ----------
        X : iterable of (reference, sentence of the other language)

        Yields
        ------
        Paraphrases
            ``rows`` count from the start of the bitext.
        """
        total = len(X) if isinstance(X, Sized) else None
        rows, first = iter(X), 0
        with tqdm(total=total, unit="row", disable=not self.verbose) as progress:
            while chunk := list(islice(rows, self.chunk_size)):
                yield renumbered(self._translated(chunk, first), first)
                first += len(chunk)
                progress.update(len(chunk))

    def _translated(self, rows: Sequence[Sequence[str]], first: int) -> Paraphrases:
        try:
            references, others = as_pairs([tuple(row) for row in rows]).T.tolist()
        except (TypeError, ValueError) as error:
            where = f"In the rows from {first} on, counted from there: {error}"
            raise type(error)(where) from error
        collector = Collector(references)
        collector.add(hypotheses(self.translator, others, self.n_best))
        return collector.finished().filtered(self.filters)
