"""Determiners and negations: small words that change what is meant."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import ratio

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

DETERMINERS = frozenset(
    "a an the this that these those some any no every each either neither another other all both "
    "half such what which whose my your his her its our their many much more most few fewer "
    "little less several enough".split()
)
NEGATIONS = frozenset(
    "not no never none nobody nothing nowhere neither nor without cannot hardly barely scarcely "
    "n't ain't aint dont didnt doesnt isnt wasnt cant couldnt wont wouldnt".split()
)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    det_1
        Determiners that stand on both sides, counted on both / words of both sides.
    det_2
        Determiners that stand on one side alone / words of both sides.
    negation_mismatch
        1 where one side alone holds a negation ("not", "never", "without" ...), else 0.

    All are in [0, 1], symmetric, and 0 where neither side has a word. Repeats count: a word that
    stands twice on one side and once on the other stands once on that side alone.

    References
    ----------
    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016, which names det_1 and det_2 and
    does not define them.
    """
    sides = batch.takelab
    first, second, shared = sides.word_counts
    determiners, negations = (
        np.array([word in kind for word in sides.distinct], dtype=np.float64)
        for kind in (DETERMINERS, NEGATIONS)
    )
    n_words = sides.word_ids[0].lengths + sides.word_ids[1].lengths
    matched = 2 * (shared @ determiners)
    unmatched = first @ determiners + second @ determiners - matched
    negated = first @ negations > 0, second @ negations > 0
    return np.column_stack(
        [ratio(matched, n_words), ratio(unmatched, n_words), negated[0] != negated[1]]
    )


FAMILY = Family("function_words", ("det_1", "det_2", "negation_mismatch"), compute)
