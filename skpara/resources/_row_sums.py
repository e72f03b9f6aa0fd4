"""Weighted sums and means of the rows of a table, and of a few more rows for unknown words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._compiled import compiled
from skpara._typing import Oov, Vectors
from skpara.text import TokenIds

if TYPE_CHECKING:
    from skpara.resources import WordVectors

_native = compiled("skpara._native")


def row_means(
    vectors: WordVectors,
    sentences: list[str],
    oov: Oov,
    means: Vectors,
    *,
    distinct_words: bool,
    start: int = 0,
    stop: int | None = None,
) -> None:
    """Compute the means of the rows of the words of each sentence.

    With ``distinct_words``, a row counts once in each sentence. ``start`` and ``stop`` select
    sentences and their means.
    """
    stop = len(sentences) if stop is None else min(stop, len(sentences))
    while start < stop:
        unknown = vectors.unknown_words(oov)
        ids, offsets = vectors.vocabulary.read_chunk(sentences, start, stop, unknown.ids)
        if oov != "subword":  # they have the same vector, which counts once
            ids = np.minimum(ids, len(vectors))
        end = start + len(offsets) - 1
        if end == start:
            raise RuntimeError("The list of sentences became shorter while it was encoded.")
        extra, distinct = unknown.rows(), distinct_words
        row_sums(vectors, ids, offsets, means[start:end], extra=extra, distinct=distinct)
        start = end


def row_sums(
    vectors: WordVectors,
    ids: NDArray[np.int32],
    offsets: NDArray[np.int64],
    sums: Vectors,
    *,
    weights: Vectors | None = None,
    extra: Vectors | None = None,
    distinct: bool = False,
) -> None:
    """Compute the sums of the rows ``ids[offsets[i]:offsets[i + 1]]``; means without weights.

    The rows of ``extra`` have the ids behind those of the table. Each sum is computed on its own
    and in order, so it does not depend on the others, unlike that of a dense matrix kernel.
    """
    if _native is None and distinct:
        ids, offsets, _ = TokenIds(ids, offsets, []).distinct()
    if weights is None and (_native is None or not distinct):
        lengths = np.diff(offsets)
        weights = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
    if _native is not None:
        # Eight-bit and moved rows are read where they are: no float32 table is made of them.
        table, scales, moved, rows = vectors.layers
        if rows is not None:
            n_more = len(table) + len(moved) - len(vectors)
            ids = np.where(ids < len(vectors), rows.take(ids, mode="clip"), ids + n_more)
        arrays = ids, offsets, weights, table, scales, moved, extra
        _native.row_sums(sums, vectors.n_dims, *arrays)
        return
    assert weights is not None
    if extra is None:
        sums[:] = _product(vectors.matrix, ids, offsets, weights)
        return
    # The known and the unknown words of a sentence are in two tables; joining these would copy the
    # large one.
    known = ids < len(vectors)
    sums[:] = _product(vectors.matrix, *_select(known, ids, offsets, weights))
    sums += _product(extra, *_select(~known, ids - len(vectors), offsets, weights))


def _select(
    mask: NDArray[np.bool_], ids: NDArray[Any], offsets: NDArray[Any], weights: NDArray[Any]
) -> tuple[NDArray[Any], ...]:
    return ids[mask], np.append(0, np.cumsum(mask))[offsets], weights[mask]


def _product(
    table: Vectors, ids: NDArray[Any], offsets: NDArray[Any], weights: NDArray[Any]
) -> Vectors:
    csr = sparse.csr_matrix((weights, ids, offsets), shape=(len(offsets) - 1, len(table)))
    product: Vectors = csr @ table
    return product
