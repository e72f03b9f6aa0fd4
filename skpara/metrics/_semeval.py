"""The figure by which the STS tasks rank systems: correlation within each set, then a mean."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

from skpara._public import set_module
from skpara.metrics._checks import check_scores
from skpara.metrics._correlation import or_zero, pearson, spearman

__all__ = ["SemevalReport", "semeval_report", "semeval_score"]


def semeval_score(
    y_true: ArrayLike,
    y_pred: ArrayLike,
    groups: ArrayLike,
    *,
    average: Literal["pairs", "sets"] = "pairs",
) -> float:
    """Mean over the data sets of Pearson's correlation within each, as the STS tasks rank [1]_.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores.
    groups : array-like of shape (n_pairs,)
        Data set of each pair, such as ``fetch_sts(2016).groups``.
    average : {"pairs", "sets"}, default="pairs"
        ``"pairs"`` weights each set by its number of pairs, the official figure of 2012 to
        2016. ``"sets"`` is the plain mean over sets, which many papers report, and which is
        the official figure over the tracks of 2017.

    Returns
    -------
    float
        Mean correlation from -1 to 1. A set without a defined correlation counts as 0.0, with
        an `UndefinedMetricWarning` that names it.

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, or a set has fewer than 2 pairs.

    References
    ----------
    .. [1] Agirre, E., et al. (2016). "SemEval-2016 Task 1: Semantic Textual Similarity,
       Monolingual and Cross-Lingual Evaluation". SemEval 2016, 497-511.

    Examples
    --------
    >>> from skpara.metrics import semeval_score
    >>> y_true, y_pred = [0, 1, 2, 3, 5], [0, 2, 1, 3, 5]
    >>> sets = ["headlines", "headlines", "headlines", "images", "images"]
    >>> round(semeval_score(y_true, y_pred, sets), 2)
    0.7
    >>> round(semeval_score(y_true, y_pred, sets, average="sets"), 2)
    0.75
    """
    if average not in ("pairs", "sets"):
        raise ValueError(f"average must be 'pairs' or 'sets', got {average!r}")
    report = semeval_report(y_true, y_pred, groups)
    return report.mean_over_pairs if average == "pairs" else report.mean_over_sets


@set_module("skpara.metrics")
@dataclass(frozen=True)
class SemevalReport:
    """Correlations of each data set; printing it gives a table.

    Attributes
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
        """Mean of Pearson's correlations, each set weighted by its number of pairs."""
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
        width = max(len(row[0]) for row in rows)
        return "\n".join(
            [f"{'set':{width}}  {'pairs':>6}  {'Pearson':>8}  {'Spearman':>8}"]
            + [f"{name:{width}}  {n:>6}  {r:>z8.4f}  {rho:>z8.4f}" for name, n, r, rho in rows]
        )


def semeval_report(y_true: ArrayLike, y_pred: ArrayLike, groups: ArrayLike) -> SemevalReport:
    """Pearson's and Spearman's correlation within each data set.

    Parameters
    ----------
    y_true : array-like of shape (n_pairs,)
        Gold scores.
    y_pred : array-like of shape (n_pairs,)
        Predicted scores.
    groups : array-like of shape (n_pairs,)
        Data set of each pair.

    Returns
    -------
    SemevalReport
        The figures, which print as a table.

    Raises
    ------
    ValueError
        If lengths differ, a value is not finite, or a set has fewer than 2 pairs.

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
    true, pred = check_scores(y_true, y_pred)
    labels = np.asarray(groups)
    if labels.shape != true.shape:
        raise ValueError(
            f"groups must name the set of each of the {len(true)} pairs, got shape {labels.shape}"
        )
    names = list(dict.fromkeys(labels.tolist()))
    members = [labels == name for name in names]
    for name, rows in zip(names, members, strict=True):
        if rows.sum() < 2:
            raise ValueError(f"set {name!r} has 1 pair; a correlation needs 2 or more")
    return SemevalReport(
        groups=tuple(str(name) for name in names),
        n_pairs=tuple(int(rows.sum()) for rows in members),
        pearson=tuple(
            or_zero(pearson(true[rows], pred[rows]), f"Pearson in set {name!r}")
            for name, rows in zip(names, members, strict=True)
        ),
        spearman=tuple(
            # undefined exactly where Pearson is, of which a warning has been given
            float(np.nan_to_num(spearman(true[rows], pred[rows])))
            for rows in members
        ),
    )
