"""The mean of a sentence's word vectors, in bulk, without torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Oov
from skpara.resources import WordVectors
from skpara.text import TokenIds

_BLOCK = 1024


def mean_vectors(
    vectors: WordVectors, sentences: Sequence[str], oov: Oov = "subword"
) -> NDArray[np.float32]:
    """Mean of the vectors of each sentence's tokens.

    Parameters
    ----------
    vectors : WordVectors
    sentences : sequence of str
    oov : {"subword", "rare", "zero"}, default="subword"
        See :meth:`skpara.WordVectors.lookup`.

    Returns
    -------
    ndarray of shape (n_sentences, n_dims), float32
        Zeros for an empty sentence. A row depends on its sentence alone.

    Examples
    --------
    >>> from skpara import WordVectors
    >>> from skpara.encoders import mean_vectors
    >>> vectors = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.0, 1.0]])
    >>> mean_vectors(vectors, ["Dog cat", ""]).tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    tokens = vectors.vocabulary.token_ids(sentences)
    matrix = vectors.matrix
    unknown = vectors.unknown_vectors(tokens.unknown, oov)
    weights = np.repeat(1 / np.maximum(tokens.lengths, 1), tokens.lengths).astype(np.float32)
    known = tokens.ids < len(vectors)
    if known.all():
        return _pooled(tokens, weights, matrix)
    # The known and the unknown words of a sentence live in two tables; joining the tables would
    # copy the large one. Few sentences have unknown words.
    pooled = _pooled(_only(tokens, known), weights[known], matrix)
    others = _only(tokens, ~known)
    rows = np.flatnonzero(others.lengths)
    others = others.take(rows)
    others = others._replace(ids=others.ids - np.int32(len(vectors)))
    pooled[rows] += _pooled(others, weights[~known], unknown)
    return pooled


def _only(tokens: TokenIds, kept: NDArray[np.bool_]) -> TokenIds:
    offsets = np.append(0, np.cumsum(kept))[tokens.offsets]
    return TokenIds(tokens.ids[kept], offsets, tokens.unknown)


def _pooled(
    tokens: TokenIds, weights: NDArray[np.float32], matrix: NDArray[np.float32]
) -> NDArray[np.float32]:
    n_sentences = len(tokens.offsets) - 1
    pooled = np.empty((n_sentences, matrix.shape[1]), dtype=np.float32)
    # A row of a sparse product is summed in order and by itself: no batch can change it. Blocks
    # reuse the same memory; a product as large as the result would be paged in afresh.
    for start in range(0, n_sentences, _BLOCK):
        offsets = tokens.offsets[start : start + _BLOCK + 1]
        words = slice(offsets[0], offsets[-1])
        parts = (weights[words], tokens.ids[words], offsets - offsets[0])
        block = sparse.csr_matrix(parts, shape=(len(offsets) - 1, len(matrix)))
        pooled[start : start + _BLOCK] = block @ matrix
    return pooled
