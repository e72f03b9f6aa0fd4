from __future__ import annotations

from collections import Counter, UserDict

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import get_tags

from skpara import PairEstimatorMixin, check_pairs
from skpara._pairs import as_pairs, as_sentences, is_sentences

PAIRS = [("A man sings.", "A person sings."), ("", "Ünïcode ☃")]
CONTAINERS = {
    "list of tuples": PAIRS,
    "list of lists": [list(row) for row in PAIRS],
    "tuple of tuples": tuple(PAIRS),
    "object array": np.array(PAIRS, dtype=object),
    "string array": np.array(PAIRS),
    "StringDType array": np.array(PAIRS, dtype=np.dtypes.StringDType()),
    "list of arrays": list(np.array(PAIRS)),
    "masked array without a mask": np.ma.array(PAIRS),
    "pandas frame": pd.DataFrame(PAIRS, columns=["s1", "s2"]),
    "pandas object frame": pd.DataFrame(PAIRS, columns=["s1", "s2"], dtype=object),
    "pandas categorical": pd.DataFrame(PAIRS, columns=["s1", "s2"], dtype="category"),
    "polars frame": pl.DataFrame(PAIRS, schema=["s1", "s2"], orient="row"),
}


@pytest.mark.parametrize("container", CONTAINERS)
def test_all_containers_give_the_same_strings(container):
    pairs = as_pairs(CONTAINERS[container])
    assert pairs.dtype == object
    assert type(pairs) is np.ndarray
    assert pairs.shape == (2, 2)
    assert [tuple(row) for row in pairs.tolist()] == PAIRS
    assert all(type(cell) is str for cell in pairs.ravel())


def test_input_is_not_changed():
    X = np.array([[np.str_("a"), "b"]], dtype=object)
    as_pairs(X)
    assert type(X[0, 0]) is np.str_


@pytest.mark.parametrize(
    ("cell", "description"),
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
def test_a_bad_cell_is_named_by_row_and_column(cell, description):
    rows = [("a", "b"), ("c", cell)]
    with pytest.raises(ValueError, match=r"(?i)row 1, column 1") as raised:
        as_pairs(rows)
    assert description.lower() in str(raised.value).lower()


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_missing_text_in_a_frame_raises_an_error(frame):
    with pytest.raises(
        ValueError, match=r"Row 1, column 0 .*missing.*Drop the row, or replace it by ''"
    ):
        as_pairs(frame({"s1": ["a", None], "s2": ["b", "c"]}))


def test_numbers_raise_an_error():
    with pytest.raises(ValueError, match="Row 0, column 0 holds float"):
        as_pairs(np.zeros((3, 2)))


@pytest.mark.parametrize("width", [0, 1, 3])
@pytest.mark.parametrize("kind", [list, np.array, pd.DataFrame])
def test_other_numbers_of_columns_raise_an_error(width, kind):
    rows = kind([["a"] * width, ["b"] * width])
    with pytest.raises(ValueError, match=r"(column|shape)"):
        as_pairs(rows)


def test_the_error_for_a_ragged_row_names_it():
    with pytest.raises(ValueError, match=r"Row 2 has 3 column\(s\)"):
        as_pairs([("a", "b"), ("c", "d"), ("e", "f", "g")])


def test_the_error_for_one_column_says_how_to_join_two():
    with pytest.raises(ValueError, match=r"np\.column_stack.*use skpara\.ParagramVectorizer"):
        as_pairs(np.array(["a", "b"]))
    with pytest.raises(ValueError, match=r"shape \(1, 3\)\. Select the two columns"):
        as_pairs(np.array([["a", "b", "c"]]))


class Model(PairEstimatorMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.fitted_ = self._check_pairs(X, reset=True)
        return self

    def predict(self, X):
        return self._check_pairs(X, reset=False)


def test_estimators_of_pairs_compare_the_names_of_columns():
    frame = pd.DataFrame(PAIRS, columns=["s1", "s2"])
    model = Model().fit(frame)
    assert model.feature_names_in_.tolist() == ["s1", "s2"]
    assert model.n_features_in_ == 2
    assert model.predict(frame).tolist() == [list(row) for row in PAIRS]
    with pytest.raises(ValueError, match="feature names"):
        model.predict(frame.rename(columns={"s1": "other"}))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(PAIRS)
    with pytest.warns(UserWarning, match="was fitted without feature names"):
        Model().fit(PAIRS).predict(frame)
    assert Model().fit(PAIRS).predict([]).shape == (0, 2)
    assert get_tags(Model()).input_tags.string


def test_estimators_of_pairs_need_a_pair_to_fit():
    for empty in ([], np.empty((0, 2)), pd.DataFrame({"s1": [], "s2": []})):
        with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 2\)\).*by Model"):
            Model().fit(empty)


def test_sentences_of_two_letters_are_not_pairs():
    with pytest.raises(ValueError, match=r"Row 0 is 'ab', not a pair.*zip"):
        as_pairs(["ab", "cd"])


@pytest.mark.parametrize("check", [as_pairs, as_sentences])
@pytest.mark.parametrize(
    "X",
    [
        *("a sentence", b"bytes", 3, None, (c for c in "ab"), pl.LazyFrame({"a": ["b"]})),
        *({"a": "b"}, UserDict(a="b"), {"a", "b"}, frozenset(PAIRS), {"a": "b"}.items()),
    ],
)
def test_other_types_raise_an_error(check, X):
    with pytest.raises(TypeError):
        check(X)


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_frames_whose_columns_share_a_name_raise_an_error(n_rows):
    frame = pd.DataFrame([("a cat", "a dog")] * n_rows, columns=["text", "text"])
    with pytest.raises(ValueError, match="the same name, 'text'"):
        as_pairs(frame)


# All of them can be unpacked into two strings.
@pytest.mark.parametrize(
    ("rows", "remedy"),
    [
        ([{"s1": "a", "s2": "b"}], r"\(row\['s1'\], row\['s2'\]\) for row in X"),
        ([{"s1": "a", "s2": "b", "score": 3}], r"row\['s1'\], row\['s2'\]"),
        ([{}], r"row\['sentence1'\], row\['sentence2'\]"),
        ([Counter("ab")], "values"),
        (pd.DataFrame(PAIRS, columns=["s1", "s2"]).to_dict("records"), "values"),
        (pd.Series([{"s1": "a", "s2": "b"}]), "values"),
        ([{"a", "b"}], "Pass tuples"),
        ([frozenset(["a", "b"])], "Pass tuples"),
        ([{"a": 1, "b": 2}.keys()], "Pass tuples"),
        ([np.array("ab")], "not a pair"),
        ([np.array([["a"], ["b"]])], "not a pair"),
        ([bytearray(b"ab")], "column 0 holds int"),
    ],
)
def test_rows_that_are_not_sequences_of_two_raise_an_error(rows, remedy):
    with pytest.raises(ValueError, match=f"(?s)Row 0.*{remedy}"):
        as_pairs(rows)


@pytest.mark.parametrize("dtype", [object, str])
def test_masked_cells_are_missing_text(dtype):
    mask = [[False, False], [True, False]]
    with pytest.raises(ValueError, match="Row 1, column 0 holds NaN"):
        as_pairs(np.ma.array(PAIRS, mask=mask, dtype=dtype))
    with pytest.raises(ValueError, match="Row 1 holds NaN"):
        as_sentences(np.ma.array(["a", "b"], mask=[False, True], dtype=dtype))


def test_sparse_matrices_raise_an_error():
    with pytest.raises(TypeError, match=r"(?i)sparse.*the text itself"):
        as_pairs(sparse.csr_matrix((2, 2)))


@pytest.mark.parametrize(
    "empty",
    [
        *([], (), np.array([]), np.empty((0, 2), dtype=object)),
        *(pd.DataFrame({"s1": [], "s2": []}), pl.DataFrame({"s1": [], "s2": []})),
    ],
    ids=lambda empty: type(empty).__module__,
)
def test_zero_pairs_are_allowed(empty):
    assert is_sentences(empty) is False
    assert as_pairs(empty).shape == (0, 2)


@pytest.mark.parametrize(
    "kind",
    [
        *(list, tuple, np.array, pd.Series, pl.Series, pa.array),
        lambda X: pa.chunked_array([X]),
        lambda X: pa.array(X).dictionary_encode(),
    ],
)
def test_sentences(kind):
    X = kind(["one", "two ☃"])
    assert is_sentences(X)
    assert as_sentences(X) == ["one", "two ☃"]


@pytest.mark.parametrize("container", CONTAINERS)
def test_pairs_are_not_sentences(container):
    assert is_sentences(CONTAINERS[container]) is False


def test_the_error_for_a_bad_sentence_names_its_row():
    with pytest.raises(ValueError, match="Row 1 holds None"):
        as_sentences(["a", None])
    with pytest.raises(ValueError, match="one column"):
        as_sentences(np.array(PAIRS))
    with pytest.raises(ValueError, match="Row 0 holds tuple"):
        as_sentences(PAIRS)


@pytest.mark.parametrize("kind", [list, np.array, pd.DataFrame])
def test_a_service_limits_what_it_takes(kind):
    X = kind([["a", "b"], ["c", "d" * 2000]])
    assert check_pairs(X).shape == (2, 2)
    assert check_pairs(X, max_pairs=2, max_characters=2000)[1].tolist() == ["c", "d" * 2000]
    with pytest.raises(ValueError, match="Got 2 pairs, but max_pairs is 1"):
        check_pairs(X, max_pairs=1)
    message = "Row 1, column 1 has 2,000 characters, but max_characters is 1,999"
    with pytest.raises(ValueError, match=message):
        check_pairs(X, max_characters=1999)
    with pytest.raises(TypeError, match="turn a generator into a list"):
        check_pairs((row for row in X), max_pairs=1)
    with pytest.raises(ValueError, match="Row 0, column 0 holds int"):
        check_pairs([(1, 2)], max_pairs=1, max_characters=1)
