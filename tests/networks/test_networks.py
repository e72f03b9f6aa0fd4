"""Properties of all networks, and each network beside its formula in NumPy."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.special import expit
from sklearn.base import clone

from skpara.networks import DAN, GRAN, LSTM, RNN, Average, Charagram, Projection

NETWORKS = [
    *(Average(), Projection(), Projection("relu"), Charagram(n_dims=5)),
    *(DAN(), DAN(n_layers=3, hidden_size=4, nonlinearity="relu")),
    *(RNN(), RNN(hidden_size=4, nonlinearity="relu"), RNN(identity=True)),
    *(LSTM(), LSTM(hidden_size=4), LSTM(output_gate=False), LSTM(peepholes=True)),
    *(LSTM(peepholes=True, output_gate=False), LSTM(bidirectional=True, hidden_size=3)),
    *(GRAN(), GRAN(hidden_size=4), GRAN(hidden_size=4, peepholes=True)),
    *(network(initialization="published") for network in (Projection, DAN, RNN)),
    *(network(peepholes=True, initialization="published") for network in (LSTM, GRAN)),
]
ROWS = np.random.default_rng(1).standard_normal((7, 5))
SENTENCES = [[0, 3, 3, 6, 1], [], [2], [5, 4], [], [1, 0, 2, 3], [6, 6]]


def built(network, seed=0):
    """Build in double precision, with noise on the weights so that none is zero or one."""
    module = network.build(5, np.random.default_rng(seed)).double()
    rng = np.random.default_rng(2)
    with torch.no_grad():
        for weight in module.parameters():
            weight += 0.3 * torch.from_numpy(rng.standard_normal(tuple(weight.shape)))
    return module


def vectors(module, sentences, rows=ROWS):
    ids = torch.tensor([i for sentence in sentences for i in sentence], dtype=torch.int64)
    lengths = [len(sentence) for sentence in sentences]
    offsets = torch.tensor(np.cumsum([0, *lengths[:-1]]))
    return module(torch.as_tensor(rows), ids, offsets)


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_vectors_do_not_depend_on_the_batch(network):
    module = built(network)
    together = vectors(module, SENTENCES).detach().numpy()
    assert together.shape == (7, module.n_dims_out)
    for i, sentence in enumerate(SENTENCES):
        alone = vectors(module, [sentence]).detach().numpy()
        np.testing.assert_allclose(alone[0], together[i], atol=1e-12)
    order = [3, 0, 6, 2, 1, 5, 4]
    shuffled = vectors(module, [SENTENCES[i] for i in order]).detach().numpy()
    np.testing.assert_allclose(shuffled, together[order], atol=1e-12)


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_an_empty_sentence_is_zeros(network):
    module = built(network)
    computed = vectors(module, SENTENCES).detach().numpy()
    assert not computed[[1, 4]].any()
    assert computed[[0, 2, 3, 5, 6]].any(axis=1).all()
    assert not vectors(module, [[], []]).detach().numpy().any()


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_gradients_are_those_of_finite_differences(network):
    module = built(network)
    rows = torch.from_numpy(ROWS.copy()).requires_grad_()
    weights = tuple(module.parameters())

    def function(rows, *_):
        return vectors(module, SENTENCES, rows)

    # A direction at random has a part of every number's error, at a hundredth of the time.
    torch.manual_seed(0)
    strict = {"atol": 1e-8, "rtol": 1e-5, "fast_mode": True}
    assert torch.autograd.gradcheck(function, (rows, *weights), **strict)


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_building_uses_the_given_generator_only(network):
    torch.manual_seed(5)
    state = torch.get_rng_state()
    first, second = (network.build(5, np.random.default_rng(3)).state_dict() for _ in range(2))
    assert torch.equal(torch.get_rng_state(), state)
    for name, weight in first.items():
        assert torch.equal(weight, second[name])
        assert weight.dtype == torch.float32
        assert torch.isfinite(weight).all()


@pytest.mark.parametrize("network", NETWORKS, ids=repr)
def test_fields_are_parameters(network):
    copy = clone(network)
    assert copy.get_params() == network.get_params()
    for name, value in network.get_params().items():
        copy.set_params(**{name: value})
    assert repr(copy) == repr(network)


@pytest.mark.parametrize(
    ("network", "field"),
    [
        (Projection("cube"), "nonlinearity"),
        (DAN(n_layers=0), "n_layers"),
        (DAN(hidden_size=0), "hidden_size"),
        (RNN(nonlinearity="identity"), "nonlinearity"),
        (RNN(identity=True, hidden_size=4), "hidden_size"),
        (RNN(identity="yes"), "identity"),
        (LSTM(hidden_size=-1), "hidden_size"),
        (LSTM(output_gate=None), "output_gate"),
        (GRAN(hidden_size=1.5), "hidden_size"),
        (GRAN(peepholes=None), "peepholes"),
        (GRAN(initialization="normal"), "initialization"),
        (Charagram(n_dims=0), "n_dims"),
        (Charagram(min_count=0), "min_count"),
    ],
    ids=repr,
)
def test_a_field_out_of_range_is_named(network, field):
    with pytest.raises(ValueError, match=field):
        network.build(5, np.random.default_rng(0))


def check(network, by_hand):
    """Compare with a function of the word vectors of one sentence."""
    module = built(network)
    computed = vectors(module, SENTENCES).detach().numpy()
    weights = {name: weight.detach().numpy() for name, weight in module.named_parameters()}
    for sentence, vector in zip(SENTENCES, computed, strict=True):
        if sentence:
            np.testing.assert_allclose(vector, by_hand(ROWS[sentence], weights), atol=1e-10)


@pytest.mark.parametrize("name", ["identity", "tanh", "relu"])
def test_projection_by_hand(name):
    f = {"identity": lambda x: x, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}[name]
    check(Projection(name), lambda words, w: f(w["matrix"] @ words.mean(axis=0) + w["bias"]))


def test_dan_by_hand():
    def by_hand(words, w):
        hidden = words.mean(axis=0)
        for k in range(3):
            hidden = np.tanh(w[f"matrices.{k}"] @ hidden + w[f"biases.{k}"])
        return hidden

    check(DAN(n_layers=3, hidden_size=4), by_hand)


@pytest.mark.parametrize("nonlinearity", ["tanh", "relu"])
def test_rnn_by_hand(nonlinearity):
    f = np.tanh if nonlinearity == "tanh" else lambda x: np.maximum(x, 0)

    def by_hand(words, w):
        state = np.zeros(4)
        for word in words:
            state = f(w["input"] @ word + w["recurrent"] @ state + w["bias"])
        return state

    check(RNN(hidden_size=4, nonlinearity=nonlinearity), by_hand)


def test_irnn_by_hand():
    def by_hand(words, w):
        state = np.zeros(5)
        for word in words:
            state = w["input"] @ word + w["recurrent"] @ state + w["bias"]
        return state / len(words)

    check(RNN(identity=True), by_hand)


def lstm_states(words, w, prefix, size, *, output_gate=True, peepholes=None):
    state = cell = np.zeros(size)
    states = []
    p = np.zeros((3, size)) if peepholes is None else peepholes
    for word in words:
        total = w[f"{prefix}input"] @ word + w[f"{prefix}recurrent"] @ state + w[f"{prefix}bias"]
        gates = total.reshape(-1, size)
        i, f = expit(gates[0] + p[0] * cell), expit(gates[1] + p[1] * cell)
        cell = f * cell + i * np.tanh(gates[2])
        o = expit(gates[3] + p[2] * cell) if output_gate else 1.0
        state = o * np.tanh(cell)
        states.append(state)
    return np.array(states)


@pytest.mark.parametrize("output_gate", [True, False])
@pytest.mark.parametrize("peepholes", [True, False])
def test_lstm_by_hand(output_gate, peepholes):
    def by_hand(words, w):
        p = w["directions.0.peepholes"] if peepholes else None
        states = lstm_states(words, w, "directions.0.", 4, output_gate=output_gate, peepholes=p)
        return states[-1]

    check(LSTM(output_gate=output_gate, peepholes=peepholes, hidden_size=4), by_hand)


def test_bidirectional_lstm_by_hand():
    def by_hand(words, w):
        forwards = lstm_states(words, w, "directions.0.", 4)[-1]
        backwards = lstm_states(words[::-1], w, "directions.1.", 4)[-1]
        return np.concatenate([forwards, backwards])

    check(LSTM(hidden_size=4, bidirectional=True), by_hand)


@pytest.mark.parametrize("peepholes", [True, False])
def test_gran_by_hand(peepholes):
    def by_hand(words, w):
        p = w["cells.peepholes"] if peepholes else None
        states = lstm_states(words, w, "cells.", 4, peepholes=p)
        gates = expit(words @ w["of_word"].T + states @ w["of_state"].T + w["bias"])
        return (words * gates).mean(axis=0)

    check(GRAN(hidden_size=4, peepholes=peepholes), by_hand)


PUBLISHED = [
    DAN(n_layers=1, initialization="published"),
    LSTM(peepholes=True, initialization="published"),
    LSTM(output_gate=False, peepholes=True, initialization="published"),
    GRAN(peepholes=True, initialization="published"),
]


@pytest.mark.parametrize("network", PUBLISHED, ids=repr)
def test_published_weights_are_normal_and_biases_zero(network):
    module = network.build(40, np.random.default_rng(0))
    for name, weight in module.named_parameters():
        values = weight.detach().numpy().ravel()
        if "bias" in name:
            assert not values.any(), name
        else:
            assert values.std() == pytest.approx(0.1, rel=0.2), name
            assert abs(values.mean()) < 0.04, name
            # Of a uniform distribution of this deviation none would be larger than 0.173.
            assert np.abs(values).max() > 0.18, name


def test_only_the_first_published_layer_of_a_dan_is_normal():
    first, second = DAN(initialization="published").build(40, np.random.default_rng(0)).matrices
    limit = np.sqrt(6 / 80)  # of Glorot and Bengio (2010)
    assert first.abs().max() > limit
    assert 0.9 * limit < second.abs().max() <= limit


def test_published_matrices_of_an_rnn_are_small_and_uniform():
    module = RNN(initialization="published").build(40, np.random.default_rng(0))
    for weight in (module.input, module.recurrent):
        assert 0.0099 < weight.abs().max() <= 0.01
    assert not module.bias.any()


def test_a_published_projection_decays_towards_zero():
    module = Projection(initialization="published").build(40, np.random.default_rng(0))
    assert module.identity_parameters == ()
    limit = np.sqrt(6 / 80)
    assert 0.9 * limit < module.matrix.abs().max() <= limit
    assert Projection().build(5, np.random.default_rng(0)).identity_parameters == ("matrix",)


@pytest.mark.parametrize("name", ["tanh", "relu", "identity"])
def test_charagram_by_hand(name):
    f = {"identity": lambda x: x, "tanh": np.tanh, "relu": lambda x: np.maximum(x, 0)}[name]
    network = Charagram(n_dims=5, nonlinearity=name)
    check(network, lambda ngrams, w: f(ngrams.sum(axis=0) + w["bias"]))
    table = network.initial_table(4000, np.random.default_rng(0))
    assert table.std() == pytest.approx(0.01, rel=0.05)
