from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from skpara.fusion._domain import domain_weights


def test_weights_are_the_ratio_of_the_densities():
    rng = np.random.default_rng(0)
    X = rng.normal(0, 1, size=(20_000, 1))
    domain = rng.normal(0.7, 1, size=(20_000, 1))
    found = domain_weights(X, domain)
    expected = np.exp(stats.norm.logpdf(X, 0.7) - stats.norm.logpdf(X, 0)).ravel()
    inside = (expected > 0.2) & (expected < 5)
    np.testing.assert_allclose(found[inside], expected[inside], rtol=0.15)


def test_the_same_pairs_weigh_the_same():
    X = np.random.default_rng(0).uniform(size=(300, 5))
    np.testing.assert_allclose(domain_weights(X, X), 1, rtol=1e-3)


@settings(max_examples=25, deadline=None)
@given(
    seed=st.integers(0, 2**31), n=st.integers(1, 40), m=st.integers(1, 40), far=st.floats(0, 1e6)
)
def test_bounds(seed, n, m, far):
    rng = np.random.default_rng(seed)
    weights = domain_weights(rng.normal(size=(n, 3)), far + rng.normal(size=(m, 3)))
    assert weights.shape == (n,)
    assert weights.mean() == pytest.approx(1)
    assert weights.min() > 0
    assert weights.max() / weights.min() <= 100 * (1 + 1e-9)
