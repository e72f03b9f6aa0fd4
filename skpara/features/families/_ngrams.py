"""How many word and character n-grams two sentences share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._bags import CHAR_SIZES
from skpara.features._family import Family
from skpara.features._scores import numbered, set_f_score

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_SIZES = (1, 2, 3)


def ngram_match(first: Sequence[str], second: Sequence[str]) -> tuple[float, float, float]:
    """F of the shared n-grams of two lists of words, for n = 1, 2 and 3.

    Parameters
    ----------
    first, second : sequence of str

    Returns
    -------
    tuple of 3 floats
        In [0, 1]; shared n-grams count with multiplicity; 1 where a side has no n-gram.
        Symmetric.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features.families._ngrams import ngram_match
    >>> ngram_match(["dogs", "chase", "cats"], ["dogs", "chase", "big", "cats"])
    (0.8571428571428571, 0.4, 0.0)
    """
    return (
        set_f_score(numbered(first), numbered(second)),
        set_f_score(
            numbered(pairwise(first)),
            numbered(pairwise(second)),
        ),
        set_f_score(
            numbered(zip(first, first[1:], first[2:], strict=False)),
            numbered(zip(second, second[1:], second[2:], strict=False)),
        ),
    )


def compute_words(batch: PairBatch) -> NDArray[np.float64]:
    """The word n-gram features of a batch of pairs: of content words, then of all words."""
    sides = batch.takelab
    content = sides.score(ngram_match, sides.content_words)
    return np.hstack([content, sides.score(ngram_match, sides.words)])


def compute_chars(batch: PairBatch) -> NDArray[np.float64]:
    """The character n-gram features of a batch of pairs.

    Dice coefficient of the counts of character n-grams inside words (with the spaces around
    them; a shorter word counts whole): in [0, 1], 0 where a side has none, symmetric.
    """
    counts, of_size = batch.bags.char_counts, batch.bags.chars_of_size
    total = counts @ of_size
    shared = counts[batch.left].minimum(counts[batch.right]) @ of_size
    both = total[batch.left] + total[batch.right]
    return np.divide(2 * shared, both, out=np.zeros_like(both), where=both > 0)


WORDS = Family(
    "word_ngrams",
    (
        *(f"n_gram_match_lc_{n}" for n in _SIZES),
        *(f"n_gram_match_{n}" for n in _SIZES),
    ),
    compute_words,
)
CHARS = Family("char_ngrams", tuple(f"char_n_gram_match_{n}" for n in CHAR_SIZES), compute_chars)
