"""Features of words. Those of TakeLab are compared with their definitions in test_lexical.py."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.feature_extraction.text import CountVectorizer

from skpara import LexicalFeatures


def compute(group, *pairs):
    counts = {"the": 80, "dog": 15, "barks": 5}
    return LexicalFeatures(group, frequencies=counts).fit_transform(pairs)


def test_character_ngrams_stay_inside_words():
    # " a", "ab", "b " on each side; the space between words joins nothing
    found = compute("char_ngrams", ("ab", "ab ab"), ("ab cd", "cd ab"), ("ab", "xy"), ("ab", ""))
    np.testing.assert_allclose(found[:, 0], [2 * 3 / 9, 1, 0, 0])
    np.testing.assert_allclose(found[1:], [[1] * 4, [0] * 4, [0] * 4])


@given(*[st.lists(st.text("ab", min_size=1, max_size=5), max_size=4).map(" ".join)] * 2)
def test_character_ngrams_agree_with_scikit_learn(first, second):
    found = compute("char_ngrams", (first, second), (second, first))
    for column, n in enumerate((2, 3, 4, 5)):
        cut = CountVectorizer(analyzer="char_wb", ngram_range=(n, n))
        try:
            counts = cut.fit_transform([first, second]).toarray()
        except ValueError:  # both are empty
            counts = np.zeros((2, 1))
        dice = 2 * counts.min(axis=0).sum() / max(counts.sum(), 1)
        np.testing.assert_allclose(found[:, column], dice)


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", (0, 0)),
        ("a", "", (0, 0)),
        ("a b", "b a a", (1, 1)),
        ("a b c", "a d", (1 / 4, 1 / 2)),
    ],
)
def test_word_overlap(first, second, expected):
    found = compute("word_overlap", (first, second), (second, first))
    assert found.tolist() == [list(expected)] * 2


def test_lengths():
    # Content words: dog dog barks against dog; "the" is a stop word and has least information.
    excess = math.log(100 / 15) - math.log(100 / 80), math.log(100 / 5) - math.log(100 / 80)
    sums = 2 * excess[0] + excess[1], excess[0]
    expected = [2 / 3.00001, (sums[0] - sums[1]) / (sums[0] + 1e-5), math.log(1 + 4 + 2), 3 / 5]
    found = compute(
        "lengths", ("The dog, dog barks", "the dog"), ("the dog", "The dog, dog barks")
    )
    np.testing.assert_allclose(found, [expected] * 2, rtol=1e-12)


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
    assert compute("function_words", (first, second), (second, first)) == pytest.approx(
        np.array([expected] * 2)
    )


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
    found = compute("function_words", (first, second), (second, first))
    assert [row[2] for row in found] == [expected] * 2
