"""Text that two sentences share in the same order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import ratio, sequences

# Tokens and characters of a sentence that are compared. The time grows with the product of both
# sides, so the rest of a longer text is ignored.
_MOST_TOKENS = 4096
_MOST_CHARACTERS = 8192


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
    tokens, sides = batch.takelab.ids.head(_MOST_TOKENS), batch.takelab.sides
    longer = np.maximum(*(tokens.lengths[side] for side in sides))
    edits, common, runs = sequences(tokens, sides)
    plain = [" ".join(sentence.lower().split())[:_MOST_CHARACTERS] for sentence in batch.sentences]
    texts = [[plain[i] for i in side.tolist()] for side in batch.sides]
    columns = np.array(
        [
            1 - ratio(edits, longer),
            _similarity(Levenshtein.normalized_similarity, texts),
            1 - ratio(longer - common, longer),
            _similarity(LCSseq.normalized_similarity, texts),
            ratio(runs, longer),
            _similarity(fuzz.token_sort_ratio, texts) / 100,
            _similarity(fuzz.token_set_ratio, texts) / 100,
        ]
    )
    # The scorers differ on empty text: some call two empty texts equal.
    columns[:, [not (a and b) for a, b in zip(*texts, strict=True)]] = 0.0
    return columns.T


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
