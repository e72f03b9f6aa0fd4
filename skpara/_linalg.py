"""The few operations on rows of numbers that several sub-packages need."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats


def unit_rows(vectors: NDArray[np.floating]) -> Floats:
    """Rows scaled to length 1, in double precision; rows of zeros stay zeros."""
    wide = vectors.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.divide(wide, norms, out=np.zeros_like(wide), where=norms > 0)


def row_cosines(u: Floats, v: Floats) -> Floats:
    """Cosine of each row of ``u`` with the same row of ``v``, both of unit length."""
    # Summed row by row: a matrix kernel may sum in another order for another batch size.
    return np.clip((u * v).sum(axis=1), -1.0, 1.0)


def pearson(
    a: NDArray[np.floating], b: NDArray[np.floating], *, undefined: float = np.nan
) -> float:
    """Pearson's r of two arrays of shape (n,); ``undefined`` where either is constant."""
    if np.ptp(a) == 0 or np.ptp(b) == 0:
        return undefined
    return float(np.corrcoef(a, b)[0, 1])
