"""How near the content words of two sentences are in WordNet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import harmonic_mean
from skpara.text._overlaps import shared_counts

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    wn_sim_lem
        F of the mean over the lemmas of a side of the largest path similarity to a lemma of the
        other, in [0, 1]; 1 where a side has no lemma. See
        :meth:`skpara.resources.WordNet.similarities`.
    antonym_mismatch
        1 where a lemma of one side alone is the antonym of a lemma of the other side alone, else
        0.

    Both are symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
    """
    return np.column_stack([_similarity(batch), _antonyms(batch)])


def _similarity(batch: PairBatch) -> NDArray[np.float64]:
    lemmas, sides = batch.lemmas
    counts = [side for side in shared_counts(*sides, len(lemmas))[:2]]
    # The similarity of each lemma of a pair's one side to each of the other, pair after pair.
    own, grids = [np.split(side.indices, side.indptr[1:-1]) for side in counts], []
    for a, b in zip(*own, strict=True):
        grids.append((a[:, None].astype(np.int64) * len(lemmas) + b).ravel())
    ends = np.cumsum([len(grid) for grid in grids])
    keys, places = np.unique(np.concatenate(grids), return_inverse=True)
    found = batch.wordnet.similarities(lemmas, *np.divmod(keys, max(1, len(lemmas))))[places]
    means = np.ones((2, len(batch)))
    for i, (a, b) in enumerate(zip(*own, strict=True)):
        if len(a) and len(b):
            grid = found[ends[i] - len(grids[i]) : ends[i]].reshape(len(a), len(b))
            times = [side.data[side.indptr[i] : side.indptr[i + 1]] for side in counts]
            means[0, i] = grid.max(axis=1) @ times[0] / times[0].sum()
            means[1, i] = grid.max(axis=0) @ times[1] / times[1].sum()
    return harmonic_mean(*means)


def _antonyms(batch: PairBatch) -> NDArray[np.float64]:
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
    here, there = np.array(pairs).T
    alone = [(a > b).tocsc().astype(np.int8) for a, b in ((first, second), (second, first))]
    found = alone[0][:, here].multiply(alone[1][:, there]).sum(axis=1)
    return (np.asarray(found).ravel() > 0).astype(np.float64)


FAMILY = Family(
    "wordnet",
    ("wn_sim_lem", "antonym_mismatch"),
    compute,
    needs=frozenset({"wordnet", "tagger"}),
)
