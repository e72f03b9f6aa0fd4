"""Cosines of the counts of words and of character n-grams."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats
from skpara.features._batch import PairBatch
from skpara.features._family import Family
from skpara.features._scores import ratio

# Lengths of character n-grams: those of the DCU system, and those that Charagram chose.
_RANGES = (3, 5), (2, 4)


def paired_cosine(rows: Any, left: NDArray[np.intp], right: NDArray[np.intp]) -> Floats:
    """Return the cosine of ``rows[left[i]]`` and ``rows[right[i]]`` for each i, sparse or dense.

    It is 0 where a row is zero.
    """
    norms = np.sqrt(_squares(rows))
    products = norms[left] * norms[right]
    dots = _paired_dot(rows[left], rows[right])
    cosines = np.divide(dots, products, out=np.zeros_like(dots), where=products > 0)
    return np.clip(cosines, -1.0, 1.0)


def _paired_dot(first: Any, second: Any) -> Floats:
    if isinstance(first, np.ndarray):
        return np.einsum("ij,ij->i", first, second).astype(np.float64)
    return np.asarray(first.multiply(second).sum(axis=1)).ravel()


def _squares(rows: Any) -> Floats:
    if isinstance(rows, np.ndarray):
        return _paired_dot(rows, rows)
    owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.bincount(owners, rows.data**2, minlength=rows.shape[0]).astype(np.float64)


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


def compute(batch: PairBatch) -> Floats:
    """Compute cosines of counts: in [0, 1], symmetric, and 0 where a side is empty.

    cosine
        Of the counts of words, without punctuation marks.
    cosine_icf
        Of damped counts times inverse collection (document) frequency, which is counted in fit
        and so belongs to the domain.
    cosine_icf_char, cosine_icf_char_2_4
        The same over character 3- to 5-grams inside words, and over 2- to 4-grams.
    """
    bags, tables, sides = (
        batch.bags,
        batch.knowledge.document_frequencies,
        (batch.left, batch.right),
    )
    words = tf_idf(bags.counts, tables["word"].idf(bags.words))
    chars = tf_idf(bags.char_counts, tables["char"].idf(bags.chars))
    lengths = bags.char_lengths
    ranges = np.column_stack([(lengths >= low) & (lengths <= high) for low, high in _RANGES])
    return np.column_stack(
        [
            paired_cosine(bags.counts, *sides),
            paired_cosine(words, *sides),
            cosines_of(chars, *sides, ranges.astype(np.float64)),
        ]
    )


FAMILY = Family(
    "counts",
    ("cosine", "cosine_icf", "cosine_icf_char", "cosine_icf_char_2_4"),
    compute,
    needs=frozenset({"document_frequencies"}),
)
