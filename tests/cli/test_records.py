"""Rows of the three formats, read and written."""

from __future__ import annotations

import csv
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skpara.cli._lines import Lines
from skpara.cli._records import as_text, read_records

CELLS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


def records(path, format, content):
    path.write_bytes(content.encode())
    return list(read_records(Lines(str(path)), format))


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=4))
def test_csv_is_read_as_pythons_own_module_reads_it(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    with path.open(encoding="utf-8-sig", newline="") as file:
        expected = list(csv.reader(file))
    assert [record for _, record in read_records(Lines(str(path)), "csv")] == expected


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4)))
def test_csv_comes_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "a"
    rows = [["head", "er"], *rows]  # a byte-order mark at the very start would be dropped
    content = "".join(as_text(row, "csv") + "\n" for row in rows)
    assert [row for _, row in records(path, "csv", content)] == rows


@given(st.lists(st.dictionaries(CELLS, CELLS | st.integers() | st.none(), min_size=1)))
def test_json_lines_come_back(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "a"
    content = "".join(as_text(row, "jsonl") + "\n" for row in rows)
    assert [row for _, row in records(path, "jsonl", content)] == rows


def test_in_tsv_a_quote_is_a_sign_and_a_row_is_a_line(tmp_path):
    content = '"a\t b"\t\r\nx\u2028y\t\ufeff"\t\x0c\n'
    assert records(tmp_path / "a", "tsv", content) == [
        (1, ['"a', ' b"', ""]),
        (2, ["x\u2028y", '\ufeff"', "\x0c"]),
    ]
    assert as_text(['"a', " b"], "tsv") == '"a\t b'


def test_a_quoted_cell_of_csv_holds_ends_of_lines(tmp_path):
    content = 'a,b\r\n"one\r\ntwo","say ""hi"", she said"\r\nc,d\r\n'
    assert records(tmp_path / "a", "csv", content) == [
        (1, ["a", "b"]),
        (2, ["one\r\ntwo", 'say "hi", she said']),
        (4, ["c", "d"]),
    ]


@pytest.mark.parametrize(
    ("format", "row"), [("tsv", "a\tb"), ("csv", "a,b"), ("jsonl", json.dumps({"a": "b"}))]
)
def test_empty_rows_may_stand_at_the_end_only(tmp_path, format, row):
    assert len(records(tmp_path / "a", format, f"{row}\n\n\r\n")) == 1
    assert records(tmp_path / "a", format, "") == []
    with pytest.raises(ValueError, match="a, line 2, is empty"):
        records(tmp_path / "a", format, f"{row}\n\n\n{row}\n")


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        ("csv", 'a,b\n"x "y" z",b\n', "line 2, is not CSV .*--format tsv"),
        ("csv", 'a,b\nc,d\n"never closed,b\nc,d\n', "line 3, is not CSV"),
        ("csv", "a,b\rc,d\n", "line 1, is not CSV"),
        ("jsonl", '{"a": 1}\n{"a": \n', "line 2, is not JSON"),
        ("jsonl", "[" * 100_000, "line 1, is not JSON"),
        ("jsonl", '["a", "b"]\n', r"line 1, holds \[\"a\", \"b\"\], and an object is wanted"),
        ("jsonl", "{}\n", "line 1, holds {}"),
    ],
)
def test_errors_name_the_line(tmp_path, format, content, message):
    with pytest.raises(ValueError, match=message):
        records(tmp_path / "a", format, content)
