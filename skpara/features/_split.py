"""How pairs are split into batches, and batches between processes."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from skpara._typing import Pairs
from skpara.features._batch import Cell

# Pairs, and characters, of a batch: enough to share the work on words that come again, few enough
# for 100 MB of memory.
_BATCH = 1024
_CHARACTERS = 2_000_000


def split_into_batches(pairs: Pairs) -> list[slice]:
    """Split pairs into batches, which do not depend on the number of processes."""
    size = np.array([[_size(cell) for cell in pair] for pair in pairs], dtype=np.int64)
    ends = np.cumsum(size.reshape(-1, 2).sum(axis=1))
    starts = [0]
    while starts[-1] < len(pairs):
        start = starts[-1]
        before = int(ends[start - 1]) if start else 0
        fit = int(np.searchsorted(ends, before + _CHARACTERS, side="right"))
        starts.append(min(start + _BATCH, max(fit, start + 1), len(pairs)))
    return [slice(start, end) for start, end in pairwise(starts)]


def split_between_processes(batches: list[slice], pairs: Pairs, n_jobs: int) -> list[list[slice]]:
    """Split batches into one run for each process, with about the same amount of text."""
    if n_jobs == 1 and batches:
        return [batches]
    # Runs, because neighbors often come from one source and share words.
    sizes = [sum(_size(cell) for cell in pairs[rows].ravel()) for rows in batches]
    middles = np.cumsum(sizes) - np.array(sizes) / 2
    owners = np.floor(n_jobs * middles / max(1, sum(sizes))).astype(int)
    return [
        [rows for rows, own in zip(batches, owners, strict=True) if own == k]
        for k in np.unique(owners)
    ]


def _size(cell: Cell) -> int:
    return len(cell) if isinstance(cell, str) else sum(len(token) + 1 for token, _ in cell)
