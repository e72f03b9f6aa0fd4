"""How many words and n-grams two sentences share, plain and weighted by information."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._bags import CHAR_SIZES
from skpara.features._batch import Family, PairBatch
from skpara.features._lists import Lists, Sides, shared_ngrams, shared_weights
from skpara.features._scores import ratio

_SIZES = (1, 2, 3)


def ngram_matches(lists: Lists, sides: Sides) -> Floats:
    """Compute F of the shared n-grams of two sides, for n = 1, 2 and 3, shape (3, n_pairs).

    It is 1 where a side has no n-gram, as TakeLab defines it. Repetitions count.
    """
    shared = shared_ngrams(lists, sides, len(_SIZES))
    counts = np.maximum(lists.lengths - np.array(_SIZES)[:, None] + 1, 0)
    left, right = counts[:, sides[0]], counts[:, sides[1]]
    return np.where((left > 0) & (right > 0), ratio(2 * shared, left + right), 1.0)


def compute_words(batch: PairBatch) -> Floats:
    """Compute F of the n-grams of content words (``lc``) and of all words."""
    takelab = batch.takelab
    kinds = takelab.content_word_ids, takelab.word_ids
    return np.concatenate([ngram_matches(ids, takelab.sides) for ids in kinds]).T


def compute_chars(batch: PairBatch) -> Floats:
    """Compute the Dice coefficients of character n-grams; 0 where a side has no n-gram.

    N-grams are taken inside words, with the spaces around them; a shorter word counts as a whole.
    """
    chars = batch.bags.chars
    return weighted_match(chars.ids, batch.sides, chars.of_size).T


def weighted_match(lists: Lists, sides: Sides, weights: Floats) -> Floats:
    """Compute F of the weights of the shared items; 0 where no weight is shared.

    An item that occurs twice on both sides is shared twice.
    """
    shared, first, second = shared_weights(lists, sides, weights)
    return ratio(2 * shared, first + second)


def compute_match(batch: PairBatch) -> Floats:
    takelab = batch.takelab
    weights = np.maximum(batch.takelab_information, 0.0)  # unknown words weigh nothing
    return weighted_match(takelab.word_ids, takelab.sides, weights[None]).T


def compute_overlap(batch: PairBatch) -> Floats:
    """Compute symmetric ratios in [0, 1]; 0 where a side has no word. Numbers are words.

    word_jaccard
        Distinct shared words / distinct words of either side.
    word_containment
        Distinct shared words / distinct words of the side with fewer.
    """
    words = batch.bags.distinct[0]
    left, right = (words.lengths[side] for side in batch.sides)
    shared = shared_ngrams(words, batch.sides, 1)[0]
    return np.array(
        [ratio(shared, left + right - shared), ratio(shared, np.minimum(left, right))]
    ).T


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
