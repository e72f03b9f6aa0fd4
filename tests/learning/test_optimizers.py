"""Sparse optimizers against torch's dense ones."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest
import torch

from skpara.learning import AdaDelta, AdaGrad, Adam
from skpara.learning._optimizers import make_optimizer

OPTIMIZERS = [AdaDelta(), AdaGrad(), Adam()]


def train_sparse_and_dense(optimizer, dense, *, n_steps=80, every_row):
    """Return the table after the same random gradients, by the sparse and the dense optimizer."""
    rng = np.random.default_rng(0)
    start = torch.from_numpy(rng.standard_normal((30, 4)).astype(np.float32))
    table, reference = start.clone(), torch.nn.Parameter(start.clone())
    sparse_optimizer = make_optimizer(optimizer, table)
    dense_optimizer = dense([reference])
    for _ in range(n_steps):
        n_rows = 30 if every_row else 5
        rows = torch.from_numpy(rng.choice(30, size=n_rows, replace=False))
        gradient = torch.from_numpy(rng.standard_normal((n_rows, 4)).astype(np.float32))
        sparse_optimizer.step(table, rows, gradient)
        reference.grad = torch.zeros_like(reference)
        reference.grad[rows] = gradient
        dense_optimizer.step()
    return table.numpy(), reference.detach().numpy()


ADADELTA = partial(torch.optim.Adadelta, lr=1.0, rho=0.95, eps=1e-6)
ADAGRAD = partial(torch.optim.Adagrad, lr=0.05)


@pytest.mark.parametrize(
    ("optimizer", "dense", "every_row"),
    [
        *((AdaDelta(), ADADELTA, every_row) for every_row in (True, False)),
        *((AdaGrad(), ADAGRAD, every_row) for every_row in (True, False)),
        (Adam(), partial(torch.optim.Adam, lr=1e-3), True),
    ],
)
def test_sparse_steps_equal_dense_ones(optimizer, dense, every_row):
    table, reference = train_sparse_and_dense(optimizer, dense, every_row=every_row)
    np.testing.assert_allclose(table, reference, rtol=0, atol=2e-6)


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_restored_state_continues_and_grows(optimizer):
    rng, generator = np.random.default_rng(0), torch.Generator().manual_seed(0)
    drawn = [torch.from_numpy(rng.choice(6, size=3, replace=False)) for _ in range(8)]
    steps = list(zip(drawn, torch.randn(8, 3, 2, generator=generator), strict=True))
    expected, table = torch.ones(6, 2), torch.ones(6, 2)
    uninterrupted = make_optimizer(optimizer, expected)
    for rows, gradient in steps:
        uninterrupted.step(expected, rows, gradient)
    first = make_optimizer(optimizer, table)
    for rows, gradient in steps[:4]:
        first.step(table, rows, gradient)
    state = {name: array.copy() for name, array in first.arrays().items()}
    table = torch.cat([table, torch.ones(2, 2)])
    second = make_optimizer(optimizer, table)
    second.restore(state)
    second.resize(8)
    for rows, gradient in steps[4:]:
        second.step(table, rows, gradient)
    np.testing.assert_array_equal(table[:6].numpy(), expected.numpy())
    second.step(table, torch.tensor([7]), torch.ones(1, 2))
    assert (table[7] < 1).all()


@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_weights_move_as_rows_that_are_all_used(optimizer):
    rng = np.random.default_rng(0)
    start = torch.from_numpy(rng.standard_normal((4, 3)).astype(np.float32))
    table, weight = start.clone(), start.clone()
    row_optimizer = make_optimizer(optimizer, table)
    weight_optimizer = make_optimizer(optimizer, weight)
    for step in range(30):
        gradient = torch.from_numpy(rng.standard_normal((4, 3)).astype(np.float32))
        row_optimizer.step(table, torch.arange(4), gradient)
        if step == 15:  # stop, save, continue
            state = weight_optimizer.arrays()
            weight_optimizer = make_optimizer(optimizer, weight)
            weight_optimizer.restore(state)
        weight_optimizer.step(weight, slice(None), gradient)
    np.testing.assert_allclose(weight.numpy(), table.numpy(), rtol=0, atol=2e-6)
