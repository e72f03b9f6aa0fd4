"""What scores must be before a metric looks at them: finite, one for each pair, enough."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["Floats", "check_scores", "check_weight"]

Floats = NDArray[np.float64]


def check_scores(
    y_true: ArrayLike, y_pred: ArrayLike, *, pred_name: str = "y_pred", least: int = 2
) -> tuple[Floats, Floats]:
    """Both sides as finite float64 vectors of one length, `least` or longer."""
    true, pred = _check_vector(y_true, "y_true"), _check_vector(y_pred, pred_name)
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} scores, but {pred_name} has {len(pred)}")
    if len(true) < least:
        raise ValueError(f"{least} or more pairs are needed, got {len(true)}")
    return true, pred


def _check_vector(values: ArrayLike, name: str) -> Floats:
    raw = np.asarray(values)
    if raw.ndim != 1:
        raise ValueError(f"{name} must have shape (n_pairs,), got {raw.shape}")
    if raw.dtype.kind not in "biufO":
        raise ValueError(f"{name} must hold numbers, got {raw.dtype}")
    try:
        vector: Floats = raw.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{name} must hold numbers: {error}") from None
    bad = np.flatnonzero(~np.isfinite(vector))
    if len(bad):
        raise ValueError(
            f"{name}[{bad[0]}] is {vector[bad[0]]} ({len(bad)} such in all): "
            "leave out pairs without a finite score"
        )
    return vector


def check_weight(sample_weight: ArrayLike, n_pairs: int) -> Floats:
    """Weights as a float64 vector, one for each pair, none negative and one above 0."""
    weight = _check_vector(sample_weight, "sample_weight")
    if len(weight) != n_pairs:
        raise ValueError(f"sample_weight has {len(weight)} values for {n_pairs} pairs")
    if (weight < 0).any() or not weight.any():
        raise ValueError("sample_weight must be 0 or more, and not all 0")
    return weight
