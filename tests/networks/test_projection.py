"""Initial weights of a projection."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.networks import Average, Projection

D = 5
ROWS = torch.from_numpy(np.random.default_rng(1).standard_normal((7, D)).astype(np.float32))
IDS, OFFSETS = torch.tensor([0, 3, 3, 6, 2]), torch.tensor([0, 4])


@pytest.mark.parametrize("name", ["identity", "tanh", "relu"])
def test_initial_vectors_are_f_of_the_average(name):
    f = {"identity": lambda x: x, "tanh": torch.tanh, "relu": torch.relu}[name]
    rng = np.random.default_rng(0)
    average = Average().build(D, rng)(ROWS, IDS, OFFSETS)
    vectors = Projection(name).build(D, rng)(ROWS, IDS, OFFSETS)
    torch.testing.assert_close(vectors, f(average), rtol=0, atol=1e-6)


def test_the_matrix_alone_is_an_identity_parameter():
    module = Projection().build(D, np.random.default_rng(0))
    assert module.identity_parameters == ("matrix",)
    assert [name for name, _ in module.named_parameters()] == ["matrix", "bias"]
