"""Quantities of sentences: the examples of ``units.json``, and what is hard to show there."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skpara.quantities import agree, read
from skpara.quantities._lexicon import LEXICON, MEASURES

ROWS = [LEXICON["words"], *LEXICON["units"], *LEXICON["forms"]]


def say_the_same(first, second):
    """Whether each quantity of two texts has one in the other that may be the same."""
    sides = read(first), read(second)
    return all(
        any(agree(one, other) for other in others)
        for own, others in (sides, sides[::-1])
        for one in own
    )


def values(text):
    return [quantity.value for quantity in read(text)]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.get("pattern", row.get("measure")))
def test_examples(row):
    for first, second in row["same"]:
        assert read(first), first
        assert say_the_same(first, second), (first, second)
    for first, second in row["different"]:
        assert not say_the_same(first, second), (first, second)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("two dogs", [2]),
        ("twenty five dogs", [25]),
        ("one hundred and six", [106]),
        ("one hundred ninety nine", [199]),
        ("a dozen eggs", [12]),
        ("two hundred people five", [200, 5]),
        ("two thousand twelve", [2012]),
        ("three hundred thousand", [300_000]),
        ("1,500.50 and .5", [1500.5, 0.5]),
        ("five six", [5, 6]),
        ("five twenty", [5, 20]),
        ("nineteen eighty", [19, 80]),
        ("twenty eleven", [20, 11]),
        ("six and seven", [6, 7]),
        ("and hundred million", []),  # scales alone are no number
        ("a dog", []),
        ("9" * 400, ["9" * 400]),  # an identifier
        ("xt200", ["xt200"]),
        ("0 times a year", [0]),
        ("section 12 (b)", [12, "b"]),
        ("10 x 20 cm", [10, 20]),
        ("iOS 9.3.2", ["932"]),
        ("half past three", [frozenset([210, 930])]),
        ("half past three in the morning", [frozenset([210]), frozenset(["morning"])]),
        ("06:15", [frozenset([375])]),
        ("on 12/5/2012", [frozenset([5, 12]), frozenset([5, 12]), 2012]),
        ("31/5/2012", [5, 31, 2012]),
        ("from 1499 to 2100", [1499, 2100]),  # rather numbers of things
        ("in march", [3]),
        ("they march, and it may rain", []),
        ("good morning", []),
        ("a fall in prices", []),
        ("last weeks", ["week -1"]),
        ("the other day, many times, every child", []),
        ("each second year", [1 / 2]),
    ],
)
def test_values(text, expected):
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
    expected = [n]
    assert values(f"{in_words(n)} dogs") == expected
    assert values(f"{n:,} dogs") == expected


# A dozen is a number as well.
UNITS = sorted(unit for unit in MEASURES if len(unit) > 2 and unit not in ("dozen", "us$"))


@example(1, "second")
@given(st.integers(1, 1000), st.sampled_from(UNITS))
def test_every_unit_has_a_size(n, unit):
    (found,) = read(f"{n} {unit}")
    sizes = MEASURES[unit].items()
    expected = [(measure, pytest.approx(n * size)) for measure, size in sizes]
    assert sorted(found.says) == sorted(expected)


@given(st.text(st.sampled_from("abI1290 .,:/-'$%()kmst½²"), max_size=30) | st.text(max_size=30))
def test_places_are_in_the_text(text):
    for quantity in read(text):
        assert 0 <= quantity.start <= quantity.place < quantity.end <= len(text)
