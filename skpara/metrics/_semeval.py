"""The score of the STS tasks: correlation within each set, then a mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._messages import printable
from skpara._public import set_module
from skpara._typing import Floats
from skpara._validation import check_present
from skpara.metrics._correlation import (
    FILTERS_LOCK,
    check_predictions,
    correlations,
    zero_if_undefined,
)
from skpara.metrics._significance import interval_ends

# Numbers in a batch of resamples: its arrays stay in the processor's cache.
_BATCH_SIZE = 2**18
# BCa leaves out each pair in turn, in time that grows with the square of a set's size. In larger
# sets, it corrects less than the noise of resampling.
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
        2016. ``"sets"`` is the plain mean over sets, reported by many papers and the official
        figure over the tracks of 2017.

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
    return float(report.pearson_over_pairs if average == "pairs" else report.pearson_over_sets)


class Estimate(NamedTuple):
    """A correlation, or a mean of correlations, and the ends of its confidence interval."""

    value: float
    low: float
    high: float


@set_module("skpara.metrics")
@dataclass(frozen=True)
class SemevalReport:
    """Correlations of each data set and their means, as numbers or estimates."""

    groups: tuple[str, ...]
    n_pairs: tuple[int, ...]
    pearson: tuple[Any, ...]
    spearman: tuple[Any, ...]
    pearson_over_pairs: Any
    spearman_over_pairs: Any
    pearson_over_sets: Any
    spearman_over_sets: Any
    confidence_level: float | None = None

    def __str__(self) -> str:
        total = sum(self.n_pairs)
        rows = [
            *zip(
                map(printable, self.groups), self.n_pairs, self.pearson, self.spearman, strict=True
            ),
            ("mean over pairs", total, self.pearson_over_pairs, self.spearman_over_pairs),
            ("mean over sets", total, self.pearson_over_sets, self.spearman_over_sets),
        ]
        head = ""
        if self.confidence_level is not None:
            head = f"  {f'{100 * self.confidence_level:g} % interval':>16}"
        width = max(len(name) for name, *_ in rows)
        lines = [f"{'set':{width}}  {'pairs':>6}  {'Pearson':>8}{head}  {'Spearman':>8}{head}"]
        lines += [f"{name:{width}}  {n:>6}  {_cell(r)}  {_cell(rho)}" for name, n, r, rho in rows]
        return "\n".join(lines)


def _cell(correlation: Any) -> str:
    if not isinstance(correlation, Estimate):
        return f"{correlation:>z8.4f}"
    value, low, high = correlation
    return f"{value:>z8.4f}  {f'{low:z.4f} {high:z.4f}':>16}"


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
    object
        Prints as a table. Its attributes are ``groups`` (names of the sets), ``n_pairs``,
        ``pearson`` and ``spearman`` (tuples of one correlation for each set), and the means
        ``pearson_over_pairs``, ``spearman_over_pairs`` (weighted by the number of pairs),
        ``pearson_over_sets`` and ``spearman_over_sets``.

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
    if (shape := np.shape(groups)) != true.shape:
        raise ValueError(
            f"groups must name the set of each of the {len(true)} pairs, got shape {shape}."
        )
    with FILTERS_LOCK:
        labels = check_present(groups, "groups")
    names = list(dict.fromkeys(labels.tolist()))
    members = [labels == name for name in names]
    sizes = [int(rows.sum()) for rows in members]
    if 1 in sizes:
        name = names[sizes.index(1)]
        raise ValueError(f"Set {name!r} has 1 pair; a correlation needs 2 or more.")
    r, rho = np.transpose([correlations(true[rows], pred[rows]) for rows in members])
    pearson = tuple(map(zero_if_undefined, r, (f"Pearson in set {name!r}" for name in names)))
    # Undefined exactly where Pearson's is: one warning is enough.
    spearman = tuple(np.nan_to_num(rho).tolist())
    means = [
        float(np.average(values, weights=weights))
        for weights in (sizes, None)
        for values in (pearson, spearman)
    ]
    return SemevalReport(tuple(map(str, names)), tuple(sizes), pearson, spearman, *means)


def semeval_intervals(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: ArrayLike,
    *,
    n_resamples: int = 2000,
    confidence_level: float = 0.95,
    random_state: int | np.random.RandomState | None = None,
) -> SemevalReport:
    """Compute correlations within each data set, and their means, with confidence intervals.

    Pairs are resampled within each set (a stratified bootstrap). All correlations and means share
    the resamples, and so do systems that are compared with the same ``random_state``. Intervals
    are corrected for bias and skewness (BCa), as in :func:`bootstrap_interval`; with a set of more
    than 5,000 pairs, they need no correction and are percentiles.

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
    object
        As from :func:`semeval_report`, but each correlation and mean has ``value``, ``low`` and
        ``high``; and ``confidence_level``.

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
    means = r_over_pairs, rho_over_pairs, r_over_sets, rho_over_sets
    return SemevalReport(
        *(report.groups, report.n_pairs, tuple(r), tuple(rho), *means, confidence_level)
    )
