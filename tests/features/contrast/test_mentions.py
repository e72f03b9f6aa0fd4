from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features._takelab import takelab_tokens
from skpara.features.contrast._mentions import (
    Mention,
    find_quantifiers,
    find_quantities,
    harmonize_kinds,
)


def mentions(text):
    """Kinds and values of the quantifiers of a text."""
    words = text.lower().split()
    found = find_quantifiers(words, range(len(words)))
    return {(mention.kind, mention.value) for mention in found}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("no mention here", {("quantifier ", "none")}),
        ("nobody", {("quantifier person", "none")}),
        ("hardly any", {("quantifier ", "few")}),
        ("a few", {("quantifier ", "some")}),
        ("few dogs saw a", {("quantifier ", "few")}),
        ("all dogs do not", {("quantifier ", "all")}),
        ("not all", {("quantifier ", "some")}),
        ("at most two", set()),
    ],
)
def test_quantifiers(text, expected):
    assert mentions(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "They can't pay $US20 - half past six is late.",
            [(5, "$US20"), (6, "half past six")],
        ),
        ("It's “twenty-two” km—or 25 kg.", [(2, "twenty-two"), (6, "25 kg")]),
        ("two   dogs", [(0, "two")]),
        ("He has 12", [(2, "12")]),
        ("He has 12 kg ...", [(2, "12 kg")]),
    ],
)
def test_quantities_are_at_their_tokens(text, expected):
    found = find_quantities(text, takelab_tokens(text))
    assert [(mention.place, mention.text) for mention in found] == expected


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
        ("Room # 5 is open", "Room # 6 is open", "6, not 5"),
        ("He won in '99.", "He won in 1999.", None),
        ("1999 m to go", "1999 meters to go", None),
        ("In 1990 prices rose.", "In the year 1990 prices rose.", None),
    ],
)
def test_a_number_is_not_another_one_that_reads_as_a_year(first, second, reason):
    [found] = find_contrasts([(first, second)])
    assert [str(contrast) for contrast in found] == ([reason] if reason else [])
