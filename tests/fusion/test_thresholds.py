"""The curve that thresholds are read from."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.fusion._thresholds import read_threshold, threshold_curve


@given(
    st.lists(
        st.tuples(st.integers(0, 6), st.integers(0, 1), st.integers(1, 3)), min_size=1, max_size=50
    ),
    st.booleans(),
)
def test_a_curve_counts_the_pairs_above_each_threshold(pairs, weighted):
    tenths, labels, weights = np.array(pairs).T
    if not weighted:
        weights = np.ones(len(labels))
    curve = threshold_curve(tenths / 10, labels, weights.astype(float) if weighted else None)
    assert curve[:, 0].tolist() == sorted(set((tenths / 10).tolist()), reverse=True)
    for threshold, count, n_second in curve:
        above = tenths / 10 >= threshold
        assert count == weights[above].sum()
        assert n_second == weights[above & (labels == 1)].sum()


def test_a_long_curve_has_both_ends():
    probabilities = np.random.default_rng(0).random(500)
    curve = threshold_curve(probabilities, np.ones(500, dtype=int), None)
    assert len(curve) == 256
    assert curve[0, :2].tolist() == [probabilities.max(), 1]
    assert curve[-1, :2].tolist() == [probabilities.min(), 500]


def test_a_confident_precision_is_kept_as_often_as_promised():
    rng = np.random.default_rng(0)
    kept = {None: [], 0.9: []}
    for _ in range(200):
        probabilities = rng.random(400)
        labels = (rng.random(400) < probabilities).astype(int)
        curve = threshold_curve(probabilities, labels, None)
        for confidence, results in kept.items():
            threshold = read_threshold(curve, 0.7, None, confidence)
            # Of pairs above a threshold, the mean probability is half way between it and 1.
            results.append((1 + threshold) / 2 >= 0.7)
    assert np.mean(kept[0.9]) > 0.85
    assert np.mean(kept[None]) < 0.65


@pytest.mark.parametrize(("n_right", "expected"), [(30, 0.926), (20, 0.5335)])
def test_the_lower_end_of_a_share(n_right, expected):
    labels = np.arange(30) < n_right
    curve = threshold_curve(np.full(30, 0.5), labels.astype(int), None)
    # Of 30 pairs, so many are right with a probability of .1 where the share is as expected.
    assert read_threshold(curve, expected - 0.0005, None, 0.9) == 0.5
    with pytest.raises(ValueError, match="No threshold"):
        read_threshold(curve, expected + 0.0005, None, 0.9)
