"""The mean over sets by which the STS tasks rank systems, and its intervals."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning

from skpara.metrics import (
    _semeval,
    bootstrap_interval,
    semeval_intervals,
    semeval_report,
    semeval_score,
    spearman_score,
)


def test_by_hand():
    # set a: r = 0.5 over three pairs; set b: r = -1 over two
    y_true, y_pred, groups = [1, 2, 3, 1, 2], [1, 3, 2, 9, 8], list("aaabb")
    assert semeval_score(y_true, y_pred, groups) == pytest.approx((3 * 0.5 - 2) / 5)
    assert semeval_score(y_true, y_pred, groups, average="sets") == pytest.approx(-0.25)


def test_report_holds_the_correlations_of_each_set_and_their_means():
    rng = np.random.default_rng(1)
    names = ["2014/images", "2014/headlines", "2014/OnWN"]
    groups = rng.permutation(np.repeat(names, [5, 20, 60]))
    y_true = rng.uniform(0, 5, 85)
    three_sets = y_true, (y_pred := y_true + rng.normal(0, 2, 85)), groups
    report = semeval_report(*three_sets)
    assert report.groups == tuple(dict.fromkeys(groups.tolist()))
    members = [groups == name for name in report.groups]
    assert report.n_pairs == tuple(rows.sum() for rows in members)
    r = [stats.pearsonr(y_true[rows], y_pred[rows]).statistic for rows in members]
    assert report.pearson == pytest.approx(r)
    rho = [stats.spearmanr(y_true[rows], y_pred[rows]).statistic for rows in members]
    assert report.spearman == pytest.approx(rho)
    mean_over_pairs = np.dot(r, report.n_pairs) / 85
    assert report.pearson_over_pairs == semeval_score(*three_sets)
    assert report.pearson_over_pairs == pytest.approx(mean_over_pairs)
    score = semeval_score(*three_sets, average="sets")
    assert report.pearson_over_sets == score == pytest.approx(np.mean(r))


def test_a_constant_set_counts_as_zero_and_is_named():
    y_true, y_pred, groups = [1, 2, 3, 1, 2], [1, 2, 3, 7, 7], list("aaabb")
    with pytest.warns(UndefinedMetricWarning, match="set 'b'") as caught:
        assert semeval_score(y_true, y_pred, groups) == pytest.approx(0.6)
    assert len(caught) == 1


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a", "a"], "each of the 3 pairs"),
        ("a", "each of the 3 pairs"),
        (["a", "a", "b"], "Set 'b' has 1 pair"),
        (["a", None, "a"], r"groups\[1\] = None"),
        (np.ma.array(list("aba"), mask=[0, 1, 0]), r"groups\[1\] = None"),
    ],
)
def test_groups_that_cannot_be_scored(groups, message):
    with pytest.raises(ValueError, match=message):
        semeval_score([1, 2, 3], [1, 2, 3], groups)
    with pytest.raises(ValueError, match="average must be"):
        semeval_score([1, 2], [1, 2], ["a", "a"], average="macro")


def scores(n, seed=0, r=0.8):
    return np.random.default_rng(seed).multivariate_normal([0, 0], [[1, r], [r, 1]], n).T


@pytest.fixture
def rounded_sets():
    y_true, y_pred = scores(45)
    return y_true.round(1), y_pred.round(1), np.repeat(["b", "a", "c"], [10, 15, 20])


@pytest.mark.parametrize("largest", [50, 5000])  # sets up to this size have BCa intervals
def test_one_set_has_the_interval_of_bootstrap_interval(largest, monkeypatch):
    monkeypatch.setattr(_semeval, "_MAX_PAIRS_BCA", largest)
    y_true, y_pred = scores(50)
    y_true = y_true.round()  # with ties
    result = semeval_intervals(y_true, y_pred, ["x"] * 50, n_resamples=100, random_state=1)
    measures = (result.pearson, stats.pearsonr), (result.spearman, stats.spearmanr)
    for (estimate,), metric in measures:
        options = {"metric": lambda *x, m=metric: m(*x)[0], "n_resamples": 100}
        expected = bootstrap_interval(y_true, y_pred, random_state=1, **options)
        assert estimate[1:] == pytest.approx(expected, abs=1e-12)
        assert estimate.value == pytest.approx(metric(y_true, y_pred)[0])


@pytest.mark.parametrize("measure", ["pearson", "spearman"])
@pytest.mark.parametrize("average", ["pairs", "sets"])
def test_means_are_those_of_scipy_for_several_samples(rounded_sets, measure, average):
    y_true, y_pred, groups = rounded_sets
    rows = [np.flatnonzero(groups == name) for name in "bac"]
    weights = [10, 15, 20] if average == "pairs" else None
    correlation = stats.pearsonr if measure == "pearson" else stats.spearmanr

    def mean(*samples):
        r = [correlation(y_true[i], y_pred[i])[0] for i in map(np.asarray, samples)]
        return np.average(r, weights=weights)

    options = {"paired": False, "vectorized": False, "n_resamples": 50, "method": "BCa"}
    seed = np.random.RandomState(5)
    expected = stats.bootstrap(rows, mean, random_state=seed, **options).confidence_interval
    result = semeval_intervals(y_true, y_pred, groups, n_resamples=50, random_state=5)
    low, high = getattr(result, f"{measure}_over_{average}")[1:]
    assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_values_of_intervals_are_those_of_the_report(rounded_sets):
    result = semeval_intervals(*rounded_sets, n_resamples=50, random_state=0)
    report = semeval_report(*rounded_sets)
    assert (result.groups, result.n_pairs) == (report.groups, report.n_pairs)
    for measure in ("pearson", "spearman"):
        values = [r.value for r in getattr(result, measure)]
        assert values == pytest.approx(getattr(report, measure))
        for mean in (f"{measure}_over_pairs", f"{measure}_over_sets"):
            assert getattr(result, mean).value == pytest.approx(getattr(report, mean))


@pytest.mark.parametrize("n", [1000, 5001])  # BCa, and percentiles
def test_a_large_set_is_near_theory(n):
    y_true, y_pred = scores(n)
    result = semeval_intervals(y_true, y_pred, ["x"] * n, n_resamples=500, random_state=0)
    expected = stats.pearsonr(y_true, y_pred).confidence_interval()
    assert result.pearson[0][1:] == pytest.approx((expected.low, expected.high), abs=0.005)
    value, low, high = result.spearman[0]
    assert value == pytest.approx(spearman_score(y_true, y_pred))
    assert low < value < high


def test_perfect_and_constant_scores_still_give_an_interval():
    y_true = np.tile(np.arange(6.0), 2)
    y_pred = np.r_[y_true[:6], np.ones(6)]
    groups = ["a"] * 6 + ["b"] * 6
    with pytest.warns(UndefinedMetricWarning, match="'b'"):
        result = semeval_intervals(y_true, y_pred, groups, n_resamples=100, random_state=0)
    # resamples of one value alone, rare as they are, count as 0
    assert result.pearson[0].value == pytest.approx(1)
    assert result.pearson[0].high == pytest.approx(1)
    assert result.pearson[1] == result.spearman[1] == (0, 0, 0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        two = semeval_intervals([0, 5], [1, 2], ["a", "a"], n_resamples=50, random_state=0)
    assert -1 <= two.pearson[0].low <= two.pearson[0].high <= 1


def test_intervals_print_as_a_table(rounded_sets):
    options = {"n_resamples": 50, "confidence_level": 0.9, "random_state": 0}
    result = semeval_intervals(*rounded_sets, **options)
    lines, plain = str(result).splitlines(), str(semeval_report(*rounded_sets)).splitlines()
    assert plain[0].split() == ["set", "pairs", "Pearson", "Spearman"]
    assert "90 % interval" in lines[0]
    for table in (lines, plain):
        assert [line.split()[0] for line in table] == ["set", "b", "a", "c", "mean", "mean"]
        assert [line.split()[3] for line in table[-2:]] == ["45", "45"]
        assert len({len(line) for line in table}) == 1
    assert result == semeval_intervals(*rounded_sets, **options)
    mean = result.pearson_over_pairs
    assert f"{mean.value:.4f}" in lines[4]
    assert f"{mean.low:.4f} {mean.high:.4f}" in lines[4]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_resamples": 0}, "n_resamples == 0, must be >= 1"),
        *(({"confidence_level": level}, "confidence_level") for level in (95, -0.5, 0, 1)),
        ({"groups": ["a", "a", "b"]}, "Set 'b' has 1 pair"),
        ({"y_pred": [1, np.nan, 2]}, r"y_pred\[1\] = nan"),
    ],
)
def test_intervals_check_their_input(options, message):
    arguments = {"y_true": [1, 2, 3], "y_pred": [1, 3, 2], "groups": ["a"] * 3} | options
    with pytest.raises(ValueError, match=message):
        semeval_intervals(**arguments)
