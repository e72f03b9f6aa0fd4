"""Cosines of the counts of words and of character n-grams, and of combined word vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from skpara._typing import Floats, Vectors
from skpara.features._batch import Family, PairBatch
from skpara.features._scores import ratio
from skpara.text import shared_counts

# Lengths of character n-grams: those usual for words, and those that Charagram chose.
_RANGES = (3, 5), (2, 4)


def paired_cosine(rows: Any, left: NDArray[np.intp], right: NDArray[np.intp]) -> Floats:
    """Return the cosine of ``rows[left[i]]`` and ``rows[right[i]]`` for each i, sparse or dense.

    It is 0 where a row is zero.
    """
    if isinstance(rows, np.ndarray):
        squares = np.einsum("ij,ij->i", rows, rows)
        dots = np.einsum("ij,ij->i", rows[left], rows[right])
    else:
        owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
        squares = np.bincount(owners, rows.data**2, minlength=rows.shape[0])
        dots = np.asarray(rows[left].multiply(rows[right]).sum(axis=1)).ravel()
    norms = np.sqrt(squares.astype(np.float64))
    return np.clip(ratio(dots, norms[left] * norms[right]), -1.0, 1.0)


def tf_idf(counts: Any, idf: Floats) -> Any:
    """Return sparse counts, damped as 1 + ln(count), times the idf of their column."""
    weighted = counts.copy()
    weighted.data = (1 + np.log(counts.data)) * idf[counts.indices]
    return weighted


def cosines_of(
    rows: Any, left: NDArray[np.intp], right: NDArray[np.intp], columns: Floats
) -> Floats:
    """Return cosines of sparse rows over several sets of their columns, shape (n_pairs, n_sets).

    ``columns`` has the shape (n_columns, n_sets) and is 1 for the columns of a set.
    """
    squares = rows.copy()
    squares.data = squares.data**2
    norms = np.sqrt(squares @ columns)
    dots = rows[left].multiply(rows[right]) @ columns
    return np.minimum(ratio(dots, norms[left] * norms[right]), 1.0)


def compute_counts(batch: PairBatch) -> Floats:
    """Compute cosines of counts: in [0, 1], symmetric, and 0 where a side is empty.

    cosine
        Of the counts of words, without punctuation marks.
    cosine_icf
        Of damped counts times inverse document frequency, which is counted in fit and so belongs
        to the domain. This is a reading: "icf" may also be meant to invert the frequency in the
        collection, which counts every occurrence.
    cosine_icf_char, cosine_icf_char_2_4
        The same over character 3- to 5-grams inside words, and over 2- to 4-grams.
    """
    bags, sides = batch.bags, (batch.left, batch.right)
    tables = batch.knowledge.document_frequencies
    words = tf_idf(bags.counts, tables["word"].idf(bags.words))
    chars = tf_idf(bags.char_counts, tables["char"].idf(bags.cut.ngrams))
    lengths = bags.cut.lengths
    ranges = np.column_stack([(lengths >= low) & (lengths <= high) for low, high in _RANGES])
    return np.column_stack(
        [
            paired_cosine(bags.counts, *sides),
            paired_cosine(words, *sides),
            cosines_of(chars, *sides, ranges.astype(np.float64)),
        ]
    )


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


def compute_vectors(batch: PairBatch) -> Floats:
    """Compute cosines of combined word vectors, in [-1, 1] and symmetric; 0 where a side has none.

    sum_w2v
        Of the sums of the vectors.
    weighted_dist_sim
        Of the sums weighted by information content; unknown words weigh nothing.
    product_w2v
        Of the element-wise products. This is a reading of the name: the paper describes the
        feature only as a similarity by Word2Vec.
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

    These are readings of names: "nn" and "vb" stand for the tags that start with NN and VB.

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


COUNTS = Family(
    "counts",
    ("cosine", "cosine_icf", "cosine_icf_char", "cosine_icf_char_2_4"),
    compute_counts,
    needs={"document_frequencies"},
)
VECTORS = Family(
    "vectors",
    ("sum_w2v", "weighted_dist_sim", "product_w2v"),
    compute_vectors,
    needs={"frequencies", "vectors"},
)
TAGGED = Family(
    "tagged_vectors", ("nn_w2v", "vb_w2v"), compute_tagged, needs={"vectors", "tagger"}
)
