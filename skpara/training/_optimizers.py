"""Optimisers for a table of vectors of which a batch uses few rows.

A dense optimiser reads and writes the whole table and its state at every step. These touch only
the rows of the batch.
"""

from __future__ import annotations

from typing import Protocol

import torch
from torch import Tensor


class RowOptimizer(Protocol):
    """Updates rows of a table in place."""

    def step(self, table: Tensor, rows: Tensor, gradient: Tensor) -> None:
        """Move ``table[rows]`` against ``gradient``; ``rows`` are distinct."""


class AdaDelta:
    """AdaDelta (Zeiler 2012), lazy and exact.

    The two running averages of a row that gets no gradient only decay, and the row does not
    move. So the decay of the steps that a row was left out is made up for when it is next used:
    the result is that of the dense optimiser.

    Parameters
    ----------
    table : Tensor of shape (n_rows, n_dims)
    learning_rate : float
        Zeiler's method has none; 1.0 is his.
    rho : float
        Decay of the running averages.
    eps : float
    """

    def __init__(
        self, table: Tensor, learning_rate: float = 1.0, rho: float = 0.95, eps: float = 1e-6
    ) -> None:
        self.learning_rate, self.rho, self.eps = learning_rate, rho, eps
        self.square, self.moved = torch.zeros_like(table), torch.zeros_like(table)
        self.last = torch.zeros(len(table), dtype=torch.long, device=table.device)
        self.n_steps = 0

    def step(self, table: Tensor, rows: Tensor, gradient: Tensor) -> None:
        """Move ``table[rows]``."""
        self.n_steps += 1
        skipped = (self.n_steps - 1 - self.last[rows]).to(table.dtype)
        decay = (self.rho ** (skipped + 1)).unsqueeze(1)
        self.last[rows] = self.n_steps
        square = self.square[rows].mul_(decay).addcmul_(gradient, gradient, value=1 - self.rho)
        moved = self.moved[rows].mul_(self.rho ** skipped.unsqueeze(1))
        change = (moved + self.eps).sqrt_().div_((square + self.eps).sqrt_()).mul_(gradient)
        moved.mul_(self.rho).addcmul_(change, change, value=1 - self.rho)
        self.square[rows], self.moved[rows] = square, moved
        table.index_add_(0, rows, change, alpha=-self.learning_rate)


class AdaGrad:
    """AdaGrad (Duchi and others 2011); lazy and exact by itself."""

    def __init__(self, table: Tensor, learning_rate: float = 0.05, eps: float = 1e-10) -> None:
        self.learning_rate, self.eps = learning_rate, eps
        self.square = torch.zeros_like(table)

    def step(self, table: Tensor, rows: Tensor, gradient: Tensor) -> None:
        """Move ``table[rows]``."""
        square = self.square[rows].addcmul_(gradient, gradient)
        self.square[rows] = square
        change = gradient / (square.sqrt_() + self.eps)
        table.index_add_(0, rows, change, alpha=-self.learning_rate)


class Adam:
    """Adam (Kingma and Ba 2015), lazy: rows that a batch leaves out do not move.

    Moments decay, and bias is corrected, by the number of batches that used the row, as
    ``torch.optim.SparseAdam`` does up to the count of steps.
    """

    def __init__(
        self,
        table: Tensor,
        learning_rate: float = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
    ) -> None:
        self.learning_rate, self.betas, self.eps = learning_rate, betas, eps
        self.mean, self.square = torch.zeros_like(table), torch.zeros_like(table)
        self.used = torch.zeros(len(table), dtype=torch.long, device=table.device)

    def step(self, table: Tensor, rows: Tensor, gradient: Tensor) -> None:
        """Move ``table[rows]``."""
        first, second = self.betas
        self.used[rows] += 1
        used = self.used[rows].to(table.dtype).unsqueeze(1)
        mean = self.mean[rows].mul_(first).add_(gradient, alpha=1 - first)
        square = self.square[rows].mul_(second).addcmul_(gradient, gradient, value=1 - second)
        self.mean[rows], self.square[rows] = mean, square
        scale = (square / (1 - second**used)).sqrt_().add_(self.eps)
        change = mean / (1 - first**used) / scale
        table.index_add_(0, rows, change, alpha=-self.learning_rate)


_OPTIMIZERS = {"adadelta": AdaDelta, "adagrad": AdaGrad, "adam": Adam}


def make_optimizer(name: str, table: Tensor, learning_rate: float | None) -> RowOptimizer:
    """The optimiser called ``name``, with its own learning rate where none is given."""
    kind = _OPTIMIZERS[name]
    optimizer: RowOptimizer = (
        kind(table) if learning_rate is None else kind(table, learning_rate=learning_rate)
    )
    return optimizer
