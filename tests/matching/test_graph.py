"""SentenceMatcher with an index of usearch, which `make test-works-with` has."""

from __future__ import annotations

import os
import pickle
import sys

import numpy as np
import pytest

from skpara.matching import SentenceMatcher


@pytest.fixture(scope="module")
def sentences(sample):
    return sample.data[:150].ravel().tolist()


@pytest.fixture(scope="module")
def queries(sample):
    return [*sample.data[150:200].ravel().tolist(), "", "zzzxqv"]


def pairs_of(matches):
    return [(query, candidate) for query, candidate, _ in matches.tolist()]


@pytest.fixture(scope="module")
def matcher(sentences):
    if "SKPARA_REQUIRE_PACKAGES" not in os.environ:
        pytest.importorskip("usearch")
    return SentenceMatcher(top_k=3, index="usearch").fit(sentences)


def test_it_finds_what_the_exact_search_finds(matcher, sentences, queries):
    parameters = {"top_k": 3, "ngram_weight": 0}
    exact = SentenceMatcher(**parameters).fit(sentences).match(queries)
    indexed = SentenceMatcher(**parameters, index="usearch").fit(sentences).match(queries)
    pairs = [set(pairs_of(matches)) for matches in (exact, indexed)]
    assert len(pairs[0] & pairs[1]) >= 0.95 * len(pairs[0])
    cosines = [{row[:2]: row[2] for row in m.tolist()} for m in (exact, indexed)]
    for pair in pairs[0] & pairs[1]:
        assert cosines[0][pair] == cosines[1][pair]


def test_spelling_counts_for_the_score(matcher, sentences, queries):
    exact = SentenceMatcher(top_k=3).fit(sentences).match(queries)
    scores = {row[:2]: row[2] for row in exact.tolist()}
    indexed = matcher.match(queries).tolist()
    shared = [row for row in indexed if row[:2] in scores]
    assert len(shared) > 0.8 * len(exact)
    assert all(scores[row[:2]] == row[2] for row in shared)


def test_a_match_depends_on_no_other_query(matcher, queries):
    together = matcher.match(queries)
    for number in range(0, len(queries), 7):
        alone = matcher.match([queries[number]])
        rows = together[together["query"] == number]
        assert rows["candidate"].tolist() == alone["candidate"].tolist()
        np.testing.assert_array_equal(rows["score"], alone["score"])


def test_another_fit_and_a_copy_match_alike(matcher, sentences, queries):
    expected = matcher.match(queries).tolist()
    fitted = SentenceMatcher(top_k=3, index="usearch").fit(sentences)
    for other in (fitted, pickle.loads(pickle.dumps(matcher))):
        assert other.match(queries).tolist() == expected


@pytest.mark.parametrize("n", [0, 1, 2])
def test_few_candidates(matcher, sentences, n):
    few = SentenceMatcher(top_k=5, index="usearch").fit(sentences[:n])
    matches = few.match([*sentences[:2], ""])
    pairs = pairs_of(matches)
    assert len(pairs) == len(set(pairs))
    assert [(q, c) for q, c in pairs if q == c] == [(i, i) for i in range(n)]
    assert 2 not in matches["query"]


def test_without_usearch_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    with pytest.raises(ImportError, match=r"needs usearch: pip install 'skpara\[usearch\]'"):
        SentenceMatcher(index="usearch").fit(["It rains."])
