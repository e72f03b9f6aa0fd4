"""Optimizers for a table of vectors of which a batch uses few rows.

A dense optimizer reads and writes the whole table and its state at every step. These touch only
the rows of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from skpara.learning._parameters import AdaDelta, AdaGrad, Adam, Optimizer

OptimizerState = dict[str, NDArray[np.generic]]


class SparseOptimizer:
    """Base of the optimizers: updates rows of a table in place."""

    per_element: ClassVar[tuple[str, ...]] = ("square",)
    per_row: ClassVar[tuple[str, ...]] = ()

    def __init__(self, table: Tensor, learning_rate: float) -> None:
        self.learning_rate = learning_rate
        self.n_steps = 0
        # The kernel pages in NumPy's zeros when they are first touched, so rows that no batch uses
        # cost no memory; torch.zeros writes all of them.
        self.state: dict[str, Tensor] = {}
        for name in self.per_element:
            zeros = torch.from_numpy(np.zeros(tuple(table.shape), dtype=np.float32))
            self.state[name] = zeros.to(table.device)
        for name in self.per_row:
            self.state[name] = torch.zeros(len(table), dtype=torch.int64, device=table.device)

    def step(
        self, table: Tensor, rows: Tensor | None, gradient: Tensor, values: Tensor | None = None
    ) -> None:
        """Move ``table[rows]`` against ``gradient``.

        ``rows`` are distinct; None is all of them. ``values`` are ``table[rows]``, where the
        caller has read them already.
        """
        self.n_steps += 1
        update = self._update(rows, gradient)
        values = _read_rows(table, rows) if values is None else values
        _write_rows(table, rows, update.mul_(-self.learning_rate).add_(values))

    def _update(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        raise NotImplementedError

    def _read(self, name: str, rows: Tensor | None) -> Tensor:
        return _read_rows(self.state[name], rows)

    def _write(self, name: str, rows: Tensor | None, values: Tensor) -> None:
        _write_rows(self.state[name], rows, values)

    def resize(self, n_rows: int) -> None:
        """Add state for rows that were added to the table, as if never used."""
        for name, old in self.state.items():
            if len(old) < n_rows:
                added = old.new_zeros(n_rows - len(old), *old.shape[1:])
                self.state[name] = torch.cat([old, added])

    def arrays(self) -> OptimizerState:
        """Return the state as NumPy arrays, which share memory on the CPU."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.state.items()}
        return arrays | {"n_steps": np.array(self.n_steps)}

    def restore(self, arrays: OptimizerState) -> None:
        """Continue from the state that :meth:`arrays` returned."""
        self.n_steps = int(arrays["n_steps"])
        for name, old in self.state.items():
            self.state[name] = torch.from_numpy(np.array(arrays[name])).to(old.device)


def _read_rows(table: Tensor, rows: Tensor | None) -> Tensor:
    return table.clone() if rows is None else table.index_select(0, rows)


def _write_rows(table: Tensor, rows: Tensor | None, values: Tensor) -> None:
    if rows is None:
        table.copy_(values)
    elif table.device.type == "cpu":
        # NumPy takes less than half the time of index_copy_ on the CPU.
        table.numpy()[rows.numpy()] = values.numpy()
    else:
        table.index_copy_(0, rows, values)


class SparseAdaDelta(SparseOptimizer):
    """AdaDelta, lazy and exact.

    The running averages of a row without a gradient only decay, and the row does not move. So the
    decay of the steps that left the row out is applied when the row is next used: the result is
    that of the dense optimizer.
    """

    per_element = ("square", "update")
    per_row = ("last_step",)
    _rho, _epsilon = 0.95, 1e-6  # of Zeiler (2012)

    def _update(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        rho, epsilon = self._rho, self._epsilon
        n_steps = self.n_steps - self._read("last_step", rows)  # 1 for a row of the last batch
        self._write("last_step", rows, n_steps.new_full(n_steps.shape, self.n_steps))
        decay = (rho ** n_steps.to(gradient.dtype)).unsqueeze(1)
        square, squared_update = self._read("square", rows), self._read("update", rows)
        square.mul_(decay).addcmul_(gradient, gradient, value=1 - rho)
        squared_update.mul_(decay)
        # The averages are decayed already, the update is defined by the ones before: both sides
        # of the ratio are multiplied by rho instead of dividing the first by it.
        ratio = squared_update.add(rho * epsilon).div_((square + epsilon).mul_(rho))
        update = ratio.sqrt_().mul_(gradient)
        squared_update.addcmul_(update, update, value=1 - rho)
        self._write("square", rows, square)
        self._write("update", rows, squared_update)
        return update


class SparseAdaGrad(SparseOptimizer):
    """AdaGrad; being lazy changes nothing, since its sums never decay."""

    _epsilon = 1e-10  # torch's default

    def _update(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        square = self._read("square", rows).addcmul_(gradient, gradient)
        self._write("square", rows, square)
        return gradient / square.sqrt_().add_(self._epsilon)


class SparseAdam(SparseOptimizer):
    """Adam, lazy: rows that a batch leaves out do not move.

    Moments decay, and bias is corrected, by the number of batches that used the row;
    ``torch.optim.SparseAdam`` counts all steps instead.
    """

    per_element = ("mean", "square")
    per_row = ("n_used",)
    _beta_1, _beta_2, _epsilon = 0.9, 0.999, 1e-8  # of Kingma and Ba (2015)

    def _update(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        beta_1, beta_2 = self._beta_1, self._beta_2
        n_used = self._read("n_used", rows) + 1
        self._write("n_used", rows, n_used)
        count = n_used.to(gradient.dtype).unsqueeze(1)
        mean = self._read("mean", rows).mul_(beta_1).add_(gradient, alpha=1 - beta_1)
        square = self._read("square", rows).mul_(beta_2)
        square.addcmul_(gradient, gradient, value=1 - beta_2)
        self._write("mean", rows, mean)
        self._write("square", rows, square)
        scale = square.div_(1 - beta_2**count).sqrt_().add_(self._epsilon)
        return mean.div_(1 - beta_1**count).div_(scale)


_IMPLEMENTATIONS: dict[type[Optimizer], type[SparseOptimizer]] = {
    AdaDelta: SparseAdaDelta,
    AdaGrad: SparseAdaGrad,
    Adam: SparseAdam,
}


def make_optimizer(
    optimizer: Optimizer, table: Tensor, learning_rate: float | None
) -> SparseOptimizer:
    """Make what updates a table; a learning rate of None is the optimizer's default."""
    rate = optimizer.default_learning_rate if learning_rate is None else learning_rate
    implementation = next(
        sparse for kind, sparse in _IMPLEMENTATIONS.items() if isinstance(optimizer, kind)
    )
    return implementation(table, rate)


class WeightOptimizer:
    """The same methods for the weights of a network, of which every batch uses all.

    ``torch.optim`` would do as well, but its first import loads the compiler: one more second
    before training starts.
    """

    def __init__(
        self, optimizer: Optimizer, weights: Iterable[nn.Parameter], learning_rate: float | None
    ) -> None:
        # Views: a step moves the weights themselves.
        self._tables = [weight.detach().view(len(weight), -1) for weight in weights]
        self._optimizers = [
            make_optimizer(optimizer, table, learning_rate) for table in self._tables
        ]

    def step(self, gradients: Iterable[Tensor]) -> None:
        """Move the weights against ``gradients``."""
        parts = zip(self._optimizers, self._tables, gradients, strict=True)
        for optimizer, table, gradient in parts:
            optimizer.step(table, None, gradient.reshape(table.shape))

    def arrays(self) -> OptimizerState:
        """Return the state as NumPy arrays, named ``<number of the weight>.<name>``."""
        return {
            f"{number}.{name}": array
            for number, optimizer in enumerate(self._optimizers)
            for name, array in optimizer.arrays().items()
        }

    def restore(self, arrays: OptimizerState) -> None:
        """Continue from the state that :meth:`arrays` returned."""
        for number, optimizer in enumerate(self._optimizers):
            prefix = f"{number}."
            optimizer.restore(
                {
                    name.removeprefix(prefix): array
                    for name, array in arrays.items()
                    if name.startswith(prefix)
                }
            )
