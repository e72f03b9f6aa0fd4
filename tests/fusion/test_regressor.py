from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.utils.estimator_checks import parametrize_with_checks

from skpara import FusionRegressor
from skpara.fusion._domain import domain_weights
from skpara.metrics import pearson_score


def _known_to_differ(estimator):
    if estimator.estimator is not None:
        return {}
    # Splits choose among random features: a row twice is not quite a row of weight two.
    return dict.fromkeys(
        ["check_sample_weight_equivalence_on_dense_data"], "random features in each split"
    )


@parametrize_with_checks(
    [FusionRegressor(random_state=0), FusionRegressor(Ridge(), n_repeats=2, random_state=0)],
    expected_failed_checks=_known_to_differ,
)
def test_contract_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def numbers():
    rng = np.random.default_rng(0)
    X = rng.uniform(size=(300, 4))
    return X, 5 * X[:, 0] ** 2 + 0.1 * rng.standard_normal(300)


def test_scores_stay_in_range(numbers):
    X, y = numbers
    model = FusionRegressor(LinearRegression()).fit(X, y)
    free = FusionRegressor(LinearRegression(), score_range=None).fit(X, y)
    far = np.vstack([X.min(axis=0) - 1, X.max(axis=0) + 1])
    assert free.predict(far)[0] < 0
    assert free.predict(far)[1] > 5
    np.testing.assert_array_equal(model.predict(far), [0, 5])
    np.testing.assert_array_equal(model.predict(X), np.clip(free.predict(X), 0, 5))


def test_repeats_are_the_mean_of_seeded_copies(numbers):
    X, y = numbers
    model = FusionRegressor(linear_weight=0, n_repeats=3, score_range=None, random_state=0)
    model.fit(X, y)
    assert len({copy.random_state for copy in model.estimators_}) == 3
    mean = np.mean([copy.predict(X) for copy in model.estimators_], axis=0)
    np.testing.assert_allclose(model.predict(X), mean)
    np.testing.assert_array_equal(clone(model).fit(X, y).predict(X), mean)


def test_half_of_the_default_is_linear(numbers):
    X, y = numbers
    model = FusionRegressor(score_range=None, random_state=0).fit(X, y)
    trees = model.estimators_[0].predict(X)
    np.testing.assert_allclose(model.predict(X), (trees + model.linear_.predict(X)) / 2)
    quarter = clone(model).set_params(linear_weight=0.25).fit(X, y)
    np.testing.assert_allclose(
        quarter.predict(X), 0.75 * trees + 0.25 * model.linear_.predict(X), rtol=1e-9
    )
    assert FusionRegressor(Ridge()).fit(X, y).linear_ is None
    assert clone(quarter).set_params(estimator=Ridge()).fit(X, y).linear_weight_ == 0.25


def test_what_sets_data_sets_apart_is_not_learned(numbers):
    X, y = numbers
    groups = np.repeat(["a", "b"], 150)
    X = np.column_stack([X, groups == "b"]).astype(float)  # tells the two sets apart
    y = y + 3 * (groups == "b")
    model = FusionRegressor(linear_weight=1, score_range=None, random_state=0)
    blind, aware = (clone(model).fit(X, y, groups=g).linear_ for g in (None, groups))
    assert blind.coef[4] > 2
    assert aware.coef[4] == pytest.approx(0)
    np.testing.assert_allclose(aware.coef[:4], blind.coef[:4], atol=0.2)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        model.fit(X, y, groups=groups[:-1])


def test_importances_find_the_feature_and_sum_to_one(numbers):
    X, y = numbers
    model = FusionRegressor(n_repeats=2, random_state=0).fit(X, y)
    assert isinstance(model.estimators_[0], GradientBoostingRegressor)
    assert model.feature_importances_.argmax() == 0
    assert model.feature_importances_.sum() == pytest.approx(1)
    assert not hasattr(FusionRegressor(Ridge()).fit(X, y), "feature_importances_")
    assert not hasattr(FusionRegressor(), "feature_importances_")


def test_names_of_a_frame_are_kept(numbers):
    X, y = numbers
    model = FusionRegressor().fit(pd.DataFrame(X, columns=list("abcd")), y)
    assert model.feature_names_in_.tolist() == list("abcd")


@pytest.mark.parametrize("score_range", [(5, 0), (1,), (1, 1)])
def test_bad_range(numbers, score_range):
    with pytest.raises(ValueError, match="low < high"):
        FusionRegressor(score_range=score_range).fit(*numbers)


def test_weights_for_a_regressor_that_takes_none(numbers):
    from sklearn.neighbors import KNeighborsRegressor

    with pytest.raises(ValueError, match="KNeighborsRegressor takes no sample_weight"):
        FusionRegressor(KNeighborsRegressor()).fit(*numbers, sample_weight=np.ones(300))


def test_the_given_estimator_is_not_fitted(numbers):
    given = Ridge()
    FusionRegressor(given).fit(*numbers)
    assert not hasattr(given, "coef_")


def test_pairs_like_those_to_be_scored_weigh_more(numbers):
    X, _ = numbers
    left = X[:, 0] < 0.5  # of two kinds of rows, what is learned of one is wrong for the other
    y = np.where(left, 5 * X[:, 1], 5 - 5 * X[:, 1])
    to_score = X[left][:50]
    model = FusionRegressor(LinearRegression(), linear_weight=1)
    blind, adapted = (
        clone(model).fit(X, y, domain=domain).predict(to_score) for domain in (None, to_score)
    )
    gold = y[left][:50]
    assert abs(pearson_score(gold, blind)) < 0.5
    assert pearson_score(gold, adapted) > 0.8
    weights = domain_weights(X, to_score) * np.linspace(1, 2, 300)
    expected = clone(model).fit(X, y, sample_weight=weights).predict(to_score)
    both = clone(model).fit(X, y, sample_weight=np.linspace(1, 2, 300), domain=to_score)
    np.testing.assert_allclose(both.predict(to_score), expected)


def test_a_domain_that_does_not_fit(numbers):
    X, y = numbers
    with pytest.raises(ValueError, match="X has 2 features, but FusionRegressor is expecting 4"):
        FusionRegressor(Ridge()).fit(X, y, domain=X[:, :2])
    from sklearn.neighbors import KNeighborsRegressor

    with pytest.raises(ValueError, match="takes no sample_weight, which domain needs"):
        FusionRegressor(KNeighborsRegressor()).fit(X, y, domain=X)
