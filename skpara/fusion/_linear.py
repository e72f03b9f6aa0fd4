"""The linear half of a fusion, learned from differences within data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import Ridge

from skpara._public import set_module

_Floats = NDArray[np.float64]
# With features of variance one. A tenth or ten times of it costs .001 on unseen data sets.
_ALPHA = 100.0


@set_module("skpara.fusion", trusted=True)
@dataclass(frozen=True)
class LinearPart:
    """A linear function, around the mean of what it was learned from.

    Attributes
    ----------
    coef : ndarray of shape (n_features,)
    centre : ndarray of shape (n_features,)
    baseline : float
        What is predicted at the centre.
    """

    coef: _Floats
    centre: _Floats
    baseline: float

    def contributions(self, X: _Floats) -> _Floats:
        """What each feature adds to the baseline, shape (n_rows, n_features)."""
        moved: _Floats = (X - self.centre) * self.coef
        return moved

    def predict(self, X: _Floats) -> _Floats:
        """Scores, shape (n_rows,)."""
        # Summed row by row: a matrix kernel may sum in another order for another batch size.
        scores: _Floats = self.baseline + self.contributions(X).sum(axis=1)
        return scores


def fit_linear(X: _Floats, y: _Floats, groups: Any, weights: _Floats | None) -> LinearPart:
    """Ridge regression of what features and scores are beyond the mean of their group.

    Data sets differ in their mean score and in the kind of their text. What sets them apart says
    nothing about two pairs of one set, and would be learned as if it did.

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
    y : ndarray of shape (n_rows,)
    groups : array-like of shape (n_rows,) or None
        Data set of each row; None is a single one.
    weights : ndarray of shape (n_rows,) or None
    """
    if weights is None:
        weights = np.ones(len(y))
    number = np.zeros(len(y), dtype=np.intp)
    if groups is not None:
        number = np.unique(np.asarray(groups), return_inverse=True)[1].ravel()
    both = np.column_stack([X, y])
    totals = np.zeros((number.max() + 1, both.shape[1]))
    np.add.at(totals, number, both * weights[:, None])
    sizes = np.bincount(number, weights=weights)
    means = totals / np.maximum(sizes, 1e-300)[:, None]
    apart = both - means[number]
    centre = totals.sum(axis=0) / weights.sum()
    spread = np.sqrt(np.average((X - centre[:-1]) ** 2, axis=0, weights=weights))
    spread[spread < 1e-12] = np.inf  # a constant feature says nothing
    ridge = Ridge(_ALPHA, fit_intercept=False).fit(apart[:, :-1] / spread, apart[:, -1], weights)
    return LinearPart(ridge.coef_ / spread, centre[:-1], float(centre[-1]))
