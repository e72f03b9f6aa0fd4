"""In how many sentences a word or a character n-gram occurs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat
from typing import Any

import numpy as np

from skpara._public import set_module
from skpara._typing import Floats
from skpara.features._bags import Bags
from skpara.features._lists import Lists, distinct

# Sentences counted at a time: the n-grams of this many take about 20 MB.
_CHUNK = 8192


@set_module("skpara.features", trusted=True)
class DocumentFrequencies:
    """Read-only table of terms and of the number of sentences that contain each.

    Parameters
    ----------
    counts : mapping of str to int
        Number of sentences that contain each term.
    n_documents : int
        Number of all sentences.

    Examples
    --------
    >>> from skpara.features import DocumentFrequencies
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

    def idf(self, terms: Sequence[str]) -> Floats:
        """Compute the smoothed inverse document frequency of terms.

        The formula is scikit-learn's, ``ln((1 + n_documents) / (1 + count)) + 1``. A term that
        was not seen in fit is not left out but gets the largest value.

        Parameters
        ----------
        terms : sequence of str
            Words or character n-grams.

        Returns
        -------
        ndarray of float64, shape (n_terms,)
            Inverse document frequencies, each 1 or more.
        """
        values = map(self._counts.get, terms, repeat(0))
        counts = np.fromiter(values, dtype=np.float64, count=len(terms))
        return np.log((1 + self.n_documents) / (1 + counts)) + 1

    def __getstate__(self) -> dict[str, Any]:
        # Terms have no line breaks. One string and one array pickle far faster than a dict.
        counts = np.fromiter(self._counts.values(), dtype=np.int32, count=len(self._counts))
        return {"terms": "\n".join(self._counts), "counts": counts, "n": self.n_documents}

    def __setstate__(self, state: dict[str, Any]) -> None:
        terms = state["terms"].split("\n") if len(state["counts"]) else []
        self._counts = dict(zip(terms, state["counts"].tolist(), strict=True))
        self.n_documents = state["n"]


def count_documents(sentences: Iterable[str]) -> dict[str, DocumentFrequencies]:
    """Count in how many distinct sentences words and character 2- to 5-grams inside words occur.

    Returns the tables "word" and "char".
    """
    distinct = list(dict.fromkeys(sentences))
    words: Counter[str] = Counter()
    chars: Counter[str] = Counter()
    for start in range(0, len(distinct), _CHUNK):
        bags = Bags(distinct[start : start + _CHUNK])
        words.update(_documents(bags.words, bags.ids))
        chars.update(_documents(bags.chars.ngrams, bags.chars.ids))
    return {
        "word": DocumentFrequencies(words, len(distinct)),
        "char": DocumentFrequencies(chars, len(distinct)),
    }


def _documents(terms: Sequence[str], lists: Lists) -> dict[str, int]:
    """Count in how many lists each term occurs, however often."""
    totals = np.bincount(distinct(lists, len(terms))[0].ids, minlength=len(terms))
    return dict(zip(terms, totals.tolist(), strict=True))
