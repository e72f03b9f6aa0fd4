"""Fitted regressors of scikit-learn, converted into arrays."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._core import offsets_of
from skpara._typing import Floats, Vectors
from skpara.saving._regressors import LinearModel, TreeEnsemble


class _Tree(NamedTuple):
    """The nodes of a tree, each array of shape (n_nodes,)."""

    left: NDArray[Any]  # the child for features up to the threshold; -1 at leaves
    right: NDArray[Any]
    feature: NDArray[Any]
    threshold: NDArray[Any]
    value: NDArray[Any]
    cover: NDArray[Any]  # weight of the training rows in the node


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
        importances = np.zeros(n_features)
        trees = []
        for predictor in stages:
            nodes = predictor.nodes
            inner = nodes["is_leaf"] == 0
            np.add.at(importances, nodes["feature_idx"][inner], nodes["gain"][inner])
            trees.append(
                _Tree(
                    left=np.where(inner, nodes["left"].astype(int), -1),
                    right=np.where(inner, nodes["right"].astype(int), -1),
                    feature=nodes["feature_idx"],
                    threshold=nodes["num_threshold"],
                    value=nodes["value"],
                    cover=nodes["count"],
                )
            )
        # The values of the leaves include the learning rate.
        ensemble = _joined(trees, baseline, 1 / len(classifiers), averages=False)
        ensemble.n_features_in_ = n_features
        ensemble.feature_importances_ = importances / max(importances.sum(), 1e-300)
        ensembles.append(ensemble)
    rows = _random_rows(ensembles[0])
    expected = np.mean([c.decision_function(rows).reshape(len(rows), -1) for c in classifiers], 0)
    _compare(expected.T, np.array([ensemble.predict(rows) for ensemble in ensembles]))
    return ensembles


def trees_from_numbers(numbers: dict[str, Any], n_features: int) -> TreeEnsemble:
    """Return trees from the lists of a file of JSON: an inner node's number is its threshold."""
    left = np.array(numbers["left"], dtype=np.int32)
    number = np.array(numbers["number"])
    inner = left > 0
    trees = TreeEnsemble()
    trees.left_ = np.where(inner, left, np.arange(len(left), dtype=np.int32))
    trees.feature_ = np.array(numbers["feature"], dtype=np.int32)
    trees.threshold_ = np.where(inner, number, np.inf)
    trees.value_ = np.where(inner, 0.0, number)
    trees.cover_ = np.array(numbers["cover"], dtype=np.float64)
    trees.feature_importances_ = np.array(numbers["importances"])
    trees.n_trees_ = numbers["n_trees"]
    trees.baseline_ = numbers["baseline"]
    trees.factor_ = 1.0
    trees.averages_ = False
    trees.n_features_in_ = n_features
    return trees


def _ensemble(regressor: Any) -> TreeEnsemble:
    is_one_tree = not hasattr(regressor, "estimators_")
    parts = [regressor] if is_one_tree else np.ravel(regressor.estimators_)
    baseline = 0.0
    factor = 1.0
    boosts = hasattr(regressor, "init_")
    if boosts:
        factor = float(regressor.learning_rate)
        if hasattr(regressor.init_, "constant_"):
            baseline = float(regressor.init_.constant_.item())
        elif regressor.init != "zero":
            raise TypeError("gradient boosting with another model as init")
    trees = [
        _Tree(
            left=part.tree_.children_left,
            right=part.tree_.children_right,
            feature=part.tree_.feature,
            threshold=part.tree_.threshold,
            value=part.tree_.value,
            cover=part.tree_.weighted_n_node_samples,
        )
        for part in parts
    ]
    averages = not boosts and not is_one_tree
    ensemble = _joined(trees, baseline, factor, averages=averages)
    ensemble.feature_importances_ = np.asarray(regressor.feature_importances_, dtype=np.float64)
    return ensemble


def _joined(
    trees: Sequence[_Tree], baseline: float, factor: float, *, averages: bool
) -> TreeEnsemble:
    """Join the nodes of all trees, by depth, so that the two children of a node are neighbors."""
    counts = [len(tree.left) for tree in trees]
    roots = offsets_of(counts)[:-1]
    nodes = _Tree._make(np.concatenate(arrays) for arrays in zip(*trees, strict=True))
    inner = nodes.left >= 0
    starts = np.repeat(roots, counts)
    left = nodes.left + starts
    right = nodes.right + starts
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
    ensemble.feature_ = np.where(inner, nodes.feature[order], 0).astype(np.int32)
    # No number is above infinity: a path that has reached a leaf stays there.
    ensemble.threshold_ = np.where(inner, nodes.threshold[order], np.inf)
    ensemble.value_ = nodes.value.ravel().astype(np.float64)[order]
    ensemble.cover_ = nodes.cover.astype(np.float64)[order]
    ensemble.n_trees_ = len(trees)
    ensemble.baseline_ = baseline
    ensemble.factor_ = factor
    ensemble.averages_ = averages
    return ensemble


def _random_rows(fitted: Any) -> Vectors:
    return np.random.default_rng(0).normal(size=(32, fitted.n_features_in_)).astype(np.float32)


def _compare(expected: Any, predicted: Floats, rtol: float = 1e-5, atol: float = 1e-8) -> None:
    """Raise a TypeError if a conversion predicts something else, in a later scikit-learn."""
    if np.shape(expected) != predicted.shape or not np.allclose(predicted, expected, rtol, atol):
        raise TypeError("a regressor that predicts in an unknown way")
