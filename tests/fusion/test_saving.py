"""Regressors and classifiers in model files."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression

from skpara import FusionClassifier, FusionRegressor, load_model, save_model
from skpara.fusion import CosineRegressor

RNG = np.random.default_rng(0)
X = RNG.normal(size=(60, 3)).round(2)
Y = X[:, 0] + np.abs(X[:, 1])


def boosting():
    return GradientBoostingRegressor(n_estimators=4, random_state=0)


@pytest.mark.parametrize(
    "model",
    [
        CosineRegressor((-3, 4)),
        FusionRegressor(LinearRegression(), random_state=0),
        FusionRegressor(boosting(), linear_weight=0.4, random_state=0),
        FusionRegressor(boosting(), linear_weight=1.0, score_range=(-3, 4), random_state=0),
        FusionRegressor(boosting(), n_repeats=2, intervals=True, random_state=0),
    ],
)
def test_a_loaded_regressor_predicts_the_same(model, tmp_path):
    features = X[:, :1] if isinstance(model, CosineRegressor) else X
    model.fit(features, Y)
    loaded = load_model(save_model(model, tmp_path / "model.skpara"))
    np.testing.assert_array_equal(loaded.predict(features), model.predict(features))
    if getattr(model, "intervals", False):
        for coverage in (0.5, 0.9):
            expected = model.predict_interval(X, coverage)
            np.testing.assert_array_equal(loaded.predict_interval(X, coverage), expected)


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("make", [np.asarray, csr_matrix])
def test_a_loaded_classifier_predicts_the_same(n_classes, make, tmp_path):
    labels = np.digitize(Y, np.quantile(Y, np.linspace(0, 1, n_classes + 1)[1:-1]))
    base_rate = 0.3 if n_classes == 2 else None
    model = FusionClassifier(cv=2, random_state=0, base_rate=base_rate).fit(make(X), labels)
    loaded = load_model(save_model(model, tmp_path / "model.skpara"))
    np.testing.assert_array_equal(loaded.predict_proba(make(X)), model.predict_proba(make(X)))
    assert loaded.classes_.tolist() == list(range(n_classes))
    if n_classes == 2:
        assert loaded.threshold(precision=0.25) == model.threshold(precision=0.25)
