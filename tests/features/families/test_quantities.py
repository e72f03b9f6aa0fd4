from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.features._families.quantities import amounts, dates, money, percentages


def values(text):
    return [amount.value for amount in amounts(text.split())]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two dogs", [2]),
        ("twenty five dogs", [25]),
        ("one hundred and six", [106]),
        ("a hundred", [100]),
        ("a dozen eggs", [12]),
        ("two hundred people five", [200, 5]),
        ("two million three hundred thousand and forty one", [2_300_041]),
        ("1,500.50 and .5", [1500.5, 0.5]),
        ("1.5 million", [1_500_000]),
        ("3bn or 20k", [3e9, 20_000]),
        ("five six", [5, 6]),
        ("nineteen eighty", [19, 80]),
        ("twenty eleven", [20, 11]),
        ("twenty ten", [20, 10]),
        ("and hundred million", []),  # scales alone are no number
        ("1,50 v2 3rd", []),
        ("9" * 400, []),
        ("a dog", []),
    ],
)
def test_amounts(text, expected):
    assert values(text) == expected


ONES = "one two three four five six seven eight nine".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(n):
    if n >= 1_000_000:
        return f"{in_words(n // 1_000_000)} million {in_words(n % 1_000_000)}".strip()
    if n >= 1000:
        return f"{in_words(n // 1000)} thousand {in_words(n % 1000)}".strip()
    if n >= 100:
        rest = in_words(n % 100)
        return f"{ONES[n // 100 - 1]} hundred {'and ' if rest else ''}{rest}".strip()
    if n >= 20:
        return f"{TENS[n // 10 - 2]} {in_words(n % 10)}".strip()
    teens = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    return ["", *ONES, *teens.split()][n]


@given(st.integers(1, 999_999_999))
def test_every_number_in_words_is_read(n):
    assert values(in_words(n)) == [n]
    assert values(f"{n:,}") == [n]


@given(
    st.lists(st.sampled_from([*ONES, *TENS, "hundred", "and", "a", "5", "million"]), max_size=9)
)
def test_no_words_are_read_twice(tokens):
    found = amounts(tokens)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(one.start < one.end for one in found)
    assert np.isfinite([one.value for one in found]).all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("$ 3 million", {("dollar", 3e6)}),
        ("three million dollars", {("dollar", 3e6)}),
        ("usd 20", {("dollar", 20)}),
        ("£ 5 and 7 euros", {("pound", 5), ("euro", 7)}),
        ("5 dogs", set()),
    ],
)
def test_money(text, expected):
    tokens = text.split()
    assert money(tokens, amounts(tokens)) == expected


def test_percentages():
    tokens = "5 % , 6 percent , seven per cent of 8 people".split()
    assert percentages(tokens, amounts(tokens)) == {5, 6, 7}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("on Tuesday", {("weekday", 1)}),
        ("May 31st , 2012", {("month", 5), ("day", 31), ("year", 2012)}),
        ("31 May", {("month", 5), ("day", 31)}),
        ("it may rain", set()),  # no month
        ("they march on", set()),
        ("in march 1999", {("month", 3), ("year", 1999)}),
        ("in October", {("month", 10)}),
        ("2012-05-31", {("year", 2012), ("month", 5), ("day", 31)}),
        ("5/31/2012", {("year", 2012), ("month", 5), ("day", 31)}),
        ("31/5/2012", {("year", 2012), ("month", 5), ("day", 31)}),
        ("12/5/2012", {("year", 2012), ("month", 12), ("day", 5)}),
        ("13/5/2012", {("year", 2012), ("month", 5), ("day", 13)}),
        ("1234567", set()),
        ("from 1500 to 2099", {("year", 1500), ("year", 2099)}),
        ("from 1499 to 2100", set()),  # rather numbers of things
        ("the sun", set()),
    ],
)
def test_dates(text, expected):
    tokens = [] if "-" in text or "/" in text else text.lower().split()
    assert {date[:2] for date in dates(text, tokens)} == expected


def compute(*pairs):
    return LexicalFeatures("quantities").fit_transform(pairs).tolist()


def test_the_same_amounts_in_other_words_agree():
    assert compute(
        ("Two dogs.", "2 dogs."),
        ("It rose 5%, to $3 million", "Up five percent to three million dollars"),
        ("On May 31, 2012", "on 2012-05-31"),
        ("No number", "none here either"),
        ("Two dogs", "dogs"),
        ("1 or 2", "2 or 3 or 4"),
    ) == [
        [1, 1, 1, 1],
        [1, 1, 1, 1],
        [pytest.approx(0.8), 1, 1, 1],
        [1, 1, 1, 1],
        [0, 1, 1, 1],
        [pytest.approx(0.4), 1, 1, 1],
    ]


@given(st.lists(st.tuples(st.text(), st.text()), min_size=1, max_size=4))
def test_any_text(pairs):
    found = np.array(compute(*pairs))
    assert ((found >= 0) & (found <= 1)).all()
    assert found.tolist() == compute(*[pair[::-1] for pair in pairs])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("one hundred twelve", [112]), ("one hundred and nine", [109]), ("twenty nine", [29]),
        ("one hundred ninety nine", [199]), ("two thousand twelve", [2012]),
        ("two thousand three hundred", [2300]), ("twenty ten", [20, 10]), ("five six", [5, 6]),
        ("five twenty", [5, 20]), ("twenty thirty", [20, 30]), ("nineteen nine", [19, 9]),
        ("six and seven", [6, 7]), ("three hundred thousand", [300_000]), ("a hundred", [100]),
        ("two million one hundred thousand", [2_100_000]), ("hundred", []), ("a dog", []),
    ],
)  # fmt: skip
def test_numbers_in_words_are_read_as_they_are_said(text, expected):
    assert [amount.value for amount in amounts(text.split())] == expected
