"""Cosines of the counts of words and of character n-grams."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara.features._document_frequencies import SHORTEST
from skpara.features._family import Family

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch


def paired_cosine(
    rows: Any, left: NDArray[np.intp], right: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Cosine of ``rows[left[i]]`` and ``rows[right[i]]`` for each i, sparse or dense.

    Returns
    -------
    ndarray of float64, shape (n_pairs,)
        In [-1, 1]; 0 where a row is zero.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.features.families._counts import paired_cosine
    >>> rows = np.array([[3.0, 4.0], [4.0, 3.0], [0.0, 0.0]])
    >>> paired_cosine(rows, np.array([0, 0, 0]), np.array([0, 1, 2])).round(2).tolist()
    [1.0, 0.96, 0.0]
    """
    norms = np.sqrt(_squares(rows))
    products = norms[left] * norms[right]
    dots = _paired_dot(rows[left], rows[right])
    cosines = np.divide(dots, products, out=np.zeros_like(dots), where=products > 0)
    return np.clip(cosines, -1.0, 1.0)


def _paired_dot(first: Any, second: Any) -> NDArray[np.float64]:
    if isinstance(first, np.ndarray):
        return np.einsum("ij,ij->i", first, second).astype(np.float64)
    return np.asarray(first.multiply(second).sum(axis=1)).ravel()


def _squares(rows: Any) -> NDArray[np.float64]:
    if isinstance(rows, np.ndarray):
        return _paired_dot(rows, rows)
    owners = np.repeat(np.arange(rows.shape[0]), np.diff(rows.indptr))
    return np.bincount(owners, rows.data**2, minlength=rows.shape[0]).astype(np.float64)


def weigh(counts: Any, idf: NDArray[np.float64]) -> Any:
    """Counts, damped as 1 + ln(count), times the weight of their column."""
    weighed = counts.copy()
    weighed.data = (1 + np.log(counts.data)) * idf[counts.indices]
    return weighed


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    cosine
        Of the counts of words, punctuation left out.
    cosine_icf
        Of damped counts times inverse collection (document) frequency.
    cosine_icf_char
        The same over character 3- to 5-grams inside words.

    All are in [0, 1], symmetric, and 0 where a side is empty. The frequencies are those of the
    sentences that ``fit`` saw, so that they fit the domain.

    References
    ----------
    Chris Hokamp and Piyush Arora. "DCU-SEManiacs at SemEval-2016 Task 1: Synthetic Paragram
    Embeddings for Semantic Textual Similarity", SemEval 2016.
    """
    bags, seen = batch.bags, batch.knowledge.document_frequencies
    words = weigh(bags.counts, seen["word"].idf(bags.words))
    char_idf = seen["char"].idf(bags.chars)
    char_idf[bags.char_lengths < SHORTEST] = 0.0
    chars = weigh(bags.char_counts, char_idf)
    columns = [
        paired_cosine(rows, batch.left, batch.right) for rows in (bags.counts, words, chars)
    ]
    return np.column_stack(columns)


FAMILY = Family(
    "counts",
    ("cosine", "cosine_icf", "cosine_icf_char"),
    compute,
    needs=frozenset({"document_frequencies"}),
)
