"""Vectors for words that a table does not hold, from words spelled alike."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

_ORDERS = (3, 4, 5)
_LONGEST = 24  # characters of a word that are looked at
_N_BITS = 18
_COMMON = 500  # an n-gram of more words than this tells little about any ("ing>")
_CHUNK = 1024


class SubwordIndex:
    """Finds the known words that share most character n-grams with an unknown one.

    An unknown word gets the mean of its nearest known words' vectors, weighted by the square of
    the cosine of their inverse-frequency weighted n-gram counts. Nothing is trained, so it works
    for any table: misspellings, inflections, compounds and stretched words ("babyyyyyy") land
    near their stem. Hashing is fixed: the same word has the same vector in every process.

    Parameters
    ----------
    words : sequence of str
    matrix : ndarray of shape (n_words, n_dims)
    n_neighbors : int, default=20
    """

    def __init__(
        self, words: Sequence[str], matrix: NDArray[np.float32], n_neighbors: int = 20
    ) -> None:
        self.matrix = matrix
        self.n_neighbors = n_neighbors
        counts = _ngram_counts(words)
        frequency = np.bincount(counts.indices, minlength=counts.shape[1])
        self.weights = np.log((len(words) + 1) / (frequency + 1)).astype(np.float32)
        telling = self.weights * (frequency <= _COMMON)
        self.by_ngram = _normalized(counts, telling).T.tocsr()

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of unknown words, shape (n_words, n_dims); zeros where nothing is alike."""
        found = np.zeros((len(words), self.matrix.shape[1]), dtype=np.float32)
        for start in range(0, len(words), _CHUNK):
            queries = _normalized(_ngram_counts(words[start : start + _CHUNK]), self.weights)
            alike = (queries @ self.by_ngram).tocsr()
            kept = np.zeros(alike.nnz, dtype=bool)
            for i in range(alike.shape[0]):
                row = slice(alike.indptr[i], alike.indptr[i + 1])
                kept[row] = self._nearest(alike.indices[row], alike.data[row])
            weights = alike.data**2 * kept
            totals = np.bincount(_row_numbers(alike), weights, alike.shape[0])
            shares = weights / np.maximum(totals, 1e-30)[_row_numbers(alike)]
            alike.data = shares.astype(np.float32)  # as the matrix, or it would be copied
            alike.eliminate_zeros()
            found[start : start + alike.shape[0]] = alike @ self.matrix
        return found

    def _nearest(
        self, numbers: NDArray[np.int32], cosines: NDArray[np.float32]
    ) -> NDArray[np.bool_]:
        """Which of the words that are alike to one are taken."""
        if len(numbers) <= self.n_neighbors:
            return np.ones(len(numbers), dtype=bool)
        least = np.partition(cosines, -self.n_neighbors)[-self.n_neighbors]
        nearest: NDArray[np.bool_] = cosines >= least
        if np.count_nonzero(nearest) > self.n_neighbors:
            # Ties are broken by the word's number, not by the order of the sparse product.
            tied = np.flatnonzero(cosines == least)
            spare = np.count_nonzero(nearest) - self.n_neighbors
            nearest[tied[np.argsort(numbers[tied])[len(tied) - spare :]]] = False
        return nearest


def _ngram_counts(words: Sequence[str]) -> sparse.csr_matrix:
    """Counts of hashed character 3- to 5-grams of ``<word>``, shape (n_words, 2 ** 18)."""
    framed = [f"<{word[:_LONGEST]}>" for word in words]
    width = _LONGEST + 2
    codes = np.array(framed, dtype=f"U{width}").view(np.uint32).reshape(len(framed), width)
    lengths = np.fromiter(map(len, framed), dtype=np.int64, count=len(framed))
    rows, columns = [], []
    for order in _ORDERS:
        hashes = np.full((len(framed), width - order + 1), order, dtype=np.uint64)
        for k in range(order):
            hashes ^= codes[:, k : k + hashes.shape[1]]
            hashes *= np.uint64(0x9E3779B97F4A7C15)
            hashes ^= hashes >> np.uint64(31)
        hashes *= np.uint64(0xC2B2AE3D27D4EB4F)
        inside = np.arange(hashes.shape[1]) <= (lengths - order)[:, None]
        row, column = np.nonzero(inside)
        rows.append(row)
        columns.append((hashes[row, column] >> np.uint64(64 - _N_BITS)).astype(np.int64))
    row, column = np.concatenate(rows), np.concatenate(columns)
    counts = np.ones(len(row), dtype=np.float32)
    return sparse.csr_matrix((counts, (row, column)), shape=(len(framed), 1 << _N_BITS))


def _normalized(counts: sparse.csr_matrix, weights: NDArray[np.float32]) -> sparse.csr_matrix:
    weighted = counts.copy()
    weighted.data *= weights[weighted.indices]
    norms = np.sqrt(np.bincount(_row_numbers(weighted), weighted.data**2, weighted.shape[0]))
    weighted.data /= np.maximum(norms, 1e-12)[_row_numbers(weighted)].astype(np.float32)
    return weighted


def _row_numbers(matrix: sparse.csr_matrix) -> NDArray[np.int64]:
    return np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
