"""Pearson's and Spearman's correlation as scores and as scorers."""

from __future__ import annotations

import warnings

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from skpara.metrics._checks import Floats, check_scores, check_weight

__all__ = [
    "NOISE",
    "or_zero",
    "pearson",
    "pearson_score",
    "pearson_scorer",
    "spearman",
    "spearman_score",
    "spearman_scorer",
]

# Spread below this share of the size is rounding noise, not signal.
NOISE = 1e-13


def pearson_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Pearson's correlation of predicted with gold scores, the measure of the STS tasks.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores, on any scale.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores, on any scale; `y_true` and `y_pred` may change places.
    sample_weight : array-like of shape (n_pairs,), default=None
        Weight of each pair, 0 or more.

    Returns
    -------
    float
        Correlation from -1 to 1. Where one side is constant the correlation is undefined: the
        result is 0.0, with an `UndefinedMetricWarning`, so that a search over parameters goes on.

    Raises
    ------
    ValueError
        If the lengths differ, there are fewer than 2 pairs, or a value is not finite.

    Examples
    --------
    >>> from skpara.metrics import pearson_score
    >>> round(pearson_score([0, 1, 2, 5], [0.1, 0.3, 0.2, 0.9]), 3)
    0.945
    """
    true, pred = check_scores(y_true, y_pred)
    weight = None if sample_weight is None else check_weight(sample_weight, len(true))
    if weight is not None:  # pairs without weight must not decide what counts as noise
        true, pred, weight = true[weight > 0], pred[weight > 0], weight[weight > 0]
    return or_zero(pearson(true, pred, weight), "Pearson")


def spearman_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Spearman's rank correlation of predicted with gold scores; ties share their mean rank.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores, on any scale.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores, on any scale.

    Returns
    -------
    float
        Correlation from -1 to 1; 0.0 with an `UndefinedMetricWarning` where one side is constant.

    Raises
    ------
    ValueError
        If the lengths differ, there are fewer than 2 pairs, or a value is not finite.

    Examples
    --------
    >>> from skpara.metrics import spearman_score
    >>> spearman_score([0, 1, 2, 5], [0.1, 0.3, 0.2, 0.9])
    0.8
    """
    true, pred = check_scores(y_true, y_pred)
    return or_zero(spearman(true, pred), "Spearman")


pearson_scorer = make_scorer(pearson_score)
spearman_scorer = make_scorer(spearman_score)


def pearson(x: Floats, y: Floats, weight: Floats | None = None) -> float:
    """Correlation, NaN where undefined."""
    x, y = _standardise(x, weight), _standardise(y, weight)
    return float(np.clip(np.average(x * y, weights=weight), -1.0, 1.0))


def _standardise(x: Floats, weight: Floats | None) -> Floats:
    """Zero mean and unit spread, or NaN where there is no spread."""
    size = np.abs(x).max()
    x = x / size if size > 0 else x  # so that squares neither overflow nor vanish
    centred = x - np.average(x, weights=weight)
    spread = np.sqrt(np.average(centred**2, weights=weight))
    return centred / spread if spread > NOISE else np.full_like(x, np.nan)


def spearman(x: Floats, y: Floats) -> float:
    """Rank correlation, NaN where `pearson` is, since ranks of rounding noise mean nothing."""
    if np.isnan(pearson(x, y)):
        return float("nan")
    return pearson(stats.rankdata(x), stats.rankdata(y))


def or_zero(correlation: float, name: str) -> float:
    """`correlation`, or 0.0 with a warning where it is undefined."""
    if not np.isnan(correlation):
        return correlation
    warnings.warn(
        f"{name}: the gold or the predicted scores are constant, so the correlation is "
        "undefined; 0.0 is returned",
        UndefinedMetricWarning,
        stacklevel=3,
    )
    return 0.0
