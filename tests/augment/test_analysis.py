from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import entropy, spearmanr

from skpara.augment import compare_translations, mean_idf, ngram_entropy, repetition_rates

TEXTS = st.lists(
    st.lists(st.sampled_from("one two three at".split()), max_size=8).map(" ".join), max_size=5
)


@given(TEXTS, st.integers(1, 3))
def test_entropy_is_scipys(texts, order):
    counts = Counter(
        tuple(tokens[i : i + order])
        for tokens in map(str.split, texts)
        for i in range(len(tokens) - order + 1)
    )
    expected = entropy(list(counts.values()), base=2) if counts else 0.0
    assert ngram_entropy(texts, order) == pytest.approx(expected, abs=1e-12)


@given(TEXTS, st.integers(1, 3))
def test_repetitions_are_counted_one_after_the_other(texts, order):
    for text, rate in zip(texts, repetition_rates(texts, order), strict=True):
        tokens = [t for t in text.split() if order > 1 or len(t) >= 3]
        seen, repeated, total = set(), 0, 0
        for i in range(len(tokens) - order + 1):
            ngram = tuple(tokens[i : i + order])
            repeated += ngram in seen
            seen.add(ngram)
            total += 1
        assert rate == pytest.approx(repeated / total if total else 0.0)


def test_idf_by_hand():
    frequencies = {"the": 90, "dog": 9, "barks": 1}
    expected = [(-math.log(0.9) - math.log(0.09)) / 2, 0.0, -math.log(0.01)]
    found = mean_idf(["The dog", "", "barks !"], frequencies)
    np.testing.assert_allclose(found, expected)


PAIRS = [
    ("the staff helped us", "the staff was nice and the staff was nice"),
    ("mexico supports the treaty", "mexico supports the treaty since a long time"),
    ("this endangered freedom", "this put at risk the freedom"),
]


def test_references_less_translations():
    found = compare_translations(PAIRS)
    left, right = zip(*PAIRS, strict=True)
    assert found.length == pytest.approx(
        np.mean([len(s.split()) for s in left]) - np.mean([len(s.split()) for s in right])
    )
    assert found.unigram_entropy == ngram_entropy(left) - ngram_entropy(right)
    assert found.trigram_entropy == ngram_entropy(left, 3) - ngram_entropy(right, 3)
    assert found.unigram_repetition == pytest.approx(-repetition_rates(right).mean())
    assert found.idf == pytest.approx(mean_idf(left).mean() - mean_idf(right).mean())
    assert "correlations" not in found


def test_correlations_with_the_score():
    scores = [0.1, 0.5, 0.4]
    found = compare_translations(PAIRS, scores).correlations
    lengths = [len(s.split()) for _, s in PAIRS]
    assert found.length == pytest.approx(spearmanr(scores, lengths).statistic)
    assert found.unigram_repetition == pytest.approx(
        spearmanr(scores, repetition_rates([s for _, s in PAIRS])).statistic
    )
    assert math.isnan(compare_translations(PAIRS, [1.0, 1.0, 1.0]).correlations.length)


def test_a_reference_with_several_translations_counts_once():
    twice = compare_translations([PAIRS[0], (PAIRS[0][0], "they were nice"), PAIRS[1]])
    lengths = [len(PAIRS[0][0].split()), len(PAIRS[1][0].split())]
    others = [len(PAIRS[0][1].split()), 3, len(PAIRS[1][1].split())]
    assert twice.length == pytest.approx(np.mean(lengths) - np.mean(others))


def test_bad_input():
    with pytest.raises(ValueError, match="inconsistent numbers"):
        compare_translations(PAIRS, [0.5])
    with pytest.raises(ValueError, match="Row 0 holds int 1"):
        ngram_entropy([1, 2])
    with pytest.raises(TypeError, match="bare str"):
        repetition_rates("a dog")
