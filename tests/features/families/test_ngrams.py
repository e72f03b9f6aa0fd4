from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import ngrams

from skpara import LexicalFeatures
from skpara.features._families.words import ngram_matches
from skpara.features._kernels import Lists

WORDS = st.lists(st.sampled_from("abc"), max_size=8)


def slow_match(first, second, n):
    ours, theirs = Counter(ngrams(first, n)), Counter(ngrams(second, n))
    if not ours or not theirs:
        return 1.0
    shared = sum((ours & theirs).values())
    p, r = shared / ours.total(), shared / theirs.total()
    return 2 * p * r / (p + r) if shared else 0.0


def ngram_match(first, second):
    _, lists = Lists.of([first, second])
    return ngram_matches(lists, (np.array([0]), np.array([1])))[:, 0].tolist()


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("", "", (1, 1, 1)),
        ("a", "", (1, 1, 1)),
        ("a", "b", (0, 1, 1)),
        ("a b c", "a b c", (1, 1, 1)),
        ("a b c", "c b a", (1, 0, 0)),
        ("a a b", "a b", (0.8, 2 / 3, 1)),
        ("a a a", "a a", (0.8, 2 / 3, 1)),
    ],
)
def test_ngram_match(first, second, expected):
    assert ngram_match(first.split(), second.split()) == pytest.approx(expected)


@given(WORDS, WORDS)
def test_ngram_match_counts_with_multiplicity(first, second):
    expected = [slow_match(first, second, n) for n in (1, 2, 3)]
    assert ngram_match(first, second) == pytest.approx(expected)
    assert ngram_match(first, second) == ngram_match(second, first)


def char_features(*pairs):
    return LexicalFeatures("char_ngrams").fit_transform(pairs)


def test_character_ngrams_stay_inside_words():
    # " a", "ab", "b " on each side; the space between words joins nothing
    found = char_features(("ab", "ab ab"), ("ab cd", "cd ab"), ("ab", "xy"), ("ab", ""))
    np.testing.assert_allclose(found[:, 0], [2 * 3 / 9, 1, 0, 0])
    np.testing.assert_allclose(found[1:], [[1] * 4, [0] * 4, [0] * 4])


@given(*[st.lists(st.text("ab", min_size=1, max_size=5), max_size=4).map(" ".join)] * 2)
def test_character_ngrams_agree_with_scikit_learn(first, second):
    from sklearn.feature_extraction.text import CountVectorizer

    found = char_features((first, second), (second, first))
    for column, n in enumerate((2, 3, 4, 5)):
        cut = CountVectorizer(analyzer="char_wb", ngram_range=(n, n))
        try:
            counts = cut.fit_transform([first, second]).toarray()
        except ValueError:  # both are empty
            counts = np.zeros((2, 1))
        dice = 2 * counts.min(axis=0).sum() / max(counts.sum(), 1)
        np.testing.assert_allclose(found[:, column], dice)
