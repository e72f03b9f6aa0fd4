"""Norms, cosines and correlations."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats

# Standard deviations below this fraction of the largest value are rounding errors: 0.1 + 0.2 and
# 0.3 are the same score.
_NOISE = 1e-13


def unit_rows(vectors: NDArray[np.floating]) -> Floats:
    """Scale rows to length 1, in double precision; rows of zeros stay zeros."""
    wide = vectors.astype(np.float64)
    # np.linalg.norm has Python overhead that dominates for a single pair.
    norms = np.sqrt(np.add.reduce(wide * wide, axis=1, keepdims=True))
    return np.divide(wide, norms, out=np.zeros(wide.shape), where=norms > 0)


def row_cosines(u: Floats, v: Floats) -> Floats:
    """Compute the cosine of each row of ``u`` with the same row of ``v``, both of unit length."""
    # Summed row by row: a matrix kernel may sum in another order for another batch size.
    return np.maximum(np.minimum(np.add.reduce(u * v, axis=1), 1.0), -1.0)


def pearson(
    x: NDArray[np.floating],
    y: NDArray[np.floating],
    weights: Floats | None = None,
    *,
    undefined: float = np.nan,
) -> Any:
    """Compute Pearson's r along the last axis; ``undefined`` if a side is constant."""
    products = _standardize(x, weights) * _standardize(y, weights)
    r = np.clip(np.average(products, axis=-1, weights=weights), -1.0, 1.0)
    return np.where(np.isnan(r), undefined, r)[()]


def _standardize(x: NDArray[np.floating], weights: Floats | None) -> Floats:
    size = np.abs(x).max(axis=-1, keepdims=True)
    # Without scaling first, squares of very large or small values overflow or vanish.
    x = x.astype(np.float64) / np.where(size > 0, size, 1.0)
    centered = x - np.average(x, axis=-1, weights=weights, keepdims=True)
    variance = np.average(centered**2, axis=-1, weights=weights, keepdims=True)
    return centered / np.where(variance > _NOISE**2, np.sqrt(variance), np.nan)
