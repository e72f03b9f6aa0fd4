"""How many word and character n-grams two sentences share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._bags import CHAR_SIZES
from skpara.features._family import Family
from skpara.features._scores import ratio
from skpara.text._overlaps import Sides, overlaps

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_SIZES = (1, 2, 3)


def ngram_matches(left: Sides, right: Sides) -> NDArray[np.float64]:
    """F of the shared n-grams of two sides, for n = 1, 2 and 3.

    Returns
    -------
    ndarray of float64, shape (n_pairs, 3)
        In [0, 1]; shared n-grams count with multiplicity; 1 where a side has no n-gram.
        Symmetric.

    Examples
    --------
    >>> from skpara.text._overlaps import Sides
    >>> from skpara.features.families._ngrams import ngram_matches
    >>> ngram_matches(Sides.of(["abc"]), Sides.of(["abdc"])).round(3).tolist()
    [[0.857, 0.4, 0.0]]
    """
    columns = []
    for found in overlaps(left, right, max(_SIZES)):
        some = (found.n_left > 0) & (found.n_right > 0)
        both = found.n_left + found.n_right
        columns.append(np.where(some, ratio(2 * found.shared, both), 1.0))
    return np.column_stack(columns)


def compute_words(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    n_gram_match_lc_1, n_gram_match_lc_2, n_gram_match_lc_3
        F of the shared n-grams of content words.
    n_gram_match_1, n_gram_match_2, n_gram_match_3
        F of the shared n-grams of all words.

    All are in [0, 1], symmetric, and 1 where a side has no n-gram: nothing speaks against it.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
    """
    sides = batch.takelab
    return np.hstack([ngram_matches(*sides.content_word_ids), ngram_matches(*sides.word_ids)])


def compute_chars(batch: PairBatch) -> NDArray[np.float64]:
    """The character n-gram features of a batch of pairs.

    Dice coefficient of the counts of character n-grams inside words (with the spaces around
    them; a shorter word counts whole): in [0, 1], 0 where a side has none, symmetric.
    """
    counts, of_size = batch.bags.char_counts, batch.bags.chars_of_size
    total = counts @ of_size
    shared = counts[batch.left].minimum(counts[batch.right]) @ of_size
    both = total[batch.left] + total[batch.right]
    return ratio(2 * shared, both)


WORDS = Family(
    "word_ngrams",
    (
        *(f"n_gram_match_lc_{n}" for n in _SIZES),
        *(f"n_gram_match_{n}" for n in _SIZES),
    ),
    compute_words,
)
CHARS = Family("char_ngrams", tuple(f"char_n_gram_match_{n}" for n in CHAR_SIZES), compute_chars)
