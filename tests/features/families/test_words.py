from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.resources import WordFrequencies

WEIGHTS = {"b": 1.0, "c": 2.5, "d": 4.0}
FREQUENCIES = WordFrequencies(
    {**{word: np.exp(-weight) for word, weight in WEIGHTS.items()}, "rest": 0.5315}
)
INFORMATION = {word: float(FREQUENCIES.information([word])[0]) for word in "abcd"}
WORDS = st.lists(st.sampled_from("abcd"), max_size=8)


def compute(group, *pairs):
    return LexicalFeatures(group, frequencies=FREQUENCIES).fit_transform(pairs)


def slow_match(first, second):
    totals = [sum(INFORMATION[w] for w in side) for side in (first, second)]
    common = Counter(first) & Counter(second)
    shared = sum(INFORMATION[w] * n for w, n in common.items())
    if shared == 0:
        return 0.0
    p, r = (shared / total for total in totals)
    return 2 * p * r / (p + r)


@pytest.mark.parametrize(
    ("first", "second"),
    [("", ""), ("a", "a"), ("b", "b"), ("b c", "b d"), ("b b", "b"), ("b b", "b b c")],
)
def test_weighted_match(first, second):
    # "a" is a stop word and unknown, so it weighs nothing.
    assert compute("weighted_match", (first, second)) == pytest.approx(
        slow_match(first.split(), second.split())
    )


@given(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=4))
def test_weighted_match_counts_with_multiplicity(pairs):
    expected = [slow_match(*pair) for pair in pairs]
    texts = [(" ".join(a), " ".join(b)) for a, b in pairs]
    assert compute("weighted_match", *texts).ravel() == pytest.approx(expected)
    assert compute("weighted_match", *[t[::-1] for t in texts]).ravel() == pytest.approx(expected)


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
    found = compute("word_overlap", (first, second), (second, first))
    assert found.tolist() == [list(expected)] * 2
