"""The base classes, and every network at the size and precision in which it is used."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import Classifier, Network, SentenceModule, as_network

NAMES = "average projection dan rnn irnn lstm lstm_no_output_gate gran charagram".split()
N_DIMS = 64


class Count(SentenceModule):
    """Number of words of each sentence, twice."""

    n_dims_out = 2

    def sentence_vectors(self, rows, ids, offsets, lengths):
        assert (lengths > 0).all()
        assert len(offsets) == len(lengths)
        return lengths[:, None].to(rows.dtype).expand(-1, 2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "lengths", [[2, 1], [0, 2, 0, 0, 3, 0], [0], [0, 0], []], ids=lambda lengths: str(lengths)
)
def test_sentence_vectors_gets_non_empty_sentences_only(lengths, dtype):
    offsets = torch.tensor(np.cumsum([0, *lengths])[:-1], dtype=torch.int64)
    ids = torch.zeros(sum(lengths), dtype=torch.int64)
    counts = Count()(torch.ones(1, 3, dtype=dtype), ids, offsets)
    assert counts.dtype == dtype
    np.testing.assert_array_equal(counts, np.repeat(np.array(lengths)[:, None], 2, axis=1))


class Counting(Network):
    """A network written by a user, with a parameter of its own and no dropout."""

    _parameter_constraints = {"size": [None]}

    def __init__(self, size=None):
        self.size = size

    def make_module(self, n_dims, rng):
        return Count()


def test_a_network_needs_no_dropout():
    network = Counting()
    assert (network.dropout, network.word_dropout) == (0, 0)
    assert (network.units, network.averages) == ("words", False)
    assert network.get_params() == {"size": None}
    assert isinstance(network.build(5, np.random.default_rng(0)), Count)


def test_parameters_are_checked_when_the_module_is_built():
    with pytest.raises(ValueError, match="'size' parameter of Counting"):
        Counting(3).build(5, np.random.default_rng(0))


def test_methods_to_implement_are_named():
    with pytest.raises(NotImplementedError, match="Network must implement make_module"):
        Network().build(5, np.random.default_rng(0))
    with pytest.raises(NotImplementedError, match="must implement sentence_vectors"):
        SentenceModule()(torch.ones(1, 3), torch.tensor([0]), torch.tensor([0]))


@pytest.mark.parametrize("name", NAMES)
def test_every_network_has_dropout_in_range(name):
    network = as_network(name, dropout=0.5, word_dropout=0.25)
    assert (network.dropout, network.word_dropout) == (0.5, 0.25)
    for field in ("dropout", "word_dropout"):
        for value in (-0.1, 1.0):
            with pytest.raises(ValueError, match=f"'{field}' parameter"):
                as_network(name, **{field: value}).build(5, np.random.default_rng(0))


def test_the_classifier_network_is_linear_or_has_a_hidden_layer():
    rows, ids, offsets = torch.ones(1, 4), torch.zeros(2, dtype=torch.int64), torch.tensor([0, 2])
    linear = Classifier("average").build(4, np.random.default_rng(0))
    torch.nn.init.constant_(linear.head.output_bias, 0.5)
    scores = linear(rows, ids, offsets)
    torch.testing.assert_close(scores[0], linear.head.output.sum(dim=1) + 0.5)
    assert scores[1].tolist() == [0.5, 0.5]  # an empty sentence gets the bias
    deep = Classifier("average", 3, dense_size=5).build(4, np.random.default_rng(0))
    hidden = torch.sigmoid(torch.stack([deep.head.dense.sum(dim=1), torch.zeros(5)]))
    torch.testing.assert_close(deep(rows, ids, offsets), hidden @ deep.head.output.T)


@pytest.mark.parametrize("name", NAMES)
def test_every_weight_is_trained(name):
    rng = np.random.default_rng(0)
    module = as_network(name).build(N_DIMS, rng)
    rows = torch.from_numpy(0.1 * rng.standard_normal((5, N_DIMS)).astype(np.float32))
    rows.requires_grad_()
    vectors = module(rows, torch.tensor([0, 1, 2, 0]), torch.tensor([0, 3]))
    (vectors * torch.linspace(1, 2, module.n_dims_out)).sum().backward()
    for weight in module.parameters():
        assert weight.grad.abs().sum() > 0
    has_gradient = rows.grad.abs().sum(dim=1) > 0
    assert has_gradient.tolist() == [True, True, True, False, False]
