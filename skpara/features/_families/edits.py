"""Edits from one sentence to another: distances, and tokens without counterpart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
from rapidfuzz import fuzz
from rapidfuzz.distance import LCSseq, Levenshtein
from rapidfuzz.process import cpdist

from skpara._core import Ragged, offsets_of
from skpara._typing import Bools, Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import MOST_WORDS, Ids, ratio, sequences

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
_ENDING = re.compile(r"(?<=\w{4})(ing|ed|es|s|ly)$")
_DIGIT = re.compile(r"\d")
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
    cased = takelab.cased_ids.head(MOST_WORDS)
    lists = takelab.ids.head(MOST_WORDS)
    first_letters = [token[:1] for token in takelab.cased]
    numbers = np.array([bool(_DIGIT.search(token)) for token in takelab.cased], dtype=bool)
    words = np.array([letter.isalnum() for letter in first_letters], dtype=bool)
    capitals = np.array([letter.isupper() for letter in first_letters], dtype=bool)
    information = batch.takelab_information
    information = np.where(information < 0, batch.frequencies.max_information, information)
    information[[not token[:1].isalnum() for token in takelab.distinct]] = _MARK
    sides = []
    for rows, unmatched in zip(takelab.sides, _unmatched(batch, lists), strict=True):
        side = lists.take(rows)
        n_pairs, lengths = len(side), side.lengths
        owners, positions = side.owners, side.positions
        tokens, weights = cased.take(rows).ids, information[side.ids]
        is_number = numbers[tokens]
        is_mark = ~words[tokens] & ~is_number
        is_name = words[tokens] & ~is_number & capitals[tokens] & (positions > 0)
        is_plain = words[tokens] & ~is_number & ~is_name
        is_function_word = is_plain & (weights < _FUNCTION_WORD)
        is_content_word = is_plain & ~is_function_word
        # A run starts after a matched token or at the start of a sentence.
        before = np.append(False, unmatched[:-1]) & (positions > 0)
        begins = unmatched & ~before
        run_of = begins.cumsum() - 1
        run_lengths = np.bincount(run_of[unmatched], minlength=begins.sum())
        run_weights = np.bincount(run_of[unmatched], weights[unmatched], begins.sum())
        start, last = lengths.copy(), np.full(n_pairs, -1)
        # A matched full stop does not end the clause that was added before it.
        matched = ~unmatched & (numbers | words)[tokens]
        np.minimum.at(start, owners[matched], positions[matched])
        np.maximum.at(last, owners[matched], positions[matched])
        count = partial(_count, owners, n_pairs)
        sides.append(
            [
                count(unmatched) / np.maximum(lengths, 1),
                count(unmatched, weights),
                _maximum(weights[unmatched], owners[unmatched], n_pairs),
                count(is_number & unmatched),
                count(is_mark & unmatched),
                count(is_name & unmatched),
                count(is_function_word & unmatched),
                count(is_content_word & unmatched),
                count(is_name & unmatched, weights),
                count(is_content_word & unmatched, weights),
                count(begins),
                _maximum(run_lengths, owners[begins], n_pairs),
                _maximum(run_weights, owners[begins], n_pairs),
                count(unmatched & (positions < start[owners])),
                count(unmatched & (positions > last[owners])),
            ]
        )
    first, second = np.array(sides, dtype=np.float64)
    return np.vstack([np.maximum(first, second), np.minimum(first, second)]).T


def _count(owners: Ids, n_pairs: int, mask: Bools, weights: Floats | None = None) -> Floats:
    """Count the marked tokens of each sentence, or sum their weights."""
    counted = np.bincount(owners[mask], None if weights is None else weights[mask], n_pairs)
    return counted.astype(np.float64)


def _unmatched(batch: PairBatch, lists: Ragged) -> list[Bools]:
    """Return which tokens of the first sentences, and of the second ones, have no counterpart."""
    takelab = batch.takelab
    _, stems = Ragged.of([[_ENDING.sub("", token) for token in takelab.distinct]])
    stemmed = lists.with_ids(stems.ids[lists.ids])
    flags, starts = [], []
    for rows in takelab.sides:
        offsets = offsets_of(lists.lengths[rows])
        flags.append(np.zeros(offsets[-1], dtype=bool))
        starts.append(offsets.tolist())
    texts, order = batch.sentences, (batch.left.tolist(), batch.right.tolist())
    for p, first, second in stemmed.pairs(takelab.sides):
        if first == second:
            continue
        # There may be several longest subsequences. The same one is found in either order.
        swap = (len(first), texts[order[0][p]]) > (len(second), texts[order[1][p]])
        pair = (second, first) if swap else (first, second)
        for tag, source, target in LCSseq.editops(*pair).as_list():
            is_inserted = tag == "insert"
            side = 1 if is_inserted != swap else 0
            flags[side][starts[side][p] + (target if is_inserted else source)] = True
    return flags


def _maximum(values: Floats | Ids, owners: Ids, n: int) -> Floats:
    """Return the largest value of each owner; 0 where it has none."""
    largest = np.zeros(n)
    np.maximum.at(largest, owners, values)
    return largest


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
