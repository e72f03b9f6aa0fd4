from __future__ import annotations

import pytest

from skpara import LexicalFeatures


def compute(*pairs):
    return LexicalFeatures("function_words").fit_transform(pairs).tolist()


@pytest.mark.parametrize(
    ("first", "second", "matched", "unmatched"),
    [
        ("the dog barks", "the dog hears a cat", 2 / 8, 1 / 8),
        ("the the dog", "the cat", 2 / 5, 1 / 5),
        ("dogs bark", "cats sleep", 0, 0),
        ("", "", 0, 0),
        ("My dog", "", 0, 1 / 2),
        ("every 2 dogs", "Every dog", 2 / 4, 0),  # "2" is no word
    ],
)
def test_determiners(first, second, matched, unmatched):
    expected = [matched, unmatched, 0]
    assert compute((first, second), (second, first)) == [pytest.approx(expected)] * 2


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("It didn't rain", "It rained", 1),
        ("It didn't rain", "It never rained", 0),
        ("It cannot rain", "it can rain", 1),
        ("Nobody came without a hat", "someone came", 1),
        ("", "no", 1),
        ("yes", "", 0),
    ],
)
def test_negation(first, second, expected):
    found = compute((first, second), (second, first))
    assert [row[2] for row in found] == [expected] * 2
