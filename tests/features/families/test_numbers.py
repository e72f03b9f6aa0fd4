from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features._families.entities import n_same, number_features, numbers

NUMBER = st.text("0123456789,./-", min_size=1, max_size=8)


def test_number_tokens_hold_a_digit_and_nothing_but_digits_and_marks():
    tokens = ["3", "1,000.5", "1/2", "-", "...", "3rd", "3", "٣", "", "5\n"]
    assert numbers(tokens) == {"3", "1,000.5", "1/2"}


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("1,000", "1000", True),
        ("1000", "1000.0", True),
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


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("no numbers", "none here", (0.0, 1.0, 0.0)),
        ("3 dogs", "dogs", (math.log(2), 0.0, 1.0)),  # nothing matched, and b has nothing
        ("3 dogs", "3 cats", (math.log(3), 1.0, 1.0)),
        ("3 dogs", "4 cats", (math.log(3), 0.0, 0.0)),
        ("3 of 4", "3 of 5", (math.log(5), 0.5, 0.0)),
        ("3 of 4", "3", (math.log(4), 2 / 3, 1.0)),
        ("3 3 3", "3", (math.log(3), 1.0, 1.0)),  # distinct
        ("3.1 3.2", "3", (math.log(4), 4 / 3, 1.0)),  # two share a partner: F exceeds 1
        ("3", "3.1 3.2", (math.log(4), 2 / 3, 1.0)),  # and the other way it does not
    ],
)
def test_number_features(first, second, expected):
    assert number_features(numbers(first.split()), numbers(second.split())) == pytest.approx(
        expected
    )


@given(NUMBER, NUMBER)
def test_agreement_of_two_numbers_is_symmetric(first, second):
    assert n_same({first}, {second}) == n_same({second}, {first})
    assert n_same({first}, {first}) == 1


@given(st.sets(NUMBER, max_size=6), st.sets(NUMBER, max_size=6))
def test_many_numbers_agree_as_two_do(first, second):
    expected = sum(any(n_same({a}, {b}) for b in second) for a in first)
    assert n_same(first, second) == expected


@given(st.lists(NUMBER | st.text(min_size=1), max_size=6), st.lists(NUMBER, max_size=6))
def test_features_stay_in_range(first, second):
    first, second = numbers(first), numbers(second)
    length, f, subset = number_features(first, second)
    assert length == number_features(second, first)[0] >= 0
    assert 0 <= f < 2
    assert subset in (0, 1)
    assert number_features(first, first)[1] == 1
