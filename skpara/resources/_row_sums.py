"""Weighted sums of the rows of a table, and of a few more rows for unknown words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._compiled import compiled
from skpara._typing import Vectors

if TYPE_CHECKING:
    from skpara.resources import WordVectors

_native = compiled("skpara._native")
# Sums a block. The product of a block reuses memory that is in the cache; one as large as the
# result would be paged in afresh.
_BLOCK = 1024


def row_sums(
    vectors: WordVectors,
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    weights: Vectors | None,
    extra: Vectors,
    out: Vectors,
) -> Vectors:
    """Compute the weighted sum of the rows ``ids[offsets[i]:offsets[i + 1]]`` for each i.

    Without weights it is their mean. Ids from ``len(vectors)`` on are rows of ``extra``. Each sum
    is computed by itself and in order, so it does not depend on the others, unlike that of a dense
    matrix kernel.
    """
    if _native is not None:
        # Eight-bit and moved rows are read where they are: no float32 table is made of them.
        table, scales, moved, places = vectors.layers
        _native.row_sums(
            out, ids, offsets, weights, table, scales, moved, places, extra, out.shape[1]
        )
        return out
    if weights is None:
        lengths = np.diff(offsets)
        weights = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    known = ids < len(vectors)
    if known.all():
        return _products(vectors.matrix, ids, offsets, weights, out)
    # The known and the unknown words of a sentence are in two tables; joining these would copy the
    # large one. Few sentences have unknown words, so only their rows are summed a second time.
    known_ids, known_offsets, known_weights = _select(known, ids, offsets, weights)
    _products(vectors.matrix, known_ids, known_offsets, known_weights, out)
    ids, offsets, weights = _select(~known, ids, offsets, weights)
    rows = np.flatnonzero(np.diff(offsets))
    sums = np.empty((len(rows), out.shape[1]), dtype=np.float32)
    offsets = np.append(0, offsets[rows + 1])
    out[rows] += _products(extra, ids - np.int32(len(vectors)), offsets, weights, sums)
    return out


def _select(
    mask: NDArray[np.bool_], ids: NDArray[Any], offsets: NDArray[Any], weights: NDArray[Any]
) -> tuple[NDArray[Any], ...]:
    return ids[mask], np.append(0, np.cumsum(mask))[offsets], weights[mask]


def _products(
    table: Vectors, ids: NDArray[Any], offsets: NDArray[Any], weights: NDArray[Any], out: Vectors
) -> Vectors:
    for start in range(0, len(out), _BLOCK):
        ends = offsets[start : start + _BLOCK + 1]
        words = slice(ends[0], ends[-1])
        csr = (weights[words], ids[words], ends - ends[0])
        block = sparse.csr_matrix(csr, shape=(len(ends) - 1, len(table)))
        out[start : start + _BLOCK] = block @ table
    return out
