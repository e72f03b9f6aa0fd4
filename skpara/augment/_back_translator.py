"""Paraphrases from bitext, by translating one of its languages into the other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import replace
from itertools import islice
from typing import Any

from sklearn.base import BaseEstimator
from tqdm.auto import tqdm

from skpara._pairs import as_pairs
from skpara._public import set_module
from skpara._typing import Pairs, PairsLike
from skpara.augment._paraphrases import Paraphrases, collect
from skpara.augment._translator import Translator, nbest_translations


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
        with tqdm(total=total, unit="row", disable=not self.verbose) as progress:
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
