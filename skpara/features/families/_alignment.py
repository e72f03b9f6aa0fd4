"""Each word aligned with the most similar word of the other sentence."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Floats, Vectors
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._padding import groups
from skpara.features._scores import harmonic_mean, ratio

# Elements of the largest array for a group of pairs: 4 MB, which fits into the cache.
_MAX_SIZE = 1_000_000
# Weight of a word without information, so that a sentence of such words still has a mean.
_LEAST = 1e-6


def compute(batch: PairBatch) -> Floats:
    """Compare each word with the most similar word of the other side, not one to one.

    The similarity of two words is the cosine of their vectors, at least 0, and 1 for a word
    with itself.

    align_f, align_min
        The mean of the best similarities over the words of each side, with repetitions; the
        harmonic mean and the smaller one of both sides.
    align_ic_f, align_ic_min
        The same means, weighted by information content; a word that the frequency table does
        not have weighs as much as its rarest word.
    align_icf_f, align_icf_min
        The same means, weighted by inverse collection frequency times the length of the word's
        vector, which reflects the word's importance in trained vectors.
    align_ic_worst, align_icf_worst
        The largest loss of a word on either side: its weight times one minus its similarity, so
        that one changed key word shows. In nats, and in the units of the vectors.

    The means are in [0, 1], and 0 where a side is empty. All are symmetric.
    """
    counts = batch.bags.counts
    unit, norms = unit_rows_and_norms(batch.word_vectors)
    weightings = _weightings(batch, norms)
    features = np.empty((len(batch), len(FAMILY.names)))
    sizes = np.diff(counts.indptr)
    longest = np.maximum(sizes[batch.left], sizes[batch.right])
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        first = _padded(counts, batch.left[group])
        second = _padded(counts, batch.right[group])
        best = _best_similarities(first[0], second[0], unit)
        columns = [*_means(best, (first[1], second[1]))]
        for weights in weightings:
            columns += _means(best, [weights[words] * n for words, n in (first, second)])
            losses = [
                (weights[words] * (1 - side)).max(axis=1)
                for side, (words, _) in zip(best, (first, second), strict=True)
            ]
            columns.append(np.maximum(*losses))
        features[group] = np.column_stack(columns)
    return features


def _weightings(batch: PairBatch, norms: Floats) -> list[Floats]:
    """Return two weights of each word, and 0 for padding: information, and icf times norm."""
    words, frequencies = batch.bags.words, batch.frequencies
    information = frequencies.information(words, unknown=frequencies.max_information)
    icf = batch.knowledge.document_frequencies["word"].idf(words)
    return [np.append(np.maximum(w, _LEAST), 0.0) for w in (information, icf * norms)]


def unit_rows_and_norms(matrix: Vectors) -> tuple[Vectors, Floats]:
    """Scale rows to length 1 and append a row of zeros for padding; also return the lengths.

    Rows of zeros stay zeros.
    """
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix, dtype=np.float64))
    unit = np.zeros((len(matrix) + 1, matrix.shape[1]), dtype=np.float32)
    unit[:-1] = matrix / np.where(norms > 0, norms, 1.0)[:, None]
    return unit, norms


def _padded(
    counts: sparse.csr_matrix, sentences: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Floats]:
    """Return the distinct words of each sentence and their counts, which are 0 for padding."""
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
) -> tuple[Floats, ...]:
    """Return the best similarity of each word with a word of the other side, in [0, 1]."""
    similarity = unit[first] @ unit[second].transpose(0, 2, 1)
    # A word equals itself even without a vector; padding equals nothing.
    similarity[first[:, :, None] == second[:, None, :]] = 1.0
    padding = len(unit) - 1
    similarity[(first == padding)[:, :, None] | (second == padding)[:, None, :]] = 0.0
    best = similarity.max(axis=2), similarity.max(axis=1)
    return tuple(np.clip(side, 0.0, 1.0).astype(np.float64) for side in best)


def _means(best: Sequence[Floats], weights: Sequence[Floats]) -> tuple[Floats, Floats]:
    """Return the harmonic mean and the minimum of the weighted mean similarities of both sides."""
    first, second = (
        ratio((side * w).sum(axis=1), w.sum(axis=1)) for side, w in zip(best, weights, strict=True)
    )
    return harmonic_mean(first, second), np.minimum(first, second)


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
