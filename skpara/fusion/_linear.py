"""Linear model of FusionRegressor."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_consistent_length

from skpara._typing import Floats

_ALPHA = 100.0  # for standardised features
# Features in the other half of the model, and its share. Any numbers near these help on kinds of
# text left out of training.
_N_STRONGEST = 5
_STRONGEST_SHARE = 0.5
# Penalty per pair of a single similarity: its slope becomes a tenth smaller than by least squares.
# An encoder in front of it has learned from the same pairs, and its cosines say more
# about them than about others. The steeper slope drives more predictions out of the range.
_SINGLE_ALPHA = 0.1
# Standard deviations from the mean up to which the linear model extrapolates.
_FARTHEST = 5.0


def feature_limits(X: Floats) -> Floats:
    """Return the lowest and highest value of each feature that the linear model takes.

    A sum over the words of a long text would otherwise outweigh all else. What ``X`` has is within
    the limits.
    """
    mean = X.mean(axis=0)
    reach = _FARTHEST * X.std(axis=0)
    lowest = np.minimum(X.min(axis=0), mean - reach)
    return np.array([lowest, np.maximum(X.max(axis=0), mean + reach)])


def within_group_linear(
    X: Floats, y: Floats, groups: ArrayLike | None, weights: Floats | None
) -> Pipeline:
    """Fit a linear model to how features and scores deviate from the mean of their group.

    Data sets differ in their mean score and in the kind of their text. Between data sets these
    correlate, but two pairs of one set differ in neither.

    With more than five features, the model is the mean of a ridge regression on all and of a
    regression on the five that correlate most with the scores. The first one balances similar
    features against each other in a way that suits the kinds of text it is fitted to. In the
    second one each weight has the sign of its feature's correlation, which holds on other kinds.
    """
    labels = np.zeros(len(y)) if groups is None else np.asarray(groups)
    check_consistent_length(X, labels)
    group = np.unique(labels, return_inverse=True)[1].ravel()
    weights = np.ones(len(y)) if weights is None else weights
    # Rounding may make the weighted variance of a constant feature negative; its scale is 1 then.
    with np.errstate(invalid="ignore"):
        scaler = StandardScaler().fit(X, sample_weight=weights)
    rows = np.column_stack([scaler.transform(X), y])
    totals = np.zeros((group.max() + 1, rows.shape[1]))
    np.add.at(totals, group, rows * weights[:, None])
    sizes = np.bincount(group, weights=weights)
    # A group may have a total weight of 0; its rows then do not count, whatever its mean.
    deviations = rows - (totals / np.maximum(sizes, 1e-300)[:, None])[group]
    alpha = _ALPHA if X.shape[1] > 1 else _SINGLE_ALPHA * weights.sum()
    features = deviations[:, :-1]
    scores = deviations[:, -1]
    from sklearn.linear_model import Ridge

    ridge = Ridge(alpha, fit_intercept=False).fit(features, scores, weights)
    if X.shape[1] > _N_STRONGEST:
        strongest = _strongest(features, scores, weights)
        ridge.coef_ = (1 - _STRONGEST_SHARE) * ridge.coef_ + _STRONGEST_SHARE * strongest
    ridge.intercept_ = float(np.average(y, weights=weights))  # scaled features have a mean of 0
    return make_pipeline(scaler, ridge)


def _strongest(X: Floats, y: Floats, weights: Floats) -> Floats:
    """Coefficients of a regression on the features that correlate most with ``y``.

    These are summed, each times its covariance with ``y``, as in the first component of partial
    least squares, and ``y`` is regressed on the sum. Columns have a mean of 0.
    """
    covariances = (weights * y) @ X
    variances = weights @ X**2
    # A feature that is constant in each group has a variance of rounding errors.
    varies = variances > 1e-12 * weights.sum()
    correlations = np.abs(covariances) / np.sqrt(np.where(varies, variances, np.inf))
    direction = np.zeros(X.shape[1])
    columns = np.argsort(-correlations, kind="stable")[:_N_STRONGEST]
    direction[columns] = covariances[columns]
    component = X @ direction
    variance = weights @ component**2
    # Nothing correlates with scores that are all equal.
    return direction * ((weights * y) @ component / variance) if variance else direction
