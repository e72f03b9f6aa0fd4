"""Filters that learn nothing: scores by hand and by slow definitions."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils._param_validation import InvalidParameterError

from skpara.augment import Paraphrases
from skpara.augment.filters import (
    BleuFilter,
    DuplicateFilter,
    LanguageFilter,
    LanguageModelFilter,
    LengthFilter,
    OverlapFilter,
    ReferenceFilter,
    TranslationCostFilter,
)

TEXT = st.lists(st.sampled_from("a b c d e".split()), max_size=7).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6)


def ngrams(text, order):
    tokens = text.split()
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def overlap(first, second, order):
    left, right = ngrams(first, order), ngrams(second, order)
    fewer = min(left.total(), right.total())
    return (left & right).total() / fewer if fewer else 0.0


def bleu(reference, translation):
    r, c = len(reference.split()), len(translation.split())
    if c == 0:
        return 0.0
    product = 1.0
    for order in range(1, 5):
        found = ngrams(translation, order)
        product *= ((ngrams(reference, order) & found).total() + 1) / (found.total() + 1)
    return min(1.0, math.exp(1 - (r + 1) / c)) * product**0.25


@given(PAIRS, st.integers(1, 3))
def test_overlap_is_the_papers(pairs, order):
    expected = [overlap(*pair, order) for pair in pairs]
    np.testing.assert_allclose(OverlapFilter(order).score_pairs(pairs), expected)


@given(PAIRS)
def test_bleu_is_smoothed_as_nakov_and_others_do(pairs):
    expected = [bleu(*pair) for pair in pairs]
    np.testing.assert_allclose(BleuFilter().score_pairs(pairs), expected)


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=5))
def test_scores_of_any_text_are_in_range(pairs):
    for one in (OverlapFilter(), OverlapFilter(3), BleuFilter()):
        scores = one.score_pairs(pairs)
        assert np.all((scores >= 0) & (scores <= 1))


def test_many_pairs_are_counted_in_chunks(monkeypatch):
    from skpara.augment.filters import _base

    rng = np.random.default_rng(0)
    pairs = [tuple(" ".join(rng.choice(list("abcd"), 6)) for _ in range(2)) for _ in range(50)]
    whole = BleuFilter().score_pairs(pairs), OverlapFilter(2).score_pairs(pairs)
    monkeypatch.setattr(_base, "_CHUNK", 7)
    parts = BleuFilter().score_pairs(pairs), OverlapFilter(2).score_pairs(pairs)
    np.testing.assert_array_equal(whole, parts)


def test_length_counts_tokens_of_the_paraphrase():
    pairs = [("one two three", "It rains."), ("one", ""), ("one", "a b c d")]
    assert LengthFilter().score_pairs(pairs).tolist() == [3, 0, 4]
    assert LengthFilter(lower=1, upper=3).select(pairs).tolist() == [True, False, False]


def test_bounds_belong_to_what_is_kept():
    pairs = [("a b", "a c"), ("a b", "a b"), ("a b", "c d")]
    assert OverlapFilter(lower=0.5).select(pairs).tolist() == [True, True, False]
    assert OverlapFilter(upper=0.5).select(pairs).tolist() == [True, False, True]
    assert OverlapFilter().select(pairs).all()


def test_thresholds_can_be_searched():
    one = clone(OverlapFilter(order=2)).set_params(lower=0.1, upper=0.7, order=1)
    assert one.get_params() == {"lower": 0.1, "upper": 0.7, "order": 1}
    with pytest.raises(InvalidParameterError, match="'order' parameter"):
        OverlapFilter(order=0).score_pairs([("a", "b")])
    with pytest.raises(InvalidParameterError, match="'upper' parameter"):
        LengthFilter(upper="ten").fit([("a", "b")])


def paraphrases(costs):
    pairs = np.array([["a", f"b{i}"] for i in range(len(costs))], dtype=object)
    rows = np.zeros(len(costs), dtype=np.intp)
    return Paraphrases(pairs, rows, np.array(costs), np.arange(len(costs)))


def test_cost_is_the_translators():
    one = TranslationCostFilter(upper=1.0)
    assert one.select(paraphrases([0.5, 1.5, 1.0])).tolist() == [True, False, True]
    with pytest.raises(ValueError, match=r"2 of 3 pairs have no translation cost.* row 1"):
        one.select(paraphrases([0.5, np.nan, np.nan]))
    with pytest.raises(ValueError, match="MarianTranslator"):
        one.select([("a", "b")])


def test_duplicates_whatever_the_order_and_the_case():
    pairs = [("a dog", "a cat"), ("A CAT", "a dog"), ("a dog", "a cat"), ("x", "X"), ("x", "y")]
    assert DuplicateFilter().score_pairs(pairs).tolist() == [0, 1, 2, 1, 0]
    assert DuplicateFilter().select(pairs).tolist() == [True, False, False, False, True]


def test_language_of_both_sides():
    pairs = [
        ("The house is very big.", "The house is really large."),
        ("The house is very big.", "La casa es muy grande."),
        ("La casa es muy grande.", "The house is very big."),
    ]
    one = LanguageFilter(languages=["en", "es"])
    assert one.select(pairs).tolist() == [True, False, False]
    spanish = LanguageFilter("es", languages=["en", "es"]).score_pairs(pairs)
    # Of two languages, one is what the other is not.
    both = 1 - LanguageFilter("es", languages=["en", "es"]).score_pairs([(b, b) for _, b in pairs])
    assert spanish[0] < 0.5
    np.testing.assert_allclose(both, one.score_pairs([(b, b) for _, b in pairs]), atol=1e-6)


def test_language_by_a_function():
    def detector(texts):
        return ["es" if "la" in text else "en" for text in texts]

    one = LanguageFilter(detector=detector)
    assert one.select([("the dog", "the cat"), ("the dog", "la casa")]).tolist() == [True, False]
    with pytest.raises(ValueError, match="gave 1 languages for 2 sentences"):
        LanguageFilter(detector=lambda texts: ["en"]).select([("a", "b")])
    with pytest.raises(ValueError, match="'xx' is not among"):
        LanguageFilter("xx").select([("a", "b")])
    with pytest.raises(ValueError, match="detector must be"):
        LanguageFilter(detector="guess").select([("a", "b")])


def test_what_has_to_be_fitted_says_so():
    for one in (LanguageModelFilter(), ReferenceFilter()):
        with pytest.raises(NotFittedError):
            one.score_pairs([("a", "b")])


@pytest.mark.parametrize(
    "one", [LengthFilter(), OverlapFilter(), BleuFilter(), DuplicateFilter()], ids=repr
)
def test_no_pairs(one):
    empty = np.empty((0, 2), dtype=object)
    assert one.fit(empty).select(empty).shape == (0,)
