"""SiameseLSTMRegressor: a SiameseRegressor whose network is an LSTM."""

from __future__ import annotations

import numpy as np
import pytest

from skpara import SiameseLSTMRegressor, SiameseRegressor
from skpara.networks import LSTM

PAIRS = [("w1 w2", "w2 w1"), ("w3 w4 w5", "w6"), ("w7", "w8 w9"), ("w2 w5", "w2 w6")] * 5
SCORES = [5.0, 0.0, 1.5, 3.0] * 5


def test_it_is_a_siamese_regressor_with_an_lstm(small_vectors):
    shared = {"vectors": small_vectors, "dense_size": 3, "max_iter": 2, "random_state": 0}
    regressor = SiameseLSTMRegressor(hidden_size=4, **shared).fit(PAIRS, SCORES)
    same = SiameseRegressor(LSTM(hidden_size=4, dropout=0.3), **shared).fit(PAIRS, SCORES)
    np.testing.assert_array_equal(regressor.predict(PAIRS), same.predict(PAIRS))
    assert repr(regressor.network_) == repr(same.network_)


def test_its_parameters_are_those_of_the_regressor_but_the_network():
    lstm, siamese = SiameseLSTMRegressor().get_params(), SiameseRegressor().get_params()
    assert lstm.keys() - siamese.keys() == {"hidden_size"}
    assert siamese.keys() - lstm.keys() == {"network"}
    assert all(lstm[name] == siamese[name] for name in lstm.keys() & siamese.keys())


def test_wrong_parameters_are_refused(small_vectors):
    with pytest.raises(ValueError, match="'hidden_size' parameter"):
        SiameseLSTMRegressor(small_vectors, hidden_size=0).fit(PAIRS, SCORES)
    with pytest.raises(TypeError, match="unexpected keyword argument 'network'"):
        SiameseLSTMRegressor(network="gran")
    with pytest.raises(TypeError, match="bidirectional"):
        SiameseLSTMRegressor(bidirectional=True)
    with pytest.raises(ValueError, match="Invalid parameter 'network'"):
        SiameseLSTMRegressor().set_params(network="gran")
