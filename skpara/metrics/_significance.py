"""Bootstrap intervals of scores, and a test between two systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from threading import RLock
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from skpara._linalg import pearson
from skpara._typing import Floats
from skpara.metrics._correlation import check_predictions, pearson_score

# Filters of warnings are global to the process: two threads would restore each other's.
_LOCK = RLock()


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
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, got {n_resamples!r}.")
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level must be between 0 and 1, got {confidence_level!r}.")
    with _LOCK, warnings.catch_warnings():
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


class WilliamsResult(NamedTuple):
    """Result of :func:`williams_test`."""

    statistic: float
    pvalue: float


def williams_test(
    y_true: ArrayLike,
    y_pred_a: ArrayLike,
    y_pred_b: ArrayLike,
    *,
    alternative: Literal["two-sided", "greater", "less"] = "two-sided",
) -> WilliamsResult:
    r"""Test whether two systems correlate equally with the gold scores of the same pairs.

    Both correlations share ``y_true`` and the systems correlate with each other, so a test for
    independent samples would be wrong. Williams' statistic, which Steiger recommends, is for
    :math:`n` pairs

    .. math::

        t = (r_a - r_b) \sqrt{\frac{(n - 1)(1 + r_{ab})}
            {2 \frac{n - 1}{n - 3} K + \frac{(r_a + r_b)^2}{4} (1 - r_{ab})^3}}

    with :math:`K = 1 - r_a^2 - r_b^2 - r_{ab}^2 + 2 r_a r_b r_{ab}`, and follows Student's t with
    :math:`n - 3` degrees of freedom where the correlations are equal and values normal.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores.
    y_pred_a, y_pred_b : array-like of shape (n_pairs,)
        Scores predicted by the two systems.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        The alternative hypothesis; ``"greater"``: system a correlates better than system b.

    Returns
    -------
    tuple of (float, float)
        ``statistic``, Williams' t, positive if system a correlates better; and ``pvalue``, the
        probability of such a statistic for systems that correlate equally.

    References
    ----------
    E. J. Williams (1959). The comparison of regression variables. Journal of the Royal
    Statistical Society B 21 (2), 396-399.

    J. H. Steiger (1980). Tests for comparing elements of a correlation matrix. Psychological
    Bulletin 87 (2), 245-251.

    Examples
    --------
    >>> from skpara.metrics import williams_test
    >>> y_true = [0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
    >>> good = [0, 1, 2, 2, 2, 3, 4, 5, 5, 5]
    >>> poor = [3, 1, 0, 2, 4, 1, 2, 5, 1, 4]
    >>> statistic, pvalue = williams_test(y_true, good, poor)
    >>> statistic > 0 and pvalue < 0.01
    True
    """
    if alternative not in ("two-sided", "greater", "less"):
        raise ValueError(
            f"alternative must be 'two-sided', 'greater' or 'less', got {alternative!r}."
        )
    true, a = check_predictions(y_true, y_pred_a, pred_name="y_pred_a", min_pairs=4)
    _, b = check_predictions(y_true, y_pred_b, pred_name="y_pred_b", min_pairs=4)
    r_a, r_b, r_ab = pearson(true, a), pearson(true, b), pearson(a, b)
    if np.isnan([r_a, r_b, r_ab]).any():
        raise ValueError("y_true, y_pred_a and y_pred_b must each hold more than one value.")
    n = len(true)
    determinant = max(0.0, 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab)
    scale = 2 * (n - 1) / (n - 3) * determinant + (r_a + r_b) ** 2 / 4 * (1 - r_ab) ** 3
    # Systems that are equal up to scale make the statistic 0 / 0; they do not differ.
    same = np.isclose(r_ab, 1.0, rtol=0.0, atol=1e-12)
    t = 0.0 if same else float((r_a - r_b) * np.sqrt((n - 1) * (1 + r_ab)) / np.sqrt(scale))
    tails = {
        "two-sided": 2 * stats.t.sf(abs(t), n - 3),
        "greater": stats.t.sf(t, n - 3),
        "less": stats.t.cdf(t, n - 3),
    }
    return WilliamsResult(t, float(tails[alternative]))
