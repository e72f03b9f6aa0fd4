"""Each word aligned with the most similar word of the other sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.features._family import Family
from skpara.features._padding import groups
from skpara.features._scores import harmonic_mean

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

# Numbers in the largest array that the alignment of one group of pairs makes (4 MB):
# they stay in the cache.
_MAX_SIZE = 1_000_000
# Weight of a word that tells nothing, so that a sentence of such words still has a mean.
_LEAST = 1e-6


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    The similarity of two words is the cosine of their vectors, at least 0, and 1 for a word
    with itself; no one-to-one matching is asked for.

    align_f, align_min
        The mean of these similarities over the words of each side, repeats counted; both sides
        joined by the harmonic mean, and by the smaller of the two.
    align_ic_f, align_ic_min
        The same means, weighted by information content; a word that the frequency table does
        not hold weighs as much as the rarest that it holds.
    align_icf_f, align_icf_min
        The same means, weighted by inverse collection frequency times the length of the word's
        vector, which trained vectors have learnt to be the word's importance.
    align_ic_worst, align_icf_worst
        The largest loss of a word on either side: its weight times one minus its similarity, so
        0 for the same words. One changed key word shows here. In nats, and in the units of the
        vectors.

    The means are in [0, 1], and 0 where a side is empty. All are symmetric.

    References
    ----------
    Rada Mihalcea, Courtney Corley and Carlo Strapparava. "Corpus-based and Knowledge-based
    Measures of Text Semantic Similarity", AAAI 2006.

    John Wieting, Mohit Bansal, Kevin Gimpel and Karen Livescu. "Towards Universal Paraphrastic
    Sentence Embeddings", ICLR 2016.
    """
    counts = batch.bags.counts
    unit, lengths = unit_rows(batch.word_vectors)
    weightings = _weightings(batch, lengths)
    features = np.empty((len(batch), len(FAMILY.names)))
    sizes = np.diff(counts.indptr)
    longest = np.maximum(sizes[batch.left], sizes[batch.right])
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        first = _padded(counts, batch.left[group])
        second = _padded(counts, batch.right[group])
        best = _best_similarities(first[0], second[0], unit)
        columns = [*_means(best, (first[1], second[1]))]
        for weights in weightings:
            weighed = tuple(weights[words] * n for words, n in (first, second))
            columns += _means(best, weighed)
            losses = [
                (weights[words] * (1 - side)).max(axis=1)
                for side, (words, _) in zip(best, (first, second), strict=True)
            ]
            columns.append(np.maximum(*losses))
        features[group] = np.column_stack(columns)
    return features


def _weightings(batch: PairBatch, lengths: NDArray[np.float64]) -> list[NDArray[np.float64]]:
    """Weights of the words, and 0 for padding: information content, and icf times length."""
    words, frequencies = batch.bags.words, batch.frequencies
    information = frequencies.information(words, unknown=frequencies.max_information)
    icf = batch.knowledge.document_frequencies["word"].idf(words)
    return [np.append(np.maximum(w, _LEAST), 0.0) for w in (information, icf * lengths)]


def unit_rows(
    matrix: NDArray[np.float32],
) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """Rows of length 1 (rows of zeros stay), a row of zeros for padding, and the lengths."""
    lengths = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    unit = np.zeros((len(matrix) + 1, matrix.shape[1]), dtype=np.float32)
    unit[:-1] = matrix / np.where(lengths > 0, lengths, 1.0)[:, None]
    return unit, lengths


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


def _means(
    best: tuple[NDArray[np.float64], ...], weights: tuple[NDArray[np.float64], ...]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Weighted mean similarity of each side, joined by the harmonic mean and by the smaller."""
    first, second = (_mean(side, w) for side, w in zip(best, weights, strict=True))
    return harmonic_mean(first, second), np.minimum(first, second)


def _mean(values: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    total = weights.sum(axis=1)
    weighed = (values * weights).sum(axis=1)
    return np.divide(weighed, total, out=np.zeros_like(total), where=total > 0)


FAMILY = Family(
    "alignment",
    (
        *("align_f", "align_min"),
        *("align_ic_f", "align_ic_min", "align_ic_worst"),
        *("align_icf_f", "align_icf_min", "align_icf_worst"),
    ),
    compute,
    needs=frozenset({"frequencies", "vectors", "document_frequencies"}),
)
