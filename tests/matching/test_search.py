"""The search among vectors."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.matching import Cells, Lookups, _search, compare_cell

LOWEST = 0.8


def cells_of(units):
    """Cells whose basis are the principal components; their centres do not matter here."""
    basis = _search._principal(units, _search._CELL_DIMS)
    return Cells(basis, units[:1] @ basis, units[:1] @ basis, np.array([0, 1]), 0.1)


@st.composite
def clustered(draw):
    """Vectors of length 1 near some directions, of which some lie in few dimensions."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    n, scale = draw(st.integers(2, 80)), draw(st.sampled_from([0.0, 0.02, 0.1, 1.0]))
    n_free = draw(st.sampled_from([2, 60, 128]))  # other coordinates are zero
    centres = rng.standard_normal((5, 128)) * (np.arange(128) < n_free)
    vectors = centres[rng.integers(5, size=n)] + scale * rng.standard_normal((n, 128))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors.astype(np.float32)


@given(clustered())
def test_products_of_short_vectors_are_no_less_than_cosines(units):
    short = cells_of(units).shortened(units)
    exact = units.astype(np.float64) @ units.T.astype(np.float64)
    assert short.shape == (len(units), _search._SHORT_DIMS + 1)
    assert (short @ short.T >= exact - _search._SLACK).all()


@given(clustered())
def test_short_vectors_change_no_pair(units):
    short, everyone = cells_of(units).shortened(units), np.arange(len(units))
    for expected, found in zip(
        _search.compare(units, everyone, everyone, LOWEST),
        _search.compare(units, everyone, everyone, LOWEST, short),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)
    lookups = Lookups(np.zeros(len(units), np.int32), everyone, np.zeros(len(units), np.int32), 1)
    for expected, found in zip(
        compare_cell(units, everyone, lookups, everyone, everyone, LOWEST),
        compare_cell(units, everyone, lookups, everyone, everyone, LOWEST, short),
        strict=True,
    ):
        np.testing.assert_array_equal(found, expected)
    exact = units.astype(np.float64) @ units.T.astype(np.float64)
    pairs, _ = _search.compare(units, everyone, everyone, LOWEST, short)
    assert set(map(tuple, np.argwhere(np.triu(exact >= LOWEST + 1e-6, 1)).tolist())) <= set(
        map(tuple, pairs.tolist())
    )


def test_one_cell_has_no_short_vectors():
    assert Cells.one(256).shortened(np.eye(256, dtype=np.float32)) is None


@pytest.mark.parametrize("n", [1, 70])
def test_rows_near_a_few_others(n):
    rng = np.random.default_rng(n)
    units = rng.standard_normal((n, 128)).astype(np.float32)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    others = np.concatenate([units[:1], -units[:1], units[-1:]])
    rows, columns = cells_of(np.concatenate([units] * 100)).near(units, others, LOWEST)
    expected = np.argwhere(units.astype(np.float64) @ others.T >= LOWEST)
    np.testing.assert_array_equal(np.column_stack([rows, columns]), expected)


def test_a_sample_has_the_texts_with_the_lowest_md5_each_once():
    texts = [f"text {k % 40}" for k in range(60)]
    rows = _search.sampled(texts, 40_000).tolist()
    digests = [hashlib.md5(texts[row].encode()).digest()[:8] for row in rows]
    assert digests == sorted(digests)
    assert sorted(rows) == list(range(40))
