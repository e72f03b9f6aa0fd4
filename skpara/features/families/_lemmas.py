"""What the lemmas of two sentences share, as words and in WordNet.

A lemma is WordNet's base form of a content word for its part of speech.
"""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._lists import MOST_WORDS, best_of_cells, cells, distinct, parts
from skpara.features._scores import harmonic_mean
from skpara.features.families._ngrams import ngram_matches, weighted_match


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
    lemmas, counts = distinct(ids.head(MOST_WORDS), len(names))
    weights, means = np.ones((1, len(names))), np.empty((2, 1, len(batch)))
    for rows, sides in parts(lemmas, batch.takelab.sides):
        _, left, right = cells(lemmas, sides)
        # The same two lemmas often come again, and WordNet is asked for them once.
        keys = lemmas.ids[left] * len(names) + lemmas.ids[right]
        keys, places = np.unique(keys, return_inverse=True)
        similar = batch.wordnet.similarities(names, *np.divmod(keys, max(1, len(names))))
        means[..., rows], _ = best_of_cells(lemmas, sides, similar[places], counts, weights)
    n_left, n_right = (lemmas.lengths[side] for side in batch.takelab.sides)
    return np.where((n_left > 0) & (n_right > 0), harmonic_mean(*means[:, 0]), 1.0)


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
