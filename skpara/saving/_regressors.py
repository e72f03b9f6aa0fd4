"""Fitted trees and linear models as arrays, and predictions without scikit-learn.

scikit-learn reads pickles of its own version only. A model file has the numbers of a fitted
regressor instead, and what is loaded predicts by the code below: the same scores, to the last bit,
under every version.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import validate_data

from skpara._public import set_module
from skpara._typing import Floats

# Regressors of scikit-learn that a model file can have, by name: importing all of them takes
# longer than to load a model.
_FORESTS = ("sklearn.ensemble.RandomForestRegressor", "sklearn.ensemble.ExtraTreesRegressor")
_TREES = ("sklearn.tree.DecisionTreeRegressor", "sklearn.tree.ExtraTreeRegressor")
_LINEAR_MODELS = (
    *("ARDRegression", "BayesianRidge", "ElasticNet", "ElasticNetCV", "HuberRegressor", "Lars"),
    *("LarsCV", "Lasso", "LassoCV", "LassoLars", "LassoLarsCV", "LinearRegression", "Ridge"),
    *("OrthogonalMatchingPursuit", "QuantileRegressor", "RidgeCV", "SGDRegressor"),
)
LINEAR_MODELS = {f"sklearn.linear_model.{name}" for name in _LINEAR_MODELS} | {
    "sklearn.svm.LinearSVR"
}
REGRESSORS = {
    "sklearn.ensemble.GradientBoostingRegressor",
    *_FORESTS,
    *_TREES,
    *LINEAR_MODELS,
}
# Nodes of a block of rows: arrays of 0.5 MB, which stay in the processor's cache.
_BLOCK = 65_536


class Tree(NamedTuple):
    """One tree, in arrays of all trees; its numbers of nodes are positions in these arrays."""

    root: int
    max_depth: int
    children_left: NDArray[np.int32]  # negative for a leaf
    children_right: NDArray[np.int32]
    feature: NDArray[np.int32]
    threshold: Floats
    value: Floats
    weighted_n_node_samples: Floats


class _Predictor(RegressorMixin, BaseEstimator):
    """Base of the fitted regressors below, which cannot be fitted again."""

    n_features_in_: int

    def fit(self, X: ArrayLike, y: ArrayLike) -> Any:
        """Raise an error: only the fitted numbers of the regressor were saved.

        Parameters
        ----------
        X, y : array-like
            Not used.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError(
            f"A {type(self).__name__} was read from a model file and cannot be fitted. Fit a new "
            "pipeline with a regressor of scikit-learn, or a FusionRegressor."
        )

    def _check_features(self, X: Any, dtype: Any) -> NDArray[Any]:
        """Validate features, where they need it: a call for one pair has no time for more."""
        if type(X) is np.ndarray and X.ndim == 2 and X.shape[1] == self.n_features_in_:
            with np.errstate(over="ignore"):
                rows: NDArray[Any] = X.astype(dtype)
            if np.isfinite(rows).all() and not hasattr(self, "feature_names_in_"):
                return rows
        return np.asarray(validate_data(self, X, reset=False, dtype=dtype, ensure_min_samples=0))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "n_features_in_")


@set_module("skpara.saving", trusted=True)
class TreeEnsemble(_Predictor):
    """Fitted trees of a model file: gradient boosting, a forest or a single tree.

    Predictions are those of scikit-learn's regressor that the trees were saved from, bit for bit.

    Attributes
    ----------
    feature_, threshold_ : ndarray of shape (n_nodes,)
        Each inner node compares a feature with a number.
    left_ : ndarray of shape (n_nodes,)
        The node for features up to the threshold; the next one is for larger features. That of a
        leaf is the leaf itself. The first nodes are the roots of the trees.
    value_ : ndarray of shape (n_nodes,)
        Predictions of the leaves.
    cover_ : ndarray of shape (n_nodes,)
        Weight of the training rows in each node.
    n_trees_ : int
        Number of trees.
    baseline_ : float
        What the values of the trees are added to.
    factor_ : float
        What the values are multiplied by: the learning rate of gradient boosting.
    averages_ : bool
        Whether the sum is divided by the number of trees, as in forests.
    feature_importances_ : ndarray of shape (n_features,)
        Importance of each feature.
    n_features_in_ : int
        Number of features.
    """

    feature_: NDArray[np.int32]
    threshold_: Floats
    left_: NDArray[np.int32]
    value_: Floats
    cover_: Floats
    n_trees_: int
    baseline_: float
    factor_: float
    averages_: bool

    def predict(self, X: ArrayLike) -> Floats:
        """Predict by all trees.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_rows,), float64
            Predictions.
        """
        # Thresholds lie between float32 numbers, which is what trees are grown from.
        rows = self._check_features(X, np.float32).astype(np.float64)
        predictions = np.empty(len(rows))
        depth, values = self._depth(), self.factor_ * self.value_
        size = max(1, _BLOCK // self.n_trees_)
        for start in range(0, len(rows), size):
            block = rows[start : start + size]
            features = block.ravel()
            offsets = np.arange(0, block.size, block.shape[1])[:, None]
            nodes = np.tile(np.arange(self.n_trees_), (len(block), 1))
            for _ in range(depth):
                numbers = features.take(self.feature_.take(nodes) + offsets)
                nodes[:] = self.left_.take(nodes) + (numbers > self.threshold_.take(nodes))
            terms = np.empty((len(block), self.n_trees_ + 1))
            terms[:, 0] = self.baseline_
            terms[:, 1:] = values.take(nodes)
            # In the order of the trees, as scikit-learn adds them: np.sum would add in pairs.
            predictions[start : start + size] = np.cumsum(terms, axis=1)[:, -1]
        return predictions / self.n_trees_ if self.averages_ else predictions

    @property
    def trees(self) -> Iterator[Tree]:
        """The trees, for code that reads those of scikit-learn."""
        inner = self.left_ > np.arange(len(self.left_))
        left = np.where(inner, self.left_, -1)
        right = np.where(inner, self.left_ + 1, -1)
        arrays = (left, right, self.feature_, self.threshold_, self.value_, self.cover_)
        return (Tree(root, self._depth(), *arrays) for root in range(self.n_trees_))

    def _depth(self) -> int:
        """Return how many comparisons the longest path has."""
        depth = self.__dict__.get("_n_levels")
        if depth is None:
            depth, nodes = 0, np.arange(self.n_trees_)
            while len(nodes := nodes[self.left_[nodes] > nodes]):
                nodes = np.unique(np.concatenate([self.left_[nodes], self.left_[nodes] + 1]))
                depth += 1
            self._n_levels = depth
        return int(depth)

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in super().__getstate__().items() if k != "_n_levels"}

    def _check_loaded(self) -> None:
        """Raise a ValueError unless all node and feature numbers are in range."""
        n_nodes, nodes = len(self.feature_), np.arange(len(self.feature_))
        arrays: list[NDArray[Any]] = [self.feature_, self.threshold_, self.left_]
        arrays += [self.value_, self.cover_]
        if any(array.shape != (n_nodes,) for array in arrays):
            raise ValueError("the arrays of the trees differ in length")
        if self.feature_.dtype.kind != "i" or self.left_.dtype.kind != "i":
            raise ValueError("node and feature numbers are not integers")
        if not 1 <= self.n_trees_ <= n_nodes:
            raise ValueError(f"{n_nodes} nodes cannot have {self.n_trees_} trees")
        inner = self.left_ != nodes
        # A child is behind its parent: a path that went back could be a cycle.
        if ((self.left_ < nodes) | (self.left_ + inner >= n_nodes)).any():
            raise ValueError("a tree has inconsistent nodes")
        if ((self.feature_ < 0) | (self.feature_ >= self.n_features_in_)).any():
            raise ValueError("a tree reads a feature that there is not")
        numbers = (self.threshold_[inner], self.value_, self.cover_)
        if not all(np.isfinite(array).all() for array in numbers):
            raise ValueError("a number of a tree is not finite")
        if not np.isfinite([self.baseline_, self.factor_]).all():
            raise ValueError("the baseline or the factor of the trees is not finite")


@set_module("skpara.saving", trusted=True)
class LinearModel(_Predictor):
    """Fitted linear model of a model file: a product of features and coefficients.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients.
    intercept_ : float
        What the product is added to.
    n_features_in_ : int
        Number of features.
    """

    coef_: Floats
    intercept_: float

    def predict(self, X: ArrayLike) -> Floats:
        """Predict by the linear model.

        Parameters
        ----------
        X : array-like of shape (n_rows, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_rows,), float64 or, for features of that type, float32
            Predictions.
        """
        # Of its own type: scikit-learn's linear models compute with float32, too.
        dtype = getattr(X, "dtype", None)
        rows = self._check_features(X, np.float32 if dtype == np.float32 else np.float64)
        return np.asarray(rows @ self.coef_ + self.intercept_)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless there is a finite coefficient for each feature."""
        if self.coef_.shape != (self.n_features_in_,) or self.coef_.dtype.kind != "f":
            raise ValueError("the linear model does not have a coefficient for each feature")
        if not (np.isfinite(self.coef_).all() and np.isfinite(self.intercept_)):
            raise ValueError("a coefficient of the linear model is not finite")


def to_arrays(regressor: Any, name: str) -> TreeEnsemble | LinearModel:
    """Convert a fitted regressor of scikit-learn; ``name`` is that of its class in REGRESSORS.

    Raises
    ------
    TypeError
        If it was fitted on several targets, or predicts in another way than is known.
    """
    converted: Any
    if name in LINEAR_MODELS:
        converted = LinearModel()
        converted.coef_ = np.array(regressor.coef_).ravel()
        converted.intercept_ = float(np.ravel(regressor.intercept_)[0])
    else:
        converted = _ensemble(regressor, averages=name in _FORESTS)
    converted.n_features_in_ = int(regressor.n_features_in_)
    names = getattr(regressor, "feature_names_in_", None)
    if names is not None:
        regressor = copy(regressor)
        del regressor.feature_names_in_  # for the comparison, whose rows have no names
    _compare(regressor, converted)
    if names is not None:
        converted.feature_names_in_ = names
    return converted


class _Nodes(NamedTuple):
    """A tree of histogram gradient boosting, with the attributes of scikit-learn's other trees."""

    node_count: int
    children_left: NDArray[np.int64]
    children_right: NDArray[np.int64]
    feature: NDArray[np.int64]
    threshold: Floats
    value: Floats
    weighted_n_node_samples: Floats


def boosted_trees(*classifiers: Any) -> list[TreeEnsemble]:
    """Convert fitted ``HistGradientBoostingClassifier``, of which the mean is predicted.

    Parameters
    ----------
    *classifiers : HistGradientBoostingClassifier
        The classifiers, fitted to numbers of single precision, none of them missing.

    Returns
    -------
    list of TreeEnsemble
        Trees for two classes, which predict the logarithm of the odds of the second one, else
        trees that predict the logit of each class.

    Raises
    ------
    TypeError
        If it predicts in another way than is known, in a later version of scikit-learn.
    """
    n_features = classifiers[0].n_features_in_
    iterations = [stage for classifier in classifiers for stage in classifier._predictors]
    baselines = np.mean([np.ravel(c._baseline_prediction) for c in classifiers], axis=0)
    ensembles = []
    for baseline, stages in zip(baselines.tolist(), zip(*iterations, strict=True), strict=True):
        ensemble = TreeEnsemble()
        ensemble.baseline_ = baseline
        # The values of the leaves include the learning rate.
        ensemble.factor_, ensemble.averages_ = 1 / len(classifiers), False
        ensemble.n_features_in_ = int(n_features)
        importances = np.zeros(n_features)
        trees = []
        for predictor in stages:
            nodes = predictor.nodes
            inner = nodes["is_leaf"] == 0
            np.add.at(importances, nodes["feature_idx"][inner], nodes["gain"][inner])
            left, right = (np.where(inner, nodes[side], -1.0) for side in ("left", "right"))
            trees.append(
                _Nodes(
                    len(nodes),
                    left.astype(np.int64),
                    right.astype(np.int64),
                    nodes["feature_idx"],
                    nodes["num_threshold"],
                    nodes["value"][:, None, None],
                    nodes["count"].astype(np.float64),
                )
            )
        _set_nodes(ensemble, trees)
        ensemble.feature_importances_ = importances / max(importances.sum(), 1e-300)
        ensembles.append(ensemble)
    rows = np.random.default_rng(0).normal(size=(64, n_features)).astype(np.float32)
    expected = np.mean([c.decision_function(rows).reshape(len(rows), -1) for c in classifiers], 0)
    if not np.allclose(expected.T, [ensemble.predict(rows) for ensemble in ensembles]):
        raise TypeError("gradient boosting that predicts in an unknown way")
    return ensembles


def _ensemble(regressor: Any, *, averages: bool) -> TreeEnsemble:
    parts = np.ravel(regressor.estimators_) if hasattr(regressor, "estimators_") else [regressor]
    ensemble = TreeEnsemble()
    ensemble.baseline_, ensemble.factor_ = 0.0, 1.0
    if hasattr(regressor, "init_"):  # gradient boosting
        ensemble.factor_ = float(regressor.learning_rate)
        if hasattr(regressor.init_, "constant_"):
            ensemble.baseline_ = float(regressor.init_.constant_.item())
        elif regressor.init != "zero":
            raise TypeError("gradient boosting with another model as init")
    ensemble.averages_ = averages
    ensemble.feature_importances_ = np.asarray(regressor.feature_importances_, dtype=np.float64)
    _set_nodes(ensemble, [part.tree_ for part in parts])
    return ensemble


def _set_nodes(ensemble: TreeEnsemble, trees: Sequence[Any]) -> None:
    """Join the nodes of all trees, by depth, so that the two children of a node are neighbors."""
    if any(tree.value.shape[1:] != (1, 1) for tree in trees):
        raise TypeError("trees that were fitted on several targets")
    counts = [tree.node_count for tree in trees]
    roots = np.cumsum([0, *counts[:-1]])

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(tree, name) for tree in trees])

    starts = np.repeat(roots, counts)
    left, right = joined("children_left") + starts, joined("children_right") + starts
    inner = joined("children_left") >= 0
    levels = [roots]
    while len(parents := levels[-1][inner[levels[-1]]]):
        levels.append(np.stack([left[parents], right[parents]], axis=1).ravel())
    order = np.concatenate(levels)
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.arange(len(order))
    inner = inner[order]
    children = np.where(inner, numbers[np.where(inner, left[order], 0)], np.arange(len(order)))
    ensemble.left_ = children.astype(np.int32)
    ensemble.feature_ = np.where(inner, joined("feature")[order], 0).astype(np.int32)
    # No number is above infinity: a path that has reached a leaf stays there.
    ensemble.threshold_ = np.where(inner, joined("threshold")[order], np.inf)
    ensemble.value_ = joined("value").astype(np.float64)[order, 0, 0]
    ensemble.cover_ = joined("weighted_n_node_samples").astype(np.float64)[order]
    ensemble.n_trees_ = len(trees)


def _compare(regressor: Any, converted: Any) -> None:
    """Raise a TypeError if predictions differ on random rows.

    A later version of scikit-learn may predict in another way. The tolerance is for processors
    that round a product and a sum at once, which its compiled code then does and NumPy does not.
    """
    rows = np.random.default_rng(0).normal(size=(32, converted.n_features_in_))
    expected = np.asarray(regressor.predict(rows))
    if expected.shape != (32,) or not np.allclose(
        converted.predict(rows), expected, rtol=1e-9, atol=1e-12
    ):
        raise TypeError("a regressor that predicts in an unknown way")
