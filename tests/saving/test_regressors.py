"""Fitted trees and linear models as arrays: the same predictions as scikit-learn's."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingClassifier,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.linear_model import ElasticNetCV, LinearRegression, PoissonRegressor, Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import LinearSVR
from sklearn.tree import DecisionTreeRegressor, ExtraTreeRegressor

from skpara import FusionRegressor, load_model, save_model
from skpara.explanation import contributions
from skpara.fusion import LinearModel, TreeEnsemble
from skpara.saving import boosted_trees, to_arrays

RNG = np.random.default_rng(0)
X = RNG.normal(size=(300, 7))
Y = X[:, 0] + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=300)
UNSEEN = RNG.normal(size=(500, 7))

TREES = [
    GradientBoostingRegressor(n_estimators=30, subsample=0.5, max_depth=4, random_state=0),
    GradientBoostingRegressor(n_estimators=5, init="zero", loss="huber", random_state=0),
    GradientBoostingRegressor(n_estimators=5, loss="quantile", max_leaf_nodes=5, random_state=0),
    RandomForestRegressor(3, max_features=2, min_samples_leaf=9, random_state=0),
    ExtraTreesRegressor(7, random_state=0),
    DecisionTreeRegressor(min_samples_leaf=400),  # a single leaf
    ExtraTreeRegressor(criterion="absolute_error", random_state=0),
]
LINEAR = [
    LinearRegression(),
    ElasticNetCV(cv=2),
    LinearSVR(C=0.01, max_iter=100_000, loss="squared_epsilon_insensitive", random_state=0),
]


@pytest.mark.parametrize("regressor", TREES + LINEAR, ids=repr)
def test_saved_regressors_predict_the_same_bits(tmp_path, regressor):
    fusion = FusionRegressor(regressor, n_repeats=2, random_state=0).fit(X, Y)
    pipeline = make_pipeline(StandardScaler(), clone(regressor)).fit(X, Y)
    for model in (fusion, pipeline):
        again = load_model(save_model(model, tmp_path / "model.skpara"))
        np.testing.assert_array_equal(again.predict(UNSEEN), model.predict(UNSEEN))
        np.testing.assert_array_equal(again.predict(UNSEEN[:1]), model.predict(UNSEEN[:1]))
    assert isinstance(again[-1], TreeEnsemble | LinearModel)
    if hasattr(pipeline[-1], "feature_importances_"):
        importances = pipeline[-1].feature_importances_
        np.testing.assert_array_equal(again[-1].feature_importances_, importances)


@pytest.mark.parametrize("regressor", TREES, ids=repr)
def test_trees_on_a_threshold_go_the_same_way(regressor):
    regressor = clone(regressor).fit(np.round(2 * X) / 2, Y)
    trees = to_arrays(regressor)
    values = np.unique(trees.threshold_[np.isfinite(trees.threshold_)])
    around = [values, np.nextafter(np.float32(values), np.inf), np.float32(values)]
    rows = np.tile(np.concatenate([*around, [0.0]])[:, None], 7)
    np.testing.assert_array_equal(trees.predict(rows), regressor.predict(rows))


@pytest.mark.parametrize("regressor", [*TREES, *LINEAR[:2]], ids=repr)
def test_contributions_of_features_are_the_same(regressor):
    regressor = clone(regressor).fit(X, Y)
    baseline, added = contributions(regressor, UNSEEN[:20])
    converted_baseline, converted = contributions(to_arrays(regressor), UNSEEN[:20])
    assert converted_baseline == pytest.approx(baseline)
    np.testing.assert_allclose(converted, added, atol=1e-12)


@pytest.mark.parametrize("n_classes", [2, 3])
def test_boosted_trees_decide_as_scikit_learns_and_name_the_same_features(n_classes):
    rows = X.astype(np.float32)
    labels = np.digitize(rows[:, 1] + 0.2 * rows[:, 4], [-0.4, 0.4][: n_classes - 1])
    classifier = HistGradientBoostingClassifier(max_iter=5, random_state=0).fit(rows, labels)
    ensembles = boosted_trees(classifier)
    expected = classifier.decision_function(UNSEEN.astype(np.float32)).reshape(len(UNSEEN), -1)
    np.testing.assert_allclose([e.predict(UNSEEN) for e in ensembles], expected.T, rtol=1e-6)
    for ensemble in ensembles:
        assert ensemble.feature_importances_.sum() == pytest.approx(1)
        assert np.argsort(ensemble.feature_importances_)[-2:].tolist() == [4, 1]
        assert ensemble.cover_[: ensemble.n_trees_].tolist() == [len(X)] * ensemble.n_trees_


def test_fitted_arrays_check_their_input_and_cannot_be_fitted():
    trees = to_arrays(GradientBoostingRegressor(n_estimators=2).fit(X, Y))
    for wrong in (UNSEEN[:, :3], np.full((2, 7), np.inf)):
        with pytest.raises(ValueError, match=r"features|infinity|large"):
            trees.predict(wrong)
    with pytest.raises(NotImplementedError, match="cannot be fitted"):
        trees.fit(X, Y)
    np.testing.assert_array_equal(trees.predict(X.tolist()), trees.predict(X))


@pytest.mark.parametrize(
    ("regressor", "y", "message"),
    [
        (Ridge(), np.stack([Y, Y], axis=1), "on several targets"),
        (RandomForestRegressor(2), np.stack([Y, Y], axis=1), "on several targets"),
        (PoissonRegressor(), np.abs(Y), "in an unknown way"),
        (GradientBoostingRegressor(init=Ridge()), Y, "with another model as init"),
        (HistGradientBoostingRegressor(), Y, "a HistGradientBoostingRegressor, which cannot"),
    ],
)
def test_other_regressors_are_refused(regressor, y, message):
    with pytest.raises(TypeError, match=message):
        to_arrays(regressor.fit(X, y))
