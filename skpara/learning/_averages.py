"""The average and its gradients in NumPy, so that training it needs no torch."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from scipy import sparse

from skpara._typing import Vectors
from skpara.text import TokenIds

_SHORTEST = 1e-12  # as in torch's normalize: a vector of zeros stays one


class AnalyticLoss(Protocol):
    """A loss of sentence vectors that also computes its gradient, without torch."""

    def gradient(self, vectors: Vectors, /) -> tuple[float, Vectors]:
        """Return the loss, and its gradient with respect to the vectors."""


def means(rows: Vectors, batch: TokenIds) -> Vectors:
    """Compute the mean of the rows of each sentence; zeros for an empty one."""
    vectors: Vectors = _shares(rows, batch) @ rows
    return vectors


def mean_gradient(rows: Vectors, batch: TokenIds, loss: AnalyticLoss) -> tuple[float, Vectors]:
    """Return the loss of the means, and its gradient with respect to ``rows``."""
    shares = _shares(rows, batch)
    value, output_gradient = loss.gradient(shares @ rows)
    gradient: Vectors = shares.T @ output_gradient
    return value, gradient


def _shares(rows: Vectors, batch: TokenIds) -> sparse.csr_matrix:
    """Return the share of each row in each sentence's mean, shape (n_sentences, n_rows)."""
    lengths = batch.lengths
    shares = np.repeat((1 / np.maximum(lengths, 1)).astype(np.float32), lengths)
    csr = (shares, batch.ids, batch.offsets)
    return sparse.csr_matrix(csr, shape=(len(lengths), len(rows)))


def unit_vectors(vectors: Vectors) -> tuple[Vectors, Vectors]:
    """Return vectors of length 1, or zeros, and the lengths as a column."""
    lengths = np.sqrt(np.einsum("ij,ij->i", vectors, vectors))[:, None]
    lengths = np.maximum(lengths, np.float32(_SHORTEST))
    return vectors / lengths, lengths


def through_units(unit_gradient: Vectors, units: Vectors, lengths: Vectors) -> Vectors:
    """Turn a gradient with respect to unit vectors into that with respect to the vectors."""
    along = np.einsum("ij,ij->i", unit_gradient, units)[:, None]
    return (unit_gradient - along * units) / lengths
