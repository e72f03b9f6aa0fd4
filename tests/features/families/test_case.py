from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.features._families.entities import agreement, is_capitalized, is_stock_symbol
from skpara.features._kernels import Lists

TOKENS = st.lists(st.text(min_size=1) | st.sampled_from(["Bonn", "US", ".N", "Mr."]), max_size=8)


def agree(is_name, first, second):
    names, lists = Lists.of([first, second])
    sides = np.array([0]), np.array([1])
    return tuple(agreement(lists, sides, list(map(is_name, names)))[0].tolist())


def test_capitalised_tokens_leave_out_those_that_end_in_a_full_stop():
    tokens = ["Smith", "of", "the", "U.S.", "ÉCU", "42", "iPod"]
    assert list(filter(is_capitalized, tokens)) == ["Smith", "ÉCU"]


def test_the_first_token_does_not_count_as_capitalised():
    pairs = [("Paris is in France", "Paris"), ("", "in Paris"), ("In Paris", "In Paris")]
    columns = LexicalFeatures("case").fit(pairs).transform(pairs)
    np.testing.assert_allclose(columns, [[math.log(2), 1], [math.log(2), 1], [math.log(3), 1]])


def test_stock_symbols_are_a_full_stop_and_capitals():
    tokens = [".DJI", ".N", ".", "..", ".Net", ".5", ".SPX5", "DJI", "...", ".A.B"]
    assert list(filter(is_stock_symbol, tokens)) == [".DJI", ".N", ".SPX5", ".A.B"]


@pytest.mark.parametrize(
    ("first", "second", "length", "f"),
    [
        ("a b", "a b", 0.0, 1.0),
        ("", "a Bonn", math.log(2), 1.0),
        ("a Bonn", "a b", math.log(2), 1.0),  # one side has none
        ("a Bonn", "a Paris", math.log(3), 0.0),
        ("a Bonn", "a BONN", math.log(3), 0.0),  # compared with their case
        ("a Bonn Paris", "in Paris", math.log(4), 2 / 3),
        ("a Bonn Bonn", "in Bonn", math.log(3), 1.0),  # distinct
    ],
)
def test_case_features(first, second, length, f):
    found = agree(is_capitalized, first.split(), second.split())
    assert found == pytest.approx((length, f))


def test_stock_features():
    found = agree(is_stock_symbol, [".DJI", "up"], ["the", ".DJI", ".N"])
    assert found == pytest.approx((math.log(4), 2 / 3))


@given(TOKENS, TOKENS)
@pytest.mark.parametrize("is_name", [is_capitalized, is_stock_symbol])
def test_features_are_symmetric_and_in_range(is_name, first, second):
    length, f = agree(is_name, first, second)
    assert (length, f) == agree(is_name, second, first)
    assert length >= 0
    assert 0 <= f <= 1
    assert agree(is_name, first, first)[1] == 1
