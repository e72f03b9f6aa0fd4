"""Features of words without a counterpart, computed by hand."""

from __future__ import annotations

import runpy
from pathlib import Path

import numpy as np
import pytest

from skpara import WordVectors

SCRIPT = Path(__file__).parents[2] / "examples/papers/alignment_features.py"
VECTORS = {"a": [1.0, 0.0, 0.0], "dog": [0.0, 2.0, 0.0], "puppy": [0.0, 3.0, 4.0]}
VECTORS |= {"not": [0.0, 0.0, 1.0]}
COUNTS = {"a": 50, "dog": 10, "puppy": 2, "not": 20}
PAIRS = [("a dog", "a puppy"), ("a a dog", "not a dog"), ("", "dog"), ("", "")]


@pytest.fixture(scope="module")
def columns():
    vectors = WordVectors(list(VECTORS), [*VECTORS.values()])
    alignment = runpy.run_path(str(SCRIPT))["AlignmentFeatures"](vectors, COUNTS)
    return dict(zip(alignment.names(), alignment.transform(np.array(PAIRS)).T, strict=True))


def test_statistics(columns):
    # "dog" and "puppy" have a cosine of 0.6.
    np.testing.assert_allclose(columns["first_similarity_mean"], [0.8, 1, 0, 0], rtol=1e-6)
    np.testing.assert_allclose(columns["second_similarity_min"], [0.6, 0, 0, 0], rtol=1e-6)
    rarity = {word: np.log(82 / count) for word, count in COUNTS.items()}
    expected = rarity["puppy"] * 0.4
    np.testing.assert_allclose(columns["second_residue_ic_sum"][0], expected, rtol=1e-6)
    np.testing.assert_allclose(columns["second_residue_ic_max"][1], rarity["not"], rtol=1e-6)
    np.testing.assert_allclose(columns["second_unshared_share"], [1 / 2, 1 / 3, 1, 0])
    np.testing.assert_allclose(columns["second_unshared_ic_sum"][1], rarity["not"])
    assert columns["second_unshared_negations"].tolist() == [0, 1, 0, 0]
    assert columns["first_words"].tolist() == [2, 2, 0, 0]


def test_vectors(columns):
    def vectors(name):
        return np.column_stack([columns[f"{name}_{k}"] for k in range(3)])

    # "a" counts twice in "a a dog".
    np.testing.assert_allclose(vectors("mean_first")[1], np.array([2, 2, 0]) / 8**0.5, rtol=1e-6)
    np.testing.assert_allclose(vectors("residue_first")[0], [0, 1, 0], atol=1e-6)
    np.testing.assert_allclose(vectors("residue_second")[0], [0, 0.6, 0.8], atol=1e-6)
    u, v = vectors("residue_first"), vectors("residue_second")
    np.testing.assert_array_equal(vectors("residue_difference"), np.abs(u - v))
    np.testing.assert_array_equal(vectors("residue_product"), u * v)
