"""How far scores may be off: intervals by conformal prediction.

A regressor is fitted on a part of the pairs and predicts the others, so that each pair has an
error that the regressor has not learned from. These errors depend on the score: pairs that are
predicted near an end of the scale are nearly certain, those in the middle are not. So the errors
are counted as a distribution of true scores for each predicted score, and an interval is the part
of it around the mode that has the wanted probability.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from sklearn.model_selection import GroupKFold, KFold

from skpara._folds import Rows
from skpara._typing import Floats

_N_FOLDS = 5
# Chosen on kinds of text that were left out of training (STS 2012-2015 and SICK): intervals that
# contain 90 percent of the scores are 2 percent wider with 200 bins, since most gold scores are
# multiples of a fiftieth of the range. A distribution that also depends on the features, by a
# random forest, makes them no narrower.
_N_BINS = 50
# Standard deviations, in bins, by which predicted and true scores are smoothed. Widths differ by 1
# percent for half or twice as much.
_SMOOTHING = (3.0, 1.5)


class IntervalTable(NamedTuple):
    """What intervals are read from.

    ``mass[i, j]`` is the probability of the smallest interval around the mode, for predicted
    scores of bin i, that has the true scores of bin j. ``levels`` are the masses of the true
    scores of held-out pairs, in order. So nine tenths of the pairs are inside the intervals of
    the mass ``levels[0.9 * n]``, whatever the errors of the smoothing.
    """

    edges: Floats  # of the bins, shape (n_bins + 1,)
    mass: Floats  # shape (n_bins, n_bins)
    levels: Floats  # shape (n_pairs,)

    def intervals(self, predicted: Floats, coverage: float) -> Floats:
        """Return the ends of the interval around each predicted score."""
        if not len(predicted):
            return np.empty((0, 2))
        n = len(self.levels)
        # The pair itself counts as one more, which keeps the promise where there are few.
        place = int(np.ceil(coverage * (n + 1))) - 1
        level = self.levels[place] if place < n else np.inf
        inside = self.mass[_bins(predicted, self.edges)] <= level
        first = inside.argmax(axis=1)
        last = inside.shape[1] - inside[:, ::-1].argmax(axis=1)
        low, high = self.edges[first], self.edges[last]
        none = ~inside.any(axis=1)
        low, high = np.where(none, predicted, low), np.where(none, predicted, high)
        return np.column_stack([np.minimum(low, predicted), np.maximum(high, predicted)])

    def check(self) -> None:
        """Raise a ValueError unless the arrays fit together."""
        n_bins = len(self.edges) - 1
        if self.mass.shape != (n_bins, n_bins) or self.levels.ndim != 1 or not len(self.levels):
            raise ValueError("the arrays of the intervals have other shapes")
        if not all(np.isfinite(array).all() for array in self):
            raise ValueError("the arrays of the intervals are not finite")
        if (np.diff(self.edges) < 0).any() or (np.diff(self.levels) < 0).any():
            raise ValueError("the arrays of the intervals are not in order")


def interval_folds(n_pairs: int, groups: Any) -> list[tuple[Rows, Rows]]:
    """Return the rows to learn from and to hold out, for each fold.

    With several ``groups``, a group is held out as a whole: errors on pairs of a data set of which
    others were learned from are smaller than those on another data set.
    """
    n_groups = 0 if groups is None else len(np.unique(groups))
    splitter: Any = KFold(min(_N_FOLDS, n_pairs), shuffle=True, random_state=0)
    if n_groups > 1:
        splitter = GroupKFold(min(_N_FOLDS, n_groups))
    return list(splitter.split(np.empty(n_pairs), groups=groups))


def interval_table(
    predicted: Floats,
    scores: Floats,
    folds: list[tuple[Rows, Rows]],
    score_range: tuple[float, float],
) -> IntervalTable:
    """Return the table for scores in a range, from the predictions of held-out pairs."""
    observed = min(scores.min(), predicted.min()), max(scores.max(), predicted.max())
    low, high = (
        end if np.isfinite(end) else seen for end, seen in zip(score_range, observed, strict=True)
    )
    edges = np.linspace(low, high, _N_BINS + 1)
    rows, columns = _bins(predicted, edges), _bins(scores, edges)
    levels = np.empty(len(scores))
    for others, held_out in folds:  # a pair's level is that of the other folds' errors
        mass = _mass(rows[others], columns[others])
        levels[held_out] = mass[rows[held_out], columns[held_out]]
    return IntervalTable(edges, _mass(rows, columns), np.sort(levels))


def _bins(scores: Floats, edges: Floats) -> Any:
    return np.clip(np.searchsorted(edges, scores, side="right") - 1, 0, len(edges) - 2)


def _mass(rows: Any, columns: Any) -> Floats:
    """Return ``IntervalTable.mass`` of pairs of bins."""
    counts = np.zeros((_N_BINS, _N_BINS))
    np.add.at(counts, (rows, columns), 1.0)
    of_rows, of_columns = map(_kernel, _SMOOTHING)
    # The kernel of true scores is scaled, so that no probability is lost beyond the ends.
    density = of_rows @ counts @ (of_columns / of_columns.sum(axis=1, keepdims=True))
    density += 1e-9 * of_columns  # far from all predictions, any interval is around the score
    density /= density.sum(axis=1, keepdims=True)
    mass, bins = np.empty_like(density), np.arange(_N_BINS)
    first = last = density.argmax(axis=1)
    total = density[bins, first]
    mass[bins, first] = total
    padded = np.pad(density, ((0, 0), (1, 1)), constant_values=-1.0)
    for _ in range(_N_BINS - 1):  # each interval grows by the likelier one of its two neighbors
        below, above = padded[bins, first], padded[bins, last + 2]
        down = below > above
        first, last = first - down, last + ~down
        added = np.where(down, first, last)
        total = total + np.maximum(below, above)
        mass[bins, added] = total
    return mass


def _kernel(width: float) -> Floats:
    bins = np.arange(_N_BINS)
    kernel: Floats = np.exp(-0.5 * ((bins[:, None] - bins) / width) ** 2)
    return kernel
