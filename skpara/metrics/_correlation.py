"""Pearson's and Spearman's correlation as scores and as scorers."""

from __future__ import annotations

from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.metrics import make_scorer

from skpara._linalg import pearson
from skpara._messages import warn
from skpara._typing import Floats
from skpara._validation import check_scores, check_weights

# Filters of warnings are global to the process: two threads would restore each other's.
FILTERS_LOCK = RLock()


def pearson_score(
    y_true: ArrayLike, y_pred: ArrayLike, *, sample_weight: ArrayLike | None = None
) -> float:
    """Compute Pearson's correlation of predicted with gold scores, the measure of the STS tasks.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores, on any scale. Swapping the two changes nothing.
    sample_weight : array-like of shape (n_pairs,), default=None
        Weight of each pair, 0 or more.

    Returns
    -------
    float
        Correlation from -1 to 1. If one side is constant, the correlation is undefined: the
        result is 0.0, with an ``UndefinedMetricWarning``, so that a parameter search goes on.

    Examples
    --------
    >>> from skpara.metrics import pearson_score
    >>> round(pearson_score([0, 1, 2, 5], [0.1, 0.3, 0.2, 0.9]), 3)
    0.945
    """
    true, pred = check_predictions(y_true, y_pred)
    weight = check_weights(sample_weight, true)
    if weight is None:
        return zero_if_undefined(pearson(true, pred), "Pearson")
    weighted = weight > 0  # a huge score of weight 0 must not make the others look like noise
    return zero_if_undefined(pearson(true[weighted], pred[weighted], weight[weighted]), "Pearson")


def spearman_score(y_true: ArrayLike, y_pred: ArrayLike) -> float:
    """Compute Spearman's correlation of predicted with gold scores; ties share their mean rank.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores, on any scale.

    Returns
    -------
    float
        Correlation from -1 to 1; 0.0, with an ``UndefinedMetricWarning``, if one side is
        constant.

    Examples
    --------
    >>> from skpara.metrics import spearman_score
    >>> spearman_score([0, 1, 2, 5], [0.1, 0.3, 0.2, 0.9])
    0.8
    """
    return zero_if_undefined(correlations(*check_predictions(y_true, y_pred))[1], "Spearman")


def _scorer(score: Any) -> Any:
    scorer = make_scorer(score)
    scorer.__doc__ = f"""Score the predictions of a fitted estimator by :func:`{score.__name__}`.

    Pass it as ``scoring`` to scikit-learn's searches and cross-validation.
    """
    return scorer


pearson_scorer = _scorer(pearson_score)
spearman_scorer = _scorer(spearman_score)


def correlations(true: Floats, pred: Floats, rows: NDArray[np.intp] | None = None) -> Floats:
    """Compute Pearson's and Spearman's correlation, for each row of indices if there are rows."""
    codes = [np.unique(side, return_inverse=True)[1] for side in (true, pred)]
    if rows is not None:
        true, pred, codes = true[rows], pred[rows], [side[rows] for side in codes]
    r = pearson(true, pred)
    # Ranks of scores that differ by rounding noise are meaningless.
    return np.stack([r, np.where(np.isnan(r), np.nan, pearson(*map(_ranks, codes)))])


def _ranks(codes: NDArray[np.intp]) -> Floats:
    """Return ranks along the last axis; ties share their mean rank."""
    # By counting: scipy.stats.rankdata takes five times as long, and changes the filters of
    # warnings, which other threads may have.
    n_codes = codes.max() + 1
    row = np.arange(codes[..., 0].size).reshape(*codes.shape[:-1], 1)
    counts = np.bincount((row * n_codes + codes).ravel(), minlength=row.size * n_codes)
    counts = counts.reshape(*codes.shape[:-1], n_codes)
    return np.take_along_axis(counts.cumsum(axis=-1) - (counts - 1) / 2, codes, axis=-1)


def zero_if_undefined(correlation: Any, name: str) -> float:
    """Return the correlation as a float; 0.0, with a warning, if it is NaN."""
    if not np.isnan(correlation):
        return float(correlation)
    warn(
        f"{name}: the gold or the predicted scores are constant, so the correlation is "
        "undefined; 0.0 is returned.",
        UndefinedMetricWarning,
    )
    return 0.0


def check_predictions(y_true: ArrayLike, y_pred: ArrayLike) -> tuple[Floats, Floats]:
    """Return both sides as finite float64 vectors of equal length, at least ``min_pairs``."""
    named = (y_true, "y_true"), (y_pred, "y_pred")
    for values, name in named:
        if np.ndim(values) != 1:
            raise ValueError(f"{name} must have shape (n_pairs,), got {np.shape(values)}.")
    with FILTERS_LOCK:  # scikit-learn's validation changes filters, too
        true, pred = (check_scores(values, name=name) for values, name in named)
    if len(true) != len(pred):
        raise ValueError(f"y_true has {len(true)} scores, but y_pred has {len(pred)}.")
    if len(true) < 2:
        raise ValueError(f"2 or more pairs are needed, got {len(true)}.")
    return true, pred
