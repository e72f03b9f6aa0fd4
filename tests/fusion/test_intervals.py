"""Intervals around predicted scores."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import FusionRegressor, LexicalFeatures, make_sts_pipeline
from skpara.datasets import load_sts_sample
from skpara.explanation import explain
from skpara.fusion._intervals import IntervalTable
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
def test_the_promised_share_is_inside(model, coverage):
    X, y = noisy(4000, np.random.default_rng(1))
    # More where scores at an end of the range make up more than the wanted share.
    assert coverage - 0.02 < coverage_of(model, X, y, coverage) < coverage + 0.06


def test_intervals_are_narrow_where_errors_are_small(model):
    low, high = model.predict_interval([[0.02, 0.5], [0.5, 0.5], [0.98, 0.5]]).T
    width = high - low
    assert width[0] < 0.6 * width[1]
    assert width[2] < 0.6 * width[1]


def test_intervals_are_narrower_than_those_of_one_width(model):
    X, y = noisy(4000, np.random.default_rng(1))
    inside = coverage_of(model, X, y, 0.9)
    width = np.diff(model.predict_interval(X), axis=1).mean()
    assert width < 0.85 * 2 * np.quantile(np.abs(model.predict(X) - y), inside)


def test_intervals_are_in_the_range_and_contain_the_score(model, data):
    for coverage in (0.01, 0.5, 0.999):
        low, high = model.predict_interval(data[0], coverage).T
        scores = model.predict(data[0])
        assert (low >= model.score_range_[0]).all()
        assert (high <= model.score_range_[1]).all()
        assert (low <= scores).all()
        assert (scores <= high).all()


def test_more_coverage_is_wider(model, data):
    widths = [np.diff(model.predict_interval(data[0], c), axis=1) for c in (0.5, 0.8, 0.95)]
    assert (widths[0] <= widths[1]).all()
    assert (widths[1] <= widths[2]).all()


def test_predictions_stay_the_same(data):
    X, y = data[0][:200], data[1][:200]
    plain, sure = (FusionRegressor(random_state=0, intervals=i).fit(X, y) for i in (False, True))
    np.testing.assert_array_equal(plain.predict(X), sure.predict(X))


def test_groups_are_held_out_as_a_whole():
    rng = np.random.default_rng(0)
    parts = [noisy(200, rng, bias) for bias in (-1.5, -0.5, 0.0, 0.5, 1.5, 1.0)]
    X, y = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    # Of the second feature, a regressor can learn which set a pair is from.
    X[:, 1] = np.repeat(np.arange(6), 200)
    groups = np.repeat(np.arange(6), 200)
    options = {"score_range": (0, 5), "intervals": True, "random_state": 0}
    within = FusionRegressor(**options).fit(X, y)
    across = FusionRegressor(**options).fit(X, y, groups=groups)
    widths = [np.diff(model.predict_interval(X), axis=1).mean() for model in (within, across)]
    assert widths[1] > 1.3 * widths[0]


def test_a_row_does_not_depend_on_the_others(model, data):
    together = model.predict_interval(data[0][:50])
    np.testing.assert_array_equal(
        together, np.vstack([model.predict_interval(row[None]) for row in data[0][:50]])
    )
    assert model.predict_interval(np.empty((0, 2))).shape == (0, 2)


def test_scores_without_a_range(data):
    X, y = data
    free = FusionRegressor(Ridge(), score_range=(-np.inf, np.inf), intervals=True).fit(X, y)
    assert np.isfinite(free.predict_interval([[-3.0, 0.0], [5.0, 0.0]])).all()
    assert coverage_of(free, X, y, 0.9) == pytest.approx(0.9, abs=0.03)


def test_any_scale_gives_the_same_intervals(data):
    X, y = data
    small, large = (
        FusionRegressor(Ridge(alpha=1e-9), intervals=True).fit(X, y * factor) for factor in (1, 20)
    )
    np.testing.assert_allclose(
        20 * small.predict_interval(X), large.predict_interval(X), atol=20 * 0.101
    )


def test_equal_scores_have_no_width():
    X = np.arange(40.0)[:, None]
    model = FusionRegressor(Ridge(), intervals=True).fit(X, np.full(40, 2.0))
    np.testing.assert_array_equal(model.predict_interval(X), np.full((40, 2), 2.0))


def test_errors_say_what_to_do(model, data):
    with pytest.raises(ValueError, match=r"fitted without intervals\. Fit FusionRegressor"):
        FusionRegressor(Ridge()).fit(*data).predict_interval(data[0])
    with pytest.raises(ValueError, match="between 0 and 1, got 90"):
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
def pipeline():
    pairs, scores = load_sts_sample(return_X_y=True)
    features = LexicalFeatures(["align_f", "cosine_icf", "len_ratio"])
    regressor = FusionRegressor(Ridge(), intervals=True)
    model = make_sts_pipeline(encoder="drop", lexical=features, regressor=regressor)
    return model.fit(pairs, scores), pairs


def test_a_pipeline_predicts_the_intervals_of_pairs(pipeline):
    model, pairs = pipeline
    expected = model[-1].predict_interval(model[:-1].transform(pairs), 0.8)
    np.testing.assert_array_equal(model.predict_interval(pairs, 0.8), expected)
    assert make_sts_pipeline(intervals=True)[-1].intervals is True


def test_a_saved_model_has_its_intervals(pipeline, tmp_path):
    model, pairs = pipeline
    loaded = load_model(save_model(model, tmp_path / "m.skpara"))
    np.testing.assert_array_equal(model.predict_interval(pairs), loaded.predict_interval(pairs))


TABLE = {"edges": np.arange(4.0), "mass": np.full((3, 3), 0.5), "levels": np.array([0.1, 0.2])}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edges": np.arange(5.0)}, "other shapes"),
        ({"mass": np.full((3, 2), 0.5)}, "other shapes"),
        ({"levels": np.array([[0.1, 0.2]])}, "other shapes"),
        ({"levels": np.empty(0)}, "other shapes"),
        ({"edges": np.array([0, 1, np.nan, 3])}, "not finite"),
        ({"mass": np.full((3, 3), np.inf)}, "not finite"),
        ({"levels": np.array([0.1, np.nan])}, "not finite"),
        ({"edges": np.array([0.0, 2.0, 1.0, 3.0])}, "not in order"),
        ({"levels": np.array([0.2, 0.1])}, "not in order"),
    ],
)
def test_damaged_intervals_are_refused(changes, message):
    IntervalTable(**TABLE).check()
    with pytest.raises(ValueError, match=message):
        IntervalTable(**TABLE | changes).check()


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
