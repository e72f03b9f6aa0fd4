"""Vectors of unknown words: from known words with a similar spelling, and of numbers."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._core import offsets_of, text_kernels
from skpara._typing import Ints, Vectors
from skpara.text import UnknownIds

_DIGIT = re.compile(r"\d")
_ORDERS = (3, 4, 5)
_LONGEST = 24  # characters of a word that are used; longer words are rarely English
# 262,144 columns for hashed n-grams. The 144,000 n-grams of the packaged table take 111,000 of
# them: some collide, but a word is compared by all of its n-grams.
_N_BITS = 18
# An n-gram of more words ("ing>") says little about any of them and makes the products dense.
_COMMON = 500
_N_NEIGHBORS = 20
_CHUNK = 4096  # words at a time, which bounds the memory of their n-grams and products
# Unknown words that are kept for each table, with a vector of 1 kB each.
MOST_WORDS = 16_384
# A word and its part of an n-gram's row, or where this row starts and the weight of the n-gram, as
# the compiled module reads them.
_SHARE = np.dtype([("id", np.int32), ("weight", np.float32)])


def has_digit(word: str) -> bool:
    """Return whether a word is a number or contains one."""
    # isalpha() decides for most words, six times faster than the expression.
    return not word.isalpha() and _DIGIT.search(word) is not None


def random_directions(words: Sequence[str], n_dims: int) -> Vectors:
    """Return a unit vector for each word, nearly orthogonal to the vectors of other words.

    Its numbers are all of the same size, with signs from a hash of the word. They are the same in
    every process, on every platform and with every version of NumPy, and take no memory.
    """
    size = -(-n_dims // 8)
    digests = [
        hashlib.shake_128(word.encode("utf-8", "surrogatepass")).digest(size) for word in words
    ]
    packed = np.frombuffer(b"".join(digests), dtype=np.uint8).reshape(len(words), size)
    bits = np.unpackbits(packed, axis=1, count=n_dims)
    return (bits * np.float32(2) - np.float32(1)) / np.sqrt(np.float32(n_dims))


class SubwordIndex:
    """Index of words by their character n-grams.

    An unknown word gets the mean vector of its nearest known words, weighted by the squared cosine
    of their inverse-frequency weighted n-gram counts; words with digits do not count. Nothing is
    trained, so this works for any table: misspellings, inflections, compounds and stretched
    words ("babyyyyyy") end up near their stem. The hash function is fixed: a word has the same
    vector in every process.
    """

    def __init__(self, words: Sequence[str]) -> None:
        # In parts, as the arrays of all words at once would take several times the index.
        parts: list[Any] = [
            _ngram_counts(words[i : i + _CHUNK]) for i in range(0, max(len(words), 1), _CHUNK)
        ]
        frequency = np.zeros(1 << _N_BITS, dtype=np.int64)
        for _, ngrams, _ in parts:
            frequency += np.bincount(ngrams, minlength=len(frequency))
        weights = np.log((len(words) + 1) / (frequency + 1)).astype(np.float32)
        informative = np.where(frequency <= _COMMON, weights, np.float32(0))
        for i, (sizes, ngrams, data) in enumerate(parts):
            # Numbers that share digits are not alike. Where training adds many numbers to the
            # table, others would all get the same vector: this cost .011 on MSRpar (STS 2012).
            part = words[i * _CHUNK : (i + 1) * _CHUNK]
            data[np.repeat([has_digit(word) for word in part], sizes)] = 0
            _normalize(data, informative[ngrams], sizes)
            parts[i] = _matrix(sizes, ngrams, data)
            # The n-grams of many words have weight 0 but the longest rows.
            parts[i].eliminate_zeros()
        counts = sparse.vstack(parts, "csr")
        del parts
        by_ngram = counts.T.tocsr()
        del counts
        # Side by side, as both are read at once.
        self._starts = np.zeros(len(by_ngram.indptr), dtype=_SHARE)
        self._starts["id"] = by_ngram.indptr
        self._starts["weight"][:-1] = weights
        self._shares = np.empty(by_ngram.nnz, dtype=_SHARE)
        self._shares["id"] = by_ngram.indices
        self._shares["weight"] = by_ngram.data
        self._n_words = len(words)
        self._zeros: list[Vectors] = []

    def shares(self, words: Sequence[str]) -> tuple[NDArray[np.int32], Vectors]:
        """Return the nearest known words of unknown ones, shape (n_words, 20).

        The weights of a word sum to 1, or are all 0 where no known word is similar.
        """
        shares = np.empty((len(words), _N_NEIGHBORS), dtype=_SHARE)
        try:  # an array for each thread; clearing one takes as long as a word
            cosines = self._zeros.pop()
        except IndexError:
            cosines = np.zeros(self._n_words, dtype=np.float32)
        text_kernels.nearest_words(shares, self._starts, self._shares, cosines, list(words))
        self._zeros.append(cosines)
        return shares["id"], shares["weight"]


class UnknownVectors:
    """Vectors of the unknown words that were met. Threads may use the same object.

    ``compute`` writes the vectors of new words into an array. Row ``i`` belongs
    to ``ids.words[i]``.
    """

    def __init__(
        self, ids: UnknownIds, n_dims: int, compute: Callable[[Sequence[str], Vectors], None]
    ) -> None:
        self.ids = ids
        self._compute = compute
        self._lock = Lock()
        # Memory is taken when a row is first written to. The last words may be more than fit.
        self._rows = np.empty((2 * MOST_WORDS, n_dims), dtype=np.float32)
        # Of the rows, or more; 0 until the compiled module writes one.
        self.lengths = np.zeros(len(self._rows), dtype=np.float32)
        self._n_rows = 0

    def rows(self) -> Vectors:
        """Return a table with the rows of all words that have ids; there may be rows behind."""
        if self._n_rows < len(self.ids.words):
            with self._lock:
                # Also the words of other threads, which wait here until their rows are written.
                words = self.ids.words[self._n_rows :]
                n_rows = self._n_rows + len(words)
                if n_rows > len(self._rows):  # other threads may read the old table
                    more = np.empty((n_rows, self._rows.shape[1]), dtype=np.float32)
                    more[: self._n_rows] = self._rows[: self._n_rows]
                    self.lengths = np.append(self.lengths, np.zeros(n_rows, dtype=np.float32))
                    self._rows = more
                self._compute(words, self._rows[self._n_rows : n_rows])
                self._n_rows = n_rows
        return self._rows


def _ngram_counts(
    words: Sequence[str],
) -> tuple[Ints, NDArray[np.int32], Vectors]:
    """Count the hashed character 3- to 5-grams of ``<word>``.

    Returned are the number of distinct n-grams of each word, their hashes and their counts.
    """
    framed = [f"<{word[:_LONGEST]}>" for word in words]
    width = _LONGEST + 2
    codes = np.array(framed, dtype=f"U{width}").view(np.uint32).reshape(len(framed), width)
    lengths = np.fromiter(map(len, framed), dtype=np.int64, count=len(framed))
    keys = []
    for order in _ORDERS:
        hashes = np.full((len(framed), width - order + 1), order, dtype=np.uint64)
        for k in range(order):
            hashes ^= codes[:, k : k + hashes.shape[1]]
            hashes *= np.uint64(0x9E3779B97F4A7C15)
            hashes ^= hashes >> np.uint64(31)
        hashes *= np.uint64(0xC2B2AE3D27D4EB4F)
        row, column = np.nonzero(np.arange(hashes.shape[1]) <= (lengths - order)[:, None])
        keys.append((row << _N_BITS).astype(np.uint32))
        keys[-1] |= (hashes[row, column] >> np.uint64(64 - _N_BITS)).astype(np.uint32)
    sorted_keys = np.sort(np.concatenate(keys))
    first = np.flatnonzero(np.diff(sorted_keys, prepend=np.uint32(0xFFFFFFFF)))
    counts = np.diff(first, append=len(sorted_keys)).astype(np.float32)
    distinct = sorted_keys[first]
    sizes = np.bincount(distinct >> _N_BITS, minlength=len(framed))
    return sizes, (distinct & ((1 << _N_BITS) - 1)).astype(np.int32), counts


def _normalize(counts: Vectors, weights: Vectors, sizes: Ints) -> None:
    """Multiply counts by weights, and scale the counts of each word to length 1."""
    counts *= weights
    word = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    norms = np.sqrt(np.bincount(word, counts**2, len(sizes)))
    counts /= np.maximum(norms, 1e-12).astype(np.float32)[word]


def _matrix(sizes: Ints, ngrams: NDArray[np.int32], values: Vectors) -> sparse.csr_matrix:
    starts = offsets_of(sizes).astype(np.int32)
    return sparse.csr_matrix((values, ngrams, starts), shape=(len(sizes), 1 << _N_BITS))
