"""How close the content words of two sentences are in WordNet."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._scores import harmonic_mean
from skpara.text import shared_counts


def compute(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words in WordNet, symmetrically.

    wn_sim_lem
        F of the mean over the lemmas of a side of the largest path similarity to a lemma of the
        other, in [0, 1]; 1 where a side has no lemma.
    antonym_mismatch
        1 where a lemma of only one side is an antonym of a lemma of only the other side, else 0.
    """
    return np.column_stack([_similarity(batch), _antonyms(batch)])


def _similarity(batch: PairBatch) -> Floats:
    lemmas, sides = batch.lemmas
    counts = shared_counts(*sides, len(lemmas))[:2]
    # Each lemma of one side with each of the other, pair after pair. The same two lemmas often
    # come again, and WordNet is asked for them once.
    own, grids = [np.split(side.indices, side.indptr[1:-1]) for side in counts], []
    for a, b in zip(*own, strict=True):
        grids.append((a[:, None].astype(np.int64) * len(lemmas) + b).ravel())
    ends = np.cumsum([len(grid) for grid in grids])
    keys, places = np.unique(np.concatenate(grids), return_inverse=True)
    similarities = batch.wordnet.similarities(lemmas, *np.divmod(keys, max(1, len(lemmas))))
    means = np.ones((2, len(batch)))
    for i, (a, b) in enumerate(zip(*own, strict=True)):
        if len(a) and len(b):
            own_places = places[ends[i] - len(grids[i]) : ends[i]]
            grid = similarities[own_places].reshape(len(a), len(b))
            times = [side.data[side.indptr[i] : side.indptr[i + 1]] for side in counts]
            means[0, i] = grid.max(axis=1) @ times[0] / times[0].sum()
            means[1, i] = grid.max(axis=0) @ times[1] / times[1].sum()
    return harmonic_mean(*means)


def _antonyms(batch: PairBatch) -> Floats:
    lemmas, (left, right) = batch.lemmas
    first, second, _ = (side > 0 for side in shared_counts(left, right, len(lemmas)))
    number = {word: i for i, word in enumerate(lemmas)}
    pairs = [
        (i, number[antonym])
        for word, i in number.items()
        for antonym in batch.wordnet.antonyms(word)
        if antonym in number
    ]
    if not pairs:
        return np.zeros(len(batch))
    words, antonyms = np.array(pairs).T
    only = [(a > b).tocsc().astype(np.int8) for a, b in ((first, second), (second, first))]
    mismatches = only[0][:, words].multiply(only[1][:, antonyms]).sum(axis=1)
    return (np.asarray(mismatches).ravel() > 0).astype(np.float64)


FAMILY = Family(
    "wordnet",
    ("wn_sim_lem", "antonym_mismatch"),
    compute,
    needs=frozenset({"wordnet", "tagger"}),
)
