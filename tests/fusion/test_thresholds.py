"""The curve that thresholds are read from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.fusion._thresholds import (
    cut_offs,
    read_threshold,
    share_of_second,
    threshold_curve,
    with_base_rate,
)


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 1), st.integers(1, 3)), min_size=1, max_size=50
    ),
    st.booleans(),
)
def test_a_curve_has_sums_over_the_pairs_above_each_threshold(pairs, weighted):
    tenths, labels, weights = np.array(pairs, dtype=float).T
    if not weighted:
        weights = np.ones(len(labels))
    curve = threshold_curve(tenths / 10, labels, weights if weighted else None)
    assert curve[:, 0].tolist() == sorted(set((tenths / 10).tolist()), reverse=True)
    for threshold, *sums in curve:
        above = tenths / 10 >= threshold
        second = above & (labels == 1)
        expected = [weights[above].sum(), weights[second].sum(), weights[above] @ tenths[above]]
        expected += [(weights[above] ** 2).sum(), (weights[second] ** 2).sum()]
        np.testing.assert_allclose(np.multiply(sums, [1, 1, 10, 1, 1]), expected)


def test_a_long_curve_has_both_ends():
    probabilities = np.random.default_rng(0).random(500)
    curve = threshold_curve(probabilities, np.ones(500, dtype=int), None)
    assert len(curve) == 256
    assert curve[0, :2].tolist() == [probabilities.max(), 1]
    assert curve[-1, :2].tolist() == [probabilities.min(), 500]


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("target", ["precision", "recall"])
def test_targets_are_kept_as_often_as_stated(target, weighted):
    rng = np.random.default_rng(0)
    missed = {None: [], 0.9: []}
    for _ in range(100):
        probabilities = rng.random(800)
        labels = (rng.random(800) < probabilities).astype(int)
        weights = rng.exponential(size=800) if weighted else None
        curve = threshold_curve(probabilities, labels, weights)
        for confidence, results in missed.items():
            wanted = {"precision": None, "recall": None, target: 0.7}
            threshold = read_threshold(curve, **wanted, confidence=confidence)
            # Means of a uniform probability, and of its square, above the threshold.
            truth = {"precision": (1 + threshold) / 2, "recall": 1 - threshold**2}[target]
            results.append(truth - 0.7)
    assert np.mean(np.array(missed[0.9]) >= 0) > 0.88
    assert np.mean(missed[0.9]) < 0.08
    assert -0.01 < np.mean(missed[None]) < 0.03


@pytest.mark.parametrize(
    ("n_right", "confidence", "expected"),
    # Of 30 pairs, so many are right with a probability of .1 where the share is as expected.
    [(30, 0.9, 0.926), (20, 0.9, 0.5335), (30, None, 30 / 31), (20, None, 20 / 31)],
)
def test_the_lower_end_of_a_share(n_right, confidence, expected):
    labels = (np.arange(30) < n_right).astype(int)
    curve = threshold_curve(np.ones(30), labels, np.full(30, 0.01))
    assert read_threshold(curve, expected - 0.0005, None, confidence) == 1
    with pytest.raises(ValueError, match="No threshold"):
        read_threshold(curve, expected + 0.0005, None, confidence)
    # By the probabilities, less is right.
    curve = threshold_curve(np.full(30, 0.5), labels, None)
    with pytest.raises(ValueError, match="No threshold"):
        read_threshold(curve, 0.52, None, confidence)


def test_thresholds_of_the_first_class_mirror_those_of_the_second():
    probabilities = np.random.default_rng(0).random(300)
    labels = (np.random.default_rng(1).random(300) < probabilities).astype(int)
    low, high = cut_offs(threshold_curve(probabilities, labels, None), 0.9)
    # Two decimals, as the curve has every second pair only.
    mirrored = cut_offs(threshold_curve(1 - probabilities, 1 - labels, None), 0.9)
    assert (1 - mirrored[1], 1 - mirrored[0]) == pytest.approx((low, high), abs=0.01)
    assert 0 < low < 0.3 < 0.7 < high < 1


def test_curves_of_earlier_versions_have_three_columns():
    curve = np.column_stack([[0.9, 0.6, 0.2], [40, 100, 200], [38, 80, 90]])
    assert read_threshold(curve, 0.75, None) == 0.6
    assert read_threshold(curve, None, 0.8) == 0.6
    assert cut_offs(curve, 0.88) == (0.6, 0.9)


def test_the_curve_of_another_base_rate_is_that_of_weighted_pairs():
    rng = np.random.default_rng(0)
    probabilities = rng.random(400)
    labels = (rng.random(400) < probabilities).astype(int)
    curve = threshold_curve(probabilities, labels, None)
    share = labels.mean()
    assert share_of_second(curve) == share
    shifted = with_base_rate(curve, 0.1)
    second, first = 0.1 / share, 0.9 / (1 - share)
    odds = probabilities / (1 - probabilities) * second / first
    weights = np.where(labels == 1, second, first)
    expected = threshold_curve(odds / (1 + odds), labels, weights)
    np.testing.assert_allclose(shifted[:, [0, 1, 2, 4, 5]], expected[:, [0, 1, 2, 4, 5]])
    # The precision that the probabilities give is theirs after the shift, in the mean.
    above = probabilities[probabilities >= curve[100, 0]]
    right, wrong = second * above, first * (1 - above)
    assert shifted[100, 3] / shifted[100, 1] == pytest.approx(right.sum() / (right + wrong).sum())
    np.testing.assert_allclose(with_base_rate(shifted, share), curve)


def test_how_many_more_pairs_would_be_enough():
    rng = np.random.default_rng(0)
    probabilities = np.where(np.arange(200) < 20, 0.99, 0.3)
    labels = (rng.random(200) < probabilities).astype(int)
    few = threshold_curve(probabilities, labels, None)
    with pytest.raises(ValueError, match=r"about (\d+) may do") as error:
        read_threshold(few, 0.9, None)
    n_pairs = int(str(error.value).split("about ")[1].split()[0])
    assert 300 <= n_pairs <= 330  # 30 above the threshold
    times = n_pairs / 200 * 1.05
    more = threshold_curve(probabilities, labels, np.full(200, 1.0))
    more[:, 1:] *= times
    assert read_threshold(more, 0.9, None) == 0.99
    with pytest.raises(ValueError, match="more pairs like these will not do"):
        read_threshold(few, 1, None)
