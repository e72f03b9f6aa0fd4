"""Parquet files and spreadsheets: cells keep their types, and whole numbers stay whole."""

from __future__ import annotations

import datetime as dt
import sys

import pandas as pd
import polars as pl
import pytest

from skpara.cli import main
from skpara.datasets import cell_text, read_pairs, read_table, write_typed

DAY = dt.datetime(1970, 1, 2)
NAMES = ["id", "zip", "name", "born", "price", "kept"]
ROWS = [
    [1234, "00123", "Åsa", DAY, 250, True],
    [1235, None, None, None, 40.5, None],
    [1236, "=1+1", "x\ny", DAY.replace(hour=5), None, False],
]
FORMATS = ["parquet", "xlsx"]


@pytest.mark.parametrize("format", FORMATS)
def test_cells_come_back_with_their_types(tmp_path, format):
    if format == "xlsx":
        pytest.importorskip("openpyxl")
    path = tmp_path / f"a.{format}"
    write_typed(path, format, NAMES, ROWS)
    table = read_table(path)
    assert table.header == NAMES
    assert table.rows == ROWS
    assert table.column("id") == ["1234", "1235", "1236"]
    assert table.column("zip") == ["00123", "", "=1+1"]
    assert table.column("born") == ["1970-01-02", "", "1970-01-02T05:00:00"]
    assert table.column("price") == ["250", "40.5", ""]


@pytest.mark.parametrize("format", FORMATS)
def test_a_whole_number_beside_missing_ones_stays_whole(tmp_path, format, capsys):
    path = tmp_path / f"a.{format}"
    frame = pd.DataFrame({"id": [1234, None, 7], "name": ["Ann", "Bo", None]})
    assert frame["id"].dtype == float
    if format == "xlsx":
        pytest.importorskip("openpyxl")
        frame.to_excel(path, index=False)
    else:
        frame.to_parquet(path)
    assert read_table(path).column("id") == ["1234", "", "7"]
    for name, ids in (("out.jsonl", '"id": 1234, '), ("out.csv", "1234,Ann")):
        assert main(["dedupe", str(path), "--on", "name", "-o", str(tmp_path / name)]) == 0
        assert ids in (tmp_path / name).read_text()
    out = tmp_path / "out.parquet"
    assert main(["match", str(path), str(path), "--on", "name", "-o", str(out)]) == 0
    written = pl.read_parquet(out)
    assert written["id"].to_list() == [1234, None, 7]
    assert written.schema["id"] == pl.Int64
    assert written.schema["probability"] == pl.Float64


def test_a_postcode_of_a_spreadsheet_has_the_zeros_that_are_shown(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.append([])
    for row in (["zip", "sum", None], [123, 3.0, None], [4567, "#N/A", None], [], [None]):
        sheet.append(row)
    sheet["A3"].number_format = sheet["A4"].number_format = "00000"
    path = tmp_path / "a.xlsx"
    book.save(path)
    table = read_table(path)
    assert (table.header, table.rows) == (["zip", "sum"], [["00123", 3], ["04567", None]])
    book.create_sheet("more")
    book.save(path)
    with pytest.warns(UserWarning, match="2 sheets; the first one with cells, 'Sheet', is read"):
        read_table(path)
    book.create_sheet("front", 0)
    book.save(path)
    with pytest.warns(UserWarning, match="3 sheets; the first one with cells, 'Sheet', is read"):
        assert read_table(path).rows == table.rows
    del book["more"], book["front"]
    sheet["B4"] = "=1+1"  # a spreadsheet program would store its result
    book.save(path)
    with pytest.raises(ValueError, match="cell B4: the file has no result of the formula"):
        read_table(path)


@pytest.mark.parametrize("format", FORMATS)
def test_pairs(tmp_path, format):
    if format == "xlsx":
        pytest.importorskip("openpyxl")
    path = tmp_path / f"a.{format}"
    write_typed(path, format, ["s1", "s2", "score"], [["a dog", "a cat", 2.5], [None, 3, 1]])
    pairs = read_pairs(path, score_column="score")
    assert pairs.data.tolist() == [["a dog", "a cat"], ["", "3"]]
    assert pairs.target.tolist() == [2.5, 1]


def test_mixed_columns_of_parquet_are_text(tmp_path):
    path = tmp_path / "a.parquet"
    write_typed(path, "parquet", ["x", "empty"], [[1, None], ["b", None], [DAY, None]])
    assert pl.read_parquet(path)["x"].to_list() == ["1", "b", "1970-01-02"]


def test_what_a_sheet_or_a_column_cannot_hold_is_text(tmp_path):
    late = DAY.replace(tzinfo=dt.UTC)
    rows = [[late, 2**60 + 1, [1, 2], 1.0], [late, 1, [3], 2**63]]
    names = ["when", "id", "tags", "n"]
    write_typed(tmp_path / "a.parquet", "parquet", names, rows)
    frame = pl.read_parquet(tmp_path / "a.parquet")
    assert frame["id"].to_list() == [2**60 + 1, 1]
    assert frame["n"].to_list() == ["1", str(2**63)]
    pytest.importorskip("openpyxl")
    write_typed(tmp_path / "a.xlsx", "xlsx", names, rows)
    assert read_table(tmp_path / "a.xlsx").rows[0] == [
        "1970-01-02T00:00:00+00:00", str(2**60 + 1), "[1, 2]", 1,
    ]  # fmt: skip
    with pytest.raises(ValueError, match="cannot hold control characters"):
        write_typed(tmp_path / "b.xlsx", "xlsx", ["x"], [["\x01"]])


def test_text_of_cells():
    cells = [None, float("nan"), "0012", 12.0, -0.5, True, dt.date(2020, 1, 2), [1, "a"]]
    assert list(map(cell_text, cells)) == [
        "", "", "0012", "12", "-0.5", "true", "2020-01-02", '[1, "a"]',
    ]  # fmt: skip


def test_a_missing_library_is_named_with_the_remedy(tmp_path, monkeypatch):
    pl.DataFrame({"text": ["It rains."]}).write_parquet(tmp_path / "a.parquet")
    for name in ("pyarrow", "polars"):  # one of both will do
        assert read_table(tmp_path / "a.parquet").rows
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=r"ends in \.parquet needs pyarrow: pip install"):
        read_table(tmp_path / "a.parquet")
