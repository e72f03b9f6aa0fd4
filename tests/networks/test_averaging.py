"""Initial weights of projections and deep averaging networks."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import DAN, Average, Projection

D = 5
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)).astype(np.float32))
IDS, OFFSETS = torch.tensor([0, 3, 3, 6, 2]), torch.tensor([0, 4])


@pytest.mark.parametrize("name", ["identity", "tanh", "relu"])
def test_initial_vectors_of_a_projection_are_f_of_the_average(name):
    f = {"identity": lambda x: x, "tanh": torch.tanh, "relu": torch.relu}[name]
    rng = np.random.default_rng(0)
    average = Average(redundancy=0.0).build(D, rng)(ROWS, IDS, OFFSETS)
    module = Projection(name).build(D, rng)
    torch.testing.assert_close(module(ROWS, IDS, OFFSETS), f(average), rtol=0, atol=1e-6)
    assert module.identity_parameters == ("matrix",)
    assert [name for name, _ in module.named_parameters()] == ["matrix", "bias"]


def test_shapes_of_the_layers_of_a_dan():
    module = DAN(n_layers=3, hidden_size=4).build(6, np.random.default_rng(0))
    assert [tuple(matrix.shape) for matrix in module.matrices] == [(4, 6), (4, 4), (4, 4)]
    assert [tuple(bias.shape) for bias in module.biases] == [(4,)] * 3
    assert module.n_dims_out == 4
    assert DAN().build(6, np.random.default_rng(0)).n_dims_out == 6


def test_initial_weights_of_a_dan_have_the_limit_of_glorot():
    module = DAN(n_layers=1, hidden_size=100).build(50, np.random.default_rng(0))
    limit = np.sqrt(6 / 150)
    matrix = module.matrices[0].detach()
    assert 0.99 * limit < matrix.abs().max() <= limit
    assert float(matrix.std()) == pytest.approx(limit / np.sqrt(3), rel=0.05)
    assert not module.biases[0].any()
