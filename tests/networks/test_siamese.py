"""Networks of pairs."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.special import expit

from skpara.networks import LSTM, Siamese

ROWS = np.random.default_rng(1).standard_normal((10, 3))


def outputs(module, rows):
    """Outputs of pairs of single words: row k with row k + n/2."""
    ids = torch.arange(len(rows))
    return module(torch.tensor(rows), ids, ids).detach().numpy()


def test_dense_comparison_by_hand():
    rng = np.random.default_rng(0)
    module = Siamese("average", dense_size=4, n_outputs=2).build(3, rng).double()
    with torch.no_grad():
        for weight in module.parameters():
            weight += torch.tensor(rng.standard_normal(weight.shape))
    w = {name.split(".")[1]: weight.detach().numpy() for name, weight in module.named_parameters()}
    u, v = np.split(ROWS, 2)
    features = np.hstack([np.abs(u - v), u * v])
    hidden = expit(features @ w["dense"].T + w["dense_bias"])
    expected = hidden @ w["output"].T + w["output_bias"]
    np.testing.assert_allclose(outputs(module, ROWS), expected)
    np.testing.assert_allclose(outputs(module, np.vstack([v, u])), expected)


def test_manhattan_comparison_by_hand():
    module = Siamese("average", "manhattan").build(3, np.random.default_rng(0))
    u, v = np.split(ROWS, 2)
    expected = np.exp(-np.abs(u - v).sum(axis=1))
    np.testing.assert_allclose(outputs(module, ROWS), expected[:, None])


def test_the_encoder_is_the_sentence_module():
    module = Siamese(LSTM(hidden_size=4)).build(3, np.random.default_rng(0))
    alone = LSTM(hidden_size=4).build(3, np.random.default_rng(0))
    names = [name for name in module.state_dict() if name.startswith("encoder.")]
    assert names == [f"encoder.{name}" for name in alone.state_dict()]
    assert module.n_inputs == 2
    assert alone.sentence_module is alone
    rows, ids = torch.tensor(ROWS, dtype=torch.float32), torch.arange(10)
    torch.testing.assert_close(module.sentence_module(rows, ids, ids), alone(rows, ids, ids))


def test_identity_parameters_are_those_of_the_encoder():
    module = Siamese("irnn").build(4, np.random.default_rng(0))
    assert len(module.identity_parameters) == 2
    for name in module.identity_parameters:
        assert torch.equal(module.get_parameter(name), torch.eye(4))


@pytest.mark.parametrize(
    "field", [{"comparison": "cosine"}, {"dense_size": 0}, {"n_outputs": 0}], ids=str
)
def test_fields_are_checked(field):
    with pytest.raises(ValueError, match=next(iter(field))):
        Siamese(**field).build(3, np.random.default_rng(0))
