"""Tests of the comparison of texts, against NumPy and rapidfuzz by hand."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Indel
from scipy.sparse import random as random_matrix
from sklearn.feature_extraction.text import TfidfVectorizer

from skpara.matching._duplicates import known_words
from skpara.matching._products import products
from skpara.matching._texts import FEATURES, REST, TextIndex

WORDS = st.text("abcdeé12", min_size=1, max_size=12)
TEXTS = st.lists(st.lists(WORDS, min_size=1, max_size=6).map(" ".join), min_size=1, max_size=5)


def test_products_of_rows():
    left = random_matrix(30, 50, 0.3, "csr", dtype=np.float32, rng=0)
    right = random_matrix(40, 50, 0.3, "csr", dtype=np.float32, rng=1)
    both = np.stack([np.repeat(np.arange(30), 40), np.tile(np.arange(40), 30)])
    dense = left.toarray().astype(np.float64) @ right.toarray().astype(np.float64).T
    np.testing.assert_allclose(products(left, right, *both), dense.ravel(), rtol=1e-14)
    shuffled = both[:, np.random.default_rng(0).permutation(both.shape[1])]
    np.testing.assert_array_equal(products(left, right, *shuffled), products(left, right, *both)[
        shuffled[0] * 40 + shuffled[1]
    ])  # fmt: skip
    with pytest.raises(ValueError, match="out of range"):
        products(left, right, np.array([30]), np.array([0]))


@given(TEXTS, TEXTS)
def test_cosines_are_those_of_scikit_learn(texts, queries):
    vectorizer = TfidfVectorizer(
        analyzer="char_wb", ngram_range=(2, 3), sublinear_tf=True, dtype=np.float32
    )
    index = TextIndex(texts)
    bag = index.prepare(queries)
    indexed = vectorizer.fit_transform(index.rows.texts)
    expected = (vectorizer.transform(bag.texts) @ indexed.T).toarray().ravel()
    rows, columns = np.divmod(np.arange(len(expected)), len(texts))
    cosines = index.compare(bag, rows, columns)[:, FEATURES.index("characters")]
    np.testing.assert_allclose(cosines, expected, rtol=1e-5)


def similarity(first: str, second: str) -> float:
    """The similarity of two words: of their letters, and where one begins with the other."""
    if first == second:
        return 1.0
    if not first.isalpha() or not second.isalpha():
        return 0.0
    n_shared = sum((Counter(first) & Counter(second)).values())
    shorter = min(len(first), len(second))
    if 2 * n_shared <= (len(first) + len(second)) / 2 and n_shared < shorter:
        return 0.0
    value = max(2 * Indel.normalized_similarity(first, second) - 1, 0) ** 1.5
    if first.startswith(second) or second.startswith(first):
        value = max(value, 0.8 if shorter > 2 else 0.5)
    return value


@given(TEXTS, TEXTS)
def test_each_word_is_compared_with_the_most_similar_one_of_the_other_text(texts, queries):
    index = TextIndex(texts)
    rows = np.repeat(np.arange(len(queries)), len(texts))
    columns = np.tile(np.arange(len(texts)), len(queries))
    left, right = index.compared(index.prepare(queries), rows, columns)[1]
    bag = index.prepare(queries)
    features = index.compare(bag, rows, columns)
    for pair, (row, column) in enumerate(zip(rows, columns, strict=True)):
        a = list(dict.fromkeys(bag.texts[row].split()))
        b = list(dict.fromkeys(index.rows.texts[column].split()))
        grid = np.array([[similarity(x, y) for y in b] for x in a])
        np.testing.assert_allclose(left.found[left.pairs == pair], grid.max(axis=1), rtol=1e-5)
        np.testing.assert_allclose(right.found[right.pairs == pair], grid.max(axis=0), rtol=1e-5)
        values = dict(zip(FEATURES, features[pair], strict=True))
        assert values["first"] == pytest.approx(grid[0, 0], rel=1e-5)
        assert values["last"] == pytest.approx(grid[-1, -1], rel=1e-5)


def test_words_that_the_other_text_does_not_explain():
    index = TextIndex(["acme pump left", "acme pump right", "acme valves"])
    bag = index.prepare(["acme pumps iii"])
    rest = index.compare_with_rest(bag, np.zeros(3, np.int64), np.arange(3))[1]
    valve = similarity("pumps", "valves")
    # Of the query only "iii" is left beside pumps; "iii" is unknown, so as rare as words can be.
    left, right = [1 - similarity("iii", x) for x in ("left", "right")]
    values = dict(zip(REST, rest.T, strict=True))
    np.testing.assert_allclose(values["words left"], [left, right, 2 - valve], rtol=1e-5)
    np.testing.assert_allclose(values["words gone"], [1, 1, 1 - valve], rtol=1e-5)
    np.testing.assert_allclose(values["weight left"], values["words left"], rtol=1e-5)
    np.testing.assert_allclose(values["short words left"], 1, rtol=1e-5)
    np.testing.assert_array_equal(values["short words gone"], 0)
    rarest, once = np.log(4) + 1, np.log(4 / 2) + 1
    np.testing.assert_allclose(values["weight gone"][:2], once / rarest, rtol=1e-5)


def test_many_similar_words():
    words = [f"abcdef{a}{b}" for a in "ghijklmn" for b in "opqrstuv"]
    index = TextIndex([" ".join(words), words[0]])
    both = np.array([0, 0]), np.array([0, 1])
    left, right = index.compared(index.prepare([" ".join(words[::-1])]), *both)[1]
    np.testing.assert_array_equal(left.found[:64], 1)
    np.testing.assert_allclose(
        left.found[64:], [similarity(x, words[0]) for x in words[::-1]], rtol=1e-5
    )
    np.testing.assert_array_equal(right.found, 1)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("mississippi", "missisipi"), ("sassafrasses", "assassafras"), ("aaaab", "aaaa"),
        ("banana", "bananana"), ("eeee", "eeeeee"), ("addressesss", "adresses"),
        ("tttt", "tt"), ("zzzza", "zzazz"), ("abcabcabcabc", "cbacbacba"),
    ],
)  # fmt: skip
def test_words_with_a_letter_many_times(first, second):
    for query, word in ((first, second), (second, first)):
        index = TextIndex([f"{word} other"])
        left, _ = index.compared(index.prepare([query]), np.array([0]), np.array([0]))[1]
        expected = max(similarity(query, word), similarity(query, "other"))
        assert left.found.tolist() == pytest.approx([expected], rel=1e-5)


def test_a_word_of_three_texts_is_no_typo():
    index = TextIndex(["xqzt a", "xqzt b", "xqzt c", "yqzt d", "yqzt e"])
    known = dict(zip(index.words, known_words(index).tolist(), strict=True))
    assert known["xqzt"] > known["yqzt"]
