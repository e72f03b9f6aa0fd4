"""Products of sparse rows: the best ones of each row, and those of pairs."""

from __future__ import annotations

from typing import Any

import numpy as np
from sparse_dot_topn import sp_matmul_topn

from skpara._core import text_kernels
from skpara._typing import Floats
from skpara.matching._search import Rows, best_of_each_row, slices

# If more indexed texts than this have n-grams (words) of a text, counted for each, only its rarest
# ones propose candidates:
_ALL_READ = 2**18
# as many of them as so many texts have.
_MOST_READ = 2**16
# All of them rank the proposed ones, of which there are so many more than are returned.
_MORE = 300
_TEXTS_PER_BLOCK = 128  # 50 MB of weights of candidates


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
    order = np.lexsort([counts, rows_of])
    counts = counts[order]
    read = np.cumsum(counts, dtype=np.int64)
    read -= (read - counts)[weights.indptr[rows_of]]
    rare, n_read = weights.copy(), np.bincount(rows_of, counts, len(sizes))
    rare.data[order[(read > counts) & (read > _MOST_READ) & (n_read[rows_of] > _ALL_READ)]] = 0
    rare.eliminate_zeros()
    is_cut = np.diff(rare.indptr) < sizes
    found = [np.empty(0, dtype=np.int64)]
    for cut in (False, True):
        for rows in slices(np.flatnonzero(is_cut == cut), _TEXTS_PER_BLOCK):
            best = sp_matmul_topn(rare[rows], inverted, k + cut * _MORE).tocoo()
            i, j = rows[best.row], best.col.astype(np.int64)
            if cut:
                chosen = best_of_each_row(i, j, products(weights, indexed, i, j), k)
                i, j = i[chosen], j[chosen]
            found.append(i * inverted.shape[1] + j)
    return np.concatenate(found)


def products(left: Any, right: Any, rows: Rows, columns: Rows) -> Floats:
    """Return the products of pairs of a row of ``left`` and one of ``right``.

    The matrices have the indices of each row in order, each once, and values of single precision.
    """
    result = np.empty(len(rows))
    text_kernels.row_products(
        left.indptr.astype(np.int32, copy=False),
        left.indices.astype(np.int32, copy=False),
        left.data,
        right.indptr.astype(np.int32, copy=False),
        right.indices.astype(np.int32, copy=False),
        right.data,
        right.shape[1],
        np.ascontiguousarray(rows),
        np.ascontiguousarray(columns),
        result,
    )
    return result
