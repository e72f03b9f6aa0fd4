"""Numbers and times that stand in one place and differ."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara import LexicalFeatures
from skpara.features import find_contrasts

DIFFERENT = [
    ("SPF 30, 50 ml", "SPF 50, 50 ml", "50, not 30"),
    ("Pack of 10 pens, 10 blue", "Pack of 12 pens, 10 blue", "12, not 10"),
    ("Cable 2 m, 2 pieces", "Cable 3 m, 2 pieces", "3 m, not 2 m"),
    ("Bus 12 stops at gate 12", "Bus 14 stops at gate 12", "14, not 12"),
    ("5 apples and 5 pears", "5 apples and 6 pears", "6, not 5"),
    (
        "It has 4 doors, 5 seats and 5 windows",
        "It has 5 doors, 5 seats and 5 windows",
        "5, not 4",
    ),
    (
        "The invoice of 3 May is due on 5 May",
        "The invoice of 5 May is due on 5 May",
        "5, not 3",
    ),
    (
        "Monday's class moved to Friday",
        "Friday's class moved to Friday",
        "Friday, not Monday",
    ),
]
SAME = [
    ("2 cats and 3 dogs slept", "3 dogs and 2 cats slept"),
    ("Six of 10 dogs", "6 dogs out of 10"),
    ("It opens on 3 May and closes on 5 May", "It closes on 5 May and opens on 3 May"),
    ("Cable 2 m, rope 3 m", "Rope 3 m, cable 2 m"),
    ("He has 3 dogs and the 3 dogs bark", "He has 3 dogs and they bark"),
    ("sizes 3, 5 and 7", "sizes 5, 3 and 7"),
    ("rooms 3 and 5", "rooms 5 and 3"),
]


@pytest.mark.parametrize(("first", "second", "reason"), DIFFERENT)
def test_a_number_may_become_one_that_the_text_has(first, second, reason):
    forward, backward = find_contrasts([(first, second), (second, first)])
    assert list(map(str, forward)) == [reason]
    assert [(contrast.kind, contrast.second, contrast.first) for contrast in backward] == [
        (contrast.kind, contrast.first, contrast.second) for contrast in forward
    ]


@pytest.mark.parametrize(("first", "second"), SAME)
def test_the_same_numbers_in_another_order(first, second):
    assert find_contrasts([(first, second), (second, first)]) == [[], []]


def test_a_number_is_told_once():
    pairs = [("2 cats saw 5 dogs", "3 cats saw 6 dogs"), ("7 saw 2 cats", "7 saw 3 cats")]
    assert [list(map(str, row)) for row in find_contrasts(pairs)] == [
        ["3 6, not 2 5"],
        ["3, not 2"],
    ]


def test_places_in_tables_of_numbers_are_not_compared():
    numbers = " ".join(f"x {n}" for n in range(250))
    others = " ".join(f"x {n + 1}" for n in range(250))
    assert list(map(str, find_contrasts([(numbers, others)])[0])) == ["250, not 0"]


def test_the_columns_of_numbers_and_times():
    pairs = [(first, second) for first, second, _ in DIFFERENT]
    lexical = LexicalFeatures(["number_flip", "time_flip"]).fit(pairs)
    assert lexical.transform(pairs).tolist() == [[1, 0]] * 6 + [[0, 1]] * 2
    assert not lexical.transform(SAME).any()


@settings(max_examples=25, deadline=None)
@given(
    st.permutations(["pens", "bags", "cups", "hats"]),
    st.lists(st.integers(2, 5), min_size=4, max_size=4),
    st.integers(0, 3),
    st.integers(2, 5),
)
def test_numbers_belong_to_their_nouns(order, numbers, changed, number):
    nouns = ["pens", "bags", "cups", "hats"]
    count = dict(zip(nouns, numbers, strict=True))
    text = ", ".join(f"{n} {noun}" for noun, n in count.items())
    reordered = ", ".join(f"{count[noun]} {noun}" for noun in order)
    other = count | {nouns[changed]: number}
    changed_text = ", ".join(f"{n} {noun}" for noun, n in other.items())
    same, different = find_contrasts([(text, reordered), (text, changed_text)])
    assert not any(contrast.kind == "number" for contrast in same)
    assert bool(different) == (other != count)


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("It was $2.1 m", "It was $2.1 million", False),
        ("It was $2.1m", "It was 2.1 m dollars", False),
        ("It was £2.1 m", "It was 2.1 million pounds", False),
        ("It was £5 million", "It was 5 million pounds", False),
        ("It was £5 million", "It was £5 billion", True),
        ("It was $5 k", "It was $5,000", False),
        ("It was 2.1 m long", "It was 2.1 million long", True),
        ("It was 2.1 m long", "It was 210 cm long", False),
        ("+5 dioptres", "5 dioptres", False),
    ],
)
def test_scales_of_money(first, second, differ):
    found = find_contrasts([(first, second), (second, first)])
    assert [[contrast.kind for contrast in row] for row in found] == [["number"] * differ] * 2


@pytest.mark.parametrize(
    ("first", "second", "differ"),
    [
        ("songs of the 1970's", "songs of the 1970s", False),
        ("songs of the 1970's", "songs of the '70s", False),
        ("songs of the 1970's", "songs of the 1980's", True),
        ("songs of the 1970's", "songs of the 1980s", True),
        ("1970's elections", "the elections of 1970", False),
        ("1971's elections", "the elections of 1972", True),
    ],
)
def test_decades(first, second, differ):
    found = find_contrasts([(first, second), (second, first)])
    assert [[contrast.kind for contrast in row] for row in found] == [["time"] * differ] * 2
