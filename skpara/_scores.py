"""Validation of scores, the targets of regressors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_consistent_length, column_or_1d

from skpara._typing import Floats


def check_score_range(score_range: Any) -> tuple[float, float]:
    """Validate a range of scores, (low, high)."""
    if len(score_range) != 2 or not score_range[0] < score_range[1]:
        raise ValueError(f"score_range must be (low, high) with low < high, got {score_range!r}.")
    return float(score_range[0]), float(score_range[1])


def unmasked(values: ArrayLike) -> Any:
    """Return masked numbers as NaN; other values as they are."""
    # check_array ignores masks and would use the masked values.
    if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "biufO":
        return np.ma.filled(values.astype(np.float64), np.nan)
    return values


def check_scores(
    y: ArrayLike,
    score_range: tuple[float, float] | None = None,
    *,
    X: Any = None,
    name: str = "y",
) -> Floats:
    """Validate scores: finite numbers, within ``score_range`` and one for each row of ``X``."""
    labels = column_or_1d(unmasked(y), warn=True)
    for row, label in enumerate(labels.tolist() if labels.dtype.kind not in "biuf" else ()):
        # Strings of digits, too: they are usually labels.
        if label is not None and not isinstance(label, (bool, int, float, np.number)):
            raise ValueError(
                f"Expected scores, which are numbers, got {name}[{row}] = {label!r}. Convert "
                f"{name} with np.asarray({name}, dtype=float), or use a classifier to predict "
                "class labels."
            )
    try:
        scores: Floats = labels.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name} has an integer of over 308 digits; scale the scores.") from None
    if X is not None:
        check_consistent_length(X, scores)
    missing = np.flatnonzero(~np.isfinite(scores))
    if len(missing):
        raise ValueError(
            f"Input {name} contains NaN or infinity in {len(missing)} row(s), the first is "
            f"{name}[{missing[0]}] = {scores[missing[0]]:g}. Drop pairs without a score."
        )
    if score_range is not None and len(scores):
        low, high = score_range
        outside = np.flatnonzero((scores < low) | (scores > high))
        if len(outside):
            wider = ", ".join(map(_exact, (min(low, scores.min()), max(high, scores.max()))))
            raise ValueError(
                f"Expected scores in [{low:g}, {high:g}], got {name}[{outside[0]}] = "
                f"{scores[outside[0]]:g}. Clip them or pass score_range=({wider})."
            )
    return scores


def _exact(number: float) -> str:
    # Rounded as by ":g", the end of the suggested range could leave a score out.
    return np.format_float_positional(number, trim="-")
