"""How many words and n-grams two sentences share, plain and weighted by information."""

from __future__ import annotations

from typing import Any

import numpy as np

from skpara._typing import Floats
from skpara.features._bags import CHAR_SIZES
from skpara.features._batch import Family, PairBatch
from skpara.features._scores import ratio
from skpara.text import Sides, overlaps

_SIZES = (1, 2, 3)


def ngram_matches(left: Sides, right: Sides) -> Floats:
    """Compute F of the shared n-grams of two sides, for n = 1, 2 and 3, shape (n_pairs, 3).

    It is 1 where a side has no n-gram, as TakeLab defines it. Repetitions count.
    """
    columns = []
    for overlap in overlaps(left, right, max(_SIZES)):
        neither_empty = (overlap.n_left > 0) & (overlap.n_right > 0)
        f = ratio(2 * overlap.shared, overlap.n_left + overlap.n_right)
        columns.append(np.where(neither_empty, f, 1.0))
    return np.column_stack(columns)


def compute_words(batch: PairBatch) -> Floats:
    """Compute F of the n-grams of content words (``lc``) and of all words."""
    sides = batch.takelab
    return np.hstack([ngram_matches(*sides.content_word_ids), ngram_matches(*sides.word_ids)])


def compute_chars(batch: PairBatch) -> Floats:
    """Compute the Dice coefficients of character n-grams; 0 where a side has no n-gram.

    N-grams are taken inside words, with the spaces around them; a shorter word counts as a whole.
    """
    counts, of_size = batch.bags.char_counts, batch.bags.chars_of_size
    total = counts @ of_size
    shared = counts[batch.left].minimum(counts[batch.right]) @ of_size
    both = total[batch.left] + total[batch.right]
    return ratio(2 * shared, both)


def weighted_match(first: Any, second: Any, shared: Any, weights: Floats) -> Floats:
    """Compute F of the weights of the shared words; 0 where no weight is shared.

    A word that occurs twice on both sides is shared twice.
    """
    return ratio(2 * (shared @ weights), first @ weights + second @ weights)


def compute_match(batch: PairBatch) -> Floats:
    weights = batch.takelab_information
    return weighted_match(*batch.takelab.word_counts, weights)[:, None]


def compute_overlap(batch: PairBatch) -> Floats:
    """Compute symmetric ratios in [0, 1]; 0 where a side has no word. Numbers are words.

    word_jaccard
        Distinct shared words / distinct words of either side.
    word_containment
        Distinct shared words / distinct words of the side with fewer.
    """
    counts = batch.bags.counts
    left, right = counts[batch.left], counts[batch.right]
    sizes = np.diff(left.indptr), np.diff(right.indptr)
    shared = np.diff(left.minimum(right).tocsr().indptr)
    fewer = np.minimum(*sizes)
    return np.column_stack([ratio(shared, sizes[0] + sizes[1] - shared), ratio(shared, fewer)])


WORDS = Family(
    "word_ngrams",
    (*(f"n_gram_match_lc_{n}" for n in _SIZES), *(f"n_gram_match_{n}" for n in _SIZES)),
    compute_words,
)
CHARS = Family("char_ngrams", tuple(f"char_n_gram_match_{n}" for n in CHAR_SIZES), compute_chars)
WEIGHTED = Family(
    "weighted_match", ("weight_word_match_olc",), compute_match, needs={"frequencies"}
)
OVERLAP = Family("word_overlap", ("word_jaccard", "word_containment"), compute_overlap)
