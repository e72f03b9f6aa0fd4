from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features.families._lengths import information_sum, length_features, relative_difference


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [(0, 0, 0.0), (3, 3, 0.0), (3, 4, 1 / 4.00001), (5, 0, 5 / 5.00001)],
)
def test_relative_difference(first, second, expected):
    assert relative_difference(first, second) == pytest.approx(expected, rel=1e-12)


@given(st.floats(0, 1e6), st.floats(0, 1e6))
def test_relative_difference_is_symmetric_and_below_one(first, second):
    assert 0 <= relative_difference(first, second) < 1
    assert relative_difference(first, second) == relative_difference(second, first)


def test_information_beyond_that_of_the_commonest_word():
    weights = {"the": 0.5, "dog": 3.0, "unknown": 0.0}
    assert information_sum(["the", "dog", "dog", "unknown"], weights, 0.5) == 5.0


def test_length_features():
    assert length_features([], []) == (0.0, 1.0)
    assert length_features(["a"] * 3, ["b"]) == (math.log(5), 0.5)
    assert length_features(["b"], ["a"] * 3) == (math.log(5), 0.5)
