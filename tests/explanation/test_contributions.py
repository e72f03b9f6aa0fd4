"""Contributions of features, against Shapley values from their definition."""

from __future__ import annotations

from itertools import combinations
from math import factorial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.ensemble import (
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.exceptions import NotFittedError
from sklearn.feature_selection import SelectKBest, f_regression
from sklearn.linear_model import PoissonRegressor, Ridge, SGDRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import PolynomialFeatures, StandardScaler
from sklearn.tree import DecisionTreeRegressor

from skpara import FusionRegressor
from skpara.explanation import contributions
from skpara.fusion import CosineRegressor


def table(seed=0, n_rows=150, n_features=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, n_features)).round(1)
    y = X[:, 0] * X[:, 1] + np.abs(X[:, 2]) + 0.1 * rng.normal(size=n_rows) + 2
    return X, y


X, Y = table()


def expectation(tree, x, known, node=0):
    """Mean prediction of a tree for a row of which only some features are known."""
    if tree.children_left[node] < 0:
        return tree.value[node, 0, 0]
    children = tree.children_left[node], tree.children_right[node]
    feature = tree.feature[node]
    if feature in known:
        return expectation(tree, x, known, children[int(x[feature] > tree.threshold[node])])
    cover = tree.weighted_n_node_samples
    return sum(
        cover[child] / cover[node] * expectation(tree, x, known, child) for child in children
    )


def shapley(tree, x):
    """Compute Shapley values by the definition, over all subsets of the other features."""
    d = len(x)
    values = np.zeros(d)
    for i in range(d):
        others = [j for j in range(d) if j != i]
        for size in range(d):
            weight = factorial(size) * factorial(d - size - 1) / factorial(d)
            for known in map(set, combinations(others, size)):
                gain = expectation(tree, x, known | {i}) - expectation(tree, x, known)
                values[i] += weight * gain
    return values


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 10_000),
    depth=st.integers(1, 9),
    n_features=st.integers(1, 5),
    weighted=st.booleans(),
)
def test_of_a_tree_they_are_the_shapley_values(seed, depth, n_features, weighted):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(40, n_features)).round(1)  # ties, and features split on again and again
    weights = rng.uniform(0.1, 2, size=40) if weighted else None
    tree = DecisionTreeRegressor(max_depth=depth, random_state=0)
    tree.fit(X, rng.normal(size=40), sample_weight=weights)
    rows = X[:3]
    baseline, added = contributions(tree, rows)
    assert baseline == pytest.approx(expectation(tree.tree_, rows[0], set()))
    brute = [shapley(tree.tree_, x) for x in rows.astype(np.float32)]
    np.testing.assert_allclose(added, brute, atol=1e-10)


def test_of_boosting_they_are_the_sum_over_its_trees():
    model = GradientBoostingRegressor(n_estimators=15, learning_rate=0.3, random_state=0)
    model.fit(X, Y)
    _, added = contributions(model, X[:2])
    brute = [
        0.3 * sum(shapley(tree.tree_, x) for (tree,) in model.estimators_)
        for x in X[:2].astype(np.float32)
    ]
    np.testing.assert_allclose(added, brute, atol=1e-10)


ANY_SCORE = {"score_range": (-np.inf, np.inf), "random_state": 0}
MODELS = [
    GradientBoostingRegressor(n_estimators=30, max_depth=4, subsample=0.7, random_state=0),
    GradientBoostingRegressor(n_estimators=20, loss="huber", init="zero", random_state=0),
    RandomForestRegressor(n_estimators=5, random_state=0),
    ExtraTreesRegressor(n_estimators=5, random_state=0),
    SGDRegressor(random_state=0),
    make_pipeline("passthrough", SelectKBest(f_regression, k=2), StandardScaler(), Ridge()),
    FusionRegressor(GradientBoostingRegressor(n_estimators=10), n_repeats=3, **ANY_SCORE),
]


@pytest.mark.parametrize("model", MODELS, ids=lambda m: type(m).__name__)
def test_baseline_and_contributions_sum_to_the_prediction(model):
    model.fit(X, Y)
    new = table(seed=1, n_rows=50)[0]
    baseline, added = contributions(model, new)
    assert added.shape == new.shape
    np.testing.assert_allclose(baseline + added.sum(axis=1), model.predict(new), atol=1e-8)
    if isinstance(model, Pipeline):
        selected = model[1].get_support()
        assert not added[:, ~selected].any()
        scaled = model[2].transform(new[:, selected])
        np.testing.assert_allclose(added[:, selected], scaled * model[-1].coef_)


@pytest.mark.parametrize("weight", [0.6, 1.0])
def test_features_far_beyond_those_of_fit_are_limited_as_in_predictions(weight):
    model = FusionRegressor(linear_weight=weight, score_range=(-np.inf, np.inf)).fit(X, Y)
    far = 1e4 * X[:20]
    baseline, added = contributions(model, far)
    np.testing.assert_allclose(baseline + added.sum(axis=1), model.predict(far))
    assert np.abs(added).max() < 10


def test_fusion_is_explained_before_it_clips():
    model = FusionRegressor(Ridge(), score_range=(0, 2)).fit(X, Y.clip(0, 2))
    baseline, added = contributions(model, X)
    total = baseline + added.sum(axis=1)
    assert total.max() > 2
    np.testing.assert_allclose(np.clip(total, 0, 2), model.predict(X))
    cosines = np.array([[-0.5], [0.25], [1.0]])
    baseline, added = contributions(CosineRegressor(score_range=(1, 5)).fit(cosines), cosines)
    np.testing.assert_allclose(baseline + added.ravel(), [-1, 2, 5])


@pytest.mark.parametrize(
    "model",
    [
        KNeighborsRegressor(),
        HistGradientBoostingRegressor(max_iter=2),
        PoissonRegressor(),  # has coefficients, but they add up to a logarithm
        make_pipeline(PolynomialFeatures(2), Ridge()),
        GradientBoostingRegressor(n_estimators=2, init=Ridge()),
        FusionRegressor(KNeighborsRegressor()),
    ],
    ids=lambda m: type(m).__name__,
)
def test_other_models_are_refused(model):
    model.fit(X, np.abs(Y))
    with pytest.raises(TypeError, match=r"not known for .*GradientBoostingRegressor"):
        contributions(model, X)


@pytest.mark.parametrize("model", [Ridge(), RandomForestRegressor(2)], ids=["linear", "trees"])
def test_several_targets_are_refused(model):
    with pytest.raises(TypeError, match="with one target"):
        contributions(model.fit(X, X[:, :2]), X)


def test_a_tree_without_a_split_is_all_baseline():
    baseline, added = contributions(DecisionTreeRegressor().fit(X, np.full(len(X), 3.0)), X)
    assert baseline == 3
    assert not added.any()


def test_unfitted_models_and_other_tables_are_refused():
    with pytest.raises(NotFittedError):
        contributions(GradientBoostingRegressor(), X)
    with pytest.raises(ValueError, match="expecting 5 features"):
        contributions(Ridge().fit(X, Y), X[:, :3])


@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_of_a_fusion_the_two_models_count_as_in_its_predictions(share):
    boosting = GradientBoostingRegressor(n_estimators=10, random_state=0)
    settings = {"random_state": 0}
    model = FusionRegressor(boosting, linear_weight=share, **settings).fit(X, Y)
    baseline, added = contributions(model, X[:9])
    np.testing.assert_allclose(baseline + added.sum(axis=1), model.predict(X[:9]), atol=1e-9)
    trees, linear = (
        contributions(FusionRegressor(boosting, linear_weight=w, **settings).fit(X, Y), X[:9])
        for w in (0.0, 1.0)
    )
    assert baseline == pytest.approx((1 - share) * trees[0] + share * linear[0])
    np.testing.assert_allclose(added, (1 - share) * trees[1] + share * linear[1], atol=1e-9)
    # A linear model adds as much for each step of a feature, wherever it is.
    slopes = [np.polyfit(X[:9, k], linear[1][:, k], 1)[0] for k in range(X.shape[1])]
    np.testing.assert_allclose(linear[1], linear[1][0] + (X[:9] - X[0]) * slopes, atol=1e-9)
