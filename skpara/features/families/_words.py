"""How many words two sentences share, plain and weighted by information."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._scores import ratio


def weighted_match(
    first: Any, second: Any, shared: Any, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
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


WEIGHTED = Family(
    "weighted_match",
    ("weight_word_match_olc",),
    compute_match,
    needs=frozenset({"frequencies"}),
)
OVERLAP = Family("word_overlap", ("word_jaccard", "word_containment"), compute_overlap)
