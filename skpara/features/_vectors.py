"""Cosines of combined word vectors, and alignment of words by their vectors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.features._counts import paired_cosine
from skpara.features._family import Family
from skpara.features._scores import harmonic_mean

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

# Numbers in the largest array that the alignment of one group of pairs makes (4 MB):
# they stay in the cache.
_MAX_SIZE = 1_000_000
# Weight of a word that tells nothing, so that a sentence of such words still has a mean.
_LEAST = 1e-6


def log_products(counts: sparse.csr_matrix, matrix: NDArray[np.float32]) -> NDArray[np.float64]:
    """Element-wise products of the word vectors of each sentence, each up to a scale.

    Products of many numbers leave the range of floats, and the cosine does not need their
    scale: logarithms are summed, and the largest of each row becomes 1.

    Parameters
    ----------
    counts : csr_matrix, shape (n_sentences, n_words)
    matrix : ndarray, shape (n_words, n_dims)
        Rows of zeros (unknown words) are left out of the products.

    Returns
    -------
    ndarray of float64, shape (n_sentences, n_dims)
        In [-1, 1]; zeros for a sentence without a known word.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from skpara.features._vectors import log_products
    >>> counts = sparse.csr_matrix([[1.0, 2.0]])  # u * v * v
    >>> log_products(counts, np.array([[2.0, -4.0], [2.0, 1.0]])).round(3).tolist()
    [[1.0, -0.5]]
    """
    known = np.any(matrix != 0, axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(matrix, dtype=np.float64))
    logs[~known] = 0.0
    sums = counts @ logs
    negative = counts @ (matrix < 0).astype(np.float64)
    odd = negative.astype(np.int64) & 1
    top = sums.max(axis=1, keepdims=True, initial=-np.inf)
    sums -= np.where(np.isfinite(top), top, 0.0)
    products = np.exp(sums) * (1 - 2 * odd)
    products[(counts @ known.astype(np.float64)) == 0] = 0.0
    return products


def compute_cosines(batch: PairBatch) -> NDArray[np.float64]:
    """Cosines of combined word vectors.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products.

    All are in [-1, 1], symmetric, and 0 where a side has no vector.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016.
    """
    counts, words = batch.bags.counts, batch.bags.words
    matrix = batch.word_vectors
    information = batch.frequencies.information(words)
    combined = (
        counts @ matrix,
        counts @ (matrix * information[:, None]),
        log_products(counts, matrix),
    )
    return np.column_stack([paired_cosine(rows, batch.left, batch.right) for rows in combined])


def compute_alignment(batch: PairBatch) -> NDArray[np.float64]:
    """Alignment of each word with the most similar word of the other side.

    The similarity of two words is the cosine of their vectors, at least 0, and 1 for a word
    with itself; no one-to-one matching is asked for.

    align_f, align_min
        The mean of these similarities over the words of each side, repeats counted; both sides
        joined by the harmonic mean, and by the smaller of the two.
    align_ic_f, align_ic_min
        The same means, weighted by information content; unknown words weigh as much as the
        rarest known one.
    align_worst_ic
        The largest loss of a word on either side: information content times one minus its
        similarity, in nats; 0 for the same words. One changed key word shows here.

    The first four are in [0, 1], and 0 where a side is empty. All are symmetric.

    References
    ----------
    Rada Mihalcea, Courtney Corley and Carlo Strapparava. "Corpus-based and Knowledge-based
    Measures of Text Semantic Similarity", AAAI 2006.
    """
    counts, frequencies = batch.bags.counts, batch.frequencies
    unit = _unit_rows(batch.word_vectors)
    information = frequencies.information(batch.bags.words, unknown=frequencies.max_information)
    information = np.append(np.maximum(information, _LEAST), 0.0)
    features = np.empty((len(batch), len(ALIGNMENT.names)))
    for group in _groups(counts, batch.left, batch.right, unit.shape[1]):
        first = _padded(counts, batch.left[group])
        second = _padded(counts, batch.right[group])
        best = _best_similarities(first[0], second[0], unit)
        features[group] = _align(best, (first, second), information)
    return features


def _unit_rows(matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Rows of length 1, rows of zeros as they are; one more of zeros to pad sentences with."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    unit = np.zeros((len(matrix) + 1, matrix.shape[1]), dtype=np.float32)
    unit[:-1] = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
    return unit


def _groups(
    counts: sparse.csr_matrix, left: NDArray[np.intp], right: NDArray[np.intp], n_dims: int
) -> Iterator[NDArray[np.intp]]:
    """Pairs of like length, so that little is padded and the arrays stay small."""
    lengths = np.diff(counts.indptr)
    longest = np.maximum(lengths[left], lengths[right])
    order = np.argsort(longest, kind="stable")
    start = 0
    while start < len(order):
        # Sizes of what one pair takes, at the length of the longest pair of the group: try as
        # many as fit at the present length, then keep those that still fit at theirs.
        fits = _MAX_SIZE // _size(longest[order[start]], n_dims)
        end = min(start + max(1, fits), len(order))
        fits = _MAX_SIZE // _size(longest[order[end - 1]], n_dims)
        end = min(end, start + max(1, fits))
        yield order[start:end]
        start = end


def _size(length: int, n_dims: int) -> int:
    return int(length) * max(int(length), 2 * n_dims) + 1


def _padded(
    counts: sparse.csr_matrix, sentences: NDArray[np.intp]
) -> tuple[NDArray[np.intp], NDArray[np.float64]]:
    """Numbers of the distinct words of each sentence and their counts; padding counts 0."""
    starts, ends = counts.indptr[sentences], counts.indptr[sentences + 1]
    columns = np.arange(max(1, int((ends - starts).max())))
    real = columns < (ends - starts)[:, None]
    places = np.where(real, starts[:, None] + columns, 0)
    if counts.nnz == 0:
        return np.full(real.shape, counts.shape[1]), np.zeros(real.shape)
    words = np.where(real, counts.indices[places], counts.shape[1])
    return words, np.where(real, counts.data[places], 0.0)


def _best_similarities(
    first: NDArray[np.intp], second: NDArray[np.intp], unit: NDArray[Any]
) -> tuple[NDArray[np.float64], ...]:
    """Best similarity of each word of each side with a word of the other, in [0, 1]."""
    similarity = unit[first] @ unit[second].transpose(0, 2, 1)
    # A word is like itself even without a vector; padding is like nothing.
    similarity[first[:, :, None] == second[:, None, :]] = 1.0
    padding = len(unit) - 1
    similarity[(first == padding)[:, :, None] | (second == padding)[:, None, :]] = 0.0
    best = similarity.max(axis=2), similarity.max(axis=1)
    return tuple(np.clip(side, 0.0, 1.0).astype(np.float64) for side in best)


def _align(
    best: tuple[NDArray[np.float64], ...],
    sides: tuple[tuple[NDArray[np.intp], NDArray[np.float64]], ...],
    information: NDArray[np.float64],
) -> NDArray[np.float64]:
    """The features of a group of pairs, from the best similarities of its words."""
    means, weighted, worst = [], [], []
    for similarity, (words, counts) in zip(best, sides, strict=True):
        weights = counts * information[words]
        means.append(_mean(similarity, counts))
        weighted.append(_mean(similarity, weights))
        worst.append((information[words] * (1 - similarity)).max(axis=1))
    return np.column_stack(
        [
            harmonic_mean(*means),
            np.minimum(*means),
            harmonic_mean(*weighted),
            np.minimum(*weighted),
            np.maximum(*worst),
        ]
    )


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum(axis=1)
    weighed = (values * weights).sum(axis=1)
    return np.divide(weighed, total, out=np.zeros_like(total), where=total > 0)


COSINES = Family(
    "vectors",
    ("sum_w2v", "weighted_dist_sim", "product_w2v"),
    compute_cosines,
    needs=frozenset({"frequencies", "vectors"}),
)
ALIGNMENT = Family(
    "alignment",
    ("align_f", "align_min", "align_ic_f", "align_ic_min", "align_worst_ic"),
    compute_alignment,
    needs=frozenset({"frequencies", "vectors"}),
)
