"""Signs of numbers and letters."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast._number_detectors import Signs
from skpara.features.contrast._signs import may_have_sign


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It is -5 degrees outside", "It is 5 degrees outside"),
        ("It is minus 5 degrees", "It is 5 degrees"),
        ("The low was −5 °C", "The low was 5 °C"),
        ("A change of -3 %", "A change of 3 %"),
        ("x = -4", "x = 4"),
        ("a lens of +2.25", "a lens of -2.25"),
        ("a course in C++", "a course in C#"),
        ("a course in C++", "a course in C"),
        ("Learn C# in a week", "Learn C in a week"),
        ("blood type A+", "blood type A-"),
        ("blood type A", "blood type A+"),
        ("Donors of AB- blood", "Donors of AB+ blood"),
        ("Galaxy S22+", "Galaxy S22"),
        ("We watch Disney+", "We watch Disney"),
    ],
)
def test_other_signs(first, second):
    forward, backward = find_contrasts([(first, second), (second, first)], [Signs()])
    assert len(forward) == len(backward) == 1
    assert {forward[0].kind, backward[0].kind} <= {"number", "identifier"}


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("It is -5 degrees", "It is 5 degrees", "5 degrees, not -5 degrees"),
        ("A course in C", "A course in C#", "C#, not C"),
        ("blood type A+", "blood type A-", "A-, not A+"),
    ],
)
def test_signs_are_shown(first, second, reason):
    assert reason in map(str, find_contrasts([(first, second)])[0])


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It is -5 degrees outside", "It is minus 5 degrees outside"),
        ("It is −5 degrees outside", "It is -5 degrees outside"),
        ("Phone case -10 pack", "Phone case 10 pack"),
        ("It lasts 5-10 days", "It lasts 5 to 10 days"),
        ("10 minus 5", "10 - 5"),
        ("C++ and C in a week", "C and C++ in a week"),
        ("An A+ battery", "A battery"),
        ("the X- and Y-axis", "the X-axis and the Y-axis"),
        ("pre- and post-war", "pre-war and post-war"),
        ("Press Ctrl+C", "Press Ctrl and C"),
        ("room B#12", "room B 12"),
        ("call +44 20", "call 44 20"),
    ],
)
def test_no_other_signs(first, second):
    assert find_contrasts([(first, second), (second, first)], [Signs()]) == [[], []]


@pytest.mark.parametrize(
    ("first", "second", "kinds"),
    [
        ("<5 mg daily", ">5 mg daily", ["quantifier"]),
        ("a dose < 5 mg", "a dose > 5 mg", ["quantifier"]),
        ("<5 mg daily", "under 5 mg daily", []),
        ("a dose > 5 mg", "a dose of more than 5 mg", []),
    ],
)
def test_less_and_more(first, second, kinds):
    found = find_contrasts([(first, second), (second, first)])
    assert [[contrast.kind for contrast in row] for row in found] == [kinds] * 2


@pytest.mark.parametrize(
    ("text", "may_have"),
    [("a cat", False), ("a well-known cat", False), ("-5", True), ("C#", True), ("A- or", True)],
)
def test_texts_that_are_searched(text, may_have):
    assert may_have_sign(text) == may_have
