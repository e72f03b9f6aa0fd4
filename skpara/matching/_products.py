"""Products of sparse rows: the best ones of each row, and those of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np

from skpara._core import text_kernels
from skpara._typing import Floats
from skpara.matching._model import place_in_run
from skpara.matching._search import Rows, best_of_each_row, kth_largest, slices

# If the n-grams (words) of a text occur in more texts than this, counted for each, only its rarest
# ones propose candidates.
_ALL_READ = 2**16
# As many of the rarest as occur in no more texts than this together.
_MOST_READ = 2**15
# All n-grams then rank the proposed candidates, this many more than are returned.
_MORE = 300
_TEXTS_PER_BLOCK = 4096  # 30 MB of candidates


def best_products(
    weights: Any, indexed: Any, inverted: Any, k: int, n_with: Rows | None = None
) -> Rows:
    """Return the k largest products of each row of weights, as row * n_columns + column.

    Of a row with frequent n-grams (words), these are the k largest of its candidates. ``n_with``
    is how many texts have each; None is of those that are indexed.
    """
    n_with = np.diff(inverted.indptr) if n_with is None else n_with
    counts, sizes = n_with[weights.indices], np.diff(weights.indptr)
    rows_of = np.repeat(np.arange(len(sizes)), sizes)
    is_long = np.bincount(rows_of, counts, len(sizes)) > _ALL_READ
    short = np.flatnonzero(~is_long)
    found = [_largest(weights[short] if is_long.any() else weights, inverted, short, k)]
    for rows in slices(np.flatnonzero(is_long), _TEXTS_PER_BLOCK):
        whole = weights[rows]
        counts, rows_of = n_with[whole.indices], np.repeat(np.arange(len(rows)), sizes[rows])
        order = np.lexsort([counts, rows_of])
        counts = counts[order]
        read = np.cumsum(counts, dtype=np.int64)
        read -= (read - counts)[whole.indptr[rows_of]]
        rare = whole.copy()
        rare.data[order[(read > counts) & (read > _MOST_READ)]] = 0
        rare.eliminate_zeros()
        proposed = _largest(rare, inverted, np.arange(len(rows)), k + _MORE)
        i, j = np.divmod(proposed, inverted.shape[1])
        scores = products(whole, indexed, i, j)
        # To sort all candidates would take as long as to find them.
        table = np.full((len(rows), k + _MORE), -np.inf)
        table[i, place_in_run(i)] = scores
        near = np.flatnonzero(scores >= kth_largest(table, k)[i])
        chosen = near[best_of_each_row(i[near], j[near], scores[near], k)]
        found.append(rows[i[chosen]] * inverted.shape[1] + j[chosen])
    return np.concatenate(found)


def _largest(weights: Any, inverted: Any, rows: Rows, k: int) -> Rows:
    """Return the k largest products of all rows of weights, which have these numbers."""
    n = inverted.shape[1]
    best = np.empty((len(rows), max(1, min(k, n))), dtype=np.int64)
    text_kernels.best_products(*_arrays(weights), *_arrays(inverted), n, best.shape[1], best)
    return np.asarray((rows[:, None] * n + best)[best >= 0])


def _arrays(matrix: Any) -> tuple[Any, Any, Any]:
    starts, indices = (x.astype(np.int32, copy=False) for x in (matrix.indptr, matrix.indices))
    return starts, indices, matrix.data


def products(left: Any, right: Any, rows: Rows, columns: Rows) -> Floats:
    """Return the products of pairs of a row of ``left`` and one of ``right``.

    The matrices have the indices of each row in order, each once, and values of single precision.
    """
    result = np.empty(len(rows))
    text_kernels.row_products(
        *_arrays(left),
        *_arrays(right),
        right.shape[1],
        np.ascontiguousarray(rows),
        np.ascontiguousarray(columns),
        result,
    )
    return result
