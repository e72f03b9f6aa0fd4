"""What each feature adds to a regressor's prediction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import singledispatch
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import OneToOneFeatureMixin
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    RandomForestRegressor,
    VotingRegressor,
)
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.tree import DecisionTreeRegressor
from sklearn.utils.validation import check_is_fitted, validate_data

from skpara.explanation._trees import tree_contributions
from skpara.fusion import FusionRegressor

_Moved = tuple[float, NDArray[np.float64]]


def contributions(regressor: Any, X: ArrayLike) -> _Moved:
    """Split each prediction into a baseline and one number a feature.

    Parameters
    ----------
    regressor : fitted regressor
        Gradient boosting, a random forest, extra trees or a single tree of scikit-learn; a linear
        model; an average of such, as :class:`~skpara.FusionRegressor` and ``VotingRegressor``
        are; or a ``Pipeline`` that scales or selects columns and ends in one of them.
    X : array-like of shape (n_rows, n_features)

    Returns
    -------
    baseline : float
        The prediction before anything is known of a row: for trees, their mean over the rows
        they were grown from; for a linear model, its prediction for a row of zeros, which behind
        a ``StandardScaler`` is the mean row.
    contributions : ndarray of float64, shape (n_rows, n_features)
        ``baseline + contributions.sum(axis=1)`` is ``regressor.predict(X)`` up to rounding; with
        a FusionRegressor, before it clips.

    Raises
    ------
    TypeError
        If the regressor is none of these.
    ValueError
        If it was fitted on several targets, or ``X`` does not fit it.

    Notes
    -----
    For trees these are the Shapley values of the features, in the game where a tree that must not
    look at a feature goes both ways at its splits and averages by the numbers of training rows:
    what the ``shap`` package calls "tree_path_dependent". They do not depend on the order of
    features, and a feature that is never split on gets 0. For a linear model they are coefficient
    times value.

    Examples
    --------
    >>> from sklearn.ensemble import GradientBoostingRegressor
    >>> from skpara.explanation import contributions
    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]], [1.0, 1.0, 3.0, 3.0]
    >>> model = GradientBoostingRegressor(random_state=0).fit(X, y)
    >>> baseline, moved = contributions(model, [[1, 1]])
    >>> round(baseline, 3), moved.round(3).tolist()
    (2.0, [[1.0, 0.0]])
    """
    check_is_fitted(regressor)
    rows: NDArray[np.float64] = validate_data(regressor, X, reset=False, dtype=np.float64)
    return _contributions(regressor, rows)


def keeps_columns(step: Any) -> bool:
    """Whether each column that a step of a pipeline gives is one that it takes."""
    return step in (None, "passthrough") or isinstance(step, OneToOneFeatureMixin | SelectorMixin)


@singledispatch
def _contributions(regressor: Any, X: NDArray[Any]) -> _Moved:
    """Of a linear model, or of nothing that is known."""
    if not (hasattr(regressor, "coef_") and hasattr(regressor, "intercept_")):
        raise TypeError(_refusal(regressor))
    if np.size(regressor.intercept_) != 1 or np.size(regressor.coef_) != X.shape[1]:
        raise ValueError(f"{type(regressor).__name__} was fitted on several targets; fit on one.")
    baseline = float(np.ravel(regressor.intercept_)[0])
    moved = np.asarray(X * np.ravel(regressor.coef_), dtype=np.float64)
    predicted = regressor.predict(X)
    # Some have coefficients and are not linear, such as those with a link function.
    off = np.abs(baseline + moved.sum(axis=1) - np.ravel(predicted)).max()
    if not off <= 1e-4 * max(1e-3, np.abs(moved).max(), abs(baseline)):
        raise TypeError(_refusal(regressor))
    return baseline, moved


@_contributions.register
def _(regressor: GradientBoostingRegressor, X: NDArray[Any]) -> _Moved:
    X = np.asarray(X, dtype=np.float32)  # as its trees and its init see it
    trees = [tree for (tree,) in regressor.estimators_]
    baseline, moved = tree_contributions([tree.tree_ for tree in trees], X)
    baseline, moved = regressor.learning_rate * baseline, regressor.learning_rate * moved
    if isinstance(regressor.init_, str):  # "zero"
        return baseline, moved
    if hasattr(regressor.init_, "constant_"):
        return baseline + float(regressor.init_.constant_.item()), moved
    start, start_moved = _contributions(regressor.init_, X)
    return start + baseline, start_moved + moved


@_contributions.register(RandomForestRegressor)
@_contributions.register(ExtraTreesRegressor)
def _(regressor: Any, X: NDArray[Any]) -> _Moved:
    trees = [tree.tree_ for tree in regressor.estimators_]
    baseline, moved = tree_contributions(trees, np.asarray(X, dtype=np.float32))
    return baseline / len(trees), moved / len(trees)


@_contributions.register
def _(regressor: DecisionTreeRegressor, X: NDArray[Any]) -> _Moved:
    return tree_contributions([regressor.tree_], np.asarray(X, dtype=np.float32))


@_contributions.register
def _(regressor: FusionRegressor, X: NDArray[Any]) -> _Moved:
    baseline, moved = _mean(regressor.estimators_, X)
    if regressor.linear_ is None:
        return baseline, moved
    linear_baseline, linear_moved = _contributions(regressor.linear_, X)
    part = regressor.linear_weight_
    return (1 - part) * baseline + part * linear_baseline, (1 - part) * moved + part * linear_moved


@_contributions.register
def _(regressor: VotingRegressor, X: NDArray[Any]) -> _Moved:
    weights = regressor.weights
    if weights is not None:
        named = zip(regressor.estimators, weights, strict=True)
        weights = [weight for (_, estimator), weight in named if estimator != "drop"]
    return _mean(regressor.estimators_, X, weights)


@_contributions.register
def _(regressor: Pipeline, X: NDArray[Any]) -> _Moved:
    columns, seen = np.arange(X.shape[1]), X
    for _, step in regressor.steps[:-1]:
        if not keeps_columns(step):
            raise TypeError(_refusal(step))
        if step in (None, "passthrough"):
            continue
        if isinstance(step, SelectorMixin):
            columns = columns[step.get_support()]
        seen = step.transform(seen)
    baseline, moved = _contributions(regressor[-1], seen)
    of_all = np.zeros(X.shape)
    of_all[:, columns] = moved
    return baseline, of_all


def _mean(
    regressors: Sequence[Any], X: NDArray[Any], weights: Sequence[float] | None = None
) -> _Moved:
    baselines, moved = zip(*(_contributions(each, X) for each in regressors), strict=True)
    baseline = float(np.average(baselines, weights=weights))
    return baseline, np.average(moved, axis=0, weights=weights)


def _refusal(part: Any) -> str:
    return (
        f"What each feature adds is not known for {type(part).__name__}, but for gradient "
        "boosting (GradientBoostingRegressor), random forests, extra trees and trees of "
        "scikit-learn, linear models, FusionRegressor and VotingRegressor of them, and pipelines "
        "that scale or select columns and end in one. For others use "
        "sklearn.inspection.permutation_importance."
    )
