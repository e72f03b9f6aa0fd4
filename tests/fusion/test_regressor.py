"""The regressor, its linear model and the weights of training pairs."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.dummy import DummyRegressor
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingClassifier
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from skpara import FusionClassifier, FusionRegressor, ParagramEncoder
from skpara.fusion import TreeEnsemble

UNBOUNDED = (-np.inf, np.inf)
FEW_TREES = GradientBoostingRegressor(n_estimators=20, subsample=0.5)


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    return X, 5 * X[:, 0] ** 2 + 0.1 * rng.standard_normal(300)


def test_scores_stay_in_range(numbers):
    X, y = numbers
    y = y.clip(0, 5)
    model = FusionRegressor(LinearRegression(), score_range=(0, 5)).fit(X, y)
    free = FusionRegressor(LinearRegression(), score_range=UNBOUNDED).fit(X, y)
    far = np.vstack([X.min(axis=0) - 1, X.max(axis=0) + 1])
    assert free.predict(far)[0] < 0
    assert free.predict(far)[1] > 5
    np.testing.assert_array_equal(model.predict(far), [0, 5])
    np.testing.assert_array_equal(model.predict(X), np.clip(free.predict(X), 0, 5))


def test_repeats_are_the_mean_of_seeded_copies(numbers):
    X, y = numbers
    trees = GradientBoostingRegressor(n_estimators=30, subsample=0.5)
    model = FusionRegressor(trees, linear_weight=0, n_repeats=3, random_state=0)
    model.set_params(score_range=UNBOUNDED).fit(X, y)
    assert len({copy.predict(X).tobytes() for copy in model.estimators_}) == 3
    mean = np.mean([copy.predict(X) for copy in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict(X), mean)
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X), mean)


def test_the_weight_of_the_linear_model(numbers):
    X, y = (part[:100] for part in numbers)
    model = FusionRegressor(score_range=UNBOUNDED, random_state=0).fit(X, y)
    trees = model.estimators_[0].predict(X)
    quarter = clone(model).set_params(linear_weight=0.25).fit(X, y)
    expected = 0.75 * trees + 0.25 * model.linear_.predict(X)
    np.testing.assert_allclose(quarter.predict(X), expected, rtol=1e-9)
    assert FusionRegressor(Ridge()).fit(X, y).linear_ is None
    assert clone(quarter).set_params(estimator=Ridge()).fit(X, y).linear_weight_ == 0.25


def test_features_far_beyond_those_of_fit_count_as_their_limits(numbers):
    X, y = numbers
    X = np.column_stack([X, np.r_[np.zeros(len(y) - 1), 100]])  # farther than five deviations
    model = FusionRegressor(linear_weight=1, score_range=UNBOUNDED).fit(X, y)
    reach = 5 * X.std(axis=0)
    low, high = model.feature_limits_
    np.testing.assert_allclose(low, np.minimum(X.min(axis=0), X.mean(axis=0) - reach))
    np.testing.assert_allclose(high, np.maximum(X.max(axis=0), X.mean(axis=0) + reach))
    assert high[-1] == 100
    far = np.where(np.arange(X.shape[1]) % 2, 1e6, -1e6)[None]
    np.testing.assert_allclose(model.predict(far), model.linear_.predict(np.clip(far, low, high)))
    near = low + np.linspace(0, 1, 5)[:, None] * (high - low)
    np.testing.assert_allclose(model.predict(near), model.linear_.predict(near))
    assert FusionRegressor(FEW_TREES).fit(X, y).feature_limits_ is None


def test_differences_between_data_sets_are_not_learned(numbers):
    X, y = numbers
    groups = np.repeat(["a", "b"], 150)
    X = np.column_stack([X, groups == "b"]).astype(float)  # identifies the set
    y = y + 3 * (groups == "b")
    model = FusionRegressor(linear_weight=1, score_range=UNBOUNDED, random_state=0)
    models = (clone(model).fit(X, y, groups=g) for g in (None, groups))
    ungrouped, grouped = (fitted.linear_[-1].coef_ for fitted in models)
    assert ungrouped[4] > 1
    assert grouped[4] == pytest.approx(0)
    np.testing.assert_allclose(grouped[:4], ungrouped[:4], atol=0.1)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, y, groups=groups[:-1])


def linear_model(X, y, groups=None, weights=None):
    """Fit a regressor that is its linear model alone."""
    model = FusionRegressor(DummyRegressor(), linear_weight=1, score_range=UNBOUNDED)
    return model.fit(X, y, sample_weight=weights, groups=groups)


@pytest.fixture
def uneven():
    """Features that differ in scale, and scores that depend linearly on them."""
    rng = np.random.default_rng(0)
    X = rng.normal(loc=3, scale=[1, 5, 0.1], size=(200, 3))
    return X, X @ [1, 0.2, 4] + rng.standard_normal(200)


def test_one_group_is_ridge_on_standardised_features(uneven):
    X, y = uneven
    expected = make_pipeline(StandardScaler(), Ridge(100)).fit(X, y)
    np.testing.assert_allclose(linear_model(X, y).predict(X), expected.predict(X))


def many(seed=0):
    """Ten features in two groups; seven say something about the scores."""
    rng = np.random.default_rng(seed)
    common = rng.standard_normal(200)
    strengths = np.array([0.1, 2, 1, 0, 1.5, 0.5, -0.8, 0, 0.3, 0.0])
    X = 3 + 5 * (common[:, None] * strengths + rng.standard_normal((200, 10)))
    return X, common + rng.standard_normal(200), np.arange(200) % 2


@pytest.mark.parametrize("weighted", [False, True])
def test_half_of_the_linear_model_has_the_five_strongest_features(weighted):
    X, y, groups = many()
    weights = np.linspace(5e-4, 2e-3, 200) if weighted else np.ones(200)
    X[:, 0] = groups  # constant within each group
    X[:, 3] = 0.1
    y = y + groups
    scaled = StandardScaler().fit_transform(X, sample_weight=weights)
    for group in (0, 1):
        rows = groups == group
        scaled[rows] -= np.average(scaled[rows], axis=0, weights=weights[rows])
    # Pearson's r between deviations from the means, and what regresses the scores on their sum.
    means = [np.average(y[groups == g], weights=weights[groups == g]) for g in groups]
    residual = y - np.array(means)
    covariance = np.cov(np.column_stack([scaled, residual]).T, aweights=weights)
    with np.errstate(invalid="ignore", divide="ignore"):
        r = covariance[:-1, -1] / np.sqrt(np.diag(covariance)[:-1] * covariance[-1, -1])
    r[[0, 3]] = 0
    five = np.argsort(-abs(r))[:5]
    assert set(five) == {1, 2, 4, 5, 6}
    summed = scaled[:, five] @ covariance[five, -1]
    line = LinearRegression().fit(summed[:, None], residual, sample_weight=weights)
    ridge = Ridge(100, fit_intercept=False).fit(scaled, residual, sample_weight=weights)
    expected = ridge.coef_ / 2
    expected[five] += line.coef_ * covariance[five, -1] / 2
    model = linear_model(X, y, groups, weights)
    np.testing.assert_allclose(model.linear_[-1].coef_, expected, rtol=1e-7, atol=1e-12)


def test_a_feature_that_tells_groups_apart_takes_no_place_among_the_strongest():
    X, y, groups = many()
    alone = linear_model(X, y + groups, groups).linear_[-1].coef_
    beside = linear_model(np.column_stack([X, groups * 0.3]), y + groups, groups).linear_[-1].coef_
    np.testing.assert_allclose(beside, [*alone, 0], atol=1e-12)


def test_equal_scores_have_no_strongest_features():
    X, y, _ = many()
    model = linear_model(X, np.full_like(y, 2))
    np.testing.assert_array_equal(model.linear_[-1].coef_, 0)
    np.testing.assert_array_equal(model.predict(X), 2)


def test_a_weight_of_two_is_the_row_twice(uneven):
    X, y = uneven
    groups = np.arange(200) % 4
    weights = np.ones(200)
    weights[:30] = 2
    rows = np.concatenate([np.arange(200), np.arange(30)])
    weighted = linear_model(X, y, groups, weights)
    repeated = linear_model(X[rows], y[rows], groups[rows])
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


def test_a_constant_feature_has_no_coefficient(uneven):
    X, y = uneven
    for seed in range(20):  # the rounding errors of some weights make the variance negative
        weights = np.random.default_rng(seed).uniform(size=200)
        X[:, 1] = 0.1 * seed
        model = linear_model(X, y, weights=weights)
        assert model.linear_[-1].coef_[1] == pytest.approx(0)
        assert np.isfinite(model.predict(X)).all()


def test_trees_that_would_not_be_used_are_not_fitted(numbers):
    X, y = numbers
    model = FusionRegressor(linear_weight=1).fit(X[:, :1], y)
    assert model.estimators_ == []
    assert not hasattr(model, "feature_importances_")
    linear = model.linear_.predict(X[:, :1])
    np.testing.assert_allclose(model.predict(X[:, :1]), np.clip(linear, y.min(), y.max()))


@pytest.mark.parametrize(
    ("model", "columns"),
    [
        (FusionRegressor(FEW_TREES, random_state=0), 1),
        (FusionRegressor(FEW_TREES, linear_weight=0.6, random_state=0), 4),
        (FusionClassifier(random_state=0), 1),
        (FusionClassifier(HistGradientBoostingClassifier(max_iter=10), random_state=0), 4),
    ],
)
def test_a_pair_of_weight_zero_decides_nothing(numbers, model, columns):
    X, y = numbers
    X = X[:, :columns]
    y = y if isinstance(model, FusionRegressor) else (y > 1).astype(int)
    weights = np.arange(len(y)) % 3
    groups = np.arange(len(y)) % 7
    wrong = np.where(weights > 0, y, 9 - 9 * y)  # out of the range, or another class

    def scores(rows, labels):
        metadata = {"sample_weight": weights[rows], "groups": groups[rows]}
        fitted = clone(model).fit(X[rows], labels[rows], **metadata)
        return getattr(fitted, "predict_proba", fitted.predict)(X)

    result = scores(slice(None), y)
    np.testing.assert_array_equal(scores(slice(None), wrong), result)
    np.testing.assert_array_equal(scores(weights > 0, y), result)


@pytest.mark.parametrize("n_copies", [1, 20])
def test_the_slope_of_a_single_similarity_is_a_tenth_smaller(numbers, n_copies):
    x, y = np.tile(numbers[0][:, 0], n_copies), np.tile(numbers[1], n_copies)
    model = FusionRegressor(linear_weight=1, score_range=UNBOUNDED).fit(x[:, None], y)
    slope = np.diff(model.predict([[0.2], [1.2]])).item()
    assert slope == pytest.approx(np.polyfit(x, y, 1)[0] / 1.1)
    assert FusionRegressor().fit(x[:99, None], y[:99]).linear_weight_ == 0.8
    assert model.predict([[x.mean()]]) == pytest.approx(y.mean())


def test_importances_find_the_feature_and_sum_to_one(numbers):
    X, y = (part[:100] for part in numbers)
    model = FusionRegressor(n_repeats=2, random_state=0).fit(X, y)
    assert all(isinstance(part, TreeEnsemble) for part in model.estimators_)
    assert model.feature_importances_.argmax() == 0
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert not hasattr(FusionRegressor(Ridge()).fit(X, y), "feature_importances_")
    assert not hasattr(FusionRegressor(), "feature_importances_")


def test_the_range_is_learned_from_the_scores(numbers):
    X, y = numbers
    model = FusionRegressor(LinearRegression()).fit(X, 20 * y - 7)
    assert model.score_range_ == ((20 * y - 7).min(), (20 * y - 7).max())
    far = np.vstack([X.min(axis=0) - 1, X.max(axis=0) + 1])
    np.testing.assert_array_equal(model.predict(far), model.score_range_)
    constant = FusionRegressor(LinearRegression()).fit(X, np.full(len(X), 3.0))
    np.testing.assert_array_equal(constant.predict(far), 3)


@pytest.mark.parametrize(
    ("label", "message"),
    [
        (7, r"in \[0, 5\], got y\[2\] = 7\. Clip them or pass score_range=\(0, 7\)"),
        (-0.1234567, r"y\[2\] = -0\.123457\. .* score_range=\(-0\.1234567, 5\)"),
        (np.nan, r"NaN or infinity in 1 row\(s\), the first is y\[2\] = nan"),
        ("7", r"got y\[2\] = '7'\. Convert y"),
        ("same", "by make_pair_classifier"),
        (None, r"y\[2\] = nan\. Drop pairs without a score"),
    ],
)
def test_labels_that_are_no_scores_in_range(numbers, label, message):
    y = np.array([1.0, 5.0, label, 2.0], dtype=object)
    with pytest.raises(ValueError, match=message):
        FusionRegressor(Ridge(), score_range=(0, 5)).fit(numbers[0][:4], y)


@settings(max_examples=8)
@given(scale=st.floats(1e-3, 1e3), shift=st.floats(-100, 100))
def test_predictions_follow_the_scale_of_the_scores(numbers, scale, shift):
    X, y = numbers
    model = FusionRegressor(Ridge(), linear_weight=0.5)
    expected = scale * clone(model).fit(X, y).predict(X) + shift
    predicted = clone(model).fit(X, scale * y + shift).predict(X)
    np.testing.assert_allclose(predicted, expected, rtol=1e-9, atol=1e-9 * scale)


def test_what_is_wrong_with_parameters(numbers):
    for score_range in ((5, 0), (1,), (1, 1)):
        with pytest.raises(ValueError, match="low < high"):
            FusionRegressor(score_range=score_range).fit(*numbers)
    with pytest.raises(ValueError, match="KNeighborsRegressor takes no sample_weight"):
        FusionRegressor(KNeighborsRegressor()).fit(*numbers, sample_weight=np.ones(300))


def test_three_fifths_of_the_default_are_linear():
    rng = np.random.default_rng(0)
    X, rows = rng.random((80, 7)), rng.random((50, 7))
    model = FusionRegressor(random_state=0, n_repeats=2, score_range=(-9, 9))
    model.fit(X, X.sum(axis=1))
    trees = np.mean([part.predict(rows) for part in model.estimators_], axis=0)
    expected = 0.4 * trees + 0.6 * model.linear_.predict(rows)
    for part in (slice(1), slice(None)):
        np.testing.assert_allclose(model.predict(rows[part]), expected[part], rtol=1e-12)
    for other in (np.asfortranarray(rows), rows.tolist()):
        np.testing.assert_array_equal(model.predict(other), model.predict(rows))
    message = "infinity or a value too large"
    with pytest.raises(ValueError, match=message), np.errstate(over="ignore"):
        model.predict(np.full((1, 7), 1e300))  # trees have float32
    with pytest.raises(ValueError, match="7 features"):
        model.predict(rows[:, :6])


@pytest.mark.parametrize("model", [FusionRegressor(), FusionClassifier()])
@pytest.mark.parametrize("missing", [None, np.nan])
def test_missing_groups_are_an_error(numbers, model, missing):
    X, y = numbers
    groups = np.array(["a", "b"] * (len(y) // 2), dtype=object)
    groups[7] = missing
    message = r"groups has no value in 1 row\(s\), the first is groups\[7\]"
    with pytest.raises(ValueError, match=message):
        clone(model).fit(X, y > y.mean(), groups=groups)


def test_a_parameter_of_the_default_regressor_is_refused_with_a_reason():
    model = FusionRegressor()
    with pytest.raises(ValueError, match="optimizer of ParagramEncoder is None"):
        ParagramEncoder().set_params(optimizer__learning_rate=0.1)
    with pytest.raises(ValueError, match="estimator of FusionRegressor is None"):
        model.set_params(estimator__max_depth=2)
    boosting = GradientBoostingRegressor()
    model.set_params(estimator=boosting, estimator__max_depth=2)
    assert model.set_params(estimator__n_estimators=3).estimator is boosting
    assert (boosting.max_depth, boosting.n_estimators) == (2, 3)
