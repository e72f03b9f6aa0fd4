from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import Ridge
from sklearn.preprocessing import StandardScaler

from skpara.fusion._linear import fit_linear


@pytest.fixture
def numbers():
    rng = np.random.default_rng(0)
    X = rng.normal(loc=3, scale=[1, 5, 0.1], size=(200, 3))
    return X, X @ [1, 0.2, 4] + rng.standard_normal(200)


def test_one_group_is_ridge_on_standardised_features(numbers):
    X, y = numbers
    scaler = StandardScaler().fit(X)
    ridge = Ridge(100).fit(scaler.transform(X), y)
    found = fit_linear(X, y, None, None)
    np.testing.assert_allclose(found.predict(X), ridge.predict(scaler.transform(X)))
    assert found.baseline == pytest.approx(y.mean())


def test_a_shift_of_a_group_changes_no_coefficient(numbers):
    X, y = numbers
    groups = np.arange(200) % 3
    shifted = y + np.array([0, 2, -1])[groups]
    before, after = (fit_linear(X, scores, groups, None) for scores in (y, shifted))
    np.testing.assert_allclose(before.coef, after.coef)


def test_a_weight_of_two_is_the_row_twice(numbers):
    X, y = numbers
    groups = np.arange(200) % 4
    weights = np.ones(200)
    weights[:30] = 2
    rows = np.concatenate([np.arange(200), np.arange(30)])
    weighted = fit_linear(X, y, groups, weights)
    repeated = fit_linear(X[rows], y[rows], groups[rows], None)
    np.testing.assert_allclose(weighted.predict(X), repeated.predict(X))


def test_contributions_sum_to_the_prediction(numbers):
    X, y = numbers
    X[:, 1] = 7.0  # a constant has nothing to say
    found = fit_linear(X, y, None, None)
    assert found.coef[1] == 0
    moved = found.contributions(X)
    np.testing.assert_allclose(found.baseline + moved.sum(axis=1), found.predict(X))
    np.testing.assert_allclose(moved.mean(axis=0), 0, atol=1e-12)
