"""Intervals around predicted scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import KFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import FusionRegressor, LexicalFeatures, make_sts_pipeline
from skpara.explanation import explain
from skpara.saving import load_model, save_model


def noisy(n, rng, bias=0.0):
    """A cosine, another feature, and scores whose errors are small at both ends."""
    X = rng.uniform(size=(n, 2))
    y = 5 * X[:, 0] + rng.normal(size=n) * 4 * X[:, 0] * (1 - X[:, 0]) + bias
    return X, y.clip(0, 5)


@pytest.fixture(scope="module")
def data():
    return noisy(1500, np.random.default_rng(0))


@pytest.fixture(scope="module")
def model(data):
    return FusionRegressor(Ridge(), intervals=True).fit(*data)


def coverage_of(model, X, y, coverage):
    low, high = model.predict_interval(X, coverage).T
    return np.mean((y >= low) & (y <= high))


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
def test_the_stated_share_is_inside(model, coverage):
    X, y = noisy(4000, np.random.default_rng(1))
    # More where scores at an end of the range make up more than the wanted share.
    assert coverage - 0.02 < coverage_of(model, X, y, coverage) < coverage + 0.06


def test_intervals_are_the_score_and_a_quantile_of_errors_on_held_out_pairs(data):
    X, y = data[0][:203], data[1][:203]
    model = FusionRegressor(LinearRegression(), intervals=True).fit(X, y)
    folds = KFold(5, shuffle=True, random_state=0)
    free = FusionRegressor(LinearRegression())
    errors = np.sort(np.abs(cross_val_predict(free, X, y, cv=folds) - y))
    scores = model.predict(X)
    for coverage in (0.1, 0.5, 0.9):
        error = errors[int(np.ceil(coverage * 204)) - 1]
        expected = np.column_stack([scores - error, scores + error]).clip(y.min(), y.max())
        np.testing.assert_allclose(model.predict_interval(X, coverage), expected)
    # More than the held-out pairs can tell: the whole range.
    whole = np.tile([y.min(), y.max()], (203, 1))
    np.testing.assert_array_equal(model.predict_interval(X, 0.999), whole)


def test_predictions_stay_the_same(data):
    X, y = data[0][:200], data[1][:200]
    trees = GradientBoostingRegressor(n_estimators=5, subsample=0.5)
    model = FusionRegressor(trees, random_state=0)
    plain, sure = (clone(model).set_params(intervals=i).fit(X, y) for i in (False, True))
    np.testing.assert_array_equal(plain.predict(X), sure.predict(X))


def test_groups_are_held_out_as_a_whole():
    rng = np.random.default_rng(0)
    parts = [noisy(200, rng, bias) for bias in (-1.5, -0.5, 0.0, 0.5, 1.5, 1.0)]
    X, y = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    # Of the second feature, a regressor can learn which set a pair is from.
    X[:, 1] = np.repeat(np.arange(6), 200)
    groups = np.repeat(np.arange(6), 200)
    trees = GradientBoostingRegressor(n_estimators=20, learning_rate=0.4)
    options = {"estimator": trees, "score_range": (0, 5), "intervals": True, "random_state": 0}
    within = FusionRegressor(**options).fit(X, y)
    across = FusionRegressor(**options).fit(X, y, groups=groups)
    widths = [np.diff(model.predict_interval(X), axis=1).mean() for model in (within, across)]
    assert widths[1] > 1.2 * widths[0]


def test_errors_say_what_to_do(model, data):
    with pytest.raises(ValueError, match=r"fitted without intervals\. Fit FusionRegressor"):
        FusionRegressor(Ridge()).fit(*data).predict_interval(data[0])
    with pytest.raises(ValueError, match=r"between 0 and 1, got 90\. Did you mean 0\.9"):
        model.predict_interval(data[0], coverage=90)
    with pytest.raises(ValueError, match="at least 20 pairs, got 5"):
        FusionRegressor(Ridge(), intervals=True).fit(data[0][:5], data[1][:5])


def test_a_second_fit_without_intervals_forgets_them(data):
    model = FusionRegressor(Ridge(), intervals=True).fit(*data)
    model.set_params(intervals=False).fit(*data)
    with pytest.raises(ValueError, match="fitted without intervals"):
        model.predict_interval(data[0])
    assert clone(model).intervals is False


@pytest.fixture(scope="module")
def pipeline(scored_sample):
    pairs, scores = scored_sample
    features = LexicalFeatures(["align_f", "cosine_icf", "len_ratio"])
    regressor = FusionRegressor(Ridge(), intervals=True)
    model = make_sts_pipeline(encoder="drop", lexical=features, regressor=regressor)
    return model.fit(pairs, scores), pairs


def test_a_pipeline_predicts_the_intervals_of_pairs_also_when_loaded(pipeline, tmp_path):
    model, pairs = pipeline
    expected = model[-1].predict_interval(model[:-1].transform(pairs), 0.8)
    np.testing.assert_array_equal(model.predict_interval(pairs, 0.8), expected)
    assert make_sts_pipeline(intervals=True)[-1].intervals is True
    loaded = load_model(save_model(model, tmp_path / "m.skpara"))
    np.testing.assert_array_equal(model.predict_interval(pairs), loaded.predict_interval(pairs))


def test_an_explanation_has_the_interval(pipeline):
    model, pairs = pipeline
    [explanation] = explain(model, pairs[:1], coverage=0.8)
    assert explanation.interval == tuple(model.predict_interval(pairs[:1], 0.8)[0])
    low, high = explanation.interval
    assert f"80 % interval {low:.2f} to {high:.2f}" in str(explanation)
    assert f"{low:.2f} to {high:.2f}" in explanation.to_html()
    assert explanation.to_dict()["interval"] == [low, high]
    scaled = make_pipeline(LexicalFeatures("lengths"), StandardScaler(), model[-1])
    scaled.set_params(fusionregressor__estimator=Ridge()).fit(pairs, np.arange(len(pairs)) % 6)
    assert explain(scaled, pairs[:1])[0].interval is not None


def test_an_integer_seed_decides_the_intervals_and_none_is_zero(data):
    X, y = data[0][:300], data[1][:300]

    def errors(seed):
        trees = GradientBoostingRegressor(n_estimators=5, subsample=0.5)
        model = FusionRegressor(estimator=trees, intervals=True, random_state=seed)
        return np.sort(np.ravel(model.fit(X, y).interval_errors_))

    np.testing.assert_array_equal(errors(None), errors(0))
    np.testing.assert_array_equal(errors(5), errors(5))
    assert not np.array_equal(errors(5), errors(0))
