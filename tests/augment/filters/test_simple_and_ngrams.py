"""Filters without a model: scores by hand and by slow definitions."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.utils._param_validation import InvalidParameterError

from skpara.augment import Paraphrases
from skpara.augment.filters import (
    BleuFilter,
    DuplicateFilter,
    LengthFilter,
    OverlapFilter,
    TranslationCostFilter,
)

TEXT = st.lists(st.sampled_from("a b c d e".split()), max_size=7).map(" ".join)
PAIRS = st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=6)


def ngrams(text, order):
    tokens = text.split()
    return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))


def overlap(first, second, order):
    """The n-grams of the side with fewer that the other has, over all of that side."""
    fewer, more = sorted((ngrams(first, order), ngrams(second, order)), key=Counter.total)
    shared = sum(count for ngram, count in fewer.items() if ngram in more)
    return shared / fewer.total() if fewer else 0.0


def bleu(reference, translation):
    r, c = len(reference.split()), len(translation.split())
    if c == 0:
        return 0.0
    product = 1.0
    for order in range(1, 5):
        counts = ngrams(translation, order)
        product *= ((ngrams(reference, order) & counts).total() + 1) / (counts.total() + 1)
    return min(1.0, math.exp(1 - (r + 1) / c)) * product**0.25


@given(PAIRS, st.integers(1, 3))
def test_overlap_is_the_papers(pairs, order):
    expected = [overlap(*pair, order) for pair in pairs]
    np.testing.assert_allclose(OverlapFilter(order).score_pairs(pairs), expected)


def test_every_repetition_of_a_shared_ngram_counts_on_the_shorter_side():
    pairs = [
        ("nice nice bed", "a nice bed in it"),  # "nice" counts twice, though shared once
        ("a nice bed in it", "nice nice bed"),
        ("nice bed", "nice nice nice bed"),
        ("nice nice bed", "nice room here"),  # equally long: the first side counts
        ("nice room here", "nice nice bed"),
    ]
    scores = OverlapFilter().score_pairs(pairs)
    np.testing.assert_allclose(scores, [1, 1, 1, 2 / 3, 1 / 3])


@given(PAIRS)
def test_bleu_is_smoothed_as_nakov_and_others_do(pairs):
    expected = [bleu(*pair) for pair in pairs]
    np.testing.assert_allclose(BleuFilter().score_pairs(pairs), expected)


@given(st.lists(st.tuples(st.text(max_size=30), st.text(max_size=30)), min_size=1, max_size=5))
def test_scores_of_any_text_are_in_range(pairs):
    for pair_filter in (OverlapFilter(), OverlapFilter(3), BleuFilter()):
        scores = pair_filter.score_pairs(pairs)
        assert np.all((scores >= 0) & (scores <= 1))


def test_length_counts_tokens_of_the_paraphrase():
    pairs = [("one two three", "It rains."), ("one", ""), ("one", "a b c d")]
    assert LengthFilter().score_pairs(pairs).tolist() == [3, 0, 4]
    assert LengthFilter(lower=1, upper=3).select(pairs).tolist() == [True, False, False]


def test_bounds_are_inclusive():
    pairs = [("a b", "a c"), ("a b", "a b"), ("a b", "c d")]
    assert OverlapFilter(lower=0.5).select(pairs).tolist() == [True, True, False]
    assert OverlapFilter(upper=0.5).select(pairs).tolist() == [True, False, True]
    assert OverlapFilter().select(pairs).all()


def test_parameters_are_checked_with_and_without_fit():
    with pytest.raises(InvalidParameterError, match="'order' parameter"):
        OverlapFilter(order=0).score_pairs([("a", "b")])
    with pytest.raises(InvalidParameterError, match="'upper' parameter"):
        LengthFilter(upper="ten").fit([("a", "b")])


def paraphrases(costs):
    pairs = np.array([["a", f"b{i}"] for i in range(len(costs))], dtype=object)
    rows = np.zeros(len(costs), dtype=np.intp)
    return Paraphrases(pairs, rows, np.array(costs), np.arange(len(costs)))


def test_cost_comes_from_the_translator():
    pair_filter = TranslationCostFilter(upper=1.0)
    assert pair_filter.select(paraphrases([0.5, 1.5, 1.0])).tolist() == [True, False, True]
    with pytest.raises(ValueError, match=r"2 of 3 pairs have no translation cost.* row 1"):
        pair_filter.select(paraphrases([0.5, np.nan, np.nan]))
    with pytest.raises(ValueError, match="MarianTranslator"):
        pair_filter.select([("a", "b")])


def test_duplicates_are_found_in_any_order_and_case():
    pairs = [("a dog", "a cat"), ("A CAT", "a dog"), ("a dog", "a cat"), ("x", "X"), ("x", "y")]
    assert DuplicateFilter().score_pairs(pairs).tolist() == [0, 1, 2, 1, 0]
    assert DuplicateFilter().select(pairs).tolist() == [True, False, False, False, True]


@pytest.mark.parametrize(
    "pair_filter", [LengthFilter(), OverlapFilter(), BleuFilter(), DuplicateFilter()], ids=repr
)
def test_no_pairs_are_filtered_to_none(pair_filter):
    empty = np.empty((0, 2), dtype=object)
    assert pair_filter.fit(empty).select(empty).shape == (0,)


def test_bounds_that_nothing_is_within_are_an_error():
    with pytest.raises(ValueError, match="lower must be at most upper, got 10 and 5"):
        LengthFilter(lower=10, upper=5).select([("a b", "a b")])
    assert LengthFilter(lower=2, upper=2).select([("a b", "a b")]).all()
