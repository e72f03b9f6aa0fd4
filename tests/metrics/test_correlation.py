"""Pearson's and Spearman's correlation against scipy, hand values and their invariances."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from scipy import stats
from sklearn.exceptions import UndefinedMetricWarning
from sklearn.linear_model import LinearRegression, Ridge
from sklearn.model_selection import GridSearchCV, cross_val_score

from skpara.metrics import pearson_score, pearson_scorer, spearman_score, spearman_scorer

SCORES = [pearson_score, spearman_score]

score = st.integers(0, 500).map(lambda k: k / 100)
scored_pairs = st.lists(st.tuples(score, score), min_size=3, max_size=30)


def spread(values):
    return max(values) > min(values)


def test_by_hand():
    # deviations (-1, 0, 1) and (-2, 1, 1): 3 / sqrt(2 * 6)
    assert pearson_score([1, 2, 3], [0, 3, 3]) == pytest.approx(3 / np.sqrt(12))
    # ranks (1, 2, 3, 4) and (2, 1, 4, 3): 1 - 6 * 4 / (4 * 15)
    assert spearman_score([1, 5, 8, 90], [0.2, 0.1, 7, 6]) == pytest.approx(0.6)


@given(scored_pairs)
def test_in_range_symmetric_and_as_scipy(rows):
    x, y = map(list, zip(*rows, strict=True))
    assume(spread(x) and spread(y))
    for ours, theirs in ((pearson_score, stats.pearsonr), (spearman_score, stats.spearmanr)):
        value = ours(x, y)
        assert -1 <= value <= 1
        assert value == pytest.approx(ours(y, x), abs=1e-12)
        assert value == pytest.approx(theirs(x, y).statistic, abs=1e-9)


@given(scored_pairs, st.floats(1e-3, 1e3), st.floats(-100, 100), st.randoms())
def test_scale_and_order_do_not_matter(rows, slope, shift, random):
    x, y = (np.array(column) for column in zip(*rows, strict=True))
    assume(spread(x) and spread(y))
    order = list(range(len(x)))
    random.shuffle(order)
    for ours in SCORES:
        value = ours(x, y)
        assert ours(x, slope * y + shift) == pytest.approx(value, abs=1e-6)
        assert ours(x, -slope * y + shift) == pytest.approx(-value, abs=1e-6)
        assert ours(x[order], y[order]) == pytest.approx(value, abs=1e-9)
    assert ours(x, np.exp(y)) == pytest.approx(value, abs=1e-9)  # Spearman: any rising map


@given(st.lists(st.tuples(score, score, st.integers(0, 4)), min_size=3, max_size=20))
def test_weights_act_like_repeated_pairs(rows):
    x, y, weight = (np.array(column) for column in zip(*rows, strict=True))
    assume(np.count_nonzero(weight) >= 2)
    repeated = np.repeat(x, weight), np.repeat(y, weight)
    assume(spread(repeated[0]) and spread(repeated[1]))
    weighted = pearson_score(x, y, sample_weight=weight)
    assert weighted == pytest.approx(pearson_score(*repeated), abs=1e-9)


def test_a_pair_without_weight_changes_nothing():
    y_pred = [0, 2, 1, 4, 1e30]
    weighted = pearson_score([0, 1, 2, 3, 0], y_pred, sample_weight=[1, 1, 1, 1, 0])
    assert weighted == pytest.approx(pearson_score([0, 1, 2, 3], y_pred[:4]))


def test_sizes_at_the_ends_of_float_are_no_trouble():
    for factor in (1e-300, 1e300):
        value = pearson_score([0, 1, 2], np.array([0, 3, 1]) * factor)
        assert value == pytest.approx(stats.pearsonr([0, 1, 2], [0, 3, 1]).statistic)


@pytest.mark.parametrize("metric", SCORES)
@pytest.mark.parametrize(
    "constant", [[2, 2, 2], [0.1 + 0.2, 0.3, 0.3], [0, 0, 0]], ids=["equal", "noise", "zero"]
)
def test_constant_scores_give_zero_and_one_warning(metric, constant):
    for pair in (([1, 2, 3], constant), (constant, [1, 2, 3])):
        with pytest.warns(UndefinedMetricWarning, match="constant") as caught:
            assert metric(*pair) == 0.0
        assert len(caught) == 1
        assert caught[0].filename == __file__


@pytest.mark.parametrize("metric", SCORES)
@pytest.mark.parametrize(
    ("y_true", "y_pred", "message"),
    [
        ([1, 2, 3], [1, 2], "y_true has 3 scores, but y_pred has 2"),
        ([1], [1], "2 or more pairs"),
        ([], [], "2 or more pairs"),
        ([1, np.nan, 2], [1, 2, 3], r"y_true\[1\] = nan"),
        ([1, 2, 3], [1, 2, np.inf], r"y_pred\[2\] = inf"),
        ([1, 2], [[1], [2]], r"y_pred must have shape \(n_pairs,\), got \(2, 1\)"),
        (["1", "2"], [1, 2], r"numbers, got y_true\[0\] = '1'"),
        ([1, None], [1, 2], r"y_true\[1\] = nan"),
        ([1, pd.NA], [1, 2], r"numbers, got y_true\[1\] = <NA>"),
        ([1, 2], [1j, 2], r"[Cc]omplex"),
    ],
)
def test_errors_say_what_is_wrong(metric, y_true, y_pred, message):
    with pytest.raises(ValueError, match=message):
        metric(y_true, y_pred)


@pytest.mark.parametrize("weight", [[1, 1], [1, -1, 1], [0, 0, 0], [1, np.nan, 1]])
def test_bad_weights(weight):
    with pytest.raises(ValueError, match=r"(?i)sample.weight"):
        pearson_score([1, 2, 3], [1, 2, 4], sample_weight=weight)


def test_scorers_in_cross_validation():
    rng = np.random.default_rng(0)
    y = rng.uniform(0, 5, 200).round(1)
    x = (y / 5 + rng.normal(0, 0.2, 200)).round(2)
    X = np.column_stack([x, np.zeros_like(x)])
    for scorer in (pearson_scorer, spearman_scorer):
        assert cross_val_score(LinearRegression(), X, y, scoring=scorer).min() > 0.7
    search = GridSearchCV(Ridge(), {"alpha": [1e-3, 1e9]}, scoring=pearson_scorer)
    assert search.fit(X, y).best_score_ > 0.7
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UndefinedMetricWarning)
        assert search.fit(X[:, 1:], y).best_score_ == 0.0  # constant predictions
