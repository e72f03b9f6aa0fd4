"""Cosines of combined word vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara.features._family import Family
from skpara.features.families._counts import paired_cosine
from skpara.text._overlaps import shared_counts

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def scaled_products(counts: sparse.csr_matrix, matrix: NDArray[np.float32]) -> NDArray[np.float32]:
    """Element-wise products of the word vectors of each sentence, each up to a scale.

    Products of many numbers leave the range of floats, and the cosine does not need their
    scale: logarithms are summed, and the largest of each row becomes 1.

    Parameters
    ----------
    counts : csr_matrix, shape (n_sentences, n_words)
    matrix : ndarray, shape (n_words, n_dims)
        Rows of zeros (unknown words) are left out of the products.

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
    known = np.any(matrix != 0, axis=1)
    with np.errstate(divide="ignore"):
        logs = np.log(np.abs(matrix, dtype=np.float32))
    logs[~known] = 0.0
    sums = counts.astype(np.float64) @ logs.astype(np.float64)
    top = sums.max(axis=1, keepdims=True, initial=-np.inf)
    sums -= np.where(np.isfinite(top), top, 0.0)
    products: NDArray[np.float32] = np.exp(sums.astype(np.float32))
    odd = (counts @ (matrix < 0).astype(np.float32)).astype(np.int64) & 1
    products *= 1 - 2 * odd
    products[(counts @ known.astype(np.float32)) == 0] = 0.0
    return products


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """Cosines of combined word vectors.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products.

    All are in [-1, 1], symmetric, and 0 where a side has no vector.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016.
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


def compute_tagged(batch: PairBatch) -> NDArray[np.float64]:
    """Cosines of the sums of the vectors of words of one part of speech.

    nn_w2v
        Of the nouns, proper ones among them.
    vb_w2v
        Of the verbs, "be" and "have" among them, modal ones not.

    Both are in [-1, 1], symmetric, and 0 where a side has no such word with a vector. Words are
    TakeLab's.

    References
    ----------
    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016.
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
