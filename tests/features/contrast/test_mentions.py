from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features import find_contrasts
from skpara.features.contrast._lexicon import MEASURES
from skpara.features.contrast._mentions import (
    Mention,
    find_meanings,
    harmonize_kinds,
    may_be_mentioned,
)
from skpara.features.contrast._sentences import find_mentions


def mentions(text, tag="NN"):
    """Kinds and values of the mentions of a text whose tokens all have one tag."""
    words = text.lower().replace("/", " ").replace("-", " ").split()
    places = [k for k, word in enumerate(words) if may_be_mentioned(word)]
    found = find_mentions(text, words, [tag] * len(words), places)
    return {(mention.kind, mention.value) for mention in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no mention here", {("quantifier ", "none")}),
        ("nobody", {("quantifier person", "none")}),
        ("hardly any", {("quantifier ", "few")}),
        ("a few", {("quantifier ", "some")}),
        ("over $ 50", {("quantifier bound", "lower"), ("number", 50.0)}),
        ("over there", set()),
        ("no more than two", {("quantifier bound", "upper"), ("number", 2.0)}),
        ("not less than two", {("quantifier bound", "lower"), ("number", 2.0)}),
        ("up to two", {("quantifier bound", "upper"), ("number", 2.0)}),
        ("up to her", set()),
        ("a minimum of two", {("quantifier bound", "lower"), ("number", 2.0)}),
        ("two or fewer", {("quantifier bound", "upper"), ("number", 2.0)}),
        ("two and a half", {("number", 2.5)}),
        ("not all", {("quantifier ", "some")}),
        ("at most two", {("quantifier bound", "upper"), ("number", 2.0)}),
        ("half past three", {("quantifier ", "half"), ("clock", frozenset([210, 930]))}),
        ("3 pm", {("clock", frozenset([900]))}),
        ("06:15", {("clock", frozenset([375]))}),
        ("three in the afternoon", {("number", 3.0), ("part of day", frozenset(["afternoon"]))}),
        ("3/4", {("number", 0.75)}),
        (
            "on 5/6/2012",
            {("month", frozenset([5, 6])), ("day", frozenset([5, 6])), ("year", 2012)},
        ),
        ("on 2012-05-31", {("month", 5), ("day", 31), ("year", 2012)}),
        ("in march", {("month", 3)}),
        ("they march", set()),
        ("2000 m", {("number", 2000.0)}),
        ("in 2000", {("year", 2000)}),
        ("1.250,00", {("number", 1250.0)}),
        ("16gb", {("number", 16.0)}),
        ("xt200", {("number", "xt200")}),
        ("section 12 ( b )", {("number", 12.0), ("number", "b")}),
        ("the twenty first", {("number", 20.0), ("number rank", 21)}),
        ("the 21st", {("number rank", 21)}),
        ("the '80s", {("decade", "80")}),
        ("twice a week", {("number", 2.0), ("frequency", "week")}),
        ("last weeks", {("relative", "week -1")}),
        ("in spring", {("season", 0)}),
        ("a fall in prices", set()),
    ],
)
def test_mentions(text, expected):
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("text", "says", "numbers"),
    [
        ("2 km", {("length", 2_000_000)}, {2}),
        ("2000 m", {("length", 2_000_000)}, {2000}),
        ("£ 5", {("pound", 5)}, {5}),
        ("two", {("number", 2)}, set()),
    ],
)
def test_meanings_of_numbers_with_units(text, says, numbers):
    words = text.split()
    place = next(k for k, word in enumerate(words) if word[-1].isdigit() or word == "two")
    value = 2.0 if words[place] == "two" else float(words[place])
    found = find_meanings(Mention("number", value, place), words)
    assert found.says == says
    assert found.numbers == {("number", number) for number in numbers}


def test_a_time_may_be_written_as_a_number():
    found = find_meanings(Mention("clock", frozenset([930]), 0), ["x"])
    assert {number for _, number in found.numbers} == {3.3, 15.3}


@given(st.sampled_from(sorted(MEASURES)), st.integers(1, 1000))
def test_every_unit_has_a_size(unit, n):
    found = find_meanings(Mention("number", float(n), 0), [str(n), unit])
    assert found.says == {(kind, round(n * size, 6)) for kind, size in MEASURES[unit].items()}


def test_kinds_are_as_in_the_other_sentence():
    year, number = Mention("year", 1990, 0), Mention("number", 1990.0, 3)
    assert harmonize_kinds([year], [number]) == [year._replace(kind="number")]
    assert harmonize_kinds([year], [year]) == [year]
    one, every = Mention("number", 1.0, 0), Mention("quantifier ", "all", 0)
    assert harmonize_kinds([one], [every]) == [one._replace(kind="quantifier ")]
    assert harmonize_kinds([one, number], []) == [one, number]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("Item No. 155", "Item No. 1555", "1555, not 155"),
        ("Item No. 11524", "Item No. 1524", "1524, not 11524"),
        ("He has 155 cars.", "He has 1555 cars.", "1555, not 155"),
        ("Lot 200", "Lot 2000", "2000, not 200"),
        ("He won in '99.", "He won in 1999.", None),
        ("1999 m to go", "1999 meters to go", None),
        ("In 1990 prices rose.", "In the year 1990 prices rose.", None),
    ],
)
def test_a_number_is_not_another_one_that_reads_as_a_year(first, second, reason):
    [found] = find_contrasts([(first, second)])
    assert [str(contrast) for contrast in found] == ([reason] if reason else [])
