"""Initial weights of recurrent networks, and LSTMs compared with torch's."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import GRAN, LSTM, RNN, Average
from skpara.networks.modules._lstm_cells import _OPEN
from skpara.networks.modules._packing import pack

D, SIZE = 6, 4
SENTENCES = [[0, 3, 3], [2], [5, 4, 1, 0, 6], [1, 2]]
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)))


def tensors(sentences=SENTENCES):
    ids = torch.tensor([i for sentence in sentences for i in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return ids, torch.cumsum(lengths, 0) - lengths, lengths


def output_gradient(n_columns, n_rows=4):
    return torch.from_numpy(np.random.default_rng(2).standard_normal((n_rows, n_columns)))


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("output_gate", [True, False])
def test_both_implementations_compute_the_same(output_gate, dtype):
    cells = LSTM(output_gate=output_gate, hidden_size=SIZE).build(D, np.random.default_rng(0))
    cells = cells.directions[0].to(dtype)
    ids, offsets, lengths = tensors()
    results = []
    for forward in (cells, cells._torch_states):
        rows = ROWS.detach().to(dtype).requires_grad_()
        states = forward(pack(rows, ids, offsets, lengths))
        gradients = torch.autograd.grad(
            (states * output_gradient(SIZE, len(ids)).to(dtype)).sum(), (rows, *cells.parameters())
        )
        results.append([states, *gradients])
    atol = 2e-6 if dtype.itemsize == 4 else 1e-12
    for first, second in zip(*results, strict=True):
        torch.testing.assert_close(first, second, rtol=0, atol=atol)
    with torch.no_grad():
        packed = pack(ROWS.to(dtype), ids, offsets, lengths)
        torch.testing.assert_close(cells._torch_states(packed), results[1][0].detach())


def test_the_default_device_of_torch_is_not_used():
    with torch.device("meta"):  # whose tensors have no numbers
        cells = LSTM(hidden_size=SIZE).build(D, np.random.default_rng(0)).directions[0]
    packed = pack(ROWS.float(), *tensors())
    with torch.device("meta"):
        states = [cells(packed), cells._torch_states(packed)]
    torch.testing.assert_close(*states, rtol=0, atol=2e-6)


def test_the_open_output_gate_of_torch_is_exactly_one():
    for dtype in (torch.float32, torch.float64):
        bias = torch.tensor(_OPEN, dtype=dtype, requires_grad=True)
        gate = torch.sigmoid(bias)
        gate.backward()
        assert (gate.item(), bias.grad.item()) == (1.0, 0.0)
    cells = LSTM(output_gate=False).build(D, np.random.default_rng(0)).directions[0]
    packed = pack(ROWS.float(), torch.tensor([3]), torch.tensor([0]), torch.tensor([1]))
    torch.testing.assert_close(cells._torch_states(packed), cells(packed), rtol=0, atol=6e-8)


def test_initial_weights_of_an_lstm():
    module = LSTM(peepholes=True, hidden_size=SIZE).build(9, np.random.default_rng(0))
    (cells,) = module.directions
    for block in cells.recurrent.split(SIZE):
        torch.testing.assert_close(block @ block.T, torch.eye(SIZE), rtol=0, atol=1e-6)
    assert 0.4 < cells.input.abs().max() <= 1 / SIZE**0.5
    i, f, g, o = cells.bias.split(SIZE)
    assert (f == 1).all()
    assert not torch.cat([i, g, o]).any()
    assert cells.peepholes.shape == (3, SIZE)
    assert not cells.peepholes.any()


def test_a_thousand_words_have_finite_vectors_and_gradients():
    module = LSTM(hidden_size=SIZE).build(D, np.random.default_rng(0))
    rows = ROWS.float().requires_grad_()
    vectors = module(rows, torch.arange(1001) % 7, torch.tensor([0, 1000]))
    vectors.sum().backward()
    assert torch.isfinite(vectors).all()
    assert torch.isfinite(rows.grad).all()


def test_initial_weights_of_an_rnn():
    module = RNN(hidden_size=16).build(9, np.random.default_rng(0))
    eye = torch.eye(16)
    torch.testing.assert_close(module.recurrent @ module.recurrent.T, eye, rtol=0, atol=1e-5)
    assert 0.2 < module.input.abs().max() <= 1 / 16**0.5
    assert not module.bias.any()
    identity = RNN(identity=True).build(D, np.random.default_rng(0))
    assert set(identity.identity_parameters) == {"input", "recurrent"}
    for name in identity.identity_parameters:
        assert torch.equal(identity.get_parameter(name), torch.eye(D))


def initial_vectors(network, rows):
    return network.build(D, np.random.default_rng(0))(rows, *tensors()[:2]).detach()


def test_initial_vectors_follow_the_average():
    rows = 0.1 * ROWS.float()
    average = initial_vectors(Average(redundancy=0.0), rows)
    irnn, gran = (initial_vectors(network, rows) for network in (RNN(identity=True), GRAN()))
    torch.testing.assert_close(irnn, average, rtol=0, atol=1e-7)
    assert torch.cosine_similarity(gran, average, dim=1).min() > 0.99
    torch.testing.assert_close(gran, 0.5 * average, rtol=0, atol=0.01)


@pytest.mark.parametrize("hidden_size", [3, None])
def test_sentence_vectors_of_a_gran_are_as_long_as_word_vectors(hidden_size):
    module = GRAN(hidden_size=hidden_size).build(D, np.random.default_rng(0))
    assert module.n_dims_out == D
    assert module.of_state.shape == (D, hidden_size or D)


def test_the_irnn_needs_the_size_of_the_words():
    with pytest.raises(ValueError, match="hidden_size must be None or 6, got 5"):
        RNN(identity=True, hidden_size=5).build(6, np.random.default_rng(0))
    assert RNN(identity=True, hidden_size=6).build(6, np.random.default_rng(0)).n_dims_out == 6
