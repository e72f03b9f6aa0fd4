"""Comparison of the lemmas of two sentences, as words and in WordNet.

A lemma is WordNet's base form of a content word for its part of speech.
"""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._families.words import ngram_matches, weighted_match
from skpara.features._kernels import harmonic_mean, ratio


def compute_lemmas(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words (WordNet's base forms for their parts of speech).

    n_gram_match_lem_1, n_gram_match_lem_2, n_gram_match_lem_3
        F of the shared n-grams of lemmas, in [0, 1]; 1 where a side has none.
    weight_word_match_lem
        F of the information in shared lemmas, in [0, 1]; 0 where none is shared.
    """
    lemmas, ids = batch.lemmas
    weights = batch.frequencies.information(lemmas)[None]
    sides = batch.takelab.sides
    return np.concatenate([ngram_matches(ids, sides), weighted_match(ids, sides, weights)]).T


def compute_wordnet(batch: PairBatch) -> Floats:
    """Compare the lemmas of content words in WordNet, symmetrically.

    wn_sim_lem
        F of the mean over the lemmas of a side of the largest path similarity to a lemma of the
        other, in [0, 1]; 1 where a side has no lemma.
    antonym_mismatch
        1 where a lemma of only one side is an antonym of a lemma of only the other side, else 0.
    """
    return np.array([_similarity(batch), _antonyms(batch)]).T


def _similarity(batch: PairBatch) -> Floats:
    names, ids = batch.lemmas
    sides = [(ids.ids[ids.places(side)], ids.lengths[side]) for side in batch.takelab.sides]
    means = []
    for similar, (_, lengths) in zip(
        batch.wordnet.largest_similarities(names, *sides), sides, strict=True
    ):
        pair = np.arange(len(batch)).repeat(lengths)
        means.append(ratio(np.bincount(pair, similar, len(batch)), lengths))
    neither_empty = (sides[0][1] > 0) & (sides[1][1] > 0)
    return np.where(neither_empty, harmonic_mean(*means), 1.0)


def _antonyms(batch: PairBatch) -> Floats:
    names, ids = batch.lemmas
    number = {word: i for i, word in enumerate(names)}
    opposites = {
        i: antonyms
        for word, i in number.items()
        if (antonyms := {number[a] for a in batch.wordnet.antonyms(word) if a in number})
    }
    # Few pairs have a word and an antonym of it or of another word.
    has_one = ids.sums([i in opposites for i in range(len(names))]) > 0
    mismatches = np.zeros(len(batch))
    left, right = batch.takelab.sides
    both = np.flatnonzero(has_one[left] & has_one[right])
    for p, first, second in ids.pairs((left[both], right[both])):
        only_first, only_second = set(first) - set(second), set(second) - set(first)
        mismatches[both[p]] = any(
            not only_second.isdisjoint(opposites.get(i, ())) for i in only_first
        )
    return mismatches


LEMMAS = Family(
    "lemmas",
    (*(f"n_gram_match_lem_{n}" for n in (1, 2, 3)), "weight_word_match_lem"),
    compute_lemmas,
    needs={"frequencies", "wordnet", "tagger"},
)
WORDNET = Family(
    "wordnet", ("wn_sim_lem", "antonym_mismatch"), compute_wordnet, needs={"wordnet", "tagger"}
)
