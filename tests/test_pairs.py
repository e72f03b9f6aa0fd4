from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

from skpara._pairs import as_pairs, as_sentences, is_sentences

PAIRS = [("A man sings.", "A person sings."), ("", "Ünïcode ☃")]
FORMS = {
    "list of tuples": PAIRS,
    "list of lists": [list(row) for row in PAIRS],
    "tuple of tuples": tuple(PAIRS),
    "object array": np.array(PAIRS, dtype=object),
    "string array": np.array(PAIRS),
    "StringDType array": np.array(PAIRS, dtype=np.dtypes.StringDType()),
    "list of arrays": list(np.array(PAIRS)),
    "pandas frame": pd.DataFrame(PAIRS, columns=["s1", "s2"]),
    "pandas object frame": pd.DataFrame(PAIRS, columns=["s1", "s2"], dtype=object),
    "pandas categorical": pd.DataFrame(PAIRS, columns=["s1", "s2"], dtype="category"),
    "polars frame": pl.DataFrame(PAIRS, schema=["s1", "s2"], orient="row"),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_strings(form):
    pairs = as_pairs(FORMS[form])
    assert pairs.dtype == object
    assert pairs.shape == (2, 2)
    assert [tuple(row) for row in pairs.tolist()] == PAIRS
    assert all(type(cell) is str for cell in pairs.ravel())


def test_input_is_not_changed():
    given = np.array([[np.str_("a"), "b"]], dtype=object)
    as_pairs(given)
    assert type(given[0, 0]) is np.str_


@pytest.mark.parametrize(
    ("cell", "said"),
    [
        (3, "int 3"),
        (2.5, "float 2.5"),
        (None, "None"),
        (float("nan"), "NaN"),
        (np.float64("nan"), "NaN"),
        (pd.NA, "NaN"),
        (b"bytes", "decode"),
        (["a", "b"], "list"),
        (np.array([1.0, 2.0]), "ndarray"),
    ],
)
def test_a_bad_cell_is_named_by_row_and_column(cell, said):
    rows = [("a", "b"), ("c", cell)]
    with pytest.raises(ValueError, match=r"(?i)row 1, column 1") as raised:
        as_pairs(rows)
    assert said.lower() in str(raised.value).lower()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_missing_text_in_a_frame_is_refused(frame):
    with pytest.raises(ValueError, match=r"Row 1, column 0 .*missing.*Drop the row, or put ''"):
        as_pairs(frame({"s1": ["a", None], "s2": ["b", "c"]}))


def test_numbers_are_refused():
    with pytest.raises(ValueError, match="Row 0, column 0 holds float"):
        as_pairs(np.zeros((3, 2)))


@pytest.mark.parametrize("width", [0, 1, 3])
@pytest.mark.parametrize("kind", [list, np.array, pd.DataFrame])
def test_other_than_two_columns_is_refused(width, kind):
    rows = kind([["a"] * width, ["b"] * width])
    with pytest.raises(ValueError, match=r"(column|shape)"):
        as_pairs(rows)


def test_ragged_rows_name_the_row():
    with pytest.raises(ValueError, match=r"Row 2 has 3 column\(s\)"):
        as_pairs([("a", "b"), ("c", "d"), ("e", "f", "g")])


def test_a_list_of_sentences_is_not_pairs_even_of_two_letters():
    with pytest.raises(ValueError, match=r"Row 0 is 'ab', not a pair.*zip"):
        as_pairs(["ab", "cd"])


@pytest.mark.parametrize("check", [as_pairs, as_sentences])
@pytest.mark.parametrize("X", ["a sentence", b"bytes", {"a": "b"}, 3, None, (c for c in "ab")])
def test_things_that_are_no_table_are_refused(check, X):
    with pytest.raises(TypeError):
        check(X)


def test_sparse_is_refused():
    with pytest.raises(TypeError, match=r"(?i)sparse.*the text itself"):
        as_pairs(sparse.csr_matrix((2, 2)))


@pytest.mark.parametrize("empty", [[], np.empty((0, 2), dtype=object)])
def test_no_rows_are_no_pairs(empty):
    assert as_pairs(empty).shape == (0, 2)


@pytest.mark.parametrize("kind", [list, tuple, np.array, pd.Series, pl.Series])
def test_sentences(kind):
    given = kind(["one", "two ☃"])
    assert is_sentences(given)
    assert as_sentences(given) == ["one", "two ☃"]


@pytest.mark.parametrize("form", FORMS)
def test_pairs_are_not_sentences(form):
    assert not is_sentences(FORMS[form])


def test_a_bad_sentence_names_its_row():
    with pytest.raises(ValueError, match="Row 1 holds None"):
        as_sentences(["a", None])
    with pytest.raises(ValueError, match="one column"):
        as_sentences(np.array(PAIRS))
    with pytest.raises(ValueError, match="Row 0 holds tuple"):
        as_sentences(PAIRS)
