"""The rows of a table that a batch uses."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor


class Anchor(NamedTuple):
    """Where decay pulls the rows of a table: one table after another, without joining them."""

    tables: tuple[NDArray[np.float32], ...]

    def take(self, rows: NDArray[np.int64]) -> NDArray[np.float32]:
        """The anchors of ``rows``."""
        if len(self.tables) == 1:
            return self.tables[0][rows]
        found = np.empty((len(rows), self.tables[0].shape[1]), dtype=np.float32)
        first = 0
        for table in self.tables:
            here = np.flatnonzero((rows >= first) & (rows < first + len(table)))
            found[here] = table[rows[here] - first]
            first += len(table)
        return found

    def then(self, table: NDArray[np.float32]) -> Anchor:
        """With the anchors of rows that were added."""
        return Anchor((*self.tables, table))


class Distinct:
    """Distinct values of an array of small integers, without sorting it."""

    def __init__(self, n_values: int) -> None:
        self._place = np.empty(n_values, dtype=np.int64)

    def __call__(self, ids: NDArray[np.integer]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """The distinct ids, and for each id its place among them."""
        n_ids = len(ids)
        positions = np.arange(n_ids)
        self._place[ids] = positions
        rows = ids[self._place[ids] == positions].astype(np.int64)  # the last of its kind
        self._place[rows] = positions[: len(rows)]
        return rows, self._place[ids]


def tensors(device: str, *arrays: NDArray[np.generic]) -> tuple[Tensor, ...]:
    """The arrays on ``device``."""
    return tuple(torch.from_numpy(np.ascontiguousarray(array)).to(device) for array in arrays)
