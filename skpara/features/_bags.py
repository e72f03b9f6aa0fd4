"""Sentences as bags of words and character n-grams, and the numbers of sentences with each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from itertools import compress, repeat
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import check_array
from skpara._core import Ragged, offsets_of
from skpara._public import set_module
from skpara._typing import Floats
from skpara.features._kernels import Ids, Terms, cut, distinct
from skpara.text import Vocabulary, code_points

CHAR_SIZES = (2, 3, 4, 5)
# Sentences counted at a time: the n-grams of this many take about 20 MB.
_CHUNK = 8192


class Bags:
    """The words, and the character n-grams inside words, of many sentences.

    Words are the tokens of ``skpara.text.tokenize`` without punctuation marks. A sentence of
    marks only keeps them. ``ids`` are positions in ``words``.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        # A vocabulary without words numbers all of them, without a Python object for each token.
        tokens, words = Vocabulary([]).token_ids(sentences)
        lists = tokens.with_ids(tokens.ids.astype(np.int64))
        is_word = np.array([word[0].isalnum() for word in words], dtype=bool)
        only_marks = lists.sums(is_word) == 0
        keep = is_word[lists.ids] | only_marks[lists.owners]
        used = np.zeros(len(is_word), dtype=bool)
        used[lists.ids[keep]] = True
        self.words = list(compress(words, used))
        self.ids = lists.where(keep, used.cumsum() - 1)

    @cached_property
    def distinct(self) -> tuple[Ragged, Floats]:
        """The distinct words of each sentence and how often each occurs."""
        return distinct(self.ids, len(self.words))

    @cached_property
    def chars(self) -> CharNgrams:
        """The character n-grams of the sentences."""
        words = [f" {word} " for word in self.words]
        text = "".join(words)
        offsets = offsets_of([len(word) for word in words])
        points = code_points(text)
        of_words, starts, lengths = cut(points, offsets, np.arange(1, len(offsets)), CHAR_SIZES)
        # Each distinct word is cut once.
        ngrams = of_words.take(self.ids.ids)
        ids = Ragged(ngrams.ids, ngrams.offsets[self.ids.offsets])
        return CharNgrams(text, points, starts, lengths, ids)


class CharNgrams(NamedTuple):
    """Distinct character n-grams of words, and the n-grams of each sentence."""

    text: str  # all words; a space stands for the beginning or the end of a word
    points: NDArray[np.uint32]  # the code points of the text
    starts: Ids  # where in the text each n-gram starts
    lengths: Ids
    ids: Ragged

    @property
    def ngrams(self) -> list[str]:
        """The n-grams as strings."""
        starts = self.starts.tolist()
        ends = (self.starts + self.lengths).tolist()
        return [self.text[start:end] for start, end in zip(starts, ends, strict=True)]

    @property
    def of_size(self) -> Floats:
        """1 where an n-gram belongs to an n, else 0, shape (n_sizes, n_ngrams).

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        sizes = np.array(CHAR_SIZES)[:, None]
        ends = self.starts + self.lengths - 1
        whole = (self.points[self.starts] == ord(" ")) & (self.points[ends] == ord(" "))
        belongs = (self.lengths == sizes) | (whole & (self.lengths < sizes))
        return belongs.astype(np.float64)


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
        # Terms have no line breaks. One string and one array pickle far faster than a dict.
        numbers = np.fromiter(counts.values(), dtype=np.int32, count=len(counts))
        self.__setstate__({"terms": "\n".join(counts), "counts": numbers, "n": n_documents})

    @cached_property
    def _counts(self) -> dict[str, int]:
        terms = self._terms.split("\n") if len(self) else []
        return dict(zip(terms, self._numbers.tolist(), strict=True))

    @cached_property
    def _index(self) -> Terms:
        return Terms.of(self._terms)

    def __len__(self) -> int:
        return len(self._numbers)

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
        return self._smoothed(np.fromiter(values, dtype=np.float64, count=len(terms)))

    def idf_of_ngrams(self, ngrams: CharNgrams) -> Floats:
        """Compute :meth:`idf` without a string for each character n-gram.

        Parameters
        ----------
        ngrams : CharNgrams
            Character n-grams of sentences.

        Returns
        -------
        ndarray of float64, shape (n_distinct,)
            The inverse document frequency of each distinct n-gram.
        """
        numbers = self._index.find(ngrams.points, ngrams.starts, ngrams.lengths)
        return self._smoothed(np.append(self._numbers, 0)[numbers].astype(np.float64))

    def _smoothed(self, counts: Floats) -> Floats:
        return np.log((1 + self.n_documents) / (1 + counts)) + 1

    def __getstate__(self) -> dict[str, Any]:
        return {"terms": self._terms, "counts": self._numbers, "n": self.n_documents}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._terms = state["terms"]
        self._numbers = state["counts"]
        self.n_documents = state["n"]

    def _check_loaded(self) -> None:
        """Raise a ValueError unless each term of a file has a count."""
        n_terms = self._terms.count("\n") + 1 if self._terms else 0
        if not isinstance(self.n_documents, int) or self.n_documents < 0:
            raise ValueError(f"the number of documents is {self.n_documents!r:.40}")
        check_array("counts", self._numbers, np.integer, (n_terms,), below=self.n_documents + 1)


def count_documents(sentences: Iterable[str]) -> dict[str, DocumentFrequencies]:
    """Count the distinct sentences with each word and each character 2- to 5-gram inside words.

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


def _documents(terms: Sequence[str], lists: Ragged) -> dict[str, int]:
    """Count the lists with each term."""
    totals = np.bincount(distinct(lists, len(terms))[0].ids, minlength=len(terms))
    return dict(zip(terms, totals.tolist(), strict=True))
