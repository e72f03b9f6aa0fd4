from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.features.families._lengths import relative_difference
from skpara.resources import WordFrequencies


def compute(*pairs):
    frequencies = WordFrequencies({"the": 80, "dog": 15, "barks": 5})
    return LexicalFeatures("lengths", frequencies=frequencies).fit_transform(pairs)


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


def test_by_hand():
    # Content words: dog dog barks against dog; "the" is a stop word and has least information.
    excess = math.log(100 / 15) - math.log(100 / 80), math.log(100 / 5) - math.log(100 / 80)
    sums = 2 * excess[0] + excess[1], excess[0]
    expected = [2 / 3.00001, (sums[0] - sums[1]) / (sums[0] + 1e-5), math.log(1 + 4 + 2), 3 / 5]
    found = compute(("The dog, dog barks", "the dog"), ("the dog", "The dog, dog barks"))
    np.testing.assert_allclose(found, [expected] * 2, rtol=1e-12)


def test_empty_sides():
    assert compute(("", ""), ("", "xyzzy ?")).tolist() == [
        [0.0, 0.0, 0.0, 1.0],
        # "?" is a word, in TakeLab's sense; neither is in the table
        [2 / 2.00001, 0.0, math.log(3), 1 / 3],
    ]
