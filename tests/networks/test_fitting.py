"""Encoders that are fitted with each of the networks."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder
from skpara.learning import Adam

NETWORKS = "average projection dan rnn irnn lstm lstm_no_output_gate gran charagram".split()
SENTENCES = ["w1 w2 w3", "", "never seen", "w4"]


@pytest.fixture(params=NETWORKS, scope="module")
def encoder(request, small_vectors, small_pairs):
    """A fitted encoder; the tests must not change it."""
    encoder = ParagramEncoder(request.param, vectors=small_vectors, batch_size=20, random_state=0)
    encoder.set_params(optimizer=Adam(0.04), max_iter=5)
    return encoder.fit(small_pairs[:100])


def test_fitting_lowers_the_loss_and_is_repeatable(encoder, small_pairs):
    assert encoder.loss_curve_[-1] < 0.9 * encoder.loss_curve_[0]
    repeated = clone(encoder).fit(small_pairs[:100])
    np.testing.assert_array_equal(repeated.encode(SENTENCES), encoder.encode(SENTENCES))


def test_vectors_are_finite_and_independent_of_the_batch(encoder):
    vectors = encoder.encode(SENTENCES)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert vectors.any(axis=1)[[0, 1, 3]].tolist() == [True, False, True]
    single = np.vstack([encoder.encode([sentence]) for sentence in SENTENCES])
    np.testing.assert_allclose(single, vectors, atol=1e-5)


def test_pickles_without_torch(encoder):
    expected = encoder.encode(SENTENCES)
    pickled = pickle.dumps(encoder)
    assert b"torch" not in pickled
    np.testing.assert_array_equal(pickle.loads(pickled).encode(SENTENCES), expected)
    assert (encoder.weights_ == {}) == (encoder.network == "average")
