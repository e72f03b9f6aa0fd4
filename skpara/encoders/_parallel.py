"""Work spread over blocks of sentences, by several workers where that pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

BLOCK = 2048  # rows, whose intermediate arrays fit in the cache


def in_blocks(
    work: Callable[..., NDArray[Any]],
    model: Any,
    columns: Sequence[list[str]],
    *,
    min_rows: int,
    n_jobs: int | None,
    threads: bool = False,
) -> NDArray[Any]:
    """Compute ``work(model, *columns)``, with the same result for any number of workers.

    ``work`` returns one row of numbers for each row of text. ``model`` is an argument of its own,
    so that the ``scatter`` of joblib's Dask backend finds it and sends it to each worker once.
    ``min_rows`` are worth starting a worker, which is a process unless ``threads`` is true.
    """
    n_rows = len(columns[0])
    n_runs = n_rows // min_rows
    if n_runs > 1:  # effective_n_jobs may send a message to a cluster
        n_runs = min(n_runs, effective_n_jobs(n_jobs))
    if n_runs < 2:
        return _run(work, model, columns)
    # Blocks have the same borders for any number of workers, and so the same rounding.
    n_blocks = -(-n_rows // BLOCK)
    borders = BLOCK * np.linspace(0, n_blocks, n_runs + 1).astype(int)
    runs = [[column[a:b] for column in columns] for a, b in pairwise(borders.tolist())]
    workers = Parallel(n_jobs=n_runs, require="sharedmem" if threads else None)
    return np.concatenate(workers(delayed(_run)(work, model, run) for run in runs))


def _run(
    work: Callable[..., NDArray[Any]], model: Any, columns: Sequence[list[str]]
) -> NDArray[Any]:
    """Compute blocks one after the other."""
    starts = range(0, max(len(columns[0]), 1), BLOCK)
    return np.concatenate([work(model, *(c[i : i + BLOCK] for c in columns)) for i in starts])
