"""Numbers, names and stock symbols, which test_lexical.py compares with their definitions."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.features._families.entities import is_capitalized, is_stock_symbol, n_same, numbers

NUMBER = st.text("0123456789,./-", min_size=1, max_size=8)


def test_number_tokens_hold_a_digit_and_nothing_but_digits_and_marks():
    tokens = ["3", "1,000.5", "1/2", "-", "...", "3rd", "3", "٣", "", "5\n"]
    assert numbers(tokens) == {"3", "1,000.5", "1/2"}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("1,000", "1000", True),
        ("1000", "1000.0", True),
        ("1,000.5", "1000.5", True),  # the same in other digits
        ("1.2.3", "1.2.3", True),  # equal text needs no number
        ("1.2.3", "1.2.30", False),
        ("0.4", "0.44", True),
        ("0.4", "1.4", False),  # one integer part is 0
        ("0", "0.4", True),
        ("0.9", "1", False),
        ("5", "6", False),
        ("5", "6.1", False),  # more than 1 apart
        ("5.2", "6.1", False),  # both have decimals, the integer parts differ
        ("5", "5.9", True),  # one has no decimals, the integer parts agree
        ("6", "5.9", True),  # rounded
        ("5", "4.5", True),  # half away from zero
        ("3.14", "3.1", True),
        ("3.15", "3.1", True),  # as a double 3.15 is a little less
        ("0.25", "0.3", True),  # exactly a half: away from zero
        ("0.25", "0.2", False),
        ("-0.25", "-0.3", True),
        ("3.", "3.7", True),  # no digit behind the point, so no decimals
        ("1/2", "1/3", False),
        ("9" * 400, "9" * 401, False),  # beyond floats
        ("0." + "0" * 2000 + "1", "0.0", True),
    ],
)
def test_numbers_agree_as_defined(first, second, same):
    assert n_same({first}, {second}) == same
    assert n_same({second}, {first}) == same


@given(st.sets(NUMBER, max_size=6), st.sets(NUMBER, max_size=6))
def test_many_numbers_agree_as_two_do(first, second):
    expected = sum(any(n_same({a}, {b}) for b in second) for a in first)
    assert n_same(first, second) == expected


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
