"""Lazy optimisers against torch's dense ones."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning._optimizers import WeightOptimizer, make_optimizer


def runs(name, learning_rate, dense, *, n_steps=80, every_row):
    """The table after the same random gradients, lazily and densely."""
    rng = np.random.default_rng(0)
    start = torch.from_numpy(rng.standard_normal((30, 4)).astype(np.float32))
    table, reference = start.clone(), torch.nn.Parameter(start.clone())
    lazy = make_optimizer(name, table, learning_rate)
    other = dense([reference])
    for _ in range(n_steps):
        n_rows = 30 if every_row else 5
        rows = torch.from_numpy(rng.choice(30, size=n_rows, replace=False))
        gradient = torch.from_numpy(rng.standard_normal((n_rows, 4)).astype(np.float32))
        lazy.step(table, rows, gradient)
        reference.grad = torch.zeros_like(reference)
        reference.grad[rows] = gradient
        other.step()
    return table.numpy(), reference.detach().numpy()


def adadelta(parameters):
    return torch.optim.Adadelta(parameters, lr=1.0, rho=0.95, eps=1e-6)


def adagrad(parameters):
    return torch.optim.Adagrad(parameters, lr=0.05)


def adam(parameters):
    return torch.optim.Adam(parameters, lr=1e-3)


@pytest.mark.parametrize("every_row", [True, False])
@pytest.mark.parametrize(("name", "dense"), [("adadelta", adadelta), ("adagrad", adagrad)])
def test_rows_left_out_make_no_difference(name, dense, every_row):
    lazy, reference = runs(name, None, dense, every_row=every_row)
    np.testing.assert_allclose(lazy, reference, rtol=0, atol=2e-6)


def test_adam_is_adam_where_every_row_is_used():
    lazy, reference = runs("adam", None, adam, every_row=True)
    np.testing.assert_allclose(lazy, reference, rtol=0, atol=2e-6)


@pytest.mark.parametrize("name", ["adadelta", "adagrad", "adam"])
def test_only_the_rows_given_move(name):
    table = torch.ones(6, 3)
    make_optimizer(name, table, None).step(table, torch.tensor([1, 4]), torch.ones(2, 3))
    assert (table != 1).any(dim=1).tolist() == [False, True, False, False, True, False]


@pytest.mark.parametrize("name", ["adadelta", "adagrad", "adam"])
def test_learning_rate_scales_the_first_step(name):
    moved = []
    for rate in (0.1, 0.2):
        table = torch.zeros(1, 3)
        make_optimizer(name, table, rate).step(table, torch.tensor([0]), torch.ones(1, 3))
        moved.append(table.numpy())
    np.testing.assert_allclose(moved[1], 2 * moved[0], rtol=1e-6)


@pytest.mark.parametrize("name", ["adadelta", "adagrad", "adam"])
def test_restored_state_goes_on_as_if_never_stopped_and_makes_room(name):
    rng = np.random.default_rng(0)
    steps = [
        (torch.from_numpy(rng.choice(6, size=3, replace=False)), torch.randn(3, 2, generator=g))
        for g in [torch.Generator().manual_seed(0)]
        for _ in range(8)
    ]
    through, halves = torch.ones(6, 2), torch.ones(6, 2)
    one = make_optimizer(name, through, None)
    for rows, gradient in steps:
        one.step(through, rows, gradient)
    first = make_optimizer(name, halves, None)
    for rows, gradient in steps[:4]:
        first.step(halves, rows, gradient)
    kept = {name: array.copy() for name, array in first.arrays().items()}
    halves = torch.cat([halves, torch.ones(2, 2)])
    second = make_optimizer(name, halves, None)
    second.restore(kept)
    second.resize(8)
    for rows, gradient in steps[4:]:
        second.step(halves, rows, gradient)
    np.testing.assert_array_equal(halves[:6].numpy(), through.numpy())
    second.step(halves, torch.tensor([7]), torch.ones(1, 2))
    assert (halves[7] < 1).all()


@pytest.mark.parametrize("name", ["adadelta", "adagrad", "adam"])
def test_weights_move_as_rows_that_are_all_used(name):
    rng = np.random.default_rng(0)
    start = torch.from_numpy(rng.standard_normal((4, 3)).astype(np.float32))
    table, weight = start.clone(), torch.nn.Parameter(start.clone())
    rows, weights = make_optimizer(name, table, None), WeightOptimizer(name, [weight], None)
    for step in range(30):
        gradient = torch.from_numpy(rng.standard_normal((4, 3)).astype(np.float32))
        rows.step(table, torch.arange(4), gradient)
        if step == 15:  # stopped, saved, gone on
            kept = weights.arrays()
            weights = WeightOptimizer(name, [weight], None)
            weights.restore(kept)
        weights.step([gradient])
    np.testing.assert_allclose(weight.detach().numpy(), table.numpy(), rtol=0, atol=2e-6)


def test_a_network_without_weights_needs_no_optimizer():
    optimizer = WeightOptimizer("adam", [], None)
    optimizer.step([])
    optimizer.restore(optimizer.arrays())
    assert optimizer.arrays() == {}
