from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara import LexicalFeatures

VECTORS = {"dog": [1.0, 2.0], "cat": [2.0, -1.0], "runs": [0.5, 0.5], "the": [3.0, 0.0]}
COUNTS = {"the": 80, "dog": 10, "cat": 8, "runs": 2}


def features(*pairs):
    return LexicalFeatures("vectors", frequencies=COUNTS, vectors=VECTORS).fit_transform(pairs)


def cosine(u, v):
    return u @ v / (np.linalg.norm(u) * np.linalg.norm(v))


def test_cosines_of_combined_vectors():
    (found,) = features(("The dog runs, runs.", "the cat"))
    the, dog, cat, runs = (np.array(VECTORS[w]) for w in ("the", "dog", "cat", "runs"))
    ic = {word: np.log(100 / count) for word, count in COUNTS.items()}
    expected = [
        cosine(the + dog + 2 * runs, the + cat),
        cosine(
            ic["the"] * the + ic["dog"] * dog + 2 * ic["runs"] * runs,
            ic["the"] * the + ic["cat"] * cat,
        ),
        cosine(the * dog * runs * runs, the * cat),
    ]
    np.testing.assert_allclose(found, expected, rtol=1e-6)


def test_the_same_sentence_is_1_and_an_empty_one_0():
    np.testing.assert_allclose(features(("dog runs", "runs dog")), [[1, 1, 1]])
    np.testing.assert_array_equal(features(("dog", ""), ("", "")), np.zeros((2, 3)))


@pytest.mark.parametrize("scale", [1e-30, 1.0, 1e30])
def test_products_of_long_sentences_neither_vanish_nor_overflow(scale):
    rng = np.random.default_rng(0)
    words = dict(zip("abc", scale * rng.normal(size=(3, 4)), strict=True))
    lexical = LexicalFeatures("product_w2v", vectors=words).fit([("", "")])
    long = "a " * 1000 + "b " * 501
    found = lexical.transform([(long, "b"), (f"{long} c", "c b"), ("a b b c", "a b c")])
    a, b, c = (words[word] for word in "abc")
    # Of many equal factors only the largest element remains, whose sign here is that of b.
    top = np.argmax(1000 * np.log(np.abs(a)) + 501 * np.log(np.abs(b)))
    expected = [
        np.abs(b[top]) / np.linalg.norm(b),
        np.sign(c[top] * b[top]) ** 2 * np.abs(c * b)[top] / np.linalg.norm(c * b),
        cosine(a * b * b * c / scale**4, a * b * c / scale**3),
    ]
    np.testing.assert_allclose(found[:, 0], expected, rtol=1e-4)


def test_products_leave_out_words_without_a_vector():
    vectors = {"a": [2.0, -4.0], "zero": [0.0, 0.0], "b": [0.0, 3.0]}
    lexical = LexicalFeatures("product_w2v", vectors=vectors).fit([("", "")])
    found = lexical.transform([("a zero zero", "a"), ("zero", "a"), ("a b zero", "b"), ("", "a")])
    np.testing.assert_allclose(found[:, 0], [1, 0, -1, 0])


@given(*[st.lists(st.sampled_from([*VECTORS, "xyz", "5"]), max_size=9).map(" ".join)] * 2)
def test_features_are_symmetric_and_in_range(first, second):
    there, back = features((first, second), (second, first))
    np.testing.assert_allclose(there, back, atol=1e-12)
    assert (np.abs(there) <= 1).all()
