from __future__ import annotations

import pytest

from skpara.features import find_contrasts
from skpara.features.contrast._lexicon import are_synonyms, is_misspelling
from skpara.features.contrast._mentions import (
    are_one_name,
    find_acronyms,
    is_initial_of,
    may_be_name,
    plain_name,
)


@pytest.mark.parametrize(
    ("token", "is_name"),
    [
        ("Oslo", True),
        ("U.S.", True),
        ("Zoë", True),
        ("oslo", False),
        ("J.", False),
        ("Mr", False),
        ("Monday", False),
        ("B2", False),
    ],
)
def test_what_looks_like_a_name(token, is_name):
    assert may_be_name(token) == is_name


@pytest.mark.parametrize(
    ("first", "second", "is_initial"),
    [("J.", "John", True), ("John", "J.", True), ("M.", "John", False), ("J.", "J.", False)],
)
def test_initials(first, second, is_initial):
    assert is_initial_of(first, second) == is_initial


@pytest.mark.parametrize(
    ("first", "second", "n_reasons"),
    [
        ("J. Smith signed the lease.", "John Smith signed the lease.", 0),
        ("Dr. M. Alvarez operated.", "Dr. Maria Alvarez operated.", 0),
        ("Lt. Gen. Otto Weber spoke.", "Lieutenant General Otto Weber spoke.", 0),
        ("Mary Smith signed the lease.", "John Smith signed the lease.", 1),
    ],
)
def test_an_initial_and_its_name_are_one(first, second, n_reasons):
    assert [len(row) for row in find_contrasts([(first, second)])] == [n_reasons]


def test_plain_names():
    assert [plain_name(token) for token in ("U.S.", "Zoë", "JP")] == ["us", "zoe", "jp"]


@pytest.mark.parametrize(
    ("first", "second", "are_one"),
    [
        ("india", "indian", True),
        ("america", "usa", True),
        ("holland", "netherlands", True),
        ("smithson", "smihtson", True),
        ("oslo", "rome", False),
        ("northgate", "southgate", False),
        ("india", "indiana", False),
    ],
)
def test_one_name_in_two_forms(wordnet, first, second, are_one):
    assert are_one_name(wordnet, first, second) == are_one
    assert are_one_name(wordnet, second, first) == are_one


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("The UN voted", "The United Nations voted", {"un", "united", "nations"}),
        ("the USA", "the United States", {"usa", "united", "states"}),
        ("the Bank of England", "the BE", {"be", "bank", "england"}),
        ("the Fund for Peace", "the FP", {"fp", "fund", "peace"}),
        ("A cat", "the United Nations", set()),
        ("the OECD", "the Old Empire", set()),
    ],
)
def test_acronyms_that_are_spelled_out(first, second, expected):
    assert find_acronyms(first.split(), second.split()) == expected
    assert find_acronyms(second.split(), first.split()) == expected


def test_synonyms_and_misspellings(wordnet):
    assert are_synonyms(wordnet, "car", "automobile")
    assert not are_synonyms(wordnet, "car", "bicycle")
    assert is_misspelling(wordnet, "yellow", "yelow")
    assert not is_misspelling(wordnet, "cat", "car")
    assert not is_misspelling(wordnet, "yell" + 30 * "o", "yel" + 30 * "o")
