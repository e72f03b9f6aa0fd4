"""The score by which the STS tasks rank systems: correlation within each set, then a mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._public import set_module
from skpara._typing import Floats
from skpara.metrics._correlation import check_predictions, correlations, zero_if_undefined
from skpara.metrics._significance import interval_ends

# Numbers of a batch of resamples: its arrays stay in the processor's cache.
_BATCH_SIZE = 2**18
# BCa leaves out each pair in turn, so its time grows with the square of a set's size. In larger
# sets than this it corrects less than the resamples' own noise.
_MAX_PAIRS_BCA = 5000


def semeval_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: ArrayLike,
    *,
    average: Literal["pairs", "sets"] = "pairs",
) -> float:
    """Compute the mean over data sets of Pearson's correlation within each, as the STS tasks do.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores.
    groups : array-like of shape (n_pairs,)
        Name of the data set of each pair, such as ``fetch_sts(2016).groups``.
    average : {"pairs", "sets"}, default="pairs"
        ``"pairs"`` weights each set by its number of pairs, the official figure of 2012 to
        2016. ``"sets"`` is the plain mean over sets, which many papers report, and which is
        the official figure over the tracks of 2017.

    Returns
    -------
    float
        Mean correlation from -1 to 1. A set without a defined correlation counts as 0.0, with
        an ``UndefinedMetricWarning`` that names it.

    References
    ----------
    E. Agirre et al. (2016). SemEval-2016 Task 1: semantic textual similarity, monolingual and
    cross-lingual evaluation. SemEval, 497-511.

    Examples
    --------
    >>> from skpara.metrics import semeval_score
    >>> sets = ["headlines", "headlines", "headlines", "images", "images"]
    >>> round(semeval_score([0, 1, 2, 3, 5], [0, 2, 1, 3, 5], sets), 2)
    0.7
    """
    if average not in ("pairs", "sets"):
        raise ValueError(f"average must be 'pairs' or 'sets', got {average!r}.")
    report = semeval_report(y_true, y_pred, groups)
    return report.mean_over_pairs if average == "pairs" else report.mean_over_sets


@set_module("skpara.metrics")
@dataclass(frozen=True)
class SemevalReport:
    """Correlations of each data set; printing it gives a table.

    Parameters
    ----------
    groups : tuple of str
        Names of the sets, in their order of appearance.
    n_pairs : tuple of int
        Size of each set.
    pearson, spearman : tuple of float
        Correlations within each set, from -1 to 1.
    """

    groups: tuple[str, ...]
    n_pairs: tuple[int, ...]
    pearson: tuple[float, ...]
    spearman: tuple[float, ...]

    @property
    def mean_over_pairs(self) -> float:
        """Mean of Pearson's correlations, weighted by the number of pairs of each set."""
        return float(np.average(self.pearson, weights=self.n_pairs))

    @property
    def mean_over_sets(self) -> float:
        """Plain mean of Pearson's correlations."""
        return float(np.mean(self.pearson))

    def __str__(self) -> str:
        rows = [*zip(self.groups, self.n_pairs, self.pearson, self.spearman, strict=True)]
        for name, weights in (("mean over pairs", self.n_pairs), ("mean over sets", None)):
            r, rho = np.average([self.pearson, self.spearman], axis=1, weights=weights)
            rows.append((name, sum(self.n_pairs), float(r), float(rho)))
        return _table(rows, "", "{:>z8.4f}".format)


def semeval_report(y_true: ArrayLike, y_pred: ArrayLike, groups: ArrayLike) -> SemevalReport:
    """Compute Pearson's and Spearman's correlation within each data set.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores.
    groups : array-like of shape (n_pairs,)
        Name of the data set of each pair.

    Returns
    -------
    SemevalReport
        The correlations, which print as a table.

    Examples
    --------
    >>> from skpara.metrics import semeval_report
    >>> print(semeval_report([0, 1, 2, 3, 5], [0, 2, 1, 3, 5], ["a", "a", "a", "b", "b"]))
    set               pairs   Pearson  Spearman
    a                     3    0.5000    0.5000
    b                     2    1.0000    1.0000
    mean over pairs       5    0.7000    0.7000
    mean over sets        5    0.7500    0.7500
    """
    true, pred = check_predictions(y_true, y_pred)
    labels = np.asarray(groups)
    if labels.shape != true.shape:
        raise ValueError(
            f"groups must name the set of each of the {len(true)} pairs, got shape {labels.shape}."
        )
    names = list(dict.fromkeys(labels.tolist()))
    members = [labels == name for name in names]
    sizes = [int(rows.sum()) for rows in members]
    if 1 in sizes:
        name = names[sizes.index(1)]
        raise ValueError(f"Set {name!r} has 1 pair; a correlation needs 2 or more.")
    r, rho = np.transpose([correlations(true[rows], pred[rows]) for rows in members])
    return SemevalReport(
        groups=tuple(map(str, names)),
        n_pairs=tuple(sizes),
        pearson=tuple(map(zero_if_undefined, r, (f"Pearson in set {name!r}" for name in names))),
        # Undefined exactly where Pearson's is: one warning is enough.
        spearman=tuple(np.nan_to_num(rho).tolist()),
    )


@set_module("skpara.metrics")
class Estimate(NamedTuple):
    """A correlation, or a mean of some, with its confidence interval.

    Parameters
    ----------
    value, low, high : float
        The correlation and the ends of the interval.
    """

    value: float
    low: float
    high: float


@set_module("skpara.metrics")
@dataclass(frozen=True)
class SemevalIntervals:
    """Correlations of each data set with confidence intervals; printing it gives a table.

    Parameters
    ----------
    groups : tuple of str
        Names of the sets, in their order of appearance.
    n_pairs : tuple of int
        Size of each set.
    pearson, spearman : tuple of Estimate
        Correlations within each set, from -1 to 1.
    pearson_over_pairs, spearman_over_pairs, pearson_over_sets, spearman_over_sets : Estimate
        Their means, each set weighted by its number of pairs, and their plain means.
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
        interval = f"{100 * self.confidence_level:g} % interval"
        return _table(rows, f"  {interval:>16}", _with_interval)


def semeval_intervals(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
) -> SemevalIntervals:
    """Compute correlations within each data set, and their means, with confidence intervals.

    Pairs are resampled within each set (a stratified bootstrap). All correlations and means share
    the resamples, and so do systems that are compared with the same ``random_state``. Intervals
    are corrected for bias and skewness (BCa), as in :func:`bootstrap_interval`; those with a set
    of more than 5,000 pairs, which need no correction, are percentiles.

    Parameters
    ----------
    y_true, y_pred : array-like of shape (n_pairs,)
        Gold scores and predicted scores.
    groups : array-like of shape (n_pairs,)
        Name of the data set of each pair.
    n_resamples : int, default=2000
        Number of resamples.
    confidence_level : float, default=0.95
        Coverage of the intervals, between 0 and 1.
    random_state : int, RandomState instance or None, default=None
        Seed of the resampling.

    Returns
    -------
    SemevalIntervals
        The correlations and means, which print as a table.

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
    report = semeval_report(y_true, y_pred, groups)
    true, pred = check_predictions(y_true, y_pred)
    labels = np.asarray(groups).astype(str)
    sets = [(true[labels == name], pred[labels == name]) for name in report.groups]
    sizes = np.array(report.n_pairs)
    # One row for each set, then both means.
    weights = np.vstack([np.eye(len(sets)), sizes / sizes.sum(), np.ones(len(sets)) / len(sets)])

    def statistic(*samples: NDArray[np.intp], axis: int) -> Floats:
        by_set = []
        for (gold, predicted), rows in zip(sets, samples, strict=True):
            # The jackknife repeats all sets but one as views of a single row: score it once.
            once = rows[:1] if rows.ndim > 1 and rows.strides[0] == 0 else rows
            by_set.append(np.nan_to_num(correlations(gold, predicted, once)))
        stacked = np.stack(np.broadcast_arrays(*by_set), axis=1)
        return np.einsum("fs,cs...->cf...", weights, stacked)

    indices = [np.arange(n) for n in sizes]
    ends = interval_ends(
        indices,
        statistic,
        n_resamples,
        confidence_level,
        random_state,
        method="BCa" if max(sizes) <= _MAX_PAIRS_BCA else "percentile",
        batch=max(1, _BATCH_SIZE // len(true)),
    )
    values = np.stack([statistic(*indices, axis=-1), *ends], axis=-1)
    estimates = [[Estimate(*value) for value in measure] for measure in values.tolist()]
    (*r, r_over_pairs, r_over_sets), (*rho, rho_over_pairs, rho_over_sets) = estimates
    return SemevalIntervals(
        groups=report.groups,
        n_pairs=report.n_pairs,
        pearson=tuple(r),
        spearman=tuple(rho),
        pearson_over_pairs=r_over_pairs,
        spearman_over_pairs=rho_over_pairs,
        pearson_over_sets=r_over_sets,
        spearman_over_sets=rho_over_sets,
        confidence_level=confidence_level,
    )


def _table(rows: list[Any], head: str, cell: Callable[[Any], str]) -> str:
    """Format names, numbers of pairs, and both correlations; ``head`` follows their names."""
    width = max(len(name) for name, *_ in rows)
    lines = [f"{'set':{width}}  {'pairs':>6}  {'Pearson':>8}{head}  {'Spearman':>8}{head}"]
    lines += [f"{name:{width}}  {n:>6}  {cell(r)}  {cell(rho)}" for name, n, r, rho in rows]
    return "\n".join(lines)


def _with_interval(estimate: Estimate) -> str:
    value, low, high = estimate
    return f"{value:>z8.4f}  {f'{low:z.4f} {high:z.4f}':>16}"
