"""Gradient boosting of FusionRegressor and FusionClassifier: settings and seeds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.random import RandomState
from sklearn.base import clone

if TYPE_CHECKING:  # only fit needs them, and they take a tenth of the first second of a process
    from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier


def boosting_regressor() -> GradientBoostingRegressor:
    from sklearn.ensemble import GradientBoostingRegressor

    # Chosen by leaving out kinds of text. Small steps on half of the pairs, leaves of 20 pairs and
    # splits among a sixth of the features keep trees this deep from overfitting.
    tree = {"max_depth": 4, "min_samples_leaf": 20, "max_features": 1 / 6}
    return GradientBoostingRegressor(n_estimators=300, learning_rate=0.05, subsample=0.5, **tree)


def boosting_classifier() -> HistGradientBoostingClassifier:
    from sklearn.ensemble import HistGradientBoostingClassifier

    # Leaves small enough for 4,000 pairs; splits among a part of the features, so that no single
    # similarity dominates.
    tree = {"max_leaf_nodes": 15, "max_features": 0.3}
    return HistGradientBoostingClassifier(max_iter=100, early_stopping=False, **tree)


def seeded(estimator: Any, rng: RandomState) -> Any:
    """Return a clone, with every ``random_state`` in it, nested ones too, drawn from ``rng``."""
    copy = clone(estimator)
    names = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**{name: int(rng.randint(2**31)) for name in sorted(names)})
