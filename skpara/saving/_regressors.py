"""Fitted trees and linear models as arrays.

A model file has the numbers of a fitted regressor rather than a pickle, which scikit-learn reads
in its own version only. Predictions are the same bits in every version. The trees of the default
estimators are arrays from the start: they predict one pair seven times as fast as scikit-learn's,
and many pairs as fast.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import sparse

from skpara._array_files import check_array
from skpara._core import list_kernels
from skpara._public import set_module
from skpara._sklearn import BaseEstimator, RegressorMixin
from skpara._typing import Floats
from skpara._validation import validate_features

# Rows of a sparse matrix that are made dense at a time.
_BLOCK = 4096


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
    feature_importances_: Floats

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
        rows: Any = valid_rows(self, X, np.float32, accept_sparse="csr").astype(np.float64)
        predictions = np.empty(rows.shape[0])
        tables = (
            np.ascontiguousarray(self.feature_, dtype=np.int32),
            self.threshold_,
            np.ascontiguousarray(self.left_, dtype=np.int32),
            self.factor_ * self.value_,
        )
        for start in range(0, len(predictions), _BLOCK):
            block = rows[start : start + _BLOCK]
            if sparse.issparse(block):
                block = block.toarray()
            # Added in the order of the trees, as scikit-learn does.
            list_kernels.trees(
                np.ascontiguousarray(block),
                self.n_features_in_,
                *tables,
                self.n_trees_,
                float(self.baseline_),
                predictions[start:],
            )
        return predictions / self.n_trees_ if self.averages_ else predictions

    @cached_property
    def depth(self) -> int:
        """Number of comparisons on the longest path."""
        depth = 0
        nodes = np.arange(self.n_trees_)
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
        return rows @ self.coef_ + self.intercept_

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
    return validate_features(estimator, X, reset=False, **options)
