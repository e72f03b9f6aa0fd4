"""The curve that thresholds are read from."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skpara.fusion._thresholds import threshold_curve


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
