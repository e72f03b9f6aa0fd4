"""Optimisers for a table of vectors of which a batch uses few rows.

A dense optimiser reads and writes the whole table and its state at every step. These touch only
the rows of the batch.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

_RHO, _EPS = 0.95, 1e-6  # AdaDelta's, of Zeiler (2012)


class RowOptimizer:
    """Updates rows of a table in place; base of the three below.

    Parameters
    ----------
    table : Tensor of shape (n_rows, n_dims)
        Only its shape and device are looked at.
    learning_rate : float

    Attributes
    ----------
    state : dict of str to Tensor
        What the method remembers of each row.
    n_steps : int
    """

    default_rate: ClassVar[float]
    per_unit: ClassVar[tuple[str, ...]] = ("square",)
    per_row: ClassVar[tuple[str, ...]] = ()

    def __init__(self, table: Tensor, learning_rate: float | None = None) -> None:
        self.learning_rate = self.default_rate if learning_rate is None else learning_rate
        self.n_steps = 0
        # NumPy's zeros are paged in when first touched: rows that no batch uses cost no memory.
        self.state: dict[str, Tensor] = {}
        for name in self.per_unit:
            zeros = torch.from_numpy(np.zeros(tuple(table.shape), dtype=np.float32))
            self.state[name] = zeros.to(table.device)
        for name in self.per_row:
            self.state[name] = torch.zeros(len(table), dtype=torch.int64, device=table.device)

    def step(
        self, table: Tensor, rows: Tensor | None, gradient: Tensor, values: Tensor | None = None
    ) -> None:
        """Move ``table[rows]`` against ``gradient``.

        ``rows`` are distinct, None is all; ``values`` are ``table[rows]``, where the caller has
        them.
        """
        self.n_steps += 1
        change = self._change(rows, gradient)
        values = take_rows(table, rows) if values is None else values
        put_rows(table, rows, change.mul_(-self.learning_rate).add_(values))

    def _change(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        raise NotImplementedError

    def _take(self, name: str, rows: Tensor | None) -> Tensor:
        return take_rows(self.state[name], rows)

    def _put(self, name: str, rows: Tensor | None, values: Tensor) -> None:
        put_rows(self.state[name], rows, values)

    def resize(self, n_rows: int) -> None:
        """Make room for rows that were added to the table, as if never used."""
        for name, old in self.state.items():
            if len(old) == n_rows:
                continue
            self.state[name] = torch.cat([old, old.new_zeros(n_rows - len(old), *old.shape[1:])])

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The state as NumPy arrays, sharing memory on the CPU."""
        arrays = {name: tensor.cpu().numpy() for name, tensor in self.state.items()}
        return arrays | {"n_steps": np.array(self.n_steps)}

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Go on from the state that :meth:`arrays` gave."""
        self.n_steps = int(arrays["n_steps"])
        for name, old in self.state.items():
            self.state[name] = torch.from_numpy(np.array(arrays[name])).to(old.device)


def take_rows(table: Tensor, rows: Tensor | None) -> Tensor:
    """A copy of ``table[rows]``, or of all of it."""
    return table.clone() if rows is None else table.index_select(0, rows)


def put_rows(table: Tensor, rows: Tensor | None, values: Tensor) -> None:
    """``table[rows] = values``; on the CPU by NumPy, which takes less than half the time."""
    if rows is None:
        table.copy_(values)
    elif table.device.type == "cpu":
        table.numpy()[rows.numpy()] = values.numpy()
    else:
        table.index_copy_(0, rows, values)


class AdaDelta(RowOptimizer):
    """AdaDelta (Zeiler 2012), lazy and exact.

    The two running averages of a row that gets no gradient only decay, and the row does not
    move. So the decay of the steps that a row was left out is made up for when it is next used:
    the result is that of the dense optimiser. Zeiler's method has no learning rate; 1.0 is his.
    """

    default_rate = 1.0
    per_unit = ("square", "moved")
    per_row = ("last",)

    def _change(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        steps = self.n_steps - self._take("last", rows)  # 1 for a row of the batch before
        self._put("last", rows, steps.new_full(steps.shape, self.n_steps))
        decay = (_RHO ** steps.to(gradient.dtype)).unsqueeze(1)
        square, moved = self._take("square", rows), self._take("moved", rows)
        square.mul_(decay).addcmul_(gradient, gradient, value=1 - _RHO)
        moved.mul_(decay)
        change = moved.add(_RHO * _EPS).div_((square + _EPS).mul_(_RHO)).sqrt_().mul_(gradient)
        moved.addcmul_(change, change, value=1 - _RHO)
        self._put("square", rows, square)
        self._put("moved", rows, moved)
        return change


class AdaGrad(RowOptimizer):
    """AdaGrad (Duchi and others 2011); lazy and exact by itself."""

    default_rate = 0.05

    def _change(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        square = self._take("square", rows).addcmul_(gradient, gradient)
        self._put("square", rows, square)
        return gradient / square.sqrt_().add_(1e-10)


class Adam(RowOptimizer):
    """Adam (Kingma and Ba 2015), lazy: rows that a batch leaves out do not move.

    Moments decay, and bias is corrected, by the number of batches that used the row, as
    ``torch.optim.SparseAdam`` does up to the count of steps.
    """

    default_rate = 1e-3
    per_unit = ("mean", "square")
    per_row = ("used",)

    def _change(self, rows: Tensor | None, gradient: Tensor) -> Tensor:
        first, second = 0.9, 0.999
        used = self._take("used", rows) + 1
        self._put("used", rows, used)
        count = used.to(gradient.dtype).unsqueeze(1)
        mean = self._take("mean", rows).mul_(first).add_(gradient, alpha=1 - first)
        square = self._take("square", rows).mul_(second)
        square.addcmul_(gradient, gradient, value=1 - second)
        self._put("mean", rows, mean)
        self._put("square", rows, square)
        scale = square.div_(1 - second**count).sqrt_().add_(1e-8)
        return mean.div_(1 - first**count).div_(scale)


_OPTIMIZERS: dict[str, type[RowOptimizer]] = {
    "adadelta": AdaDelta,
    "adagrad": AdaGrad,
    "adam": Adam,
}


def make_optimizer(name: str, table: Tensor, learning_rate: float | None) -> RowOptimizer:
    """The optimiser called ``name``, with its own learning rate where none is given."""
    return _OPTIMIZERS[name](table, learning_rate)


class WeightOptimizer:
    """The same three methods for the weights of a network, of which every batch uses all.

    Torch's own would do; but the first of them that is made imports its compiler, a second's wait.
    """

    def __init__(
        self, name: str, weights: Iterable[nn.Parameter], learning_rate: float | None
    ) -> None:
        # Views: a step moves the weights themselves.
        self._tables = [weight.detach().view(len(weight), -1) for weight in weights]
        self._optimizers = [make_optimizer(name, table, learning_rate) for table in self._tables]

    def step(self, gradients: Iterable[Tensor]) -> None:
        """Move the weights against ``gradients``."""
        parts = zip(self._optimizers, self._tables, gradients, strict=True)
        for optimizer, table, gradient in parts:
            optimizer.step(table, None, gradient.reshape(table.shape))

    def arrays(self) -> dict[str, NDArray[np.generic]]:
        """The state as NumPy arrays, named ``<number of the weight>.<name>``."""
        return {
            f"{number}.{name}": array
            for number, optimizer in enumerate(self._optimizers)
            for name, array in optimizer.arrays().items()
        }

    def restore(self, arrays: dict[str, NDArray[np.generic]]) -> None:
        """Go on from the state that :meth:`arrays` gave."""
        for number, optimizer in enumerate(self._optimizers):
            start = f"{number}."
            mine = {k.removeprefix(start): a for k, a in arrays.items() if k.startswith(start)}
            optimizer.restore(mine)
