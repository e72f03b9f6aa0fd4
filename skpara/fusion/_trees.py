"""Fitted trees and linear models as arrays.

A model file has the numbers of a fitted regressor rather than a pickle, which scikit-learn reads
in its own version only. Predictions are the same bits in every version. The trees of the default
estimators are arrays from the start: they predict one pair seven times as fast as scikit-learn's,
and many pairs as fast.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from functools import cached_property
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse
from sklearn.base import BaseEstimator, RegressorMixin

from skpara._array_files import check_array
from skpara._public import set_module
from skpara._typing import Floats
from skpara.fusion._validation import validate_features

# Nodes in a block of rows: arrays of 0.5 MB, which stay in the processor's cache.
_BLOCK = 65_536
# Of a tree of scikit-learn.
_FIELDS = "children_left children_right feature threshold value weighted_n_node_samples".split()


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
            f"A {type(self).__name__} has the numbers of a fitted regressor and cannot be fitted. "
            "Fit a new pipeline with a regressor of scikit-learn, or a FusionRegressor."
        )


@set_module("skpara.fusion", trusted=True)
class TreeEnsemble(_Predictor):
    """Fitted trees as arrays: gradient boosting, a forest or a single tree.

    It predicts the same bits as the regressor of scikit-learn that the trees come from.

    Attributes
    ----------
    feature_, threshold_ : ndarray of shape (n_nodes,)
        Each inner node compares a feature with a number.
    left_ : ndarray of shape (n_nodes,)
        The child for features up to the threshold; the next node is the child for larger ones. A
        leaf is its own child. The first nodes are the roots of the trees.
    value_ : ndarray of shape (n_nodes,)
        Predictions of the leaves.
    cover_ : ndarray of shape (n_nodes,)
        Weight of the training rows in each node.
    n_trees_ : int
        Number of trees.
    baseline_ : float
        Added to the values of the trees.
    factor_ : float
        Multiplies the values: the learning rate of gradient boosting.
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
        X : array-like or sparse matrix of shape (n_rows, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_rows,), float64
            Predictions.
        """
        # Thresholds lie between float32 numbers, which trees are grown from.
        rows = valid_rows(self, X, np.float32, accept_sparse="csr").astype(np.float64)
        predictions = np.empty(rows.shape[0])
        values = self.factor_ * self.value_
        # Indices of the type that take() needs: it would convert them each time.
        left, feature = self.left_.astype(np.intp), self.feature_.astype(np.intp)
        size = max(1, _BLOCK // self.n_trees_)
        for start in range(0, len(predictions), size):
            block: Any = rows[start : start + size]
            if sparse.issparse(block):
                block = block.toarray()
            features = block.ravel()
            offsets = np.arange(0, block.size, block.shape[1])[:, None]
            nodes = np.tile(np.arange(self.n_trees_), (len(block), 1))
            for _ in range(self.depth):
                places = feature.take(nodes)
                places += offsets
                right = features.take(places) > self.threshold_.take(nodes)
                nodes = left.take(nodes)
                nodes += right
            terms = np.empty((len(block), self.n_trees_ + 1))
            terms[:, 0] = self.baseline_
            terms[:, 1:] = values.take(nodes)
            # In the order of the trees, as scikit-learn adds them: np.sum would add in pairs.
            predictions[start : start + size] = np.cumsum(terms, axis=1)[:, -1]
        return predictions / self.n_trees_ if self.averages_ else predictions

    @cached_property
    def depth(self) -> int:
        """Number of comparisons on the longest path."""
        depth, nodes = 0, np.arange(self.n_trees_)
        while len(nodes := nodes[self.left_[nodes] > nodes]):
            nodes = np.unique(np.concatenate([self.left_[nodes], self.left_[nodes] + 1]))
            depth += 1
        return depth

    def _check_loaded(self) -> None:
        """Raise a ValueError unless all node and feature numbers are in range."""
        n_nodes = len(self.left_)
        check_array("left_", self.left_, np.integer, (n_nodes,), below=n_nodes)
        check_array("feature_", self.feature_, np.integer, (n_nodes,), below=self.n_features_in_)
        nodes = np.arange(n_nodes)
        inner = self.left_ != nodes
        # A child is behind its parent: a path that went back could be a cycle.
        if ((self.left_ < nodes) | (self.left_ + inner >= n_nodes)).any():
            raise ValueError("a tree has inconsistent nodes")
        thresholds = np.where(inner, self.threshold_[nodes], 0)  # infinite at leaves
        arrays = {"threshold_": thresholds, "value_": self.value_, "cover_": self.cover_}
        for name, array in arrays.items():
            check_array(name, array, np.floating, (n_nodes,))
        if not 1 <= self.n_trees_ <= n_nodes:
            raise ValueError(f"{n_nodes} nodes cannot have {self.n_trees_} trees")
        if not np.isfinite([self.baseline_, self.factor_, self.averages_]).all():
            raise ValueError("the baseline or the factor of the trees is not finite")


@set_module("skpara.fusion", trusted=True)
class LinearModel(_Predictor):
    """Fitted linear model of a model file: a product of features and coefficients.

    Attributes
    ----------
    coef_ : ndarray of shape (n_features,)
        Coefficients.
    intercept_ : float
        Added to the product.
    n_features_in_ : int
        Number of features.
    """

    coef_: Floats
    intercept_: float

    def predict(self, X: ArrayLike) -> Floats:
        """Predict by the linear model.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_rows, n_features)
            Features.

        Returns
        -------
        ndarray of shape (n_rows,), float64 or, for features of that type, float32
            Predictions.
        """
        # In float32 for features of this type, as scikit-learn's linear models.
        dtype = np.float32 if getattr(X, "dtype", None) == np.float32 else np.float64
        rows = valid_rows(self, X, dtype, accept_sparse="csr")
        return np.asarray(rows @ self.coef_ + self.intercept_)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless there is a finite coefficient for each feature."""
        check_array("coef_", self.coef_, np.floating, (self.n_features_in_,))
        if not np.isfinite(self.intercept_):
            raise ValueError("intercept_ is not finite")


def valid_rows(estimator: Any, X: Any, dtype: Any = np.float64, **options: Any) -> NDArray[Any]:
    """Validate features to predict from; quickly if they are an array.

    scikit-learn's checks take twice the time of one pair's trees.
    """
    if (
        type(X) is np.ndarray
        and X.dtype.kind == "f"
        and X.ndim == 2
        and X.shape[1] == estimator.n_features_in_
        and "feature_names_in_" not in vars(estimator)
    ):
        with np.errstate(over="ignore"):
            rows: NDArray[Any] = X.astype(dtype, copy=False)
        if np.isfinite(rows).all():
            return rows
    options |= {"dtype": dtype, "ensure_min_samples": 0}
    rows = validate_features(estimator, X, reset=False, **options)
    return rows


def to_arrays(regressor: Any) -> TreeEnsemble | LinearModel:
    """Convert a fitted regressor of scikit-learn: a linear model, trees, a forest or boosting.

    Raises
    ------
    TypeError
        If it was fitted on several targets, or predicts in an unknown way.
    """
    names = getattr(regressor, "feature_names_in_", None)
    if names is not None:
        regressor = copy(regressor)
        del regressor.feature_names_in_  # the rows of the comparison have no names
    rows = _random_rows(regressor)
    expected = regressor.predict(rows)
    if expected.ndim > 1:
        raise TypeError("a regressor that was fitted on several targets")
    converted: Any
    if hasattr(regressor, "coef_"):
        converted = LinearModel()
        converted.coef_ = np.array(regressor.coef_).ravel()
        converted.intercept_ = float(np.ravel(regressor.intercept_)[0])
    elif hasattr(type(regressor), "feature_importances_"):  # trees, or an ensemble of trees
        converted = _ensemble(regressor)
    else:
        raise TypeError(f"a {type(regressor).__name__}, which cannot be turned into arrays")
    converted.n_features_in_ = int(regressor.n_features_in_)
    # The tolerance is for processors that round a product and a sum at once, which scikit-learn's
    # compiled code then does and NumPy does not.
    _compare(expected, converted.predict(rows), rtol=1e-9, atol=1e-12)
    if names is not None:
        converted.feature_names_in_ = names
    return converted


def boosted_trees(*classifiers: Any) -> list[TreeEnsemble]:
    """Convert fitted ``HistGradientBoostingClassifier`` into trees that predict their mean.

    Parameters
    ----------
    *classifiers : HistGradientBoostingClassifier
        The classifiers, fitted to numbers of single precision, none of them missing.

    Returns
    -------
    list of TreeEnsemble
        For two classes, trees that predict the log odds of the second one; else trees for the
        logit of each class.

    Raises
    ------
    TypeError
        If they predict in an unknown way, in a later version of scikit-learn.
    """
    n_features = int(classifiers[0].n_features_in_)
    iterations = [stage for classifier in classifiers for stage in classifier._predictors]
    baselines = np.mean([np.ravel(c._baseline_prediction) for c in classifiers], axis=0)
    ensembles = []
    for baseline, stages in zip(baselines.tolist(), zip(*iterations, strict=True), strict=True):
        importances, trees = np.zeros(n_features), []
        for nodes in (predictor.nodes for predictor in stages):
            inner = nodes["is_leaf"] == 0
            np.add.at(importances, nodes["feature_idx"][inner], nodes["gain"][inner])
            left, right = (np.where(inner, nodes[k].astype(int), -1) for k in ("left", "right"))
            columns = (nodes[k] for k in ("feature_idx", "num_threshold", "value", "count"))
            trees.append((left, right, *columns))
        # The values of the leaves include the learning rate.
        ensemble = _joined(trees, baseline, 1 / len(classifiers), averages=False)
        ensemble.n_features_in_ = n_features
        ensemble.feature_importances_ = importances / max(importances.sum(), 1e-300)
        ensembles.append(ensemble)
    rows = _random_rows(ensembles[0])
    expected = np.mean([c.decision_function(rows).reshape(len(rows), -1) for c in classifiers], 0)
    _compare(expected.T, np.array([ensemble.predict(rows) for ensemble in ensembles]))
    return ensembles


def to_numbers(trees: TreeEnsemble) -> dict[str, Any]:
    """Return trees as lists for a file of JSON; a node has a threshold or, if a leaf, a value."""
    inner = trees.left_ > np.arange(len(trees.left_))
    return {
        "baseline": float(f"{trees.baseline_:.4g}"),
        "n_trees": trees.n_trees_,
        "importances": [float(f"{x:.4g}") for x in trees.feature_importances_],
        "left": np.where(inner, trees.left_, 0).tolist(),
        "feature": trees.feature_.tolist(),
        "number": [
            float(f"{x:.6g}")
            for x in np.where(inner, trees.threshold_, trees.factor_ * trees.value_)
        ],
        "cover": trees.cover_.astype(int).tolist(),
    }


def trees_from_numbers(numbers: dict[str, Any], n_features: int) -> TreeEnsemble:
    """Return the trees of :func:`to_numbers`."""
    left, number = np.array(numbers["left"], dtype=np.int32), np.array(numbers["number"])
    inner = left > 0
    trees = TreeEnsemble()
    trees.left_ = np.where(inner, left, np.arange(len(left), dtype=np.int32))
    trees.feature_ = np.array(numbers["feature"], dtype=np.int32)
    trees.threshold_ = np.where(inner, number, np.inf)
    trees.value_ = np.where(inner, 0.0, number)
    trees.cover_ = np.array(numbers["cover"], dtype=np.float64)
    trees.feature_importances_ = np.array(numbers["importances"])
    trees.n_trees_, trees.baseline_ = numbers["n_trees"], numbers["baseline"]
    trees.factor_, trees.averages_ = 1.0, False
    trees.n_features_in_ = n_features
    return trees


def _ensemble(regressor: Any) -> TreeEnsemble:
    parts = np.ravel(regressor.estimators_) if hasattr(regressor, "estimators_") else [regressor]
    baseline, factor = 0.0, 1.0
    boosts = hasattr(regressor, "init_")
    if boosts:
        factor = float(regressor.learning_rate)
        if hasattr(regressor.init_, "constant_"):
            baseline = float(regressor.init_.constant_.item())
        elif regressor.init != "zero":
            raise TypeError("gradient boosting with another model as init")
    fields = attrgetter(*_FIELDS)
    averages = not boosts and hasattr(regressor, "estimators_")
    ensemble = _joined([fields(part.tree_) for part in parts], baseline, factor, averages=averages)
    ensemble.feature_importances_ = np.asarray(regressor.feature_importances_, dtype=np.float64)
    return ensemble


def _joined(
    trees: Sequence[Any], baseline: float, factor: float, *, averages: bool
) -> TreeEnsemble:
    """Join the nodes of all trees, by depth, so that the two children of a node are neighbors.

    A tree is arrays of left and right children (-1 at leaves), features, thresholds, values and
    weights of training rows.
    """
    counts = [len(tree[0]) for tree in trees]
    roots = np.cumsum([0, *counts[:-1]])
    left, right, feature, threshold, value, cover = map(np.concatenate, zip(*trees, strict=True))
    inner = left >= 0
    starts = np.repeat(roots, counts)
    left, right = left + starts, right + starts
    levels = [roots]
    while len(parents := levels[-1][inner[levels[-1]]]):
        levels.append(np.stack([left[parents], right[parents]], axis=1).ravel())
    order = np.concatenate(levels)
    numbers = np.empty(len(order), dtype=np.int64)
    numbers[order] = np.arange(len(order))
    inner = inner[order]
    children = np.where(inner, numbers[np.where(inner, left[order], 0)], np.arange(len(order)))
    ensemble = TreeEnsemble()
    ensemble.left_ = children.astype(np.int32)
    ensemble.feature_ = np.where(inner, feature[order], 0).astype(np.int32)
    # No number is above infinity: a path that has reached a leaf stays there.
    ensemble.threshold_ = np.where(inner, threshold[order], np.inf)
    ensemble.value_ = value.ravel().astype(np.float64)[order]
    ensemble.cover_ = cover.astype(np.float64)[order]
    ensemble.n_trees_ = len(trees)
    ensemble.baseline_, ensemble.factor_, ensemble.averages_ = baseline, factor, averages
    return ensemble


def _random_rows(fitted: Any) -> NDArray[np.float32]:
    return np.random.default_rng(0).normal(size=(32, fitted.n_features_in_)).astype(np.float32)


def _compare(expected: Any, predicted: Floats, rtol: float = 1e-5, atol: float = 1e-8) -> None:
    """Raise a TypeError if a conversion predicts something else, in a later scikit-learn."""
    if np.shape(expected) != predicted.shape or not np.allclose(predicted, expected, rtol, atol):
        raise TypeError("a regressor that predicts in an unknown way")
