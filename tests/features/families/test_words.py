from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features.families._words import weighted_match, word_overlap

WEIGHTS = {"a": 0.0, "b": 1.0, "c": 2.5, "d": 4.0}
WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def slow_match(first, second):
    total_first, total_second = (sum(WEIGHTS[w] for w in side) for side in (first, second))
    common = Counter(first) & Counter(second)
    shared = sum(WEIGHTS[w] * n for w, n in common.items())
    if shared == 0:
        return 0.0
    p, r = shared / total_first, shared / total_second
    return 2 * p * r / (p + r)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", 0.0),
        ("a", "a", 0.0),  # shared, but it weighs nothing
        ("b", "b", 1.0),
        ("b c", "b d", 2 * 1 / (3.5 + 5)),
        ("b b", "b", 2 * 1 / (2 + 1)),
        ("b b", "b b c", 2 * 2 / (2 + 4.5)),
    ],
)
def test_weighted_match(first, second, expected):
    assert weighted_match(first.split(), second.split(), WEIGHTS) == pytest.approx(expected)


@given(WORDS, WORDS)
def test_weighted_match_counts_with_multiplicity(first, second):
    found = weighted_match(first, second, WEIGHTS)
    assert found == pytest.approx(slow_match(first, second))
    assert found == pytest.approx(weighted_match(second, first, WEIGHTS))


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", (0, 0)),
        ("a", "", (0, 0)),
        ("a b", "b a a", (1, 1)),
        ("a b c", "a d", (1 / 4, 1 / 2)),
    ],
)
def test_word_overlap(first, second, expected):
    assert word_overlap(first.split(), second.split()) == expected
    assert word_overlap(second.split(), first.split()) == expected
