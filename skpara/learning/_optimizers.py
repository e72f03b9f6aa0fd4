"""Optimizers for a table of vectors, when a batch uses few rows.

A dense optimizer reads and writes the whole table and its state at every step. These touch only
the rows of the batch. The weights of a network are tables of which every batch uses all rows:
``torch.optim`` would do as well for them, but its first import loads the compiler, which takes one
more second before training starts.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Vectors
from skpara.learning._arrays import Array, append_rows, read_rows, row_blocks, to_numpy
from skpara.learning._parameters import AdaDelta, AdaGrad, Adam, Optimizer

OptimizerState = dict[str, NDArray[np.generic]]


class SparseOptimizer:
    """Base of the optimizers: updates rows of a table in place.

    Tables and gradients are NumPy arrays or tensors, see ``skpara.learning._arrays``.
    """

    per_element: tuple[str, ...] = ("square",)
    per_row: tuple[str, ...] = ()

    def __init__(self, table: Array, learning_rate: float) -> None:
        self.learning_rate = learning_rate
        self.n_steps = 0
        # Counts of steps are floats too, which are exact up to 16 million.
        shapes = {name: tuple(table.shape) for name in self.per_element}
        shapes |= {name: (len(table),) for name in self.per_row}
        self.state = {name: _like(table, np.zeros(s, np.float32)) for name, s in shapes.items()}

    def step(self, table: Array, rows: Array, gradient: Array) -> None:
        """Move ``table[rows]`` against ``gradient``; ``rows`` are distinct numbers, or a slice."""
        self.n_steps += 1
        if isinstance(rows, slice):
            self._move(table, rows, gradient)
            return
        for block in row_blocks(rows):
            self._move(table, rows[block], gradient[block])

    def _move(self, table: Array, rows: Array, gradient: Array) -> None:
        update = self._update(rows, gradient)
        update *= -self.learning_rate
        update += read_rows(table, rows)
        table[rows] = update

    def _update(self, rows: Array, gradient: Array) -> Array:
        """Return a new array with the step of a learning rate of 1."""
        raise NotImplementedError

    def _read(self, name: str, rows: Array) -> Array:
        return read_rows(self.state[name], rows)

    def resize(self, n_rows: int) -> None:
        """Add state for rows that were added to the table, as if never used."""
        for name, old in self.state.items():
            zeros = np.zeros((n_rows - len(old), *old.shape[1:]), dtype=np.float32)
            self.state[name] = append_rows(old, zeros)

    def arrays(self) -> OptimizerState:
        """Return the state as NumPy arrays, which share memory on the CPU."""
        arrays = {name: to_numpy(values) for name, values in self.state.items()}
        return arrays | {"n_steps": np.array(self.n_steps)}

    def restore(self, arrays: OptimizerState) -> None:
        """Continue from the state that :meth:`arrays` returned."""
        self.n_steps = int(arrays["n_steps"])
        for name, old in self.state.items():
            self.state[name] = _like(old, np.array(arrays[name], dtype=np.float32))


def _like(table: Array, values: Vectors) -> Array:
    """Return the values as the table is: an array, or a tensor on its device."""
    if isinstance(table, np.ndarray):
        return values
    import torch

    return torch.from_numpy(values).to(table.device)


class SparseAdaDelta(SparseOptimizer):
    """AdaDelta, lazy and exact.

    The running averages of a row without a gradient only decay, and the row does not move. So the
    decay of the steps that left the row out is applied when the row is next used: the result
    equals the dense optimizer's.
    """

    per_element = ("square", "update")
    per_row = ("last_step",)
    # Of Zeiler (2012).
    _rho = 0.95
    _epsilon = 1e-6

    def _update(self, rows: Array, gradient: Array) -> Array:
        rho = self._rho
        epsilon = self._epsilon
        n_steps = self.n_steps - self._read("last_step", rows)  # 1 for a row of the last batch
        self.state["last_step"][rows] = float(self.n_steps)
        decay = (rho**n_steps)[:, None]
        square = self._read("square", rows)
        squared_update = self._read("update", rows)
        square *= decay
        square += (1 - rho) * gradient * gradient
        squared_update *= decay
        # The averages are decayed already, the update is defined by the ones before: both sides
        # of the ratio are multiplied by rho instead of dividing the first by it.
        update = (squared_update + rho * epsilon) / ((square + epsilon) * rho)
        update **= 0.5
        update *= gradient
        squared_update += (1 - rho) * update * update
        self.state["square"][rows] = square
        self.state["update"][rows] = squared_update
        return update


class SparseAdaGrad(SparseOptimizer):
    """AdaGrad; being lazy changes nothing, since its sums never decay."""

    _epsilon = 1e-10  # torch's default

    def _update(self, rows: Array, gradient: Array) -> Array:
        square = self._read("square", rows)
        square += gradient * gradient
        self.state["square"][rows] = square
        root = square**0.5
        root += self._epsilon
        return gradient / root


class SparseAdam(SparseOptimizer):
    """Adam, lazy: rows that a batch leaves out do not move.

    Moments decay, and bias is corrected, by the number of batches that used the row;
    ``torch.optim.SparseAdam`` counts all steps instead.
    """

    per_element = ("mean", "square")
    per_row = ("n_used",)
    # Of Kingma and Ba (2015).
    _beta_1 = 0.9
    _beta_2 = 0.999
    _epsilon = 1e-8

    def _update(self, rows: Array, gradient: Array) -> Array:
        beta_1 = self._beta_1
        beta_2 = self._beta_2
        n_used = self._read("n_used", rows) + 1
        self.state["n_used"][rows] = n_used
        count = n_used[:, None]
        mean = self._read("mean", rows)
        square = self._read("square", rows)
        mean *= beta_1
        mean += (1 - beta_1) * gradient
        square *= beta_2
        square += (1 - beta_2) * gradient * gradient
        self.state["mean"][rows] = mean
        self.state["square"][rows] = square
        scale = (square / (1 - beta_2**count)) ** 0.5
        scale += self._epsilon
        return mean / (1 - beta_1**count) / scale


_IMPLEMENTATIONS: dict[type[Optimizer], type[SparseOptimizer]] = {
    AdaDelta: SparseAdaDelta,
    AdaGrad: SparseAdaGrad,
    Adam: SparseAdam,
}


def make_optimizer(optimizer: Optimizer, table: Array) -> SparseOptimizer:
    """Make the implementation of an optimizer for a table."""
    implementation = next(
        sparse for kind, sparse in _IMPLEMENTATIONS.items() if isinstance(optimizer, kind)
    )
    return implementation(table, optimizer.learning_rate)
