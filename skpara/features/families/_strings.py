"""How much text two sentences share in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._padding import groups, padded

# Padded characters of a group of right sides: its arrays fit into the cache.
_MAX_CELLS = 200_000


def longest_runs(first: Sequence[str], second: Sequence[str]) -> NDArray[np.int64]:
    """Return the length of the longest common substring of each pair of texts."""
    longest = np.zeros(len(first), dtype=np.int64)
    sizes = [1 + max(len(a), len(b)) for a, b in zip(first, second, strict=True)]
    for group in groups(np.array(sizes), _MAX_CELLS):
        left = padded([first[i] for i in group.tolist()], -1)
        right = padded([second[i] for i in group.tolist()], -2)
        # Length of the common run that ends at this character on the left and each on the right.
        runs = np.zeros((len(group), right.shape[1] + 1), dtype=np.int32)
        best = np.zeros_like(runs)
        for characters in left.T:
            runs[:, 1:] = np.where(right == characters[:, None], runs[:, :-1] + 1, 0)
            np.maximum(best, runs, out=best)
        longest[group] = best.max(axis=1)
    return longest


def compute(batch: PairBatch) -> Floats:
    """Compute features in [0, 1], symmetric, and 0 where a side is empty.

    Words are TakeLab's tokens, lower-cased; characters are those of the lower-cased sentence.

    edit_words, edit_chars
        1 - edit distance (Levenshtein) / length of the longer side.
    lcs_words, lcs_chars
        Longest common subsequence / length of the longer side.
    substring_words
        Longest common run of words / words of the longer side.
    token_sort_ratio
        2 * longest common subsequence / length of both sides, over characters after sorting the
        words.
    token_set_ratio
        The largest such ratio among the words of both sides, these and the rest of the first,
        these and the rest of the second. 1 where one side has all words of the other.
    """
    words = batch.takelab.codes
    plain = [" ".join(sentence.lower().split()) for sentence in batch.sentences]
    texts = [[plain[i] for i in k.tolist()] for k in (batch.left, batch.right)]
    longer = [max(1, len(a), len(b)) for a, b in zip(*words, strict=True)]
    columns = [
        _similarity(Levenshtein.normalized_similarity, words),
        _similarity(Levenshtein.normalized_similarity, texts),
        _similarity(LCSseq.normalized_similarity, words),
        _similarity(LCSseq.normalized_similarity, texts),
        longest_runs(*words) / longer,
        _similarity(fuzz.token_sort_ratio, texts) / 100,
        _similarity(fuzz.token_set_ratio, texts) / 100,
    ]
    # The scorers differ on empty text: some call two empty texts equal.
    neither_empty = np.array([bool(a and b) for a, b in zip(*texts, strict=True)])
    return np.column_stack(columns) * neither_empty[:, None]


def _similarity(scorer: Any, sides: Sequence[Sequence[str]]) -> Floats:
    scores: Floats = cpdist(*sides, scorer=scorer, dtype=np.float64)
    return scores


FAMILY = Family(
    "strings",
    (
        *("edit_words", "edit_chars", "lcs_words", "lcs_chars", "substring_words"),
        *("token_sort_ratio", "token_set_ratio"),
    ),
    compute,
)
