from __future__ import annotations

import numpy as np
import pytest

from skpara.encoders import mean_vectors
from skpara.text import tokenize

SENTENCES = ["A dog sleeps.", "", "dog dog cat", "unseenword", "dog unseenword", "\u00e9 a"]


@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
def test_mean_of_looked_up_vectors(small_vectors, oov):
    pooled = mean_vectors(small_vectors, SENTENCES, oov)
    assert pooled.dtype == np.float32
    for sentence, got in zip(SENTENCES, pooled, strict=True):
        tokens = tokenize(sentence)
        expected = small_vectors.lookup(tokens, oov).sum(axis=0) / max(1, len(tokens))
        np.testing.assert_allclose(got, expected, atol=1e-6)


def test_a_row_does_not_depend_on_the_others(small_vectors):
    rng = np.random.default_rng(0)
    sentences = [
        " ".join(rng.choice([*small_vectors.words, "odd", "\u00f6dd"], size=rng.integers(0, 12)))
        for _ in range(9000)
    ]
    together = mean_vectors(small_vectors, sentences)
    alone = np.vstack([mean_vectors(small_vectors, [s]) for s in sentences[4000:4200]])
    np.testing.assert_array_equal(together[4000:4200], alone)


def test_no_sentences(small_vectors):
    assert mean_vectors(small_vectors, []).shape == (0, 20)
