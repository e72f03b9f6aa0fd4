"""The layers of a deep averaging network."""

from __future__ import annotations

import numpy as np
import pytest

from skpara.networks import DAN


def test_shapes_of_layers():
    module = DAN(n_layers=3, hidden_size=4).build(6, np.random.default_rng(0))
    assert [tuple(matrix.shape) for matrix in module.matrices] == [(4, 6), (4, 4), (4, 4)]
    assert [tuple(bias.shape) for bias in module.biases] == [(4,)] * 3
    assert module.n_dims_out == 4
    assert DAN().build(6, np.random.default_rng(0)).n_dims_out == 6


def test_initial_weights_have_the_limit_of_glorot():
    module = DAN(n_layers=1, hidden_size=100).build(50, np.random.default_rng(0))
    limit = np.sqrt(6 / 150)
    matrix = module.matrices[0].detach()
    assert 0.99 * limit < matrix.abs().max() <= limit
    assert float(matrix.std()) == pytest.approx(limit / np.sqrt(3), rel=0.05)
    assert not module.biases[0].any()
