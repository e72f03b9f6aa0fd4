"""Signs of numbers and letters, and symbols."""

from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast import GUARD_DETECTORS

SIGNS = [detector for detector in GUARD_DETECTORS if detector.name == "signs"]


@pytest.mark.parametrize(
    ("first", "second", "reason"),
    [
        ("It is -5 degrees outside", "It is 5 degrees outside", "5 degrees, not -5 degrees"),
        ("It was −5 °C", "It was 5 °C", "5 °C, not -5 °C"),
        ("a lens of +2.25", "a lens of -2.25", "-2.25, not 2.25"),
        ("a course in C++", "a course in C#", "C#, not C++"),
        ("a course in C++", "a course in C", "C, not C++"),
        ("blood type A+", "blood type A-", "A-, not A+"),
        ("blood type A", "blood type A+", "A+, not A"),
        ("rated AA- now", "rated AA now", "AA, not AA-"),
        ("Galaxy S22+", "Galaxy S22", "S22, not S22+"),
        ("temp \u2191", "temp \u2193", "\u2193, not \u2191"),
        ("10 m\u00b2", "10 m\u00b3", "\u00b3, not \u00b2"),
    ],
)
def test_other_signs(first, second, reason):
    forward, backward = find_contrasts([(first, second), (second, first)], SIGNS)
    assert [str(contrast) for contrast in forward] == [reason]
    assert [contrast.kind for contrast in forward] == [contrast.kind for contrast in backward]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("It is -5 degrees outside", "It is minus 5 degrees outside"),
        ("It is −5 degrees outside", "It is -5 degrees outside"),
        ("It lasts 5-10 days", "It lasts 5 to 10 days"),
        ("10 minus 5", "10 - 5"),
        ("C++ and C in a week", "C and C++ in a week"),
        ("An A+ battery", "A battery"),
        ("the X- and Y-axis", "the X-axis and the Y-axis"),
        ("room B#12", "room B 12"),
        ("the ABC- list", "the ABC list"),
        ("call +44 20", "call 44 20"),
    ],
)
def test_no_other_signs(first, second):
    assert find_contrasts([(first, second), (second, first)], SIGNS) == [[], []]
