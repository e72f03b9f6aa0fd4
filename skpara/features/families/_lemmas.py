"""Which lemmas of their content words two sentences share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features.families._ngrams import ngram_matches
from skpara.features.families._words import weighted_match
from skpara.text._overlaps import shared_counts

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    A lemma is WordNet's base form of a content word, for its part of speech.

    n_gram_match_lem_1, n_gram_match_lem_2, n_gram_match_lem_3
        F of the shared n-grams of lemmas, in [0, 1]; 1 where a side has none.
    weight_word_match_lem
        F of the information in shared lemmas, in [0, 1]; 0 where none is shared.

    All are symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
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
