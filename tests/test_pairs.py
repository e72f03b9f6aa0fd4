"""Validation of pairs and sentences in all kinds of containers."""

from __future__ import annotations

from collections import Counter, UserDict
from unicodedata import normalize

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from scipy import sparse
from sklearn.base import BaseEstimator

from skpara import PairEstimatorMixin, check_pairs
from skpara._pairs import as_pairs, as_sentences, is_sentences

PAIRS = [("A man sings.", "A person sings."), ("", "Ünïcode ☃")]
FRAME = pd.DataFrame(PAIRS, columns=["s1", "s2"])
CONTAINERS = [
    *(PAIRS, [list(row) for row in PAIRS], tuple(PAIRS), list(np.array(PAIRS))),
    *(np.array(PAIRS), np.array(PAIRS, object), np.array(PAIRS, np.dtypes.StringDType())),
    *(np.asfortranarray(PAIRS), np.repeat(np.array(PAIRS, object), 2, axis=0)[::2]),
    *(FRAME, FRAME.astype(object), FRAME.astype("category"), pl.from_pandas(FRAME)),
    *(pl.LazyFrame(FRAME), pa.table(FRAME), np.ma.array(PAIRS)),
    # Accents after their letters, as some keyboards and file systems write them.
    [tuple(normalize("NFD", sentence) for sentence in pair) for pair in PAIRS],
]


@pytest.mark.parametrize("X", CONTAINERS, ids=lambda X: type(X).__name__)
def test_all_containers_give_the_same_strings(X):
    pairs = as_pairs(X)
    assert pairs.dtype == object
    assert type(pairs) is np.ndarray
    assert [tuple(row) for row in pairs.tolist()] == PAIRS
    assert all(type(cell) is str for cell in pairs.ravel())
    assert is_sentences(X) is False


def test_long_texts_are_composed_and_runs_of_marks_are_separated():
    assert check_pairs([("Cafe\u0301 " * 100, "rain")])[0][0] == "Caf\u00e9 " * 100
    for mark in ("\u0316", "\u0f73"):  # the second one is no mark, but is two of them in NFC
        [[text, _]] = check_pairs([("a" + 600 * mark, "rain")])
        runs = [256 * mark, 256 * mark, 88 * mark]
        assert text == normalize("NFC", "a" + "\u034f".join(runs))


def test_input_is_not_changed():
    X = np.array([[np.str_("a"), "b"]], dtype=object)
    as_pairs(X)
    assert type(X[0, 0]) is np.str_


@pytest.mark.parametrize(
    ("cell", "description"),
    [
        *((3, "int 3"), (2.5, "float 2.5"), (b"bytes", "decode"), (["a", "b"], "list")),
        *((None, "None"), (float("nan"), "NaN"), (np.float64("nan"), "NaN"), (pd.NA, "NaN")),
        (np.array([1.0, 2.0]), "ndarray"),
    ],
)
def test_a_bad_cell_is_named_by_row_and_column(cell, description):
    with pytest.raises(ValueError, match=rf"(?si)row 1, column 1.*{description}"):
        as_pairs([("a", "b"), ("c", cell)])


MISSING = {"s1": ["a", None], "s2": ["b", "c"]}
MASK = [[False, False], [True, False]]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        *(
            (kind(MISSING), r"Row 1, column 0 .*missing.*Drop the row, or replace it by ''")
            for kind in (pd.DataFrame, pl.DataFrame)
        ),
        *(
            (np.ma.array(PAIRS, mask=MASK, dtype=dtype), "Row 1, column 0 holds NaN")
            for dtype in (object, str)
        ),
        *(
            (kind([["a"] * width, ["b"] * width]), "column|shape")
            for kind in (list, np.array, pd.DataFrame)
            for width in (0, 1, 3)
        ),
        (np.zeros((3, 2)), "Row 0, column 0 holds float"),
        ([("a", "b"), ("c", "d"), ("e", "f", "g")], r"Row 2 has 3 column\(s\)"),
        (np.array(["a", "b"]), r"np\.column_stack.*use skpara\.ParagramVectorizer"),
        (np.array([["a", "b", "c"]]), r"shape \(1, 3\)\. Select the two columns"),
        (["ab", "cd"], r"Row 0 is 'ab', not a pair.*zip"),
        *(
            (pd.DataFrame([("a", "b")] * n, columns=["text", "text"]), "the same name, 'text'")
            for n in (1, 2, 3)
        ),
        # All that follow can be unpacked into two strings.
        ([{"s1": "a", "s2": "b"}], r"Row 0.*\(row\['s1'\], row\['s2'\]\) for row in X"),
        ([{"s1": "a", "s2": "b", "score": 3}], r"Row 0.*row\['s1'\], row\['s2'\]"),
        ([{}], r"Row 0.*row\['sentence1'\], row\['sentence2'\]"),
        *(
            (X, "Row 0.*values")
            for X in ([Counter("ab")], FRAME.to_dict("records"), pd.Series([{"a": "b", "c": "d"}]))
        ),
        *(
            ([row], "Row 0.*Pass tuples")
            for row in ({"a", "b"}, frozenset(["a", "b"]), {"a": 1, "b": 2}.keys())
        ),
        *(([row], "Row 0.*not a pair") for row in (np.array("ab"), np.array([["a"], ["b"]]))),
        ([bytearray(b"ab")], "Row 0, column 0 holds int"),
    ],
)
def test_bad_tables_are_refused_with_a_remedy(X, message):
    with pytest.raises(ValueError, match=f"(?s){message}"):
        as_pairs(X)


@pytest.mark.parametrize(
    "X",
    [
        *("a sentence", b"bytes", 3, None, (c for c in "ab")),
        *({"a": "b"}, UserDict(a="b"), {"a", "b"}, frozenset(PAIRS), {"a": "b"}.items()),
    ],
)
def test_other_types_are_refused(X):
    for check in (as_pairs, as_sentences):
        with pytest.raises(TypeError):
            check(X)


def test_sparse_matrices_are_refused():
    with pytest.raises(TypeError, match=r"(?i)sparse.*the text itself"):
        as_pairs(sparse.csr_matrix((2, 2)))


class Model(PairEstimatorMixin, BaseEstimator):
    def fit(self, X, y=None):
        self.fitted_ = self.check_pairs(X, reset=True)
        return self

    def predict(self, X):
        return self.check_pairs(X, reset=False)


@pytest.mark.parametrize("container", [pd.DataFrame, pl.DataFrame, pl.LazyFrame, pa.table])
def test_names_of_columns_are_those_of_fit(container):
    table = FRAME.to_dict("list")
    first, second = table
    frame, other = container(table), container({second: table[first], first: table[second]})
    model = Model().fit(frame)
    assert model.feature_names_in_.tolist() == [first, second]
    for X in (frame, PAIRS):
        assert model.predict(X).tolist() == [list(row) for row in PAIRS]
    with pytest.raises(ValueError, match=f"should match.*{first}.*got.*{second}"):
        model.predict(other)
    model.fit(PAIRS)
    assert not hasattr(model, "feature_names_in_")
    assert model.predict(other).tolist() == [list(row) for row in PAIRS]


def test_numbers_as_names_are_no_names():
    frame = pd.DataFrame(PAIRS)
    assert not hasattr(Model().fit(frame), "feature_names_in_")


@pytest.mark.parametrize(
    "empty", [[], (), np.array([]), np.empty((0, 2), object), FRAME[:0], pl.from_pandas(FRAME[:0])]
)
def test_zero_pairs_are_allowed_but_in_fit(empty):
    assert is_sentences(empty) is False
    assert as_pairs(empty).shape == Model().fit(PAIRS).predict([]).shape == (0, 2)
    with pytest.raises(ValueError, match=r"0 sample\(s\) \(shape=\(0, 2\)\).*by Model"):
        Model().fit(empty)


@pytest.mark.parametrize(
    "kind",
    [
        *(list, tuple, np.array, pd.Series, pl.Series, pa.array),
        lambda X: pa.chunked_array([X]),
        lambda X: pa.array(X).dictionary_encode(),
    ],
)
def test_sentences(kind):
    X = kind(["one", "two ☃", "three"])
    assert is_sentences(X)
    assert as_sentences(X) == ["one", "two ☃", "three"]


@pytest.mark.parametrize(
    ("X", "message"),
    [
        (["a", None], "Row 1 holds None"),
        (np.ma.array(["a", "b"], mask=[False, True]), "Row 1 holds NaN"),
        (np.array(PAIRS), "one column"),
        (PAIRS, "Row 0 holds tuple"),
    ],
)
def test_bad_sentences_are_named(X, message):
    with pytest.raises(ValueError, match=message):
        as_sentences(X)


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


def test_a_frame_with_one_column_is_a_column():
    for X in (FRAME[["s1"]], pl.from_pandas(FRAME[["s1"]]), np.array(PAIRS)[:, :1]):
        assert as_sentences(X) == [a for a, _ in PAIRS]
