"""Which words two sentences share, and how much these tell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import ratio

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def weighted_match(
    first: Any, second: Any, shared: Any, weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """F of the shared weight over the weights of the words of both sides.

    Parameters
    ----------
    first, second, shared : csr_matrix, shape (n_pairs, n_words)
        How often each word stands on either side, and on both.
    weights : ndarray, shape (n_words,)
        Information content, 0 or more.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
        In [0, 1]; 0 where no weight is shared.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
    """
    return ratio(2 * (shared @ weights), first @ weights + second @ weights)


def compute_match(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    weight_word_match_olc
        F of the information content of the shared words over that of the words of each side; in
        [0, 1], symmetric, 0 where none is shared. Repeats count: a word that stands twice on both
        sides is shared twice.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.
    """
    weights = batch.takelab_information
    return weighted_match(*batch.takelab.word_counts, weights)[:, None]


def compute_overlap(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    word_jaccard
        Distinct words of both sides / of either.
    word_containment
        Distinct words of both sides / of the side with fewer.

    Both are in [0, 1], symmetric, and 0 where a side has no word. Numbers are words here.
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
