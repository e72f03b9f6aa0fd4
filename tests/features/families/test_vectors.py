from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from skpara import LexicalFeatures
from skpara.features.families._cosines import scaled_products

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
    matrix = (scale * rng.normal(size=(3, 4))).astype(np.float32)
    counts = sparse.csr_matrix([[1001.0, 500, 0], [1.0, 2, 1]])
    found = scaled_products(counts, matrix)
    assert np.abs(found).max(axis=1).tolist() == [1.0, 1.0]
    direct = matrix[0].astype(float) * matrix[1].astype(float) ** 2 * matrix[2].astype(float)
    np.testing.assert_allclose(found[1], direct / np.abs(direct).max(), rtol=1e-4)


def test_products_leave_out_words_without_a_vector():
    matrix = np.array([[2.0, -4.0], [0.0, 0.0], [0.0, 3.0]], dtype=np.float32)
    counts = sparse.csr_matrix([[1.0, 5, 0], [0, 1, 0], [1, 0, 1], [0, 0, 0]])
    np.testing.assert_allclose(
        scaled_products(counts, matrix), [[0.5, -1], [0, 0], [0, -1], [0, 0]]
    )


@given(*[st.lists(st.sampled_from([*VECTORS, "xyz", "5"]), max_size=9).map(" ".join)] * 2)
def test_features_are_symmetric_and_in_range(first, second):
    there, back = features((first, second), (second, first))
    np.testing.assert_allclose(there, back, atol=1e-12)
    assert (np.abs(there) <= 1).all()
