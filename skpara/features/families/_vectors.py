"""Cosines of combined word vectors."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from skpara._typing import Floats, Vectors
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features.families._counts import paired_cosine
from skpara.text import shared_counts


def scaled_products(counts: sparse.csr_matrix, matrix: Vectors) -> Vectors:
    """Multiply the word vectors of each sentence element by element, up to a positive factor.

    Parameters
    ----------
    counts : csr_matrix, shape (n_sentences, n_words)
    matrix : ndarray, shape (n_words, n_dims)
        Rows of zeros (unknown words) are skipped.

    Returns
    -------
    ndarray of float32, shape (n_sentences, n_dims)
        In [-1, 1]; zeros for a sentence without a known word.

    Examples
    --------
    >>> import numpy as np
    >>> from scipy import sparse
    >>> from skpara.features.families._vectors import scaled_products
    >>> counts = sparse.csr_matrix([[1.0, 2.0]])  # u * v * v
    >>> scaled_products(counts, np.array([[2.0, -4.0], [2.0, 1.0]])).round(3).tolist()
    [[1.0, -0.5]]
    """
    # Products of many numbers leave the range of floats, and the cosine does not need their
    # scale: sum logarithms and let the largest element of each row become 1.
    known = np.any(matrix != 0, axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(matrix, dtype=np.float32))
    logs[~known] = 0.0
    sums = counts.astype(np.float64) @ logs.astype(np.float64)
    top = sums.max(axis=1, keepdims=True, initial=-np.inf)
    sums -= np.where(np.isfinite(top), top, 0.0)
    products: Vectors = np.exp(sums.astype(np.float32))
    odd = (counts @ (matrix < 0).astype(np.float32)).astype(np.int64) & 1
    products *= 1 - 2 * odd
    products[(counts @ known.astype(np.float32)) == 0] = 0.0
    return products


def compute(batch: PairBatch) -> Floats:
    """Compute the cosines of combined word vectors.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products.

    All are in [-1, 1], symmetric, and 0 where a side has no vector.
    """
    counts, words = batch.bags.counts, batch.bags.words
    matrix = batch.word_vectors
    information = batch.frequencies.information(words).astype(np.float32)
    counts = counts.astype(np.float32)
    combined = (
        counts @ matrix,
        counts @ (matrix * information[:, None]),
        scaled_products(counts, matrix),
    )
    return np.column_stack([paired_cosine(rows, batch.left, batch.right) for rows in combined])


def compute_tagged(batch: PairBatch) -> Floats:
    """Compute the cosines of the sums of the vectors of nouns, and of verbs.

    nn_w2v
        Of the nouns, including proper nouns.
    vb_w2v
        Of the verbs, including "be" and "have" but not modal verbs.

    Both are in [-1, 1], symmetric, and 0 where a side has no such word with a vector. Words are
    TakeLab's.
    """
    tagged = batch.tagged
    columns = []
    for pos in ("NN", "VB"):
        words, sides = tagged.numbered(tagged.words, [tag == pos for tag in tagged.tags])
        matrix = batch.vectors_of(words)
        first, second, _ = shared_counts(*sides, len(words))
        rows = np.concatenate([side.astype(np.float32) @ matrix for side in (first, second)])
        columns.append(paired_cosine(rows, *np.arange(len(rows)).reshape(2, -1)))
    return np.column_stack(columns)


TAGGED = Family(
    "tagged_vectors",
    ("nn_w2v", "vb_w2v"),
    compute_tagged,
    needs=frozenset({"vectors", "tagger"}),
)
FAMILY = Family(
    "vectors",
    ("sum_w2v", "weighted_dist_sim", "product_w2v"),
    compute,
    needs=frozenset({"frequencies", "vectors"}),
)
