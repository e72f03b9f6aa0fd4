"""Which words two sentences share, and how much these tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import f_score

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def weighted_match(
    first: Sequence[str], second: Sequence[str], weights: Mapping[str, float]
) -> float:
    """F of the shared weight over the weights of two lists of words.

    Parameters
    ----------
    first, second : sequence of str
    weights : mapping of str to float
        Information content of each of the words, 0 or more.

    Returns
    -------
    float
        In [0, 1]: 0 where no weight is shared. Symmetric. Repeats count: a word that stands
        twice on both sides is shared twice.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features.families._words import weighted_match
    >>> weighted_match(["the", "dog"], ["the", "cat"], {"the": 1.0, "dog": 3.0, "cat": 3.0})
    0.25
    """
    spare = Counter(second)
    shared = 0.0
    for word in first:
        if spare.get(word):
            spare[word] -= 1
            shared += weights[word]
    return f_score(
        shared, sum(weights[word] for word in first), sum(weights[word] for word in second)
    )


def word_overlap(first: Sequence[str], second: Sequence[str]) -> tuple[float, float]:
    """Overlap of the distinct words of two lists.

    Returns
    -------
    word_jaccard : float
        Words of both / words of either, in [0, 1].
    word_containment : float
        Words of both / words of the side with fewer, in [0, 1].

    Both are symmetric, and 0 where a side has no word.

    Examples
    --------
    >>> from skpara.features.families._words import word_overlap
    >>> word_overlap(["dogs", "bark"], ["big", "dogs", "bark", "loud"])
    (0.5, 1.0)
    """
    ours, theirs = set(first), set(second)
    shared = len(ours & theirs)
    if not shared:
        return 0.0, 0.0
    return shared / (len(ours) + len(theirs) - shared), shared / min(len(ours), len(theirs))


def compute_match(batch: PairBatch) -> NDArray[np.float64]:
    """The weighted word match of a batch of pairs."""
    weights = batch.takelab_weights
    return batch.takelab.score(
        lambda first, second: (weighted_match(first, second, weights),), batch.takelab.words
    )


def compute_overlap(batch: PairBatch) -> NDArray[np.float64]:
    """Jaccard index and containment of a batch of pairs; numbers are words here."""
    bags = batch.bags
    words = [bags.words_of(i) for i in range(len(batch.sentences))]
    pairs = zip(batch.left.tolist(), batch.right.tolist(), strict=True)
    return np.array([word_overlap(words[i], words[j]) for i, j in pairs]).reshape(-1, 2)


WEIGHTED = Family(
    "weighted_match",
    ("weight_word_match_olc",),
    compute_match,
    needs=frozenset({"frequencies"}),
)
OVERLAP = Family("word_overlap", ("word_jaccard", "word_containment"), compute_overlap)
