"""Bootstrap intervals and Williams' test, against theory and simulation."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skpara.metrics import bootstrap_interval, pearson_score, williams_test


def with_correlations(n, r_a, r_b, r_ab):
    """Three vectors whose sample correlations are exactly the given ones."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(n, 3))
    axes, _ = np.linalg.qr(noise - noise.mean(axis=0))  # orthonormal and centred
    matrix = np.array([[1, r_a, r_b], [r_a, 1, r_ab], [r_b, r_ab, 1]])
    return (axes @ np.linalg.cholesky(matrix).T).T


def test_williams_by_hand():
    # n = 103, r_a = .4, r_b = .5, r_ab = .1, worked on paper:
    # K = 1 - .16 - .25 - .01 + .04 = .62, mean r = .45
    # t = -.1 sqrt(102 * 1.1 / (2 * 102/100 * .62 + .2025 * .729)) = -.1 sqrt(112.2 / 1.41242)
    result = williams_test(*with_correlations(103, 0.4, 0.5, 0.1))
    assert result == pytest.approx((-0.89128, 0.3749), abs=1e-4)
    # n = 28, r_a = .6, r_b = .2, r_ab = 0: K = .6, t = .4 sqrt(27 / (2 * 27/25 * .6 + .16))
    result = williams_test(*with_correlations(28, 0.6, 0.2, 0.0))
    assert result.statistic == pytest.approx(0.4 * np.sqrt(27 / 1.456))
    assert result.pvalue == pytest.approx(2 * stats.t.sf(result.statistic, 25))


def test_alternatives_and_the_order_of_systems():
    y, a, b = with_correlations(50, 0.7, 0.5, 0.6)
    statistic, two_sided = williams_test(y, a, b)
    assert williams_test(y, b, a) == pytest.approx((-statistic, two_sided))
    greater = williams_test(y, a, b, alternative="greater").pvalue
    assert greater == pytest.approx(two_sided / 2)
    assert williams_test(y, a, b, alternative="less").pvalue == pytest.approx(1 - greater)
    assert williams_test(y, b, a, alternative="less").pvalue == pytest.approx(greater)


@given(st.floats(0.01, 100), st.floats(-10, 10))
def test_a_system_is_no_better_than_itself_on_another_scale(slope, shift):
    y, a, _ = with_correlations(30, 0.6, 0.5, 0.2)
    assert williams_test(y, a, slope * a + shift) == (0.0, 1.0)


@pytest.mark.parametrize("distribution", ["normal", "uniform"])
def test_equal_systems_seldom_differ_significantly(distribution):
    rng = np.random.default_rng(0)
    pvalues = []
    for _ in range(1000):
        y, noise_a, noise_b = getattr(rng, distribution)(size=(3, 40))
        shared = 0.5 * rng.normal(size=40)  # the systems err alike
        pvalues.append(williams_test(y, y + noise_a + shared, y + noise_b + shared).pvalue)
    # standard error of a rate of .05 over 1000 draws: .007
    assert np.mean(np.array(pvalues) < 0.05) == pytest.approx(0.05, abs=0.025)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([1, 2, 3], [1, 2, 3], [1, 3, 2]), "4 or more pairs"),
        (([1, 2, 3, 4], [1, 2, 3], [1, 3, 2, 4]), "y_pred_a has 3"),
        (([1, 2, 3, 4], [1, 2, 3, 4], [1, 3, np.nan, 4]), r"y_pred_b\[2\] = nan"),
        (([1, 2, 3, 4], [1, 2, 3, 4], [7, 7, 7, 7]), "more than one value"),
    ],
)
def test_williams_errors(arguments, message):
    with pytest.raises(ValueError, match=message):
        williams_test(*arguments)
    with pytest.raises(ValueError, match="alternative"):
        williams_test([1, 2, 3, 4], [1, 2, 3, 4], [1, 3, 2, 4], alternative="better")


def sample(rng, n=60, r=0.8):
    return rng.multivariate_normal([0, 0], [[1, r], [r, 1]], n).T


def test_interval_is_near_that_of_fisher():
    y_true, y_pred = sample(np.random.default_rng(3), n=400)
    low, high = bootstrap_interval(y_true, y_pred, random_state=0)
    expected = stats.pearsonr(y_true, y_pred).confidence_interval()
    assert low == pytest.approx(expected.low, abs=0.02)
    assert high == pytest.approx(expected.high, abs=0.02)
    assert low < pearson_score(y_true, y_pred) < high


def test_interval_has_the_stated_coverage():
    rng = np.random.default_rng(0)
    covered = 0
    for seed in range(60):
        options = {"n_resamples": 200, "confidence_level": 0.8, "random_state": seed}
        low, high = bootstrap_interval(*sample(rng), **options)
        covered += low <= 0.8 <= high
    # standard error of a rate of .8 over 60 draws: .05
    assert covered / 60 == pytest.approx(0.8, abs=0.17)


@settings(deadline=None, max_examples=5)
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
