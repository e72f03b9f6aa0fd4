"""Work on many sentences: block by block, by several workers where that pays."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from joblib import Parallel, delayed, effective_n_jobs
from numpy.typing import NDArray

_BLOCK = 2048  # rows; what is made of them on the way stays in the cache


def in_blocks(
    work: Callable[..., NDArray[Any]],
    model: Any,
    columns: Sequence[list[str]],
    *,
    least: int | None,
    n_jobs: int | None,
) -> NDArray[Any]:
    """Rows that ``work(model, *columns)`` makes, the same for any number of workers.

    Parameters
    ----------
    work : function of a module
        From the model and a block of each column to one row of numbers for each row of text.
    model : picklable object
        Sent to each worker once. It is an argument of its own, so that the ``scatter`` of
        joblib's Dask backend finds it.
    columns : sequence of lists of str, all of one length
    least : int or None
        Rows that are worth a worker; with None all work is done here.
    n_jobs : int or None
        As joblib has it.

    Returns
    -------
    ndarray of shape (n_rows, ...)
    """
    n_rows = len(columns[0])
    n_runs = 1 if least is None else n_rows // least
    if n_runs > 1:  # asking how many workers there are may take a message to a cluster
        n_runs = min(n_runs, effective_n_jobs(n_jobs))
    if n_runs < 2:
        return _run(work, model, columns)
    # Blocks are the same whoever works on them: their rounding, too, is.
    n_blocks = -(-n_rows // _BLOCK)
    borders = _BLOCK * np.linspace(0, n_blocks, n_runs + 1).astype(int)
    runs = [[column[a:b] for column in columns] for a, b in pairwise(borders.tolist())]
    return np.concatenate(Parallel(n_jobs=n_jobs)(delayed(_run)(work, model, run) for run in runs))


def _run(
    work: Callable[..., NDArray[Any]], model: Any, columns: Sequence[list[str]]
) -> NDArray[Any]:
    """Blocks one after the other."""
    first = work(model, *(column[:_BLOCK] for column in columns))
    n_rows = len(columns[0])
    if n_rows <= _BLOCK:
        return first
    rows = np.empty((n_rows, *first.shape[1:]), dtype=first.dtype)
    rows[:_BLOCK] = first
    for start in range(_BLOCK, n_rows, _BLOCK):
        block = slice(start, start + _BLOCK)
        rows[block] = work(model, *(column[block] for column in columns))
    return rows
