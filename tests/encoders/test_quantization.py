from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from skpara._linalg import row_cosines, unit_rows
from skpara.encoders import quantize

ROWS = arrays(
    np.float32, (3, 19), elements=st.floats(-(2.0**99), 2.0**99, width=32, allow_subnormal=False)
)


@pytest.fixture(scope="module")
def vectors():
    return np.random.default_rng(0).normal(size=(200, 64)).astype(np.float32)


def test_int8_keeps_cosines(vectors):
    codes = quantize(vectors, "int8")
    assert codes.dtype == np.int8
    assert (np.abs(codes.astype(int)).max(axis=1) == 127).all()
    expected = row_cosines(unit_rows(vectors[:100]), unit_rows(vectors[100:]))
    rows = unit_rows(codes.astype(np.float32))
    np.testing.assert_allclose(row_cosines(rows[:100], rows[100:]), expected, atol=0.01)


@given(ROWS)
def test_a_row_depends_on_its_vector_only(rows):
    for precision in ("float32", "int8", "binary", "ubinary"):
        together = quantize(rows, precision)
        alone = [quantize(rows[i : i + 1], precision)[0] for i in range(len(rows))]
        np.testing.assert_array_equal(together, alone)


def test_bits_are_those_of_sentence_transformers(vectors):
    quantization = pytest.importorskip("sentence_transformers.util.quantization")
    for precision in ("binary", "ubinary", "float32"):
        expected = quantization.quantize_embeddings(vectors[:, :50], precision)
        codes = quantize(vectors, precision, truncate_dim=50)
        assert codes.dtype == expected.dtype
        np.testing.assert_array_equal(codes, expected)


def test_zeros_and_no_vectors(vectors):
    assert not quantize(np.zeros((2, 8)), "int8").any()
    assert not quantize(np.zeros((2, 8)), "ubinary").any()
    assert quantize(vectors[:0], "binary", truncate_dim=9).shape == (0, 2)
    assert quantize(vectors[:0]).shape == (0, 64)


@pytest.mark.parametrize("n_dims", [0, -1, 65])
def test_dimensions_that_there_are_not(vectors, n_dims):
    with pytest.raises(ValueError, match=f"from 1 to 64.* got {n_dims}"):
        quantize(vectors, truncate_dim=n_dims)


def test_an_unknown_precision(vectors):
    with pytest.raises(ValueError, match=r"must be one of .* got 'int4'"):
        quantize(vectors, "int4")
