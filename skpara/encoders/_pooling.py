"""The mean of a sentence's word vectors, in bulk, without torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors
from skpara.text import TokenIds

# Sentences a block. The product of a block reuses memory that is in the cache; one as large as the
# result would be paged in afresh.
_BLOCK = 1024


def mean_vectors(vectors: WordVectors, sentences: Sequence[str], oov: Oov = "subword") -> Vectors:
    """Compute the mean of the vectors of each sentence's tokens.

    Parameters
    ----------
    vectors : WordVectors
        The vectors of words.
    sentences : sequence of str, shape (n_sentences,)
        The sentences to encode.
    oov : {"subword", "rare", "zero"}, default="subword"
        See :meth:`skpara.WordVectors.lookup`.

    Returns
    -------
    ndarray of shape (n_sentences, n_dims), float32
        Zeros for an empty sentence. A row depends on its sentence alone, not on the others.

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
        return _pool(tokens, weights, matrix)
    # The known and the unknown words of a sentence are in two tables; joining these would copy the
    # large one. Few sentences have unknown words, so only their rows are pooled a second time.
    means = _pool(_select(tokens, known), weights[known], matrix)
    unknown_tokens = _select(tokens, ~known)
    rows = np.flatnonzero(unknown_tokens.lengths)
    unknown_tokens = unknown_tokens.take(rows)
    unknown_tokens = unknown_tokens._replace(ids=unknown_tokens.ids - np.int32(len(vectors)))
    means[rows] += _pool(unknown_tokens, weights[~known], unknown)
    return means


def _select(tokens: TokenIds, mask: NDArray[np.bool_]) -> TokenIds:
    offsets = np.append(0, np.cumsum(mask))[tokens.offsets]
    return TokenIds(tokens.ids[mask], offsets, tokens.unknown)


def _pool(tokens: TokenIds, weights: Vectors, matrix: Vectors) -> Vectors:
    """Compute the weighted sum of each sentence's rows of the matrix."""
    n_sentences = len(tokens.offsets) - 1
    sums = np.empty((n_sentences, matrix.shape[1]), dtype=np.float32)
    # A sparse product sums each row by itself and in order, so the result does not depend on the
    # batch, unlike that of a dense matrix kernel.
    for start in range(0, n_sentences, _BLOCK):
        offsets = tokens.offsets[start : start + _BLOCK + 1]
        words = slice(offsets[0], offsets[-1])
        csr = (weights[words], tokens.ids[words], offsets - offsets[0])
        block = sparse.csr_matrix(csr, shape=(len(offsets) - 1, len(matrix)))
        sums[start : start + _BLOCK] = block @ matrix
    return sums
