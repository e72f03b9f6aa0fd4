"""Sentences as counts of words and of character n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.text import tokenize

CHAR_SIZES = (2, 3, 4, 5)
_LARGEST = 2**62
_SPACE = ord(" ")


class Bags:
    """Words, and character n-grams inside words, of many sentences, without order.

    Words are those of :func:`skpara.text.tokenize` without punctuation marks, so numbers count;
    a sentence of marks alone keeps its marks.

    Parameters
    ----------
    sentences : sequence of str

    Attributes
    ----------
    words : list of str
        The distinct words.
    counts : csr_matrix of float64, shape (n_sentences, n_words)
        How often each stands in each sentence; sorted indices.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        terms: list[str] = []
        ends = [0]
        for sentence in sentences:
            tokens = tokenize(sentence)
            terms += [token for token in tokens if token[0].isalnum()] or tokens
            ends.append(len(terms))
        self.words, self.counts = _count(terms, ends)

    def words_of(self, sentence: int) -> list[str]:
        """The distinct words of one sentence."""
        start, end = self.counts.indptr[sentence : sentence + 2].tolist()
        return [self.words[i] for i in self.counts.indices[start:end].tolist()]

    @cached_property
    def _cut(self) -> CutWords:
        return cut_words(self.words, CHAR_SIZES)

    @property
    def chars(self) -> list[str]:
        """The distinct n-grams, as :func:`cut_words` gives them."""
        return self._cut.ngrams

    @property
    def char_lengths(self) -> NDArray[np.int64]:
        """The lengths of the n-grams."""
        return self._cut.lengths

    @cached_property
    def char_counts(self) -> sparse.csr_matrix:
        """How often each n-gram stands in each sentence, shape (n_sentences, n_ngrams)."""
        # The n-grams of a sentence are those of its words, and each word is cut up only once.
        # Multiplied the other way round, as turning the product sorts its rows for nothing.
        turned = self._cut.counts.T @ self.counts.T.tocsr()
        return turned.T.tocsr()

    @property
    def chars_of_size(self) -> NDArray[np.float64]:
        """Which n-grams belong to which n, shape (n_ngrams, n_sizes): 1 or 0.

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        lengths, whole, sizes = self._cut.lengths, self._cut.whole, np.array(CHAR_SIZES)
        belongs = lengths[:, None] == sizes
        belongs |= whole[:, None] & (lengths[:, None] < sizes)
        return belongs.astype(np.float64)


class CutWords(NamedTuple):
    """Distinct character n-grams of words, and their counts."""

    ngrams: list[str]  # a space stands for the beginning or the end of a word
    lengths: NDArray[np.int64]
    whole: NDArray[np.bool_]  # whether an n-gram is a whole word
    counts: sparse.csc_matrix  # of float64, shape (n_words, n_ngrams)


def cut_words(words: Sequence[str], sizes: Iterable[int]) -> CutWords:
    """Distinct character n-grams of words, and their counts.

    Parameters
    ----------
    words : sequence of str
        Words without white space.
    sizes : iterable of int
        The n, each 2 or more.

    Examples
    --------
    >>> from skpara.features._bags import cut_words
    >>> cut_words(["no", "on"], [2, 3]).ngrams
    [' n', ' o', 'n ', 'no', 'o ', 'on', ' no', ' on', 'no ', 'on ']
    """
    text = "".join([f" {word} " for word in words])
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)
    alphabet = np.unique(points)
    numbers = np.zeros(int(alphabet.max(initial=0)) + 1, dtype=np.int64)
    numbers[alphabet] = np.arange(len(alphabet))
    digits = numbers[points]
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words)) + 2
    room = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(points))
    owners = np.repeat(np.arange(len(words)), lengths)
    ngrams: list[str] = []
    rows, columns, sizes_of, whole = [], [], [], []
    for n in sizes:
        starts = np.flatnonzero(room >= n)
        # An n-gram as a number; its beginning is numbered anew where the number gets too large.
        keys, top = np.zeros(len(starts), dtype=np.int64), 1
        for k in range(n):
            if top > _LARGEST // max(1, len(alphabet)):
                distinct, keys = np.unique(keys, return_inverse=True)
                top = len(distinct)
            keys, top = keys * len(alphabet) + digits[starts + k], top * len(alphabet)
        first, places = _distinct(keys, top)
        rows.append(owners[starts])
        columns.append(places + len(ngrams))
        at = starts[first]
        ngrams += [text[start : start + n] for start in at.tolist()]
        sizes_of.append(np.full(len(at), n))
        whole.append((points[at] == _SPACE) & (points[at + n - 1] == _SPACE))
    row, column = np.concatenate(rows), np.concatenate(columns)
    counts = sparse.csc_matrix((np.ones(len(row)), (row, column)), shape=(len(words), len(ngrams)))
    return CutWords(ngrams, np.concatenate(sizes_of), np.concatenate(whole), counts)


def _distinct(keys: NDArray[np.int64], top: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each distinct key, in order, stands first, and which of them each key is."""
    if top > _LARGEST // max(1, len(keys)):
        _, first, places = np.unique(keys, return_index=True, return_inverse=True)
        return first, places
    # Keys and places in one number: sorting numbers is several times faster than arguments.
    keys, order = np.divmod(np.sort(keys * len(keys) + np.arange(len(keys))), max(1, len(keys)))
    new = np.diff(keys, prepend=-1) > 0
    places = np.empty(len(keys), dtype=np.int64)
    places[order] = np.cumsum(new) - 1
    return order[new], places


def _count(terms: list[str], ends: list[int]) -> tuple[list[str], sparse.csr_matrix]:
    """Distinct terms, and the counts of rows that end at ``ends``."""
    distinct = list(dict.fromkeys(terms))
    index = {term: i for i, term in enumerate(distinct)}
    columns = np.fromiter(map(index.__getitem__, terms), dtype=np.int32, count=len(terms))
    counts = sparse.csr_matrix(
        (np.ones(len(terms)), columns, np.array(ends, dtype=np.int32)),
        shape=(len(ends) - 1, len(distinct)),
    )
    counts.sum_duplicates()
    return distinct, counts
