from __future__ import annotations

import numpy as np
import torch
from scipy.special import expit

from skpara.networks import Siamese
from skpara.networks._siamese import Comparison, Manhattan


def test_the_dense_comparison_by_hand():
    rng = np.random.default_rng(0)
    module = Comparison(3, 4, 2, rng).double()
    with torch.no_grad():
        module.dense_bias += torch.tensor(rng.standard_normal(4))
        module.output_bias += torch.tensor(rng.standard_normal(2))
    u, v = rng.standard_normal((2, 5, 3))
    weights = {name: w.detach().numpy() for name, w in module.named_parameters()}
    both = np.hstack([np.abs(u - v), u * v])
    hidden = expit(both @ weights["dense"].T + weights["dense_bias"])
    expected = hidden @ weights["output"].T + weights["output_bias"]
    found = module(torch.tensor(u), torch.tensor(v)).detach().numpy()
    np.testing.assert_allclose(found, expected)


def test_manhattan_by_hand():
    u, v = torch.tensor([[1.0, 2.0], [0.0, 0.0]]), torch.tensor([[1.0, 2.0], [1.0, -2.0]])
    np.testing.assert_allclose(Manhattan()(u, v).numpy(), [[1.0], [np.exp(-3)]], rtol=1e-6)


def test_left_sentences_are_the_first_half():
    rng = np.random.default_rng(0)
    module = Siamese("average", "manhattan").build(2, rng)
    rows = torch.tensor([[0.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
    # Two pairs: (row 0, row 1) and (row 0, row 2).
    ids, offsets = torch.tensor([0, 0, 1, 2]), torch.arange(4)
    found = module(rows, ids, offsets)
    np.testing.assert_allclose(found.numpy(), [[np.exp(-1)], [np.exp(-2)]], rtol=1e-6)


def test_weights_that_start_as_the_identity_keep_their_mark():
    module = Siamese("irnn").build(4, np.random.default_rng(0))
    assert module.identity_parameters
    for name in module.identity_parameters:
        assert torch.equal(module.get_parameter(name), torch.eye(4))
