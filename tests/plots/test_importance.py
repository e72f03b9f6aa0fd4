"""The plot of feature importances."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeRegressor

from skpara.plots import FeatureImportanceDisplay, feature_importances


@pytest.fixture
def table():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    return X, 3 * X[:, 1] + X[:, 2]


def test_bars_are_sorted_and_named(table):
    model = make_pipeline(StandardScaler(), DecisionTreeRegressor(random_state=0)).fit(*table)
    ax = FeatureImportanceDisplay.from_estimator(model, top=2).ax_
    assert [label.get_text() for label in ax.get_yticklabels()] == ["x1", "x2"]
    widths = [bar.get_width() for bar in ax.patches]
    np.testing.assert_allclose(widths, model[-1].feature_importances_[[1, 2]])
    assert widths[0] > widths[1]
    assert ax.yaxis_inverted()  # the largest on top
    assert ax.get_title(loc="left") == "Top 2 of 3 features"


def test_names_come_from_the_steps_before_the_last(table):
    model = make_pipeline(
        StandardScaler(), PolynomialFeatures(2, include_bias=False), DecisionTreeRegressor()
    ).fit(*table)
    names, importances = feature_importances(model)
    assert names.tolist() == model[:-1].get_feature_names_out().tolist()
    assert "x0 x1" in names
    assert len(names) == len(importances)


def test_names_of_a_lone_regressor_come_from_its_frame(table):
    pd = pytest.importorskip("pandas")
    X, y = table
    names, _ = feature_importances(
        DecisionTreeRegressor().fit(pd.DataFrame(X, columns=["a", "b", "c"]), y)
    )
    assert names.tolist() == ["a", "b", "c"]


def test_a_model_without_importances_is_refused(table):
    with pytest.raises(TypeError, match=r"Ridge has no feature_importances_.*permutation"):
        feature_importances(Ridge().fit(*table))


def test_given_axes_are_used(table):
    from matplotlib.figure import Figure

    ax = Figure().subplots()
    model = DecisionTreeRegressor().fit(*table)
    display = FeatureImportanceDisplay.from_estimator(model, ax=ax, color="black")
    assert display.figure_ is ax.figure
    assert ax.patches[0].get_facecolor() == (0, 0, 0, 1)
