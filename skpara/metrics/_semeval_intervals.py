"""How sure the figures of the STS tasks are: each set's correlations and their means."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import ndtr, ndtri
from sklearn.utils import check_random_state

from skpara._public import set_module
from skpara.metrics._checks import Floats, check_scores
from skpara.metrics._correlation import NOISE
from skpara.metrics._semeval import semeval_report

__all__ = ["Estimate", "SemevalIntervals", "semeval_intervals"]

Rows = NDArray[np.intp]

# The jackknife takes as many pairs of a set as this, and not more: its work is their number times
# that of all pairs, and what it corrects vanishes as a set grows.
_LEFT_OUT = 1000
_BATCH = 2**21  # numbers in memory at once


@set_module("skpara.metrics")
class Estimate(NamedTuple):
    """A figure with the ends of its confidence interval.

    Attributes
    ----------
    value, low, high : float
    """

    value: float
    low: float
    high: float


@set_module("skpara.metrics")
@dataclass(frozen=True)
class SemevalIntervals:
    """Correlations of each data set with confidence intervals; printing it gives a table.

    Attributes
    ----------
    groups : tuple of str
        Names of the sets, in their order of appearance.
    n_pairs : tuple of int
        Size of each set.
    pearson, spearman : tuple of Estimate
        Correlations within each set, from -1 to 1.
    pearson_over_pairs, spearman_over_pairs : Estimate
        Their means, each set weighted by its number of pairs.
    pearson_over_sets, spearman_over_sets : Estimate
        Their plain means.
    confidence_level : float
        Coverage of the intervals, between 0 and 1.
    """

    groups: tuple[str, ...]
    n_pairs: tuple[int, ...]
    pearson: tuple[Estimate, ...]
    spearman: tuple[Estimate, ...]
    pearson_over_pairs: Estimate
    spearman_over_pairs: Estimate
    pearson_over_sets: Estimate
    spearman_over_sets: Estimate
    confidence_level: float

    def __str__(self) -> str:
        total = sum(self.n_pairs)
        rows = [
            *zip(self.groups, self.n_pairs, self.pearson, self.spearman, strict=True),
            ("mean over pairs", total, self.pearson_over_pairs, self.spearman_over_pairs),
            ("mean over sets", total, self.pearson_over_sets, self.spearman_over_sets),
        ]
        width = max(len(row[0]) for row in rows)
        interval = f"{100 * self.confidence_level:g} % interval"
        head = f"{'set':{width}}  {'pairs':>6}  {'Pearson':>8}  {interval:>16}"
        return "\n".join(
            [f"{head}  {'Spearman':>8}  {interval:>16}"]
            + [f"{name:{width}}  {n:>6}  {_shown(r)}  {_shown(rho)}" for name, n, r, rho in rows]
        )


def semeval_intervals(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
) -> SemevalIntervals:
    """Correlations within each data set, and their means, with confidence intervals.

    Pairs are resampled within each set, so that every resample has the sets, and the sizes, of the
    data: a stratified bootstrap. The same resamples serve all figures, and each interval is
    corrected for bias and skewness (BCa [1]_; for the means, its form for several samples).
    The interval of one set is that of `bootstrap_interval`.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores.
    groups : array-like of shape (n_pairs,)
        Data set of each pair.
    n_resamples : int, default=2000
        Number of resamples.
    confidence_level : float, default=0.95
        Coverage wanted, between 0 and 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the resampling.

    Returns
    -------
    SemevalIntervals
        The figures, which print as a table.

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, a set has fewer than 2 pairs, or a parameter is
        out of its range.

    References
    ----------
    .. [1] Efron, B. (1987). "Better Bootstrap Confidence Intervals". Journal of the American
       Statistical Association 82 (397), 171-185.

    Examples
    --------
    >>> from skpara.datasets import load_sts_sample
    >>> from skpara.metrics import semeval_intervals
    >>> sample = load_sts_sample()
    >>> lengths = [abs(len(a) - len(b)) for a, b in sample.data]
    >>> result = semeval_intervals(sample.target, lengths, sample.groups, random_state=0)
    >>> mean = result.pearson_over_pairs
    >>> mean.low < mean.value < mean.high
    True
    """
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, got {n_resamples!r}")
    if not 0 < confidence_level < 1:
        raise ValueError(f"confidence_level must be between 0 and 1, got {confidence_level!r}")
    report = semeval_report(y_true, y_pred, groups)
    true, pred = check_scores(y_true, y_pred)
    labels = np.asarray(groups).astype(str)
    rng = check_random_state(random_state)
    sets = [
        _bootstrap(true[labels == name], pred[labels == name], n_resamples, rng)
        for name in report.groups
    ]

    def interval(figure: _Bootstrapped) -> Estimate:
        return Estimate(figure.value, *_bca(figure, confidence_level))

    weights = np.array(report.n_pairs)
    figures = {}
    for name, place in (("pearson", 0), ("spearman", 1)):
        parts = [both[place] for both in sets]
        figures[f"{name}_over_pairs"] = interval(_mean(parts, weights))
        figures[f"{name}_over_sets"] = interval(_mean(parts, np.ones(len(parts))))
    return SemevalIntervals(
        groups=report.groups,
        n_pairs=report.n_pairs,
        pearson=tuple(interval(pearson) for pearson, _ in sets),
        spearman=tuple(interval(spearman) for _, spearman in sets),
        confidence_level=confidence_level,
        **figures,
    )


def _shown(estimate: Estimate) -> str:
    value, low, high = estimate
    return f"{value:>z8.4f}  {f'{low:z.4f} {high:z.4f}':>16}"


class _Bootstrapped(NamedTuple):
    """A figure, what it is in each resample, and how unevenly the pairs contribute to it."""

    value: float
    resampled: Floats
    squares: float  # sums over the pairs: of a pair's influence squared,
    cubes: float  # and cubed


def _bootstrap(
    true: Floats, pred: Floats, n_resamples: int, rng: np.random.RandomState
) -> tuple[_Bootstrapped, _Bootstrapped]:
    """Pearson's and Spearman's correlation of one set."""
    n = len(true)
    sizes = _batches(n_resamples, n)
    resampled = _correlations(true, pred, (rng.randint(0, n, size=(size, n)) for size in sizes))
    out = np.arange(n) if n <= _LEFT_OUT else rng.choice(n, _LEFT_OUT, replace=False)
    left_out = _correlations(true, pred, _all_but(out, n))
    influence = (left_out.mean(axis=1, keepdims=True) - left_out) * (n - 1) / n
    squares, cubes = ((influence**power).sum(axis=1) * n / len(out) for power in (2, 3))
    values = _correlations(true, pred, [np.arange(n)[None]])[:, 0]
    pearson, spearman = (
        _Bootstrapped(float(values[i]), resampled[i], float(squares[i]), float(cubes[i]))
        for i in range(2)
    )
    return pearson, spearman


def _mean(parts: Sequence[_Bootstrapped], weights: NDArray[np.number]) -> _Bootstrapped:
    """The weighted mean of figures of sets that were resampled independently."""
    share = weights / weights.sum()
    return _Bootstrapped(
        float(share @ [part.value for part in parts]),
        share @ np.array([part.resampled for part in parts]),
        float(share**2 @ [part.squares for part in parts]),
        float(share**3 @ [part.cubes for part in parts]),
    )


def _bca(figure: _Bootstrapped, level: float) -> tuple[float, float]:
    """Ends of the interval; plain percentiles where no correction exists."""
    below = np.mean(figure.resampled < figure.value) / 2
    below += np.mean(figure.resampled <= figure.value) / 2
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if 0 < below < 1 and figure.squares > 0:
        bias = ndtri(below)
        acceleration = figure.cubes / (6 * figure.squares**1.5)
        shifted = bias + ndtri(tails)
        tails = ndtr(bias + shifted / (1 - acceleration * shifted))
    low, high = np.quantile(figure.resampled, tails)
    return float(low), float(high)


def _correlations(true: Floats, pred: Floats, batches: Iterable[Rows]) -> Floats:
    """Pearson's (first row) and Spearman's correlation of each row of chosen pairs."""
    codes = [np.unique(side, return_inverse=True)[1] for side in (true, pred)]
    found = []
    for rows in batches:
        pearson = _rowwise(true[rows], pred[rows])
        spearman = _rowwise(*(_ranks(code[rows], code.max() + 1) for code in codes))
        found.append([pearson, np.where(pearson == 0, 0.0, spearman)])
    return np.concatenate(found, axis=1)


def _ranks(codes: Rows, n_codes: int) -> Floats:
    """Ranks within each row, ties sharing their mean rank: by counting, as sorting is slower."""
    row = np.arange(len(codes))[:, None]
    counts = np.bincount((row * n_codes + codes).ravel(), minlength=len(codes) * n_codes)
    counts = counts.reshape(len(codes), n_codes)
    middle = counts.cumsum(axis=1) - (counts - 1) / 2
    return middle[row, codes]


def _rowwise(x: Floats, y: Floats) -> Floats:
    """Pearson's correlation of each row; 0 where a side is constant."""
    x, y = _standardised(x), _standardised(y)
    return np.clip(np.mean(x * y, axis=1), -1.0, 1.0)


def _standardised(x: Floats) -> Floats:
    size = np.abs(x).max(axis=1, keepdims=True)
    x = x / np.where(size > 0, size, 1)
    centred = x - x.mean(axis=1, keepdims=True)
    spread = np.sqrt(np.mean(centred**2, axis=1, keepdims=True))
    return np.divide(centred, spread, out=np.zeros_like(x), where=spread > NOISE)


def _all_but(out: Rows, n: int) -> Iterable[Rows]:
    """For each number of ``out``, all from 0 to ``n`` but it."""
    others = np.arange(n - 1)
    start = 0
    for size in _batches(len(out), n):
        left = out[start : start + size, None]
        yield others + (others >= left)
        start += size


def _batches(n_rows: int, n_columns: int) -> list[int]:
    """Numbers of rows that are worked on at once."""
    most = max(1, _BATCH // n_columns)
    return [min(most, n_rows - start) for start in range(0, n_rows, most)]
