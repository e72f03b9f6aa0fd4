"""Bootstrap intervals of scores."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from skpara._typing import Floats
from skpara._validation import check_count, check_share
from skpara.metrics._correlation import FILTERS_LOCK, check_predictions, pearson_score


def bootstrap_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: Callable[[Floats, Floats], float] = pearson_score,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[float, float]:
    """Compute a confidence interval of a score by resampling pairs (BCa bootstrap).

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores.
    metric : callable, default=pearson_score
        Called as ``metric(y_true, y_pred)``; returns a float.
    n_resamples : int, default=2000
        Number of resamples.
    confidence_level : float, default=0.95
        Coverage of the interval, between 0 and 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the resampling.

    Returns
    -------
    tuple of (float, float)
        Lower and upper end of the interval.

    References
    ----------
    B. Efron (1987). Better bootstrap confidence intervals. Journal of the American Statistical
    Association 82 (397), 171-185.

    Examples
    --------
    >>> from skpara.metrics import bootstrap_interval
    >>> y_true = [0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
    >>> y_pred = [0, 2, 1, 1, 3, 3, 3, 5, 4, 5]
    >>> low, high = bootstrap_interval(y_true, y_pred, random_state=0)
    >>> low < 0.87 < high
    True
    """
    samples = check_predictions(y_true, y_pred)
    options = {"paired": True, "vectorized": False, "method": "BCa"}
    ends = interval_ends(samples, metric, n_resamples, confidence_level, random_state, **options)
    return float(ends[0]), float(ends[1])


def interval_ends(
    samples: Sequence[NDArray[Any]],
    statistic: Callable[..., Any],
    n_resamples: int,
    confidence_level: float,
    random_state: int | np.random.RandomState | None,
    **options: Any,
) -> Floats:
    """Return the lower and upper ends of the interval of each number from ``statistic``."""
    check_count("n_resamples", n_resamples)
    check_share("confidence_level", confidence_level)
    with FILTERS_LOCK, warnings.catch_warnings():
        # A resample that is constant by chance scores 0.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        warnings.simplefilter("ignore", RuntimeWarning)  # from scipy, if BCa is undefined
        result = stats.bootstrap(
            samples,
            statistic,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            random_state=check_random_state(random_state),
            **options,
        )
    ends = np.array(result.confidence_interval)
    # BCa is undefined if all resamples agree: the ends are percentiles then.
    tails = (1 - confidence_level) / 2, (1 + confidence_level) / 2
    percentiles = np.quantile(result.bootstrap_distribution, tails, axis=-1)
    return np.where(np.isnan(ends).any(axis=0), percentiles, ends)
