"""Statistics of translations, against scipy and slow definitions."""

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
def test_repetition_rate_is_the_share_of_ngrams_seen_before(texts, order):
    for text, rate in zip(texts, repetition_rates(texts, order), strict=True):
        tokens = [t for t in text.split() if order > 1 or len(t) >= 3]
        ngrams = [tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1)]
        repeated = sum(ngram in ngrams[:i] for i, ngram in enumerate(ngrams))
        assert rate == pytest.approx(repeated / max(1, len(ngrams)))


FREQUENCIES = {"the": 90, "dog": 9, "barks": 1}


def test_unknown_words_count_as_the_rarest_word():
    known, unknown = mean_idf(["the barks", "the zyxqvw"], FREQUENCIES)
    assert known == unknown
    # An unknown word makes a sentence rarer, and never more common than a known one does.
    the, dog, other = mean_idf(["the", "the dog", "the zyxqvw"])
    assert the < dog < other
    # A translator that leaves a word untranslated does not seem to use more common words.
    pairs = [("the dog barks", "the dog ladra")]
    assert compare_translations(pairs, frequencies=FREQUENCIES).idf == pytest.approx(0)


def test_idf_by_hand():
    expected = [(-math.log(0.9) - math.log(0.09)) / 2, 0.0, -math.log(0.01)]
    np.testing.assert_allclose(mean_idf(["The dog", "", "barks !"], FREQUENCIES), expected)


PAIRS = [
    ("the staff helped us", "the staff was nice and the staff was nice"),
    ("mexico supports the treaty", "mexico supports the treaty since a long time"),
    ("this endangered freedom", "this put at risk the freedom"),
]


def test_differences_are_references_minus_translations():
    differences = compare_translations(PAIRS)
    first, second = zip(*PAIRS, strict=True)
    assert differences.length == pytest.approx(
        np.mean([len(s.split()) for s in first]) - np.mean([len(s.split()) for s in second])
    )
    assert differences.unigram_entropy == ngram_entropy(first) - ngram_entropy(second)
    assert differences.trigram_entropy == ngram_entropy(first, 3) - ngram_entropy(second, 3)
    assert differences.unigram_repetition == pytest.approx(-repetition_rates(second).mean())
    assert differences.idf == pytest.approx(mean_idf(first).mean() - mean_idf(second).mean())
    assert "correlations" not in differences


def test_correlations_with_scores_are_spearmans():
    scores = [0.1, 0.5, 0.4]
    translations = [second for _, second in PAIRS]
    correlations = compare_translations(PAIRS, scores).correlations
    lengths = [len(s.split()) for s in translations]
    assert correlations.length == pytest.approx(spearmanr(scores, lengths).statistic)
    assert correlations.unigram_repetition == pytest.approx(
        spearmanr(scores, repetition_rates(translations)).statistic
    )
    assert math.isnan(compare_translations(PAIRS, [1.0, 1.0, 1.0]).correlations.length)


def test_a_reference_with_several_translations_counts_once():
    differences = compare_translations([PAIRS[0], (PAIRS[0][0], "they were nice"), PAIRS[1]])
    # References of 4 and 4 tokens, translations of 9, 3 and 8.
    assert differences.length == pytest.approx(4 - 20 / 3)


def test_bad_input_is_refused():
    with pytest.raises(ValueError, match="inconsistent numbers"):
        compare_translations(PAIRS, [0.5])
    with pytest.raises(ValueError, match="Row 0 holds int 1"):
        ngram_entropy([1, 2])
    with pytest.raises(TypeError, match="single str"):
        repetition_rates("a dog")
