"""What the base classes promise, at the width and precision in which networks are used."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import Network, SentenceModule, as_network

NAMES = [
    "average",
    "projection",
    "dan",
    "rnn",
    "irnn",
    "lstm",
    "lstm_no_output_gate",
    "gran",
    "charagram",
]
N_DIMS, N_ROWS = 64, 50


class _Count(SentenceModule):
    """Sees only sentences with words, and says how long each is."""

    n_dims_out = 2

    def sentence_vectors(self, rows, ids, offsets, lengths):
        assert (lengths > 0).all()
        assert len(offsets) == len(lengths)
        return lengths[:, None].to(rows.dtype).expand(-1, 2)


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize(
    "lengths", [[2, 1], [0, 2, 0, 0, 3, 0], [0], [0, 0], []], ids=lambda lengths: str(lengths)
)
def test_empty_sentences_are_kept_from_networks(lengths, dtype):
    offsets = torch.tensor(np.cumsum([0, *lengths])[:-1], dtype=torch.int64)
    ids = torch.zeros(sum(lengths), dtype=torch.int64)
    found = _Count()(torch.ones(1, 3, dtype=dtype), ids, offsets)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.repeat(np.array(lengths)[:, None], 2, axis=1))


def test_fields_are_checked_when_the_module_is_built():
    class Bad(Network):
        _parameter_constraints = {"size": [None]}

        def __init__(self, size=None):
            self.size = size

    with pytest.raises(ValueError, match="'size' parameter of Bad"):
        Bad(3).build(5, np.random.default_rng(0))
    with pytest.raises(NotImplementedError):
        Bad().build(5, np.random.default_rng(0))


@pytest.mark.parametrize("name", NAMES)
def test_in_single_precision_neither_order_nor_company_matters(name):
    rng = np.random.default_rng(0)
    module = as_network(name).build(N_DIMS, rng)
    rows = torch.from_numpy(0.1 * rng.standard_normal((N_ROWS, N_DIMS)).astype(np.float32))
    sentences = [rng.integers(N_ROWS, size=n).tolist() for n in rng.integers(0, 30, size=40)]

    def encode(sentences):
        ids = torch.tensor([i for sentence in sentences for i in sentence], dtype=torch.int64)
        lengths = torch.tensor([len(sentence) for sentence in sentences])
        return module(rows, ids, torch.cumsum(lengths, 0) - lengths).detach().numpy()

    together = encode(sentences)
    assert together.dtype == np.float32
    order = rng.permutation(len(sentences))
    np.testing.assert_allclose(encode([sentences[i] for i in order]), together[order], atol=1e-6)
    alone = np.concatenate([encode([sentence]) for sentence in sentences])
    np.testing.assert_allclose(alone, together, atol=1e-6)
    parts = np.concatenate([encode(sentences[k : k + 7]) for k in range(0, len(sentences), 7)])
    np.testing.assert_allclose(parts, together, atol=1e-6)


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
    touched = rows.grad.abs().sum(dim=1) > 0
    assert touched.tolist() == [True, True, True, False, False]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_stored_makes_the_same_module_again(name):
    one = as_network(name).build(N_DIMS, np.random.default_rng(0))
    weights = {name: weight.numpy().copy() for name, weight in one.state_dict().items()}
    other = as_network(name).build(N_DIMS, np.random.default_rng(1))
    other.load_state_dict({name: torch.from_numpy(weight) for name, weight in weights.items()})
    rows = torch.from_numpy(np.random.default_rng(2).standard_normal((5, N_DIMS), dtype="f"))
    ids, offsets = torch.tensor([0, 4, 1, 1]), torch.tensor([0, 3])
    assert torch.equal(one(rows, ids, offsets), other(rows, ids, offsets))
