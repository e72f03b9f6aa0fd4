from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.features._scores import f_score, harmonic_mean, ratio


@given(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_f_score_is_the_harmonic_mean_of_precision_and_recall(shared, more, other):
    first, second = shared + more, shared + other
    p, r = (shared / n if n else 0.0 for n in (first, second))
    assert f_score(shared, first, second) == pytest.approx(2 * p * r / (p + r) if p + r else 0)


def test_harmonic_mean_of_nothing_is_0():
    means = harmonic_mean(np.array([0.0, 1.0, 0.5]), np.array([0.0, 0.0, 1.0]))
    np.testing.assert_allclose(means, [0, 0, 2 / 3])


def test_a_ratio_with_denominator_0_is_0():
    assert ratio([1, 0, 3], [2, 0, 0]).tolist() == [0.5, 0.0, 0.0]
