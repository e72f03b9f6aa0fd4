"""Values of all kinds, in JSON and arrays and back."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix

from skpara.saving._values import Reader, Writer

WORDS = [f"w{k}" for k in range(501)]


def written(value):
    """What a file has of a value: its JSON and arrays; and the value that is read again."""
    writer = Writer()
    node = json.loads(json.dumps(writer.encode(value, "it")))
    return node, writer.arrays, Reader(dict(writer.arrays), writer.shared).decode(node)


@pytest.mark.parametrize(
    ("value", "n_arrays"),
    [
        ("a" * 500, 0), ("a" * 501, 1), ("\ud800\n" * 300, 1),  # long text is an array of bytes
        (WORDS[:500], 0), (WORDS, 1), ([*WORDS[:-1], "two\nlines"], 0), ([*WORDS[:-1], 3], 0),
        ([""] * 501, 1), (("step", [1, True, None]), 0), ({"a": {"b": (1, 2)}, "": "x"}, 0),
        ([0.1, -1e300, 7], 0), (Path("a/b"), 0),
    ],
)  # fmt: skip
def test_long_text_is_kept_in_arrays(value, n_arrays):
    _, arrays, again = written(value)
    assert len(arrays) == n_arrays
    assert again == (str(value) if isinstance(value, Path) else value)
    assert type(again) is type(value) or isinstance(value, Path)


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan])
def test_numbers_that_json_lacks(value):
    node, _, again = written([value])
    assert node == [{"float": str(value)}]
    np.testing.assert_equal(again, [value])


@pytest.mark.parametrize(
    ("value", "n_arrays"),
    [
        (np.arange(3), 1), (np.float32([[1.5, np.nan]]), 1), (np.array([True, False]), 1),
        (np.array(2.5), 0), (np.array(["a", "bc"]), 0), (np.array(["a", None, 3], object), 0),
        (np.array([], object), 0), (np.array(7, object), 0),
    ],
)  # fmt: skip
def test_arrays(value, n_arrays):
    _, arrays, again = written(value)
    assert len(arrays) == n_arrays
    assert (again.dtype, again.shape) == (value.dtype, value.shape)
    np.testing.assert_array_equal(again, value)


def test_sparse_matrices_are_three_arrays():
    matrix = csr_matrix([[0, 1.5, 0], [2, 0, 0], [0, 0, 0]])
    _, arrays, again = written(matrix)
    assert len(arrays) == 3
    assert again.shape == matrix.shape
    np.testing.assert_array_equal(again.toarray(), matrix.toarray())


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ({1: "a"}, "keys that are not text"), (object(), "builtins.object"),
        (np.array(["a"], "S1"), "array of type"), (np.array([["a"]]), "array of type"),
        (np.array([1 + 2j]), "array of type"), (np.longdouble([1, 2]), "array of type"),
    ],
)  # fmt: skip
def test_what_a_file_cannot_have_is_named(value, problem):
    with pytest.raises(TypeError, match=problem) as caught:
        written([value])
    assert str(caught.value).startswith("it ")


@pytest.mark.parametrize(
    ("node", "problem"),
    [
        ({"set": 1}, "unknown kind 'set'"), ({"shared": -1}, "unknown kind 'shared'"),
        ({"values": [[1]], "dtype": "<i8", "shape": [1]}, "or of other values"),
        ({"values": ["a"], "dtype": "|S1", "shape": [1]}, "array of type"),
        ({"values": ["a"], "dtype": "<U1", "shape": [1, 1]}, "array of type"),
        ({"sparse": [0, 1, 2, [2, 2]]}, "rows of a sparse matrix are out of order"),
    ],
)  # fmt: skip
def test_what_no_writer_makes_is_refused(node, problem):
    arrays = {
        "0": np.ones(2),
        "1": np.array([0, 1], np.int32),
        "2": np.array([0, 1, -1], np.int32),
    }
    with pytest.raises(ValueError, match=problem):
        Reader(arrays, []).decode(node)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
        lambda x: st.lists(x) | st.dictionaries(st.text(), x) | st.tuples(x, x),
        max_leaves=8,
    )
)
def test_any_value_is_read_as_it_was(value):
    assert written(value)[2] == value
