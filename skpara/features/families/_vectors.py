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

    Rows of zeros (unknown words) are skipped; a sentence without a known word gets zeros.
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
    """Compute cosines of combined word vectors, in [-1, 1] and symmetric; 0 where a side has none.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products.
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
    """Compute cosines like sum_w2v, over TakeLab's words with some tags.

    nn_w2v
        Of the nouns, including proper nouns.
    vb_w2v
        Of the verbs, including "be" and "have" but not modal verbs.
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
