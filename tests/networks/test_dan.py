"""The layers of a deep averaging network."""

from __future__ import annotations

import numpy as np
import pytest
import torch

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


def test_one_linear_layer_is_linear_in_the_mean():
    module = DAN(n_layers=1, nonlinearity="identity").build(5, np.random.default_rng(0)).double()
    rows = torch.from_numpy(np.random.default_rng(1).standard_normal((4, 5)))
    joined, first, second = module(rows, torch.tensor([0, 1, 0, 1]), torch.tensor([0, 2, 3]))
    torch.testing.assert_close(joined, (first + second) / 2)


def test_word_order_does_not_matter():
    module = DAN().build(5, np.random.default_rng(0)).double()
    rows = torch.from_numpy(np.random.default_rng(1).standard_normal((4, 5)))
    first, second = module(rows, torch.tensor([0, 1, 2, 2, 0, 1]), torch.tensor([0, 3]))
    torch.testing.assert_close(first, second)
