"""The average of word vectors, and its gradients, without torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse

from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors, row_sums
from skpara.text import TokenIds

_MIN_SENTENCES = 8192  # per thread: some 10 milliseconds of work
# Sentences that a thread takes at a time: few, so that threads hardly wait for the last one.
_ROWS_PER_TASK = 1024
# Bytes of a result whose memory is worth clearing at once: page by page, between other work, the
# operating system takes several times as long as memory gets scarce.
_LARGE = 2**28
_SHORTEST = 1e-12  # as in torch's normalize: a vector of zeros stays one


def mean_vectors(
    vectors: WordVectors,
    sentences: Sequence[str],
    oov: Oov = "subword",
    n_jobs: int | None = None,
    *,
    distinct_words: bool = True,
) -> Vectors:
    """Compute the mean of the vectors of each sentence's distinct tokens.

    Parameters
    ----------
    vectors : WordVectors
        The vectors of words.
    sentences : sequence of str, shape (n_sentences,)
        The sentences to encode.
    oov : {"subword", "rare", "zero"}, default="subword"
        See :meth:`skpara.WordVectors.lookup`.
    n_jobs : int, default=None
        Threads for thousands of sentences; None is one unless a :func:`joblib.parallel_config`
        says otherwise. Without the compiled module, a second one gains little.
    distinct_words : bool, default=True
        Count a word once in each sentence, however often it occurs there, as
        :class:`~skpara.networks.Average` does.

    Returns
    -------
    ndarray of shape (n_sentences, n_dims), float32
        Zeros for an empty sentence. A row depends on its sentence alone, not on the others.

    Examples
    --------
    >>> from skpara import WordVectors
    >>> from skpara.learning import mean_vectors
    >>> vectors = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.0, 1.0]])
    >>> mean_vectors(vectors, ["Dog cat", ""]).tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    means = np.empty((len(sentences), vectors.n_dims), dtype=np.float32)
    n_threads = len(sentences) // _MIN_SENTENCES
    if n_threads > 1:  # takes longer than encoding one sentence
        n_threads = min(n_threads, effective_n_jobs(n_jobs))
    texts = sentences if isinstance(sentences, list) else list(sentences)

    def write(start: int, stop: int) -> None:
        stop = min(stop, len(texts))
        while start < stop:
            unknown = vectors.unknown_words(oov)
            ids, offsets = vectors.vocabulary.read_chunk(texts, start, stop, unknown.ids)
            if oov != "subword":  # unknown words have the same vector, which counts once
                ids = np.minimum(ids, len(vectors))
            end = start + len(offsets) - 1
            if end == start:
                raise RuntimeError("The list of sentences became shorter while it was encoded.")
            extra = unknown.rows() if unknown.ids.words else None
            row_sums(vectors, ids, offsets, means[start:end], extra=extra, distinct=distinct_words)
            start = end

    if n_threads < 2:
        if means.nbytes >= _LARGE:
            means.fill(0)
        write(0, len(texts))
        return means
    # Threads work far from each other: two that met in one large page of new memory would both ask
    # the operating system to clear it. Each takes the next block when it is ready.
    n_rows = -(-len(texts) // n_threads // _ROWS_PER_TASK) * _ROWS_PER_TASK
    starts = iter(sorted(range(0, len(texts), _ROWS_PER_TASK), key=lambda start: start % n_rows))

    def encode(_: int) -> None:
        for start in starts:
            write(start, start + _ROWS_PER_TASK)

    # joblib's Parallel takes as long to start as ten thousand sentences.
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(encode, range(n_threads)))  # raises what a thread raised
    return means


def means(rows: Vectors, batch: TokenIds) -> Vectors:
    """Compute the mean of the rows of each sentence; zeros for an empty one."""
    return _shares(rows, batch) @ rows


def mean_gradient(
    rows: Vectors, batch: TokenIds, gradient: Callable[[Vectors], tuple[float, Vectors]]
) -> tuple[float, Vectors]:
    """Return the loss of the means, and its gradient with respect to ``rows``.

    ``gradient`` returns the loss of sentence vectors, and its gradient with respect to them.
    """
    shares = _shares(rows, batch)
    loss, output_gradient = gradient(shares @ rows)
    return loss, shares.T @ output_gradient


def _shares(rows: Vectors, batch: TokenIds) -> sparse.csr_matrix:
    """Return the share of each row in each sentence's mean, shape (n_sentences, n_rows)."""
    lengths = batch.lengths
    shares = np.repeat((1 / np.maximum(lengths, 1)).astype(np.float32), lengths)
    return sparse.csr_matrix((shares, batch.ids, batch.offsets), shape=(len(lengths), len(rows)))


def unit_vectors(vectors: Vectors) -> tuple[Vectors, Vectors]:
    """Return vectors of length 1, or zeros, and the lengths as a column."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths = np.maximum(lengths, np.float32(_SHORTEST))
    return vectors / lengths, lengths


def through_units(unit_gradient: Vectors, units: Vectors, lengths: Vectors) -> Vectors:
    """Turn a gradient by unit vectors into one by the vectors."""
    along = np.einsum("ij,ij->i", unit_gradient, units)[:, None]
    return (unit_gradient - along * units) / lengths
