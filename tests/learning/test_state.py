from __future__ import annotations

import pytest
from sklearn.frozen import FrozenEstimator

from skpara import ParagramEncoder
from skpara.learning._state import learned_by


def test_encoders_frozen_ones_and_files_hand_on_the_same(small_vectors, small_pairs, tmp_path):
    encoder = ParagramEncoder("projection", vectors=small_vectors, max_iter=1).fit(small_pairs)
    encoder.save(tmp_path / "encoder.safetensors")
    for given in (encoder, FrozenEstimator(encoder), tmp_path / "encoder.safetensors"):
        learned = learned_by(given, "init")
        assert (learned.vectors.matrix == encoder.vectors_.matrix).all()
        assert learned.weights.keys() == encoder.weights_.keys()
        assert learned.network == "projection"


def test_what_is_not_a_fitted_encoder_is_refused(small_vectors):
    with pytest.raises(ValueError, match="init is not fitted"):
        learned_by(ParagramEncoder(vectors=small_vectors), "init")
    with pytest.raises(TypeError, match="init must be"):
        learned_by(small_vectors, "init")
