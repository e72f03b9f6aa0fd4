"""Words aligned with similar words of the other sentence, each with its best or one to one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Floats, Vectors
from skpara.features._batch import Family, PairBatch
from skpara.features._padding import groups
from skpara.features._scores import harmonic_mean, ratio
from skpara.features._takelab_tokens import STOP_WORDS

# Elements of the largest array for a group of pairs: 4 MB, which fits into the cache.
_MAX_SIZE = 1_000_000
# Weight of a word without information, so that a sentence of such words still has a mean.
_LEAST = 1e-6
# Words before and after a word that are its neighbors, and the weight of their similarity.
_WINDOW = 3
_NEIGHBOR_WEIGHT = 0.1
# Cosine from which words count as similar, and the factor that keeps them below equal words.
_SIMILAR = 0.5
_AT_MOST = 0.9


def compute_best(batch: PairBatch) -> Floats:
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
    features = np.empty((len(batch), len(BEST.names)))
    sizes = np.diff(counts.indptr)
    longest = np.maximum(sizes[batch.left], sizes[batch.right])
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        first = padded_words(counts, batch.left[group])
        second = padded_words(counts, batch.right[group])
        best = best_similarities(first[0], second[0], unit)
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


def _places(starts: NDArray[Any], lengths: NDArray[Any]) -> NDArray[Any]:
    """Return the positions of the items of lists, shape (n_lists, longest), padded with -1."""
    columns = np.arange(max(1, int(lengths.max())))
    return np.where(columns < lengths[:, None], starts[:, None] + columns, -1)


def padded_words(
    counts: sparse.csr_matrix, sentences: NDArray[np.intp]
) -> tuple[NDArray[np.intp], Floats]:
    """Return the distinct words of each sentence and their counts, which are 0 for padding."""
    starts = counts.indptr[sentences]
    places = _places(starts, counts.indptr[sentences + 1] - starts)
    padding = counts.shape[1]
    return np.append(counts.indices, padding)[places], np.append(counts.data, 0.0)[places]


def best_similarities(
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


def compute_one_to_one(batch: PairBatch) -> Floats:
    """Align each content word (a number is one) with at most one word of the other side.

    The similarity of two words is 1 if they or their lemmas are equal, else 0.9 times the cosine
    of their vectors if that is 0.5 or more, else 0. The most similar words are aligned first; the
    similarities of the three words before and after each count a tenth.

    aligned_content
        Sum of the similarities of the aligned words of both sides / content words of both sides.
    aligned_content_ic
        The same with each word weighted by its information content.

    Both are in [0, 1], symmetric, and 0 where a side has no content word.
    """
    tagged, frequencies = batch.tagged, batch.frequencies
    content = [is_content(word) for word in tagged.words]
    words, forms = tagged.numbered(tagged.words, content)
    _, lemmas = tagged.numbered(tagged.lemmas, content)
    information = frequencies.information(words, unknown=frequencies.max_information)
    weights = np.append(np.maximum(information, _LEAST), 0.0)
    unit = unit_rows_and_norms(batch.vectors_of(words))[0]
    starts = [np.cumsum(side.lengths) - side.lengths for side in forms]
    longest = np.maximum(forms[0].lengths, forms[1].lengths)
    features = np.zeros((len(batch), 2))
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        places = [_places(starts[k][group], forms[k].lengths[group]) for k in (0, 1)]
        a, b = (np.append(side.ids, -1)[rows] for side, rows in zip(forms, places, strict=True))
        a_lemmas, b_lemmas = (
            np.append(side.ids, -1)[rows] for side, rows in zip(lemmas, places, strict=True)
        )
        same = (a[:, :, None] == b[:, None, :]) | (a_lemmas[:, :, None] == b_lemmas[:, None, :])
        same &= (a >= 0)[:, :, None]
        similar = word_similarities(unit[a] @ unit[b].transpose(0, 2, 1), same)
        aligned = np.where(aligned_words(similar), similar, 0.0)
        best = aligned.sum(axis=2), aligned.sum(axis=1)
        for column, values in enumerate((weights > 0, weights)):
            shared = (best[0] * values[a]).sum(axis=1) + (best[1] * values[b]).sum(axis=1)
            total = values[a].sum(axis=1) + values[b].sum(axis=1)
            features[group, column] = shared / np.maximum(total, _LEAST)
    return features


def is_content(word: str) -> bool:
    """Return whether a lower-cased token is a word or a number, not a stop word or a mark."""
    return word not in STOP_WORDS and any(map(str.isalnum, word))


def word_similarities(cosines: NDArray[Any], same: NDArray[np.bool_]) -> NDArray[Any]:
    """Compute how similar words are, in [0, 1]; ``same`` marks equal words and lemmas."""
    similar = np.where(cosines >= _SIMILAR, _AT_MOST * np.minimum(cosines, 1.0), 0.0)
    similar[same] = 1.0
    return similar


def aligned_words(similar: NDArray[Any]) -> NDArray[np.bool_]:
    """Align the words of pairs of sentences one to one and return a mask of the aligned words.

    ``similar`` has the shape (n_pairs, n_first, n_second) and is 0 for padding. Swapping the
    sentences gives the same alignment.
    """
    neighbors = np.minimum(_sums_around(similar) / (2 * _WINDOW), 1.0)
    scores = (1 - _NEIGHBOR_WEIGHT) * similar + _NEIGHBOR_WEIGHT * neighbors
    i, j = np.arange(similar.shape[1])[:, None], np.arange(similar.shape[2])
    # Rounding makes equally good words tie whatever the order of summation. Ties are resolved in
    # favor of the smallest distance, then of the earliest words, which is symmetric.
    length = similar.shape[1] + similar.shape[2]
    rank = np.rint(1e6 * scores).astype(np.int64) * length**2 - np.abs(i - j) * length - i - j
    rank[similar <= 0] = 0
    chosen = np.zeros(similar.shape, dtype=bool)
    while True:
        # The greedy choice takes the best of its row and column before any other of these, so
        # all such elements can be taken at once.
        best = (rank > 0) & (rank == rank.max(axis=2, keepdims=True))
        best &= rank == rank.max(axis=1, keepdims=True)
        if not best.any():
            return chosen
        chosen |= best
        rank[best.any(axis=2)] = 0
        rank.transpose(0, 2, 1)[best.any(axis=1)] = 0


def _sums_around(values: NDArray[Any]) -> Floats:
    """Return the sum of the values in the window around each value, without the value itself."""
    width = 2 * _WINDOW + 1
    sums = np.pad(values, ((0, 0), (_WINDOW + 1, _WINDOW), (_WINDOW + 1, _WINDOW)))
    sums = sums.cumsum(axis=1).cumsum(axis=2)
    around = (
        sums[:, width:, width:]
        - sums[:, :-width, width:]
        - sums[:, width:, :-width]
        + sums[:, :-width, :-width]
    )
    # Differences of cumulative sums can be slightly negative.
    result: Floats = np.maximum(around - values, 0.0)
    return result


BEST = Family(
    "alignment",
    (
        *("align_f", "align_min"),
        *("align_ic_f", "align_ic_min", "align_ic_worst"),
        *("align_icf_f", "align_icf_min", "align_icf_worst"),
    ),
    compute_best,
    needs={"frequencies", "vectors", "document_frequencies"},
)
ONE_TO_ONE = Family(
    "word_alignment",
    ("aligned_content", "aligned_content_ic"),
    compute_one_to_one,
    needs={"frequencies", "vectors", "wordnet", "tagger"},
)
