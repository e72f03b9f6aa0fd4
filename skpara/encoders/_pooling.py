"""The mean of a sentence's word vectors, in bulk, without torch."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial

import numpy as np
from joblib import effective_n_jobs

from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors, row_means

_MIN_SENTENCES = 8192  # what is worth a thread, some 10 milliseconds of work
# Sentences that a thread takes at a time: so few that threads hardly wait for the last one.
_BLOCK = 1024
# Bytes of a result whose memory is worth clearing at once: page by page, between other work, the
# operating system takes several times as long as memory gets scarce.
_LARGE = 2**28


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
    >>> from skpara.encoders import mean_vectors
    >>> vectors = WordVectors(["dog", "cat"], [[1.0, 0.0], [0.0, 1.0]])
    >>> mean_vectors(vectors, ["Dog cat", ""]).tolist()
    [[0.5, 0.5], [0.0, 0.0]]
    """
    means = np.empty((len(sentences), vectors.n_dims), dtype=np.float32)
    n_threads = len(sentences) // _MIN_SENTENCES
    if n_threads > 1:  # what encoding one sentence has no time for
        n_threads = min(n_threads, effective_n_jobs(n_jobs))
    texts = sentences if isinstance(sentences, list) else list(sentences)
    work = partial(row_means, vectors, texts, oov, means, distinct_words=distinct_words)
    if n_threads < 2:
        if means.nbytes >= _LARGE:
            means.fill(0)
        work()
        return means
    # Threads work far from each other: two that met in one large page of new memory would both ask
    # the operating system to clear it. Each takes the next block when it is ready.
    n_rows = -(-len(texts) // n_threads // _BLOCK) * _BLOCK
    starts = iter(sorted(range(0, len(texts), _BLOCK), key=lambda start: start % n_rows))

    def encode(_: int) -> None:
        for start in starts:
            work(start=start, stop=start + _BLOCK)

    # joblib's Parallel takes as long to start as ten thousand sentences.
    with ThreadPoolExecutor(n_threads) as pool:
        list(pool.map(encode, range(n_threads)))  # raises what a thread raised
    return means
