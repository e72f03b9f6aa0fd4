"""Contributions of features to the predictions of a regressor."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache, singledispatch
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import OneToOneFeatureMixin
from sklearn.feature_selection import SelectorMixin
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted, validate_data

from skpara._typing import Floats
from skpara.fusion import (
    CosineRegressor,
    FusionClassifier,
    FusionRegressor,
    LinearModel,
    TreeEnsemble,
)
from skpara.saving import to_arrays

# Numbers in the largest array of a batch of rows: its 1.6 MB stay in the processor's cache.
_MAX_SIZE = 200_000
# Numbers in the largest array of the trees that are walked together: deep ones are of many sizes.
_WALKED = 20_000
_quadrature = lru_cache(np.polynomial.legendre.leggauss)


class UnexplainedError(TypeError, ValueError):
    """A model without explanations. The command prints errors of values as one line."""


def contributions(regressor: Any, X: ArrayLike) -> tuple[float, Floats]:
    """Split each prediction into a baseline and the contribution of each feature.

    Parameters
    ----------
    regressor : fitted regressor, or FusionClassifier
        A :class:`~skpara.FusionRegressor`; gradient boosting, a forest, a tree or a linear model
        of scikit-learn; or a ``Pipeline`` that scales or selects columns and ends in one of these.
        Others raise ``TypeError``: see the ``shap`` package. For a
        :class:`~skpara.FusionClassifier` with two classes and the default estimator,
        ``decision_function`` is split.
    X : array-like or sparse matrix of shape (n_rows, n_features)
        Features.

    Returns
    -------
    baseline : float
        The prediction without any feature: the mean over the training rows for trees, the
        intercept for a linear model; behind a ``StandardScaler``, this is the prediction for the
        mean row.
    contributions : ndarray of float64, shape (n_rows, n_features)
        ``baseline + contributions.sum(axis=1)`` is ``regressor.predict(X)`` up to rounding; for
        a FusionRegressor, before clipping.

    Notes
    -----
    For trees, these are Shapley values: without a feature, a tree follows both branches of its
    splits and averages them by the numbers of training rows, called "tree_path_dependent" in the
    ``shap`` package. A feature without a split gets 0. For a linear model, a contribution is
    coefficient times value.

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
    """Whether a step of a pipeline makes each column from one input column."""
    return step in (None, "passthrough") or isinstance(step, OneToOneFeatureMixin | SelectorMixin)


@singledispatch
def _split(regressor: Any, X: NDArray[np.floating]) -> tuple[float, Floats]:
    try:
        arrays = to_arrays(regressor)
    except (TypeError, AttributeError) as error:
        raise UnexplainedError(_unknown(regressor)) from error
    return _split(arrays, X)


@_split.register
def _(regressor: LinearModel, X: Floats) -> tuple[float, Floats]:
    return regressor.intercept_, np.asarray(X * regressor.coef_, dtype=np.float64)


@_split.register
def _(regressor: TreeEnsemble, X: Floats) -> tuple[float, Floats]:
    baseline, added = _tree_contributions(regressor, np.asarray(X, dtype=np.float32))
    factor = regressor.factor_ / (regressor.n_trees_ if regressor.averages_ else 1)
    return regressor.baseline_ + factor * baseline, factor * added


@_split.register
def _(regressor: FusionRegressor, X: Floats) -> tuple[float, Floats]:
    limits = regressor.feature_limits_
    within = X if limits is None else np.clip(X, *limits)
    if not regressor.estimators_:
        return _split(regressor.linear_, within)
    baseline, added = _mean(regressor.estimators_, X)
    if regressor.linear_ is None:
        return baseline, added
    linear_baseline, linear_added = _split(regressor.linear_, within)
    share = regressor.linear_weight_
    baseline = (1 - share) * baseline + share * linear_baseline
    return baseline, (1 - share) * added + share * linear_added


@_split.register
def _(classifier: FusionClassifier, X: Any) -> tuple[float, Floats]:
    if len(classifier.classes_) != 2:
        raise UnexplainedError(
            f"Contributions are known for two classes only, got {len(classifier.classes_)}."
        )
    baseline = float(classifier.intercept_[0]) + classifier.shift_
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
def _(regressor: Pipeline, X: Floats) -> tuple[float, Floats]:
    columns, rows = np.arange(X.shape[1]), X
    for _, step in regressor.steps[:-1]:
        if not maps_columns(step):
            raise UnexplainedError(_unknown(step))
        if isinstance(step, SelectorMixin):
            columns = columns[step.get_support()]
        if step not in (None, "passthrough"):
            rows = step.transform(rows)
    added = np.zeros(X.shape)
    baseline, added[:, columns] = _split(regressor[-1], rows)
    return baseline, added


def _mean(regressors: Iterable[Any], X: Floats) -> tuple[float, Floats]:
    baselines, added = zip(*(_split(regressor, X) for regressor in regressors), strict=True)
    return float(np.mean(baselines)), np.mean(added, axis=0)


def _unknown(part: Any) -> str:
    return (
        f"Contributions are not known for {type(part).__name__}. They are known for "
        "FusionRegressor, FusionClassifier and CosineRegressor, scikit-learn's gradient boosting "
        "(GradientBoostingRegressor), forests, trees and linear models with one target, and "
        "pipelines that scale or select columns and end in one of these. Use shap for others."
    )


class _Leaves(NamedTuple):
    """The leaves of trees as boxes, with a side for each feature on the path to the leaf.

    In unused columns a side contains every row and has a share of 1.
    """

    values: Floats  # shape (n_leaves,)
    features: NDArray[np.intp]  # shape (n_leaves, n_sides), like the next three
    lower: Floats  # x > lower ...
    upper: Floats  # ... and x <= upper leads to this leaf
    shares: Floats  # of the training rows at the splits on the feature that take this branch


def _tree_contributions(trees: TreeEnsemble, X: NDArray[np.float32]) -> tuple[float, Floats]:
    """Sum the contributions of each feature to the predictions of trees.

    With the features S known, a leaf of value v adds v times the product of o_j over the features
    j on its path in S and of z_j over the features not in S: o_j is 1 if x is on the leaf's side
    of j, else 0, and z_j is the share of training rows on this side. The Shapley value of i in
    such a product is v (o_i - z_i) times the integral over t from 0 to 1 of the product over j
    other than i of t o_j + (1 - t) z_j, since t^s (1 - t)^(d - 1 - s) integrates to the Shapley
    weight of a set of size s. The integrand is a polynomial, so Gauss-Legendre quadrature with
    half as many points as features is exact.

    The values equal Lundberg and others' (2018); the algorithm differs.
    """
    baseline, added = 0.0, np.zeros(X.shape)
    # Small trees are walked together, since each walk takes a millisecond.
    n_parts = min(trees.n_trees_, 1 + len(trees.left_) * trees.depth // _WALKED)
    for roots in np.array_split(np.arange(trees.n_trees_), n_parts):
        leaves = _leaves(trees, roots)
        baseline += float(leaves.values @ leaves.shares.prod(axis=1))
        size = leaves.features.size
        # Multiplying by this matrix sums the sides of all leaves by feature.
        by_feature = sparse.csr_array(
            (np.ones(size), leaves.features.ravel(), np.arange(size + 1)), (size, X.shape[1])
        )
        step = max(1, _MAX_SIZE // max(1, size))
        for start in range(0, len(X), step):
            sides = _sides(leaves, X[start : start + step])
            added[start : start + step] += sides.reshape(len(sides), size) @ by_feature
    return baseline, added


def _sides(leaves: _Leaves, X: NDArray[np.float32]) -> Floats:
    """Return the contribution of each side of each leaf, shape (n_rows, n_leaves, n_sides)."""
    shares = leaves.shares
    x = X[:, leaves.features]
    inside = (x > leaves.lower) & (x <= leaves.upper)
    points, weights = _quadrature(max(1, (shares.shape[1] + 1) // 2))
    integral = np.zeros(x.shape)
    for t, weight in zip((points + 1) / 2, weights / 2, strict=True):
        factors = (1 - t) * shares + t * inside  # never 0, as t < 1
        integral += weight * factors.prod(axis=2, keepdims=True) / factors
    return leaves.values[:, None] * (inside - shares) * integral


def _leaves(trees: TreeEnsemble, roots: NDArray[np.intp]) -> _Leaves:
    """Walk down from the roots of some trees, over all nodes of a depth at once."""
    cover, children, nodes = trees.cover_, trees.left_, roots
    shape = len(roots), trees.depth
    sides = [np.full(shape, unused) for unused in (-1, -np.inf, np.inf, 1.0)]
    by_depth = []
    while True:
        ends = children[nodes] == nodes
        by_depth.append((nodes[ends], *(side[ends] for side in sides)))
        parents, sides = nodes[~ends], [np.tile(side[~ends], (2, 1)) for side in sides]
        if not len(parents):
            break
        features, lower, upper, shares = sides
        nodes = np.concatenate([children[parents], children[parents] + 1])
        # A feature that was split on before keeps its column; the box gets narrower.
        split_on = np.tile(trees.feature_[parents], 2)
        same = features == split_on[:, None]
        column = np.where(same.any(axis=1), same.argmax(axis=1), (features >= 0).sum(axis=1))
        rows = np.arange(len(nodes))
        features[rows, column] = split_on
        shares[rows, column] *= cover[nodes] / np.tile(cover[parents], 2)
        left, right = rows[: len(parents)], rows[len(parents) :]
        upper[left, column[left]] = lower[right, column[right]] = trees.threshold_[parents]
    leaves, features, lower, upper, shares = map(np.concatenate, zip(*by_depth, strict=True))
    width = int((features >= 0).sum(axis=1).max())
    features = np.maximum(features[:, :width], 0).astype(np.intp)
    return _Leaves(
        trees.value_[leaves], features, lower[:, :width], upper[:, :width], shares[:, :width]
    )
