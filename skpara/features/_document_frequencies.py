"""In how many sentences a word, or a piece of a word, stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara.features._bags import Bags

# Sentences counted at a time: the n-grams of so many take some 20 MB.
_CHUNK = 8192


@set_module("skpara.features", trusted=True)
class DocumentFrequencies:
    """Read-only table of terms and of the numbers of sentences that hold them.

    Parameters
    ----------
    counts : mapping of str to int
    n_documents : int
        How many sentences were counted.

    Examples
    --------
    >>> from skpara.features._document_frequencies import DocumentFrequencies
    >>> table = DocumentFrequencies({"the": 3, "dog": 1}, n_documents=3)
    >>> table.idf(["the", "dog", "zebra"]).round(3).tolist()
    [1.0, 1.693, 2.386]
    """

    def __init__(self, counts: Mapping[str, int], n_documents: int) -> None:
        self._counts = dict(counts)
        self.n_documents = n_documents

    def __len__(self) -> int:
        return len(self._counts)

    def __contains__(self, term: object) -> bool:
        return term in self._counts

    def __getitem__(self, term: str) -> int:
        return self._counts[term]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} terms, {self.n_documents} documents)"

    def idf(self, terms: Sequence[str]) -> NDArray[np.float64]:
        """Smoothed inverse document frequency, ln((1 + n_documents) / (1 + count)) + 1.

        That is scikit-learn's formula, except that a new term is not left out: it stands in no
        counted sentence, so it tells most.

        Parameters
        ----------
        terms : sequence of str

        Returns
        -------
        ndarray of float64, shape (n_terms,)
            1 or more.
        """
        found = map(self._counts.get, terms, repeat(0))
        counts = np.fromiter(found, dtype=np.float64, count=len(terms))
        return np.log((1 + self.n_documents) / (1 + counts)) + 1

    def __getstate__(self) -> dict[str, Any]:
        # Terms hold no line ends, and one string and one array pickle far faster than a dict.
        counts = np.fromiter(self._counts.values(), dtype=np.int32, count=len(self._counts))
        return {"terms": "\n".join(self._counts), "counts": counts, "n": self.n_documents}

    def __setstate__(self, state: dict[str, Any]) -> None:
        terms = state["terms"].split("\n") if len(state["counts"]) else []
        self._counts = dict(zip(terms, state["counts"].tolist(), strict=True))
        self.n_documents = state["n"]


def count_documents(sentences: Iterable[str]) -> dict[str, DocumentFrequencies]:
    """Count the words, and the character 2- to 5-grams inside words, of distinct sentences.

    Parameters
    ----------
    sentences : iterable of str
        A sentence that comes again is not counted again.

    Returns
    -------
    dict
        "word" and "char", each a :class:`DocumentFrequencies`.
    """
    distinct = list(dict.fromkeys(sentences))
    words: Counter[str] = Counter()
    chars: Counter[str] = Counter()
    for start in range(0, len(distinct), _CHUNK):
        bags = Bags(distinct[start : start + _CHUNK])
        words.update(_documents(bags.words, bags.counts))
        found = _documents(bags.chars, bags.char_counts)
        chars.update(found)
    return {
        "word": DocumentFrequencies(words, len(distinct)),
        "char": DocumentFrequencies(chars, len(distinct)),
    }


def _documents(terms: Sequence[str], counts: Any) -> dict[str, int]:
    # A row names a term once, so a term is named once for each sentence that holds it.
    totals = np.bincount(counts.indices, minlength=len(terms))
    return dict(zip(terms, totals.tolist(), strict=True))
