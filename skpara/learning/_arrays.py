"""Rows of a table that is a NumPy array on the CPU, and a tensor on another device.

On the CPU most of training is NumPy's: it needs no torch where the network is the average, and
NumPy writes rows of a table in less than half the time that torch takes. Both kinds of arrays have
the same operators, so that optimizers and decay are written once.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

# An ndarray or a tensor. A union would need a cast at nearly every operator.
Array = Any
_BLOCK = 64  # rows: 64 kB at 256 dimensions, so that a few arrays of them stay in the cache


def read_rows(table: Array, rows: Array) -> Array:
    """Return ``table[rows]``; a slice gives a view."""
    if isinstance(rows, slice):
        return table[rows]
    if isinstance(table, np.ndarray):
        return table.take(rows, axis=0)
    if isinstance(rows, np.ndarray):
        import torch

        rows = torch.from_numpy(rows).to(table.device)
    return table.index_select(0, rows)


def row_blocks(rows: Array) -> Iterator[slice]:
    """Yield slices that cover ``rows``, of a size at which NumPy is fast.

    Temporary arrays of a whole batch, a megabyte each, come from the system anew at every step:
    clearing their pages takes longer than the arithmetic.
    """
    if not isinstance(rows, np.ndarray):
        yield slice(None)
        return
    for start in range(0, len(rows), _BLOCK):
        yield slice(start, start + _BLOCK)


def append_rows(table: Array, rows: np.ndarray) -> Array:
    """Return the table with more rows."""
    if isinstance(table, np.ndarray):
        return np.concatenate([table, rows])
    import torch

    return torch.cat([table, torch.from_numpy(rows).to(table.device)])


def to_numpy(array: Array) -> np.ndarray:
    """Return an ndarray; it shares memory with a tensor on the CPU."""
    return array if isinstance(array, np.ndarray) else array.detach().cpu().numpy()


def squared_norm(array: Array) -> Any:
    """Return the sum of squares, a float; of a tensor on a GPU a tensor, not waited for."""
    flat = array.reshape(-1)
    total = flat @ flat
    is_array = isinstance(array, np.ndarray) or array.device.type == "cpu"
    return float(total) if is_array else total
