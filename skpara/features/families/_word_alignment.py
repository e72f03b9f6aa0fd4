"""Content words aligned one to one by their similarity and that of their neighbors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._padding import groups
from skpara.features._takelab_tokens import STOP_WORDS
from skpara.features.families._alignment import unit_rows_and_norms
from skpara.text import Sides

# Words before and after a word that are its neighbors, and the weight of their similarity.
_WINDOW = 3
_NEIGHBOR_WEIGHT = 0.1
# Cosine from which words count as similar, and the factor that keeps them below equal words.
_SIMILAR = 0.5
_AT_MOST = 0.9
# Elements of the largest array for a group of pairs: 4 MB, which fits into the cache.
_MAX_SIZE = 1_000_000
# Weight of a word without information, so that a side of such words has a mean.
_LEAST = 1e-6


def compute(batch: PairBatch) -> Floats:
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
    starts = [np.append(0, np.cumsum(side.lengths)) for side in forms]
    longest = np.maximum(forms[0].lengths, forms[1].lengths)
    features = np.zeros((len(batch), 2))
    for group in groups(longest * np.maximum(longest, 2 * unit.shape[1]) + 1, _MAX_SIZE):
        sides = [_padded_ids(forms[k], lemmas[k], starts[k], group) for k in (0, 1)]
        if not all(side.shape[2] for side in sides):
            continue
        (a, a_lemmas), (b, b_lemmas) = sides
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


def _padded_ids(
    forms: Sides, lemmas: Sides, starts: NDArray[np.int64], group: NDArray[np.intp]
) -> NDArray[np.int64]:
    """Return words and lemmas of one side, shape (2, n_pairs, longest), padded with -1."""
    lengths = forms.lengths[group]
    columns = np.arange(lengths.max(initial=0))
    places = np.where(columns < lengths[:, None], starts[group][:, None] + columns, -1)
    return np.stack([np.append(side.ids, -1)[places] for side in (forms, lemmas)])


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


FAMILY = Family(
    "word_alignment",
    ("aligned_content", "aligned_content_ic"),
    compute,
    needs=frozenset({"frequencies", "vectors", "wordnet", "tagger"}),
)
