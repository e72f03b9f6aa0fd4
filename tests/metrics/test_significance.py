"""Bootstrap intervals, against theory and simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skpara.metrics import bootstrap_interval, pearson_score


def sample(rng, n=60, r=0.8):
    return rng.multivariate_normal([0, 0], [[1, r], [r, 1]], n).T


def test_interval_is_near_that_of_fisher():
    y_true, y_pred = sample(np.random.default_rng(3), n=200)
    low, high = bootstrap_interval(y_true, y_pred, n_resamples=400, random_state=0)
    expected = stats.pearsonr(y_true, y_pred).confidence_interval()
    assert low == pytest.approx(expected.low, abs=0.02)
    assert high == pytest.approx(expected.high, abs=0.02)
    assert low < pearson_score(y_true, y_pred) < high


def test_interval_has_the_stated_coverage():
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(15):
        options = {"n_resamples": 60, "confidence_level": 0.8, "random_state": seed}
        low, high = bootstrap_interval(*sample(rng, n=30), **options)
        covered += low <= 0.8 <= high
    # standard error of a rate of .8 over 15 draws: .1
    assert covered / 15 == pytest.approx(0.8, abs=0.21)


@settings(deadline=None, max_examples=2)
@given(st.integers(0, 2**31 - 1))
def test_equal_seeds_give_equal_intervals_and_global_state_stays(seed):
    scores = sample(np.random.default_rng(0))
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first = bootstrap_interval(*scores, n_resamples=50, random_state=seed)
    assert first == bootstrap_interval(*scores, n_resamples=50, random_state=seed)
    assert all(type(end) is float for end in first)
    np.testing.assert_array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_degenerate_scores_still_give_an_interval():
    perfect = np.arange(10.0)
    low, high = bootstrap_interval(perfect, perfect, n_resamples=200, random_state=0)
    assert low == pytest.approx(1.0)
    assert high == pytest.approx(1.0)
    # so few pairs that many resamples are constant: no warning reaches the user
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        low, high = bootstrap_interval([0, 0, 5], [0, 1, 5], n_resamples=100, random_state=0)
    assert -1 <= low <= high <= 1


def test_where_bca_does_not_exist_there_are_percentiles():
    # Leaving any pair out changes the number of distinct values alike, so BCa divides by zero.
    def n_distinct(y, _):
        return float(len(np.unique(y)))

    y, options = np.arange(12.0), {"n_resamples": 300, "confidence_level": 0.8}
    low, high = bootstrap_interval(y, y, metric=n_distinct, random_state=0, **options)
    options |= {"paired": True, "vectorized": False, "method": "percentile"}
    seed = np.random.RandomState(0)
    expected = stats.bootstrap((y, y), n_distinct, random_state=seed, **options)
    assert (low, high) == tuple(expected.confidence_interval)
    assert low < high
