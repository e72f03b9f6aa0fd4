from __future__ import annotations

import numpy as np
import pytest
from sklearn.frozen import FrozenEstimator

from skpara import ParagramEncoder, SiameseRegressor, save_model
from skpara.learning import AdaDelta, AdaGrad, Adam, Start
from skpara.learning._state import resolve_start
from skpara.networks import LSTM, as_network


@pytest.fixture
def scores(small_pairs):
    return np.linspace(0, 5, len(small_pairs))


def fit_encoder(pairs, network="projection", **parameters):
    defaults = {"max_iter": 1, "optimizer": "adadelta", "random_state": 0, "device": "cpu"}
    return ParagramEncoder(network, **defaults | parameters).fit(pairs)


def test_encoders_frozen_ones_and_files_have_the_same_state(small_vectors, small_pairs, tmp_path):
    encoder = fit_encoder(small_pairs, vectors=small_vectors)
    path = save_model(encoder, tmp_path / "encoder.safetensors")
    for source in (encoder, FrozenEstimator(encoder), path, str(path)):
        state = resolve_start(source, as_network("projection"))[0]
        np.testing.assert_array_equal(state.vectors.matrix, encoder.vectors_.matrix)
        assert state.weights.keys() == encoder.weights_.keys()
        assert state.network == "projection"


def test_what_is_not_a_fitted_encoder_is_refused(small_vectors, small_pairs):
    with pytest.raises(ValueError, match=r"vectors is not fitted.*FrozenEstimator"):
        fit_encoder(small_pairs, vectors=ParagramEncoder(vectors=small_vectors))
    with pytest.raises(TypeError, match=r"decay_target must be a fitted .* got WordVectors"):
        fit_encoder(small_pairs, vectors=Start(small_vectors, decay_target=small_vectors))
    target = fit_encoder(small_pairs, vectors=small_vectors)
    with pytest.raises(ValueError, match="decay_target has vectors of 20 dimensions"):
        fit_encoder(small_pairs, vectors=Start({"w1": [1.0]}, decay_target=target))


def test_a_siamese_regressor_starts_from_an_encoder(small_vectors, small_pairs, scores):
    network = LSTM(hidden_size=5)
    encoder = fit_encoder(small_pairs, network, vectors=small_vectors)
    regressor = SiameseRegressor(network, vectors=FrozenEstimator(encoder), max_iter=1)
    regressor.set_params(optimizer=Adam(1e-9), random_state=3).fit(small_pairs, scores)
    np.testing.assert_allclose(regressor.encode(["w1 w2"]), encoder.encode(["w1 w2"]), atol=1e-6)
    regressor.set_params(network="average").fit(small_pairs, scores)
    np.testing.assert_allclose(regressor.vectors_["w1"], encoder.vectors_["w1"], atol=1e-6)


def test_a_siamese_regressor_is_pulled_to_an_encoder(small_vectors, small_pairs, scores):
    network = LSTM(hidden_size=5)
    encoder = fit_encoder(small_pairs, network, vectors=small_vectors, optimizer=AdaDelta(30.0))
    start = Start(small_vectors, decay_target=encoder)
    regressor = SiameseRegressor(network, vectors=start, word_decay=10.0, network_decay=10.0)
    regressor.set_params(optimizer=AdaGrad(0.3), batch_size=200, max_iter=60, device="cpu")
    regressor.fit(small_pairs, scores)
    np.testing.assert_allclose(regressor.vectors_["w1"], encoder.vectors_["w1"], atol=0.02)
    for name, weight in encoder.weights_.items():
        np.testing.assert_allclose(regressor.weights_[f"encoder.{name}"], weight, atol=0.02)


def test_weights_of_another_size_are_refused(small_vectors, small_pairs):
    encoder = fit_encoder(small_pairs, LSTM(hidden_size=5), vectors=small_vectors)
    with pytest.raises(ValueError, match="Start from an encoder with the same network"):
        fit_encoder(small_pairs, LSTM(hidden_size=6), vectors=encoder)


def test_initial_vectors_are_scaled_to_the_norm(small_vectors, small_pairs):
    start = Start(small_vectors, norm=3.0)
    encoder = fit_encoder(small_pairs, "average", vectors=start, optimizer=AdaDelta(1e-9))
    matrix = encoder.vectors_.matrix[: len(small_vectors)]
    assert np.linalg.norm(matrix, axis=1).mean() == pytest.approx(3.0, rel=1e-5)
    ratios = matrix / small_vectors.matrix
    np.testing.assert_allclose(ratios, ratios[0, 0], rtol=1e-4)
