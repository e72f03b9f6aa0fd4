"""Weighted sums and means of the rows of a table, and of a few more rows for unknown words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._compiled import compiled
from skpara._typing import Oov, Vectors

if TYPE_CHECKING:
    from skpara.resources import WordVectors

_native = compiled("skpara._native")
# Sentences a block of the NumPy code, whose arrays stay in the processor's cache.
_BLOCK = 1024
# An id and its weight. The compiled module reads and writes arrays of these.
SHARE = np.dtype([("id", np.int32), ("weight", np.float32)])


def row_sums(
    vectors: WordVectors, shares: NDArray[np.void], offsets: NDArray[np.int64]
) -> Vectors:
    """Compute the sums of the rows in ``shares[offsets[i]:offsets[i + 1]]``, by their weights."""
    sums = np.empty((len(offsets) - 1, vectors.n_dims), dtype=np.float32)
    if _native is not None:
        # Eight-bit and moved rows are read where they are: no float32 table is made of them.
        _native.row_sums(shares, offsets, sums, *vectors.layers, vectors.n_dims)
        return sums
    return _products(vectors.matrix, shares["id"], offsets, shares["weight"], sums)


def row_means(
    vectors: WordVectors,
    sentences: tuple[str, ...],
    start: int,
    oov: Oov,
    means: Vectors,
    distinct_words: bool,
) -> None:
    """Compute the means of the rows of the words of each sentence from ``start`` on.

    With ``distinct_words``, a row counts once in each sentence. Each sum is computed by itself and
    in order, so it does not depend on the other sentences, unlike that of a dense matrix kernel.
    """
    if _native is not None:

        def find_unknown(words: Sequence[str]) -> tuple[Vectors, NDArray[np.int32]]:
            ids = vectors.vocabulary.added_ids(words)
            if max(ids) < 0:
                return vectors.unknown_rows(words, oov)
            new = [word for word, i in zip(words, ids, strict=True) if i < 0]
            extra, rows = vectors.unknown_rows(new, oov)
            places = ~np.array(ids, dtype=np.int32)
            places[places == 0] = rows
            return extra, places

        _native.means(
            *(vectors.vocabulary.compiled(), sentences, start, find_unknown, means),
            distinct_words,
            *(*vectors.layers, vectors.n_dims),
        )
        return
    for first in range(0, len(means), _BLOCK):
        out = means[first : first + _BLOCK]
        block = sentences[start + first : start + first + len(out)]
        tokens, extra = vectors.vocabulary.token_ids(block), None
        if tokens.unknown:
            extra, rows = vectors.unknown_rows(tokens.unknown, oov)
            unknown = tokens.ids >= len(vectors)
            tokens.ids[unknown] = len(vectors) + rows[tokens.ids[unknown] - len(vectors)]
        ids, offsets, _ = tokens.distinct() if distinct_words else tokens
        lengths = np.diff(offsets)
        weights = np.repeat(1 / np.maximum(lengths, 1), lengths).astype(np.float32)
        if extra is None:
            _products(vectors.matrix, ids, offsets, weights, out)
            continue
        # The known and the unknown words of a sentence are in two tables; joining these would
        # copy the large one.
        known = ids < len(vectors)
        known_ids, known_offsets, known_weights = _select(known, ids, offsets, weights)
        _products(vectors.matrix, known_ids, known_offsets, known_weights, out)
        ids, offsets, weights = _select(~known, ids, offsets, weights)
        out += _products(extra, ids - len(vectors), offsets, weights, np.empty_like(out))


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
