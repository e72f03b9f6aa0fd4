"""The linear models of FusionRegressor: for scores, and for how pairs are weighted."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import check_consistent_length

from skpara._typing import Floats

# For standardised features. With 10 or 1000 the correlation on unseen data sets falls by .001.
_ALPHA = 100.0
# Features in the other half of the model, and its share. With 3 to 12 features and shares of .3 to
# .7 the correlation on kinds of text left out is .775 to .778, with ridge regression alone .771.
_N_STRONGEST = 5
_STRONGEST_SHARE = 0.5
# A single similarity gets a penalty of this much for each pair, so that its slope is a tenth
# smaller than that of least squares. An encoder in front of it has learned from the same pairs,
# and its cosines say more about them than about others. On kinds of text left out, errors are as
# large with either slope, but the steeper one drives 4 percent of SICK's predictions out of the
# range, which costs .004 in correlation.
_SINGLE_ALPHA = 0.1
# No pair counts more than ten times as much as the mean one, or less than a tenth, as odds of
# outliers are extreme. With a limit of 3 or 20, or a C of 0.001 or 0.1, correlations on STS differ
# by .001 at most.
_MAX_RATIO = 10.0
_C = 0.01


def within_group_linear(
    X: Floats, y: Floats, groups: ArrayLike | None, weights: Floats | None
) -> Pipeline:
    """Fit a linear model to how features and scores deviate from the mean of their group.

    Data sets differ in their mean score and in the kind of their text. Between them these
    correlate without saying anything about two pairs of one set.

    With more than five features, the model is the mean of a ridge regression on all and of a
    regression on the five that correlate most with the scores. The first one sets similar features
    off against each other, as suits the kinds of text that it is fitted to. In the second one each
    weight has the sign of its feature's correlation, which holds up on other kinds.
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
    features, scores = deviations[:, :-1], deviations[:, -1]
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


def domain_weights(X: Floats, domain: Floats) -> Floats:
    """Weights with a mean of 1, by how much more likely each row of ``X`` is in ``domain``.

    A logistic regression is fitted to tell the two apart; the weight of a row is the odds that it
    belongs to ``domain`` (Bickel et al. 2007, see FusionRegressor).
    """
    rows = StandardScaler().fit_transform(np.vstack([X, domain]))
    in_domain = np.repeat([0, 1], [len(X), len(domain)])
    classifier = LogisticRegression(C=_C, max_iter=1000).fit(rows, in_domain)
    logits = classifier.decision_function(rows[: len(X)])
    odds = np.exp(logits - logits.max())  # subtracting the maximum avoids overflow
    weights: Floats = np.clip(odds / odds.mean(), 1 / _MAX_RATIO, _MAX_RATIO)
    return weights / weights.mean()
