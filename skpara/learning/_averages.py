"""The average of word vectors, and its gradients, without torch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from joblib import effective_n_jobs
from scipy import sparse

from skpara._core import Ragged
from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors, row_means

_MIN_SENTENCES = 8192  # per thread: some 10 milliseconds of work
# Sentences that a thread takes at a time: few, so that threads hardly wait for the last one.
_ROWS_PER_TASK = 1024
# Bytes of a result whose memory is worth clearing at once: page by page, between other work, the
# operating system takes several times as long as memory gets scarce.
_LARGE = 2**28
# Tokens whose rows are copied at a time, some 16 MB of each of two arrays.
_TOKENS_AT_ONCE = 16_384
_SHORTEST = 1e-12  # as in torch's normalize: a vector of zeros stays one


def mean_vectors(
    vectors: WordVectors,
    sentences: Sequence[str],
    oov: Oov = "subword",
    n_jobs: int | None = None,
    *,
    distinct_words: bool = True,
    redundancy: float = 0.0,
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
        says otherwise.
    distinct_words : bool, default=True
        Count a word once in each sentence, however often it occurs there, as
        :class:`~skpara.networks.Average` does.
    redundancy : float, default=0.0
        How much less a word counts that is like the others, see
        :class:`~skpara.networks.Average`; 0 is the plain mean.

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
            tokens = vectors.vocabulary.read_chunk(texts, start, stop, unknown.ids)
            if oov != "subword":  # unknown words have the same vector, which counts once
                tokens = tokens.with_ids(np.minimum(tokens.ids, len(vectors)))
            end = start + len(tokens)
            if end == start:
                raise RuntimeError("The list of sentences became shorter while it was encoded.")
            extra = unknown.rows() if unknown.ids.words else None
            row_means(
                vectors,
                tokens,
                means[start:end],
                extra=extra,
                extra_lengths=unknown.lengths if unknown.ids.words else None,
                distinct=distinct_words,
                redundancy=redundancy,
            )
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


def means(rows: Vectors, batch: Ragged, redundancy: float = 0.0) -> Vectors:
    """Compute the mean of the rows of each sentence; zeros for an empty one."""
    return shares_of_means(rows, batch, redundancy) @ rows


def shares_of_means(rows: Vectors, batch: Ragged, redundancy: float = 0.0) -> sparse.csr_matrix:
    """Return the share of each row in each sentence's mean, shape (n_sentences, n_rows)."""
    if redundancy:
        return _WeightedMeans(rows, batch, redundancy).shares
    shares = (1 / np.maximum(batch.lengths, 1)).astype(np.float32)[batch.owners]
    return _by_sentence(shares, batch, len(rows))


def mean_gradient(
    rows: Vectors,
    batch: Ragged,
    gradient: Callable[[Vectors], tuple[float, Vectors]],
    redundancy: float = 0.0,
) -> tuple[float, Vectors]:
    """Return the loss of the means, and its gradient with respect to ``rows``.

    ``gradient`` returns the loss of sentence vectors, and its gradient with respect to them.
    """
    if redundancy:
        pooling = _WeightedMeans(rows, batch, redundancy)
        means = pooling.shares @ rows
        loss, output_gradient = gradient(means)
        return loss, pooling.backward(means, output_gradient)
    shares = shares_of_means(rows, batch)
    loss, output_gradient = gradient(shares @ rows)
    return loss, shares.T @ output_gradient


def _by_sentence(values: Vectors, batch: Ragged, n_rows: int) -> sparse.csr_matrix:
    """Return a value of each token as a matrix, shape (n_sentences, n_rows)."""
    shape = (len(batch), n_rows)
    return sparse.csr_matrix((values, batch.ids, batch.offsets), shape=shape)


class _WeightedMeans:
    """The weights of :class:`skpara.networks.Average` with ``redundancy``, and the gradient.

    Names are those of its docstring; U is the sum of the u of a sentence.
    """

    def __init__(self, rows: Vectors, batch: Ragged, redundancy: float) -> None:
        self._rows = rows
        self._batch = batch
        self._redundancy = np.float32(redundancy)
        self._u, self._row_lengths = unit_vectors(rows)
        ones = np.ones(len(batch.ids), dtype=np.float32)
        self._tokens = _by_sentence(ones, batch, len(rows))
        self._sums = self._tokens @ self._u
        own = np.einsum("ij,ij->i", self._u, self._u)[batch.ids]
        self._similarities = _token_dots(self._u, self._sums, batch) - own
        weights = 1 / (1 + self._redundancy * np.maximum(self._similarities, 0))
        self._weights = weights.astype(np.float32)
        totals = _by_sentence(self._weights, batch, len(rows)).sum(axis=1)
        self._totals = np.asarray(totals, dtype=np.float32).ravel()
        shares = self._weights / self._totals[batch.owners]
        self.shares = _by_sentence(shares, batch, len(rows))

    def backward(self, means: Vectors, gradient: Vectors) -> Vectors:
        """Turn a gradient by the means into one by the rows."""
        batch = self._batch
        u = self._u
        along_mean = np.einsum("ij,ij->i", gradient, means)
        by_weight = _token_dots(self._rows, gradient, batch)
        by_weight -= along_mean[batch.owners]
        by_weight /= self._totals[batch.owners]
        # From a weight to the similarity that it depends on: u times the rest of U.
        by_similarity = -self._redundancy * self._weights**2 * by_weight
        by_similarity = np.where(self._similarities > 0, by_similarity, 0).astype(np.float32)
        weighted = _by_sentence(by_similarity, batch, len(u))
        own = np.bincount(batch.ids, by_similarity, len(u)).astype(np.float32)[:, None]
        by_u = weighted.T @ self._sums + self._tokens.T @ (weighted @ u) - 2 * own * u
        by_row = through_units(by_u, u, self._row_lengths)
        by_row[self._row_lengths.ravel() <= _SHORTEST] = 0  # a row of zeros has no direction
        return self.shares.T @ gradient + by_row


def _token_dots(rows: Vectors, of_sentences: Vectors, batch: Ragged) -> Vectors:
    """Compute the dot product of each token's row with a vector of its sentence."""
    sentences = batch.owners
    dots = np.empty(len(batch.ids), dtype=np.float32)
    for start in range(0, len(dots), _TOKENS_AT_ONCE):
        part = slice(start, start + _TOKENS_AT_ONCE)
        dots[part] = np.einsum("ij,ij->i", rows[batch.ids[part]], of_sentences[sentences[part]])
    return dots


def unit_vectors(vectors: Vectors) -> tuple[Vectors, Vectors]:
    """Return vectors of length 1, or zeros, and the lengths as a column."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths = np.maximum(lengths, np.float32(_SHORTEST))
    return vectors / lengths, lengths


def through_units(unit_gradient: Vectors, units: Vectors, lengths: Vectors) -> Vectors:
    """Turn a gradient by unit vectors into one by the vectors."""
    along = np.einsum("ij,ij->i", unit_gradient, units)[:, None]
    return (unit_gradient - along * units) / lengths
