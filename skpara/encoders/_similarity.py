"""What a regressor sees of two sentence vectors."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def unit(vectors: NDArray[np.floating]) -> NDArray[np.float64]:
    """Rows of length 1; zeros stay zeros."""
    wide = vectors.astype(np.float64)
    norms = np.linalg.norm(wide, axis=1, keepdims=True)
    return np.divide(wide, norms, out=np.zeros_like(wide), where=norms > 0)


def cosine(u: NDArray[np.float64], v: NDArray[np.float64]) -> NDArray[np.float64]:
    """Cosines of the rows of two sets of unit vectors."""
    # Summed row by row: a matrix kernel may sum in another order for another batch size.
    return np.clip((u * v).sum(axis=1), -1.0, 1.0)


def pair_features(
    u: NDArray[np.float64], v: NDArray[np.float64], output: str
) -> NDArray[np.float64]:
    """Cosine, or ``|u - v|`` and ``u * v``, or all of it, for unit vectors."""
    parts = []
    if output in ("similarity", "both"):
        parts.append(cosine(u, v)[:, None])
    if output in ("interaction", "both"):
        parts += [np.abs(u - v), u * v]
    return np.hstack(parts)


def feature_names(n_dims: int, output: str, prefix: str = "paragram") -> NDArray[np.object_]:
    """Names of the columns of :func:`pair_features`."""
    names = []
    if output in ("similarity", "both"):
        names.append(f"{prefix}_similarity")
    if output in ("interaction", "both"):
        names += [f"{prefix}_difference_{i}" for i in range(n_dims)]
        names += [f"{prefix}_product_{i}" for i in range(n_dims)]
    return np.array(names, dtype=object)
