"""Sentences as counts of words and of character n-grams."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Floats
from skpara.text import code_points, items_to_end, renumber, tokenize

CHAR_SIZES = (2, 3, 4, 5)
# Largest integer that an n-gram is packed into: a power of two below the limit of int64.
_LARGEST = 2**62
_SPACE = ord(" ")


class Bags:
    """Counts of the words, and of the character n-grams inside words, of many sentences.

    Words are those of :func:`skpara.text.tokenize` without punctuation marks. A sentence of
    nothing but marks keeps its marks. ``counts`` has the shape (n_sentences, n_words) and sorted
    indices.
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        terms: list[str] = []
        ends = [0]
        for sentence in sentences:
            tokens = tokenize(sentence)
            terms += [token for token in tokens if token[0].isalnum()] or tokens
            ends.append(len(terms))
        self.words, self.counts = _count(terms, ends)

    @cached_property
    def cut(self) -> CutWords:
        """The distinct character n-grams of the words."""
        return cut_words(self.words, CHAR_SIZES)

    @cached_property
    def char_counts(self) -> sparse.csr_matrix:
        """How often each n-gram occurs in each sentence, shape (n_sentences, n_ngrams)."""
        # Each distinct word is cut up only once: a sentence has the n-grams of its words. The
        # factors are transposed because transposing the product sorts its rows at no extra cost.
        transposed = self.cut.counts.T @ self.counts.T.tocsr()
        return transposed.T.tocsr()

    @property
    def chars_of_size(self) -> Floats:
        """1 where an n-gram belongs to an n, else 0, shape (n_ngrams, n_sizes).

        A word shorter than n belongs to n as a whole, as in scikit-learn's "char_wb".
        """
        lengths, whole, sizes = self.cut.lengths, self.cut.whole, np.array(CHAR_SIZES)
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
    """Collect the distinct character n-grams of words, for several n of 2 or more."""
    text = "".join([f" {word} " for word in words])
    points = code_points(text)
    digits, base = renumber(points)
    lengths = np.fromiter(map(len, words), dtype=np.int64, count=len(words)) + 2
    remaining = items_to_end(lengths)
    owners = np.repeat(np.arange(len(words)), lengths)
    ngrams: list[str] = []
    rows, columns, sizes_of, whole = [], [], [], []
    for n in sizes:
        starts = np.flatnonzero(remaining >= n)
        # Pack each n-gram into an integer; renumber its beginning before that would overflow.
        keys, top = np.zeros(len(starts), dtype=np.int64), 1
        for k in range(n):
            if top > _LARGEST // base:
                distinct, keys = np.unique(keys, return_inverse=True)
                top = len(distinct)
            keys, top = keys * base + digits[starts + k], top * base
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
    """Return where each distinct key, in ascending order, occurs first, and the rank of each key.

    All keys are smaller than ``top``.
    """
    if top > _LARGEST // max(1, len(keys)):
        _, first, ranks = np.unique(keys, return_index=True, return_inverse=True)
        return first, ranks
    # Pack key and position into one integer: sorting values is several times faster than argsort.
    keys, order = np.divmod(np.sort(keys * len(keys) + np.arange(len(keys))), max(1, len(keys)))
    new = np.diff(keys, prepend=-1) > 0
    ranks = np.empty(len(keys), dtype=np.int64)
    ranks[order] = np.cumsum(new) - 1
    return order[new], ranks


def _count(terms: list[str], ends: list[int]) -> tuple[list[str], sparse.csr_matrix]:
    """Return the distinct terms, and their counts in rows that end at ``ends``."""
    distinct = list(dict.fromkeys(terms))
    index = {term: i for i, term in enumerate(distinct)}
    columns = np.fromiter(map(index.__getitem__, terms), dtype=np.int32, count=len(terms))
    counts = sparse.csr_matrix(
        (np.ones(len(terms)), columns, np.array(ends, dtype=np.int32)),
        shape=(len(ends) - 1, len(distinct)),
    )
    counts.sum_duplicates()
    return distinct, counts
