"""How near the content words of two sentences are in WordNet."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._overlaps import code_points
from skpara.features._scores import harmonic_mean

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
    words, pairs = batch.lemmas.words, batch.takelab.pairs
    codes = [code_points(text).astype(np.int64) for text in batch.lemmas.codes]
    distinct = [np.unique(ids, return_counts=True) for ids in codes]
    # The similarity of each lemma of a pair's one side to each of the other, pair after pair.
    grids = [(distinct[a][0][:, None] * len(words) + distinct[b][0]).ravel() for a, b in pairs]
    ends = np.cumsum([len(grid) for grid in grids])
    keys, places = np.unique(np.concatenate(grids), return_inverse=True)
    found = batch.wordnet.similarities(words, *np.divmod(keys, max(1, len(words))))[places]
    means = np.ones((2, len(pairs)))
    for i, (a, b) in enumerate(pairs):
        counts = distinct[a][1], distinct[b][1]
        if len(counts[0]) and len(counts[1]):
            grid = found[ends[i] - len(grids[i]) : ends[i]].reshape(len(counts[0]), -1)
            means[0, i] = grid.max(axis=1) @ counts[0] / counts[0].sum()
            means[1, i] = grid.max(axis=0) @ counts[1] / counts[1].sum()
    return harmonic_mean(*means)


def _antonyms(batch: PairBatch) -> NDArray[np.float64]:
    sides = [frozenset(text) for text in batch.lemmas.codes]
    number = {word: i for i, word in enumerate(batch.lemmas.words)}
    opposites = {
        chr(i): {chr(number[a]) for a in batch.wordnet.antonyms(word) if a in number}
        for word, i in number.items()
    }
    telling = {word for word, antonyms in opposites.items() if antonyms}
    found = np.zeros(len(batch))
    for i, (a, b) in enumerate(batch.takelab.pairs):
        alone = sides[b] - sides[a]
        found[i] = any(
            not alone.isdisjoint(opposites[word]) for word in (sides[a] - sides[b]) & telling
        )
    return found


FAMILY = Family(
    "wordnet",
    ("wn_sim_lem", "antonym_mismatch"),
    compute,
    needs=frozenset({"wordnet", "tagger"}),
)
