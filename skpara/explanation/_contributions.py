"""What each feature adds to a regressor's prediction."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
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
from sklearn.utils import gen_batches
from sklearn.utils.validation import check_is_fitted, validate_data

from skpara._typing import Floats
from skpara.fusion import CosineRegressor, FusionClassifier, FusionRegressor, TreeEnsemble

# Numbers in the largest array of a batch of rows: its 1.6 MB stay in the processor's cache.
_MAX_SIZE = 200_000


def contributions(regressor: Any, X: ArrayLike) -> tuple[float, Floats]:
    """Split each prediction into a baseline and the contribution of each feature.

    Parameters
    ----------
    regressor : fitted regressor, or FusionClassifier
        Gradient boosting, a random forest, extra trees or a single tree of scikit-learn; a linear
        model; an average of these, such as :class:`~skpara.FusionRegressor` and
        ``VotingRegressor``; or a ``Pipeline`` that scales or selects columns and ends in one.
        Others raise ``TypeError``. Of a :class:`~skpara.FusionClassifier` with two classes and the
        default estimator, ``decision_function`` is split.
    X : array-like or sparse matrix of shape (n_rows, n_features)
        Features.

    Returns
    -------
    baseline : float
        The prediction without any feature: for trees, their mean over the rows they were grown
        from; for a linear model, its prediction for a row of zeros, which behind a
        ``StandardScaler`` is the mean row.
    contributions : ndarray of float64, shape (n_rows, n_features)
        ``baseline + contributions.sum(axis=1)`` is ``regressor.predict(X)`` up to rounding; for
        a FusionRegressor, before clipping.

    Notes
    -----
    For trees these are the Shapley values of the features, where a tree that does not know a
    feature follows both branches of its splits and averages them by the numbers of training rows.
    The ``shap`` package calls this "tree_path_dependent". They do not depend on the order of
    features, and a feature that no split uses gets 0. For a linear model they are coefficient
    times value.

    References
    ----------
    S. M. Lundberg, G. G. Erion, S.-I. Lee (2018). Consistent individualized feature attribution
    for tree ensembles. arXiv:1802.03888.

    Examples
    --------
    >>> from sklearn.ensemble import GradientBoostingRegressor
    >>> from skpara.explanation import contributions
    >>> X, y = [[0, 1], [0, 0], [1, 1], [1, 0]], [1.0, 1.0, 3.0, 3.0]
    >>> model = GradientBoostingRegressor(random_state=0).fit(X, y)
    >>> baseline, added = contributions(model, [[1, 1]])
    >>> round(baseline, 3), added.round(3).tolist()
    (2.0, [[1.0, 0.0]])
    """
    check_is_fitted(regressor)
    last = regressor[-1] if isinstance(regressor, Pipeline) else regressor
    accepts = "csr" if isinstance(last, FusionClassifier) else False
    rows = validate_data(regressor, X, accept_sparse=accepts, reset=False, dtype=np.float64)
    return _split(regressor, rows)


def maps_columns(step: Any) -> bool:
    """Whether each column that a step of a pipeline returns is made of one input column."""
    return step in (None, "passthrough") or isinstance(step, OneToOneFeatureMixin | SelectorMixin)


@singledispatch
def _split(regressor: Any, X: NDArray[np.floating]) -> tuple[float, Floats]:
    if not (hasattr(regressor, "coef_") and hasattr(regressor, "intercept_")):
        raise TypeError(_unknown(regressor))
    if np.size(regressor.intercept_) != 1 or np.size(regressor.coef_) != X.shape[1]:
        raise ValueError(f"{type(regressor).__name__} was fitted on several targets; fit on one.")
    baseline = float(np.ravel(regressor.intercept_)[0])
    added = np.asarray(X * np.ravel(regressor.coef_), dtype=np.float64)
    # Models with a link function have coefficients, too, but these do not add up to predictions.
    error = np.abs(baseline + added.sum(axis=1) - np.ravel(regressor.predict(X))).max()
    if not error <= 1e-4 * max(1e-3, np.abs(added).max(), abs(baseline)):
        raise TypeError(_unknown(regressor))
    return baseline, added


@_split.register
def _(regressor: GradientBoostingRegressor, X: Floats) -> tuple[float, Floats]:
    rows = np.asarray(X, dtype=np.float32)  # its trees and its init are fitted on float32
    baseline, added = _tree_contributions([tree.tree_ for (tree,) in regressor.estimators_], rows)
    baseline, added = regressor.learning_rate * baseline, regressor.learning_rate * added
    if isinstance(regressor.init_, str):  # "zero"
        return baseline, added
    if hasattr(regressor.init_, "constant_"):
        return baseline + float(regressor.init_.constant_.item()), added
    init_baseline, init_added = _split(regressor.init_, rows)
    return init_baseline + baseline, init_added + added


@_split.register(DecisionTreeRegressor)
@_split.register(RandomForestRegressor)
@_split.register(ExtraTreesRegressor)
def _(regressor: Any, X: Floats) -> tuple[float, Floats]:
    # Not the mean of one array per tree: these take too much memory.
    trees = [tree.tree_ for tree in getattr(regressor, "estimators_", [regressor])]
    baseline, added = _tree_contributions(trees, np.asarray(X, dtype=np.float32))
    return baseline / len(trees), added / len(trees)


@_split.register
def _(regressor: TreeEnsemble, X: Floats) -> tuple[float, Floats]:
    baseline, added = _tree_contributions(regressor.trees, np.asarray(X, dtype=np.float32))
    factor = regressor.factor_ / (regressor.n_trees_ if regressor.averages_ else 1)
    return regressor.baseline_ + factor * baseline, factor * added


@_split.register
def _(regressor: FusionRegressor, X: Floats) -> tuple[float, Floats]:
    if not regressor.estimators_:
        return _split(regressor.linear_, X)
    baseline, added = _mean(regressor.estimators_, X)
    if regressor.linear_ is None:
        return baseline, added
    linear_baseline, linear_added = _split(regressor.linear_, X)
    share = regressor.linear_weight_
    baseline = (1 - share) * baseline + share * linear_baseline
    return baseline, (1 - share) * added + share * linear_added


@_split.register
def _(classifier: FusionClassifier, X: Any) -> tuple[float, Floats]:
    if len(classifier.classes_) != 2:
        raise TypeError(
            f"The classifier has {len(classifier.classes_)} classes. What each feature adds is "
            "known for two."
        )
    baseline = float(classifier.intercept_[0])
    added = sparse.csr_array(X).multiply(classifier.coef_).toarray()
    if classifier.estimators_:
        weight, columns = float(classifier.weights_[0, 0]), classifier.columns_
        common = sparse.csr_array(X)[:, columns].toarray()
        tree_baseline, tree_added = _mean(classifier.estimators_, common)
        baseline += weight * tree_baseline
        added[:, columns] += weight * tree_added
    return baseline, added


@_split.register
def _(regressor: CosineRegressor, X: Floats) -> tuple[float, Floats]:
    low, high = regressor.score_range
    return float(low), (high - low) * X


@_split.register
def _(regressor: VotingRegressor, X: Floats) -> tuple[float, Floats]:
    weights = regressor.weights
    if weights is not None:
        named = zip(regressor.estimators, weights, strict=True)
        weights = [weight for (_, estimator), weight in named if estimator != "drop"]
    return _mean(regressor.estimators_, X, weights)


@_split.register
def _(regressor: Pipeline, X: Floats) -> tuple[float, Floats]:
    columns, rows = np.arange(X.shape[1]), X
    for _, step in regressor.steps[:-1]:
        if not maps_columns(step):
            raise TypeError(_unknown(step))
        if step in (None, "passthrough"):
            continue
        if isinstance(step, SelectorMixin):
            columns = columns[step.get_support()]
        rows = step.transform(rows)
    added = np.zeros(X.shape)
    baseline, added[:, columns] = _split(regressor[-1], rows)
    return baseline, added


def _mean(
    regressors: Sequence[Any], X: Floats, weights: Sequence[float] | None = None
) -> tuple[float, Floats]:
    baselines, added = zip(*(_split(regressor, X) for regressor in regressors), strict=True)
    baseline = float(np.average(baselines, weights=weights))
    return baseline, np.average(added, axis=0, weights=weights)


def _unknown(part: Any) -> str:
    return (
        f"What each feature adds is not known for {type(part).__name__}. It is known for gradient "
        "boosting (GradientBoostingRegressor), random forests, extra trees and trees of "
        "scikit-learn, linear models, CosineRegressor, FusionRegressor, FusionClassifier and "
        "VotingRegressor of them, and pipelines that scale or select columns and end in one. For "
        "others use sklearn.inspection.permutation_importance."
    )


class _Leaves(NamedTuple):
    """The leaves of a tree as boxes, with a side for each feature on the path to the leaf.

    In unused columns a side contains every row and has a share of 1.
    """

    values: Floats  # shape (n_leaves,)
    features: NDArray[np.intp]  # shape (n_leaves, n_sides), like the next three
    lower: Floats  # x > lower ...
    upper: Floats  # ... and x <= upper leads to this leaf
    shares: Floats  # of the training rows at the splits on the feature that take this branch


def _tree_contributions(trees: Iterable[Any], X: NDArray[np.float32]) -> tuple[float, Floats]:
    """Sum what each feature adds to the predictions of trees, scikit-learn's or of a model file.

    When the features S are known, a leaf of value v adds v times the product of o_j over the
    features j on its path that are in S, and of z_j over those that are not: o_j is 1 where x is
    on the leaf's side of j and 0 elsewhere, z_j is the share of training rows on this side. The
    Shapley value of i in such a product is v (o_i - z_i) times the integral over t from 0 to 1 of
    the product over j other than i of t o_j + (1 - t) z_j, since the t^s (1 - t)^(d - 1 - s) of a
    set of size s integrate to its Shapley weight. That is a polynomial, so Gauss-Legendre
    quadrature of half as many points as there are features gives it exactly.

    The values are those of Lundberg and others (2018); the algorithm is another.
    """
    baseline, added = 0.0, np.zeros(X.shape)
    for tree in trees:
        leaves = _leaves(tree)
        baseline += float(leaves.values @ leaves.shares.prod(axis=1))
        size = leaves.features.size
        # Multiplying by this matrix sums the sides of all leaves by feature.
        by_feature = sparse.csr_array(
            (np.ones(size), leaves.features.ravel(), np.arange(size + 1)), (size, X.shape[1])
        )
        for rows in gen_batches(len(X), max(1, _MAX_SIZE // max(1, size))):
            sides = _sides(leaves, X[rows])
            added[rows] += sides.reshape(len(sides), size) @ by_feature
    return baseline, added


def _sides(leaves: _Leaves, X: NDArray[np.float32]) -> Floats:
    """What each side of each leaf adds to each row, shape (n_rows, n_leaves, n_sides)."""
    shares = leaves.shares
    x = X[:, leaves.features]
    inside = (x > leaves.lower) & (x <= leaves.upper)
    points, weights = np.polynomial.legendre.leggauss(max(1, (shares.shape[1] + 1) // 2))
    integral = np.zeros(x.shape)
    for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factors = (1 - t) * shares + t * inside  # never 0, as t < 1
        integral += weight * factors.prod(axis=2, keepdims=True) / factors
    return np.asarray(leaves.values[:, None] * (inside - shares) * integral)


def _leaves(tree: Any) -> _Leaves:
    """Walk down from the root, over all nodes of a depth at once."""
    if tree.value.shape[1:] not in ((1, 1), ()):
        raise ValueError("The tree was fitted on several targets; fit on one.")
    cover = tree.weighted_n_node_samples
    nodes = np.array([getattr(tree, "root", 0)])
    sides = [np.full((1, tree.max_depth), unused) for unused in (-1, -np.inf, np.inf, 1.0)]
    by_depth = []
    while True:
        ends = tree.children_left[nodes] < 0
        by_depth.append((nodes[ends], *(side[ends] for side in sides)))
        parents, sides = nodes[~ends], [np.tile(side[~ends], (2, 1)) for side in sides]
        if not len(parents):
            break
        features, lower, upper, shares = sides
        nodes = np.concatenate([tree.children_left[parents], tree.children_right[parents]])
        # A feature that was split on before keeps its column; the box gets narrower.
        split_on = np.tile(tree.feature[parents], 2)
        same = features == split_on[:, None]
        column = np.where(same.any(axis=1), same.argmax(axis=1), (features >= 0).sum(axis=1))
        rows = np.arange(len(nodes))
        features[rows, column] = split_on
        shares[rows, column] *= cover[nodes] / np.tile(cover[parents], 2)
        left, right = rows[: len(parents)], rows[len(parents) :]
        upper[left, column[left]] = lower[right, column[right]] = tree.threshold[parents]
    leaves, features, lower, upper, shares = map(np.concatenate, zip(*by_depth, strict=True))
    width = int((features >= 0).sum(axis=1).max())
    features = np.maximum(features[:, :width], 0).astype(np.intp)
    return _Leaves(
        tree.value.ravel()[leaves], features, lower[:, :width], upper[:, :width], shares[:, :width]
    )
