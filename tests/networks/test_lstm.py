"""LSTMs compared with torch's, and the two implementations of their cells."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.utils.rnn import pack_sequence

from skpara.networks import LSTM
from skpara.networks.modules._lstm_cells import _OPEN
from skpara.networks.modules._packing import pack

D, SIZE = 6, 4
SENTENCES = [[0, 3, 3], [2], [5, 4, 1, 0, 6], [1, 2]]
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)))
NAMES = {
    "input": "weight_ih_l0",
    "recurrent": "weight_hh_l0",
    "bias": "bias_ih_l0",
}


def tensors(sentences=SENTENCES):
    ids = torch.tensor([i for sentence in sentences for i in sentence])
    lengths = torch.tensor([len(sentence) for sentence in sentences])
    return ids, torch.cumsum(lengths, 0) - lengths, lengths


def built(network, n_dims=D, seed=0):
    return network.build(n_dims, np.random.default_rng(seed)).double()


def output_gradient(n_columns, n_rows=4):
    return torch.from_numpy(np.random.default_rng(2).standard_normal((n_rows, n_columns)))


@pytest.mark.parametrize("bidirectional", [False, True])
def test_values_and_gradients_are_those_of_torch(bidirectional):
    module = built(LSTM(hidden_size=SIZE, bidirectional=bidirectional))
    theirs = nn.LSTM(D, SIZE, bidirectional=bidirectional).double()
    suffixes = ["", "_reverse"][: 1 + bidirectional]
    with torch.no_grad():
        for cells, suffix in zip(module.directions, suffixes, strict=True):
            for ours, name in NAMES.items():
                theirs.get_parameter(name + suffix).copy_(cells.get_parameter(ours))
            theirs.get_parameter("bias_hh_l0" + suffix).zero_()
    our_rows, their_rows = ROWS.clone().requires_grad_(), ROWS.clone().requires_grad_()
    vectors = module(our_rows, *tensors()[:2])
    batch = pack_sequence([their_rows[s] for s in SENTENCES], enforce_sorted=False)
    expected = torch.cat(list(theirs(batch)[1][0]), dim=1)
    torch.testing.assert_close(vectors, expected, rtol=0, atol=1e-12)
    for output in (vectors, expected):
        (output * output_gradient(module.n_dims_out)).sum().backward()
    torch.testing.assert_close(our_rows.grad, their_rows.grad, rtol=0, atol=1e-12)
    for cells, suffix in zip(module.directions, suffixes, strict=True):
        for ours, name in NAMES.items():
            gradient = theirs.get_parameter(name + suffix).grad
            torch.testing.assert_close(
                cells.get_parameter(ours).grad, gradient, rtol=0, atol=1e-12
            )


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


def test_initial_weights():
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


@pytest.mark.parametrize("output_gate", [True, False])
def test_initial_peepholes_change_nothing(output_gate):
    ids, offsets, _ = tensors()
    plain = built(LSTM(output_gate=output_gate))(ROWS, ids, offsets)
    with_peepholes = built(LSTM(output_gate=output_gate, peepholes=True))(ROWS, ids, offsets)
    torch.testing.assert_close(with_peepholes, plain, rtol=0, atol=1e-12)


def test_an_open_output_gate_equals_none():
    ids, offsets, _ = tensors()
    gated, ungated = built(LSTM()), built(LSTM(output_gate=False))
    with torch.no_grad():
        (cells,), (ungated_cells,) = gated.directions, ungated.directions
        for name in NAMES:
            cells.get_parameter(name)[: 3 * D] = ungated_cells.get_parameter(name)
        cells.bias[3 * D :] = 1000
    torch.testing.assert_close(gated(ROWS, ids, offsets), ungated(ROWS, ids, offsets))


def test_directions_have_separate_weights():
    module = built(LSTM(bidirectional=True, hidden_size=SIZE))
    forwards, backwards = module.directions
    assert not torch.equal(forwards.input, backwards.input)
    assert module.n_dims_out == 2 * SIZE
    with torch.no_grad():
        for name, weight in backwards.named_parameters():
            weight.copy_(forwards.get_parameter(name))
    ids, offsets, _ = tensors([[0, 1, 2], [2, 1, 0]])
    first, second = module(ROWS, ids, offsets).detach()
    torch.testing.assert_close(first, second.roll(SIZE), rtol=0, atol=1e-12)


def test_a_thousand_words_have_finite_vectors_and_gradients():
    module = LSTM(hidden_size=SIZE).build(D, np.random.default_rng(0))
    rows = ROWS.float().requires_grad_()
    vectors = module(rows, torch.arange(1001) % 7, torch.tensor([0, 1000]))
    vectors.sum().backward()
    assert torch.isfinite(vectors).all()
    assert torch.isfinite(rows.grad).all()


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize(
    "network",
    [LSTM(), LSTM(output_gate=False), LSTM(peepholes=True), LSTM(bidirectional=True)],
    ids=repr,
)
def test_gradients_on_cuda_are_those_on_the_cpu(network):
    gradients = []
    for device in ("cpu", "cuda"):
        module = built(network).to(device)
        rows = ROWS.detach().to(device).requires_grad_()
        ids, offsets, _ = (tensor.to(device) for tensor in tensors())
        (
            module(rows, ids, offsets) * output_gradient(module.n_dims_out).to(device)
        ).sum().backward()
        gradients.append([w.grad.cpu() for w in (rows, *module.parameters())])
    for cpu, cuda in zip(*gradients, strict=True):
        torch.testing.assert_close(cpu, cuda, rtol=0, atol=1e-10)
