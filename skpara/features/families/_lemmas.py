"""What the lemmas of two sentences share, as words and in WordNet.

A lemma is WordNet's base form of a content word for its part of speech.
"""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._scores import harmonic_mean
from skpara.features.families._ngrams import ngram_matches, weighted_match
from skpara.text import shared_counts


def compute_lemmas(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words (WordNet's base forms for their parts of speech).

    n_gram_match_lem_1, n_gram_match_lem_2, n_gram_match_lem_3
        F of the shared n-grams of lemmas, in [0, 1]; 1 where a side has none.
    weight_word_match_lem
        F of the information in shared lemmas, in [0, 1]; 0 where none is shared.
    """
    lemmas, (left, right) = batch.lemmas
    weights = batch.frequencies.information(lemmas)
    weighted = weighted_match(*shared_counts(left, right, len(lemmas)), weights)
    return np.column_stack([ngram_matches(left, right), weighted])


def compute_wordnet(batch: PairBatch) -> Floats:
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


LEMMAS = Family(
    "lemmas",
    (*(f"n_gram_match_lem_{n}" for n in (1, 2, 3)), "weight_word_match_lem"),
    compute_lemmas,
    needs={"frequencies", "wordnet", "tagger"},
)
WORDNET = Family(
    "wordnet", ("wn_sim_lem", "antonym_mismatch"), compute_wordnet, needs={"wordnet", "tagger"}
)
