"""Determiners and negations, small words that change the meaning."""

from __future__ import annotations

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._lists import shared_weights
from skpara.features._scores import ratio

DETERMINERS = frozenset(
    "a an the this that these those some any no every each either neither another other all both "
    "half such what which whose my your his her its our their many much more most few fewer "
    "little less several enough".split()
)
NEGATIONS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely "
    "n't ain't aint dont didnt doesnt isnt wasnt cant couldnt wont wouldnt".split()
)


def compute(batch: PairBatch) -> Floats:
    """Compute features in [0, 1], symmetric, and 0 where neither side has a word.

    det_1
        Determiners of both sides, counted on both / words of both sides.
    det_2
        Determiners of only one side / words of both sides.
    negation_mismatch
        1 where only one side has a negation ("not", "never", "without" ...), else 0.

    Repetitions count: of a word that one side has twice and the other once, one occurrence belongs
    to only one side. Hokamp and Arora (2016) name det_1 and det_2 but do not define them.
    """
    takelab = batch.takelab
    marks = np.array(
        [[word in words for word in takelab.distinct] for words in (DETERMINERS, NEGATIONS)],
        dtype=np.float64,
    )
    shared, first, second = shared_weights(takelab.word_ids, takelab.sides, marks)
    lengths = takelab.word_ids.lengths
    n_words = lengths[takelab.sides[0]] + lengths[takelab.sides[1]]
    matched = 2 * shared[0]
    return np.array(
        [
            ratio(matched, n_words),
            ratio(first[0] + second[0] - matched, n_words),
            (first[1] > 0) != (second[1] > 0),
        ]
    ).T


FAMILY = Family("function_words", ("det_1", "det_2", "negation_mismatch"), compute)
