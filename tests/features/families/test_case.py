from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features.families._entities import agreement, capitalized, stock_symbols

TOKENS = st.lists(st.text(min_size=1) | st.sampled_from(["Bonn", "US", ".N", "Mr."]), max_size=8)


def agree(first, second):
    return tuple(agreement([first, second], (np.array([0]), np.array([1])))[0].tolist())


def test_capitalised_tokens_leave_out_the_first_and_those_that_end_in_a_full_stop():
    tokens = ["Mr", "Smith", "of", "the", "U.S.", "ÉCU", "42", "iPod", "Smith"]
    assert capitalized(tokens) == {"Smith", "ÉCU"}
    assert capitalized([]) == set()


def test_stock_symbols_are_a_full_stop_and_capitals():
    tokens = [".DJI", ".N", ".", "..", ".Net", ".5", ".SPX5", "DJI", "...", ".A.B"]
    assert stock_symbols(tokens) == {".DJI", ".N", ".SPX5", ".A.B"}


@pytest.mark.parametrize(
    ("first", "second", "length", "f"),
    [
        ("a b", "a b", 0.0, 1.0),
        ("a Bonn", "a b", math.log(2), 1.0),  # one side has none
        ("a Bonn", "a Paris", math.log(3), 0.0),
        ("a Bonn", "a BONN", math.log(3), 0.0),  # compared with their case
        ("a Bonn Paris", "in Paris", math.log(4), 2 / 3),
        ("a Bonn Bonn", "in Bonn", math.log(3), 1.0),  # distinct
    ],
)
def test_case_features(first, second, length, f):
    found = agree(capitalized(first.split()), capitalized(second.split()))
    assert found == pytest.approx((length, f))


def test_stock_features():
    found = agree(stock_symbols([".DJI", "up"]), stock_symbols(["the", ".DJI", ".N"]))
    assert found == pytest.approx((math.log(4), 2 / 3))


@given(TOKENS, TOKENS)
@pytest.mark.parametrize("names", [capitalized, stock_symbols])
def test_features_are_symmetric_and_in_range(names, first, second):
    first, second = names(first), names(second)
    length, f = agree(first, second)
    assert (length, f) == agree(second, first)
    assert length >= 0
    assert 0 <= f <= 1
    assert agree(first, first)[1] == 1
