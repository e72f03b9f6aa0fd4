"""The mean of a sentence's word vectors, in bulk, without torch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from joblib import effective_n_jobs
from sklearn.utils.parallel import Parallel, delayed

from skpara._typing import Oov, Vectors
from skpara.resources import WordVectors, row_sums

# Sentences a block, whose ids and unknown words stay in the processor's cache.
_BLOCK = 1024
_MIN_BLOCKS = 8  # what is worth a thread, some 20 milliseconds of work


def mean_vectors(
    vectors: WordVectors,
    sentences: Sequence[str],
    oov: Oov = "subword",
    n_jobs: int | None = None,
) -> Vectors:
    """Compute the mean of the vectors of each sentence's tokens.

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

    def encode(starts: Sequence[int]) -> None:
        for start in starts:
            rows = slice(start, start + _BLOCK)
            ids, offsets, words = vectors.vocabulary.token_ids(sentences[rows])
            extra = means[:0]
            if words:
                extra, places = vectors.unknown_rows(words, oov)
                unknown = np.flatnonzero(ids >= len(vectors))
                ids[unknown] = len(vectors) + places[ids[unknown] - len(vectors)]
            row_sums(vectors, ids, offsets, None, extra, means[rows])

    starts = range(0, len(sentences), _BLOCK)
    n_threads = min(len(starts) // _MIN_BLOCKS, effective_n_jobs(n_jobs) if len(starts) > 1 else 1)
    if n_threads < 2:
        encode(starts)
    else:
        # Several runs for each thread, as some blocks take longer than others.
        runs = (starts[i :: 4 * n_threads] for i in range(4 * n_threads))
        Parallel(n_jobs=n_threads, require="sharedmem")(map(delayed(encode), runs))
    return means
