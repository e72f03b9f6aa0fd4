"""Frames of all libraries go in, and results are frames of the caller's library."""

from __future__ import annotations

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from skpara import Deduplicator, TableMatcher, check_pairs
from skpara._frames import as_frame, has_columns

SHOP = {"name": ["red bicycle", None, "garden chair"], "price": [250, 7, 40], "new": [True] * 3}
WISHES = {"wish": ["bike (red)", None, "birthday cake"], "id": [1234, 8, 9]}


def relation(columns):
    """A query of DuckDB, which has not run yet."""
    duckdb = pytest.importorskip("duckdb")
    return duckdb.from_arrow(pa.table(columns))


# How a frame is made, and the class of the results.
LIBRARIES = {
    "pandas": (pd.DataFrame, pd.DataFrame),
    "polars": (pl.DataFrame, pl.DataFrame),
    "lazy polars": (pl.LazyFrame, pl.DataFrame),
    "pyarrow": (pa.table, pa.Table),
    "DuckDB": (relation, pa.Table),
    "narwhals": (lambda columns: nw.from_native(pl.DataFrame(columns)), pl.DataFrame),
}
LIBRARY = pytest.mark.parametrize("library", LIBRARIES)


def rows_of(frame):
    """Rows as lists, with None for what is missing."""
    rows = nw.from_native(frame).rows()
    return [[None if pd.isna(x) else x for x in row] for row in rows]


@LIBRARY
def test_a_join_has_the_library_of_the_first_table(library):
    make, kind = LIBRARIES[library]
    for other in (make, pl.DataFrame, pd.DataFrame):
        joined = TableMatcher().join(make(WISHES), other(SHOP), left_on="wish", right_on="name")
        assert type(joined) is kind
        first, second, third = rows_of(joined)
        assert first[:5] == ["bike (red)", 1234, "red bicycle", 250, True]
        assert 0.5 < first[5] < 1
        assert second == [None, 8, None, None, None, None, "no text"]
        assert third[:6] == ["birthday cake", 9, None, None, None, None]
        schema = nw.from_native(joined).schema
        assert schema["price"].is_integer()
        assert schema["id"] == nw.Int64


@LIBRARY
def test_several_columns_and_rows_that_are_added(library):
    make, _ = LIBRARIES[library]
    matcher = TableMatcher().fit(make(SHOP), on=["name", "price"])
    assert matcher.kinds_ == {"name": "names", "price": "code"}
    more = {"name": ["green kettle"], "price": [35], "new": [False]}
    matcher.partial_fit(make(more))
    matches = rows_of(matcher.match(make(more), how="left").to_frame())
    assert matches[0][:6] == ["green kettle", 35, False, "green kettle", 35, False]


@LIBRARY
def test_duplicates(library):
    make, kind = LIBRARIES[library]
    columns = {"text": ["It rains.", None, "It rains!", None], "row": [1, 2, 3, 4]}
    deduplicator = Deduplicator().fit(make(columns), on="text")
    assert deduplicator.labels_.tolist() == [0, 1, 0, 2]
    kept = deduplicator.drop_duplicates(make(columns))
    assert type(kept) is kind
    assert [row[1] for row in rows_of(kept)] == [1, 2, 4]
    answers = {"sentence1": ["It rains."], "sentence2": ["It rains!"], "answer": ["n"]}
    assert deduplicator.judge(make(answers)).labels_.tolist() == [0, 1, 2, 3]


@LIBRARY
def test_pairs(library):
    make, _ = LIBRARIES[library]
    pairs = make({"s1": ["a dog", "a cat"], "s2": ["b", "c"]})
    assert check_pairs(pairs, max_pairs=2).tolist() == [["a dog", "b"], ["a cat", "c"]]
    with pytest.raises(ValueError, match="Row 1, column 0 holds"):
        check_pairs(make({"s1": ["a dog", None], "s2": ["b", "c"]}))


def test_columns_of_lists_need_no_library():
    for shop in (SHOP, {name: tuple(column) for name, column in SHOP.items()}):
        matches = TableMatcher().join(WISHES, shop, left_on="wish", right_on="name")
        assert matches["candidate"].tolist() == [0, -1, -1]
    deduplicator = Deduplicator().fit(SHOP, on=["name", "price"])
    assert deduplicator.drop_duplicates(SHOP) == SHOP
    with pytest.raises(ValueError, match=r"different numbers of rows, {'a': 1, 'b': 2}"):
        Deduplicator().fit({"a": ["x"], "b": ["y", "z"]}, on="a")
    for column in (iter("xy"), "xy", 2):
        with pytest.raises(ValueError, match=r"numbers of rows, {'a': None}. Pass lists"):
            Deduplicator().fit({"a": column}, on="a")
    for rows in (np.array([["x", "y"]] * 2), np.rec.fromrecords([("x", 1)], names="a,b")):
        with pytest.raises(ValueError, match=r"several cells\. Pass a frame, or a dict"):
            Deduplicator().fit(rows)
    with pytest.raises(ValueError, match="no 'score', only query, candidate, probability"):
        TableMatcher().fit(SHOP, on="name").match(SHOP, on="name")["score"]
    with pytest.raises(TypeError, match="fit takes one table, the reference"):
        TableMatcher().fit(SHOP, WISHES, on="name")
    with pytest.raises(TypeError, match="fit takes one table, the reference"):
        TableMatcher().fit(["a dog"], ["the dog"])
    with pytest.raises(ValueError, match=r"frame of 3 columns, name, price, new, and on is None"):
        Deduplicator().fit(SHOP)


def test_numbers_are_compared_as_they_are_written():
    ids = pd.DataFrame({"id": [1234, None, 99]})
    assert ids["id"].dtype == float
    matches = TableMatcher().join({"id": ["1234", "0099"]}, ids, on="id")
    assert matches["candidate"].tolist() == [0, -1]  # zeros in front are part of an id


def test_results_can_be_written(tmp_path):
    joined = TableMatcher().join(
        pl.DataFrame(WISHES), pl.DataFrame(SHOP), left_on="wish", right_on="name"
    )
    joined.write_parquet(tmp_path / "a.parquet")
    assert pl.read_parquet(tmp_path / "a.parquet").equals(joined)
    joined.write_csv(tmp_path / "a.csv")
    assert "nan" not in (tmp_path / "a.csv").read_text().lower()


def test_the_index_of_pandas_is_kept():
    wishes, shop = pd.DataFrame(WISHES, index=[5, 5, 9]), pd.DataFrame(SHOP, index=[1, 1, 1])
    joined = TableMatcher().join(wishes, shop, left_on="wish", right_on="name")
    assert joined.index.tolist() == [5, 5, 9]
    assert joined["price"].dtype == "Int64"
    numbered = wishes.set_axis([0, 1], axis=1)
    joined = TableMatcher().join(numbered, shop, left_on=0, right_on="name", how="inner")
    assert joined["price"].tolist() == [250]


def test_an_empty_reference():
    for make in (pd.DataFrame, pl.DataFrame, pa.table):
        empty = make({"name": ["x"], "price": [1]})[:0] if make is not pa.table else None
        empty = make({"name": ["x"], "price": [1]}).slice(0, 0) if empty is None else empty
        with pytest.warns(UserWarning, match="The reference has no rows"):
            joined = TableMatcher().join(make(WISHES), empty, left_on="wish", right_on="name")
        assert [row[2:5] for row in rows_of(joined)] == [[None] * 3] * 3


def test_columns_of_the_same_name_are_refused():
    frame = pd.DataFrame([["a", "b"]], columns=["x", "x"])
    with pytest.raises(ValueError, match=r"several columns with the same name, 'x'. Rename"):
        as_frame(frame)


def test_what_has_columns():
    assert all(map(has_columns, [{}, pd.DataFrame(), pl.LazyFrame(), pa.table({})]))
    assert not any(map(has_columns, [[], "a", pd.Series([1]), pa.array([1]), None, 3]))
