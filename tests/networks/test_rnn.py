"""Plain recurrent networks compared with torch's, and the iRNN."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import RNN, Average

D, SIZE = 6, 4
SENTENCES = [[0, 3, 3], [2], [5, 4, 1, 0, 6], [1, 2]]
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)))


def tensors(sentences=SENTENCES):
    ids = torch.tensor([i for sentence in sentences for i in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return ids, torch.cumsum(lengths, 0) - lengths


def test_initial_weights():
    module = RNN(hidden_size=16).build(9, np.random.default_rng(0))
    eye = torch.eye(16)
    torch.testing.assert_close(module.recurrent @ module.recurrent.T, eye, rtol=0, atol=1e-5)
    assert 0.2 < module.input.abs().max() <= 1 / 16**0.5
    assert not module.bias.any()
    identity = RNN(identity=True).build(D, np.random.default_rng(0))
    assert set(identity.identity_parameters) == {"input", "recurrent"}
    for name in identity.identity_parameters:
        assert torch.equal(identity.get_parameter(name), torch.eye(D))


def test_the_irnn_starts_as_the_average_in_single_precision():
    rng = np.random.default_rng(0)
    rows = ROWS.float()
    vectors = RNN(identity=True).build(D, rng)(rows, *tensors())
    average = Average().build(D, rng)(rows, *tensors())
    torch.testing.assert_close(vectors, average, rtol=0, atol=1e-6)


def test_the_irnn_needs_the_size_of_the_words():
    with pytest.raises(ValueError, match="hidden_size must be None or 6, got 5"):
        RNN(identity=True, hidden_size=5).build(6, np.random.default_rng(0))
    assert RNN(identity=True, hidden_size=6).build(6, np.random.default_rng(0)).n_dims_out == 6
