"""Words aligned with similar words of the other sentence, each with its best or one to one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._core import Ragged, offsets_of
from skpara._typing import Floats, Vectors
from skpara.features._batch import Family, PairBatch, row_norms
from skpara.features._kernels import (
    MOST_WORDS,
    Ids,
    align_cells,
    best_of_cells,
    cell_cosines,
    distinct,
    harmonic_mean,
    parts,
)

# Weight of a word without information, so that a sentence of such words still has a mean.
_LEAST = 1e-6
# Words before and after a word that are its neighbors, and the weight of their similarity.
WINDOW = 3
NEIGHBOR_WEIGHT = 0.1
# Cosine from which words count as similar, and the factor that keeps them below equal words.
_SIMILAR = 0.5
_AT_MOST = 0.9


def compute_best(batch: PairBatch) -> Floats:
    """Compare each word with the most similar word of the other side, not one to one.

    The similarity of two words is the cosine of their vectors, at least 0, and 1 for equal words.

    align_f, align_min
        Mean over the words of a side: F of both sides, and the smaller of the two [4].
    align_ic_f, align_ic_min
        The same, weighted by information [4].
    align_icf_f, align_icf_min
        The same, weighted by document weight times the length of the word's vector.
    align_ic_worst, align_icf_worst
        The largest weight times (1 - similarity) of a word, 0 or more, so that one changed key
        word shows.
    """
    words, counts = distinct(batch.bags.ids.head(MOST_WORDS), len(batch.bags.words))
    norms = batch.word_norms
    weights = _weights(batch, norms)
    means, worst = np.empty((2, 2, len(weights), len(batch)))
    for rows, sides in parts(words, batch.sides):
        similar = cell_cosines(words, sides, batch.word_vectors, norms)
        means[..., rows], worst[..., rows] = best_of_cells(words, sides, similar, counts, weights)
    f = harmonic_mean(*means)
    smaller = np.minimum(*means)
    losses = np.maximum(*worst)
    columns = []
    for k in range(len(weights)):
        columns += [f[k], smaller[k]]
        if k > 0:  # the losses are of no use without weights
            columns.append(losses[k])
    return np.array(columns).T


def _weights(batch: PairBatch, norms: Floats) -> Floats:
    """Return the weights of each word: 1, its information, and its icf times its norm."""
    icf = batch.word_idf
    return np.maximum([np.ones(len(icf)), _rare(batch, batch.information), icf * norms], _LEAST)


def _rare(batch: PairBatch, information: Floats) -> Floats:
    """Replace -1, for unknown words, by the information of the rarest word."""
    return np.where(information < 0, batch.frequencies.max_information, information)


def unit_rows_and_norms(matrix: Vectors) -> tuple[Vectors, Floats]:
    """Scale rows to length 1; also return the lengths. Rows of zeros stay zeros."""
    norms = row_norms(matrix)
    divisors = np.where(norms > 0, norms, 1.0).astype(np.float32)
    return np.divide(matrix, divisors[:, None], dtype=np.float32), norms


def compute_one_to_one(batch: PairBatch) -> Floats:
    """Align content words, including numbers, with at most one word of the other side (NLP).

    The similarity of two words is 1 if they or their lemmas are equal; otherwise 0.9 times the
    cosine of their vectors if that is at least 0.5; otherwise 0. The most similar words are
    aligned first; each of the three words before and after adds a tenth of its similarity.

    aligned_content
        Similarity of the aligned words / content words [7].
    aligned_content_ic
        The same, weighted by information [8].
    """
    tagged = batch.tagged
    words = tagged.ids.only(tagged.content).head(MOST_WORDS)
    # Words are equal if they or their lemmas are.
    keys = np.array([tagged.word_numbers, Ragged.of([tagged.lemmas])[1].ids])
    information = _rare(batch, batch.takelab_information[tagged.word_numbers])
    weights = np.array([np.ones(len(information)), np.maximum(information, _LEAST)])
    shared = np.zeros((2, len(batch)))
    for pair, first, second, similar in align(batch, words, keys):
        first = words.ids[first]
        second = words.ids[second]
        for row, own in zip(shared, weights, strict=True):
            row += np.bincount(pair, similar * (own[first] + own[second]), len(batch))
    left, right = batch.takelab.sides
    totals = [sums[left] + sums[right] for sums in map(words.sums, weights)]
    return (shared / np.maximum(totals, _LEAST)).T


def align(batch: PairBatch, words: Ragged, keys: Ids) -> Iterator[tuple[Ids, Ids, Ids, Floats]]:
    """Align some of the tagged words of each pair one to one.

    Words are equal that have one of their ``keys``, of shape (n_keys, n_words), in common.

    Yields, for some pairs at a time, the pair of each two aligned words, their positions in
    ``words.ids``, and their similarity.
    """
    vectors = batch.tagged_vectors
    norms = batch.tagged_norms
    for rows, sides in parts(words, batch.takelab.sides):
        similar = cell_cosines(words, sides, vectors, norms, keys, least=_SIMILAR, factor=_AT_MOST)
        pair, *aligned = align_cells(words, sides, similar, WINDOW, NEIGHBOR_WEIGHT)
        yield pair + rows.start, *aligned


def word_similarities(cosines: NDArray[Any], same: NDArray[np.bool_]) -> NDArray[Any]:
    """Compute how similar words are, in [0, 1]; ``same`` marks equal words and lemmas."""
    similar = np.where(cosines >= _SIMILAR, _AT_MOST * np.minimum(cosines, 1.0), 0.0)
    similar[same] = 1.0
    return similar


def aligned_words(similar: NDArray[Any]) -> NDArray[np.bool_]:
    """Align the words of two sentences one to one and return a mask of the aligned words.

    ``similar`` has the shape (n_first, n_second). Swapping the sentences gives the same alignment.
    """
    aligned = np.zeros(similar.shape, dtype=bool)
    offsets = offsets_of(similar.shape)
    lists = Ragged(np.zeros(offsets[-1], dtype=np.int64), offsets)
    sides = np.array([0]), np.array([1])
    similar = np.ascontiguousarray(similar, dtype=np.float64).ravel()
    _, first, second, _ = align_cells(lists, sides, similar, WINDOW, NEIGHBOR_WEIGHT)
    aligned[first, second - len(aligned)] = True
    return aligned


BEST = Family(
    "alignment",
    (
        "align_f",
        "align_min",
        "align_ic_f",
        "align_ic_min",
        "align_ic_worst",
        "align_icf_f",
        "align_icf_min",
        "align_icf_worst",
    ),
    compute_best,
    needs=frozenset(["frequencies", "vectors", "document_frequencies"]),
)
ONE_TO_ONE = Family(
    "word_alignment",
    ("aligned_content", "aligned_content_ic"),
    compute_one_to_one,
    needs=frozenset(["frequencies", "vectors", "wordnet", "tagger"]),
)
