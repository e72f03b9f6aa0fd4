"""Edits from one sentence to another: distances, and tokens without counterpart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from skpara._core import Ragged, list_kernels
from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import MOST_WORDS, ratio, sequences
from skpara.resources import has_digit

# Tokens and characters of a sentence that are compared. The time grows with the product of both
# sides, so the rest of a longer text is ignored.
_MOST_TOKENS = 4096
_MOST_CHARACTERS = 8192
_NUMBERS = (
    "share ic ic_max numbers marks names function_words content_words names_ic content_words_ic "
    "runs longest_run run_ic_max at_start at_end"
).split()
_UNMATCHED = tuple(f"unmatched_{name}_{end}" for end in ("more", "less") for name in _NUMBERS)
# Endings that do not make another word; four letters must remain, so that "is" stays as it is.
_ENDINGS = ("ing", "ed", "s", "ly")
_ENDING = re.compile(r"(?<=\w{4})(ing|ed|es|s|ly)$")
# Information of a mark in nats, since the table of words has no marks: a comma matters little.
_MARK = 1.0
# Words of less information are function words: each is at least one of 3,000 in running text.
_FUNCTION_WORD = 8.0


def compute_unmatched(batch: PairBatch) -> Floats:
    """Describe the tokens that only one sentence has.

    Tokens match by their stems in the longest common subsequence, so a word in another place is
    unmatched. Each number is computed for both sentences: ``..._more`` is the larger, ``..._less``
    the smaller.

    unmatched_share
        Unmatched tokens / tokens.
    unmatched_ic, unmatched_ic_max
        Information of the unmatched tokens: sum, and largest.
    unmatched_numbers, unmatched_marks
        Number of unmatched numbers and punctuation marks.
    unmatched_names, unmatched_function_words, unmatched_content_words
        Number of unmatched words of a kind. A name is a capitalized token that is not the first, a
        function word one of the most frequent words.
    unmatched_names_ic, unmatched_content_words_ic
        Information of these.
    unmatched_runs, unmatched_longest_run, unmatched_run_ic_max
        Runs of unmatched tokens: their number, the length of the longest, the information of the
        richest.
    unmatched_at_start, unmatched_at_end
        Unmatched tokens before the first matched word or number, and after the last.
    """
    takelab = batch.takelab
    lists = takelab.ids.head(MOST_WORDS)
    cased = takelab.cased_ids.head(MOST_WORDS).ids
    kinds = np.array([*map(_kind_of, takelab.cased)], dtype=np.uint8)[cased]
    stems = Ragged.of([[*map(_stem, takelab.distinct)]])[1].ids
    information = batch.takelab_information
    information = np.where(information < 0, batch.frequencies.max_information, information)
    information[[not token[:1].isalnum() for token in takelab.distinct]] = _MARK
    # There may be several longest subsequences. The same one is found in either order.
    keys = list(zip(lists.lengths.tolist(), takelab.texts, strict=True))
    are_swapped = np.array([keys[a] > keys[b] for a, b in takelab.pairs], dtype=bool)
    numbers = np.empty((len(batch), len(_UNMATCHED)))
    list_kernels.unmatched(
        stems[lists.ids],
        lists.offsets,
        *takelab.sides,
        kinds,
        information[lists.ids],
        are_swapped,
        _FUNCTION_WORD,
        numbers,
    )
    return numbers


def _kind_of(token: str) -> int:
    """Return the number that the compiled function has for a kind of tokens."""
    if has_digit(token):
        return 0
    if not token[0].isalnum():
        return 1
    return 2 if token[0].isupper() else 3


def _stem(token: str) -> str:
    return _ENDING.sub("", token) if token.endswith(_ENDINGS) else token


UNMATCHED = Family("unmatched", _UNMATCHED, compute_unmatched, {"frequencies"})


def compute_strings(batch: PairBatch) -> Floats:
    """Compare lower-case strings.

    edit_words, edit_chars
        1 - edit distance / length of the longer side [5].
    lcs_words, lcs_chars
        Longest common subsequence (lcs) / length of the longer side [3].
    substring_words
        Longest common run of words / words of the longer side [3].
    token_sort_ratio
        2 lcs / both lengths, with the words in alphabetical order [5].
    token_set_ratio
        The largest such ratio between the shared words and the shared words plus the other words
        of each side [5].
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
    return cpdist(*sides, scorer=scorer, dtype=np.float64)


STRINGS = Family(
    "strings",
    (
        "edit_words",
        "edit_chars",
        "lcs_words",
        "lcs_chars",
        "substring_words",
        "token_sort_ratio",
        "token_set_ratio",
    ),
    compute_strings,
)
