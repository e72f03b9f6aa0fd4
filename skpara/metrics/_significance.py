"""How sure a figure is: bootstrap intervals, and a test between two systems."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.utils import check_random_state

from skpara._public import set_module
from skpara.metrics._checks import Floats, check_scores
from skpara.metrics._correlation import pearson, pearson_score

__all__ = ["WilliamsResult", "bootstrap_interval", "williams_test"]


def bootstrap_interval(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    *,
    metric: Callable[[Floats, Floats], float] = pearson_score,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
) -> tuple[float, float]:
    """Confidence interval of a score, by resampling pairs of sentences (BCa bootstrap [1]_).

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores.
    metric : callable, default=pearson_score
        ``metric(y_true, y_pred) -> float``.
    n_resamples : int, default=2000
        Number of resamples.
    confidence_level : float, default=0.95
        Coverage wanted, between 0 and 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the resampling.

    Returns
    -------
    low, high : float
        Ends of the interval.

    Raises
    ------
    ValueError
        If the lengths differ, there are fewer than 2 pairs, or a value is not finite.

    References
    ----------
    .. [1] Efron, B. (1987). "Better Bootstrap Confidence Intervals". Journal of the American
       Statistical Association 82 (397), 171-185.

    Examples
    --------
    >>> from skpara.metrics import bootstrap_interval
    >>> y_true = [0, 1, 1, 2, 2, 3, 4, 4, 5, 5]
    >>> y_pred = [0, 2, 1, 1, 3, 3, 3, 5, 4, 5]
    >>> low, high = bootstrap_interval(y_true, y_pred, random_state=0)
    >>> low < 0.87 < high
    True
    """
    true, pred = check_scores(y_true, y_pred)
    with warnings.catch_warnings():
        # A resample may by chance be constant: it scores 0.0. BCa may be degenerate: see below.
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        warnings.simplefilter("ignore", stats.DegenerateDataWarning)
        warnings.simplefilter("ignore", RuntimeWarning)
        result = stats.bootstrap(
            (true, pred),
            metric,
            paired=True,
            vectorized=False,
            n_resamples=n_resamples,
            confidence_level=confidence_level,
            method="BCa",
            random_state=check_random_state(random_state),
        )
    low, high = result.confidence_interval
    if np.isnan(low) or np.isnan(high):  # no correction exists, as when every resample agrees
        tail = 50 * (1 - confidence_level)
        low, high = np.percentile(result.bootstrap_distribution, [tail, 100 - tail])
    return float(low), float(high)


@set_module("skpara.metrics")
class WilliamsResult(NamedTuple):
    """Outcome of `williams_test`; unpacks as ``statistic, pvalue``.

    Attributes
    ----------
    statistic : float
        Williams' t, positive if the first system correlates better.
    pvalue : float
        Probability, from 0 to 1, of a statistic as far out if the two correlated equally.
    """

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

    Both correlations share `y_true` and the systems correlate with each other, so a test for
    independent samples would be wrong. Williams' statistic [1]_, which Steiger [2]_ recommends,
    is for :math:`n` pairs

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
        Scores that the two systems predicted.
    alternative : {"two-sided", "greater", "less"}, default="two-sided"
        ``"greater"``: system a correlates better than system b.

    Returns
    -------
    statistic : float
        Positive if system a correlates better.
    pvalue : float
        From 0 to 1.

    Raises
    ------
    ValueError
        If the lengths differ, there are fewer than 4 pairs, a value is not finite, or one of the
        three is constant.

    References
    ----------
    .. [1] Williams, E. J. (1959). "The Comparison of Regression Variables". Journal of the Royal
       Statistical Society B 21 (2), 396-399.
    .. [2] Steiger, J. H. (1980). "Tests for Comparing Elements of a Correlation Matrix".
       Psychological Bulletin 87 (2), 245-251.

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
            f"alternative must be 'two-sided', 'greater' or 'less', got {alternative!r}"
        )
    true, a = check_scores(y_true, y_pred_a, pred_name="y_pred_a", least=4)
    _, b = check_scores(y_true, y_pred_b, pred_name="y_pred_b", least=4)
    r_a, r_b, r_ab = pearson(true, a), pearson(true, b), pearson(a, b)
    if np.isnan([r_a, r_b, r_ab]).any():
        raise ValueError("y_true, y_pred_a and y_pred_b must each hold more than one value")
    n = len(true)
    determinant = max(0.0, 1 - r_a**2 - r_b**2 - r_ab**2 + 2 * r_a * r_b * r_ab)
    scale = 2 * (n - 1) / (n - 3) * determinant + (r_a + r_b) ** 2 / 4 * (1 - r_ab) ** 3
    # Systems that are the same up to scale leave 0 / 0, and nothing to tell them apart.
    same = np.isclose(r_ab, 1.0, rtol=0.0, atol=1e-12)
    t = 0.0 if same else float((r_a - r_b) * np.sqrt((n - 1) * (1 + r_ab)) / np.sqrt(scale))
    tails = {
        "two-sided": 2 * stats.t.sf(abs(t), n - 3),
        "greater": stats.t.sf(t, n - 3),
        "less": stats.t.cdf(t, n - 3),
    }
    return WilliamsResult(t, float(tails[alternative]))
