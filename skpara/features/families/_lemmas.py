"""Which lemmas of their content words two sentences share."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features.families._ngrams import ngram_matches
from skpara.features.families._words import weighted_match
from skpara.text import shared_counts


def compute(batch: PairBatch) -> Floats:
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


FAMILY = Family(
    "lemmas",
    (*(f"n_gram_match_lem_{n}" for n in (1, 2, 3)), "weight_word_match_lem"),
    compute,
    needs=frozenset({"frequencies", "wordnet", "tagger"}),
)
