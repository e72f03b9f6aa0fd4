"""Lines of text files, and rows of the three formats."""

from __future__ import annotations

import csv
import gzip
import json
import os

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from skpara.datasets import PairFile, _text_files, read_sentences, read_table

TEXTS = st.text(st.characters(exclude_characters="\n", exclude_categories=["Cs"]))
# Every second byte a zero would be UTF-16.
CELLS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


def written(path, content):
    path.write_bytes(content)
    return path


def records(path, content, **options):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return [(row.line, row.record) for row in PairFile(path, header=False, **options)]


@given(st.lists(TEXTS, min_size=1))
def test_any_lines_are_read_as_written(tmp_path_factory, lines):
    path = tmp_path_factory.mktemp("lines") / "a.txt"
    content = "\ufeff" + "".join(line + "\n" for line in lines)  # the mark itself is dropped
    assert read_sentences(written(path, content.encode())) == [
        line.removesuffix("\r") for line in lines
    ]


@pytest.mark.parametrize("block", [1, 3, 2**18])
def test_the_block_size_changes_nothing(tmp_path, monkeypatch, block):
    monkeypatch.setattr(_text_files, "_BLOCK", block)
    path = written(tmp_path / "a.txt", "\ufeffä one\r\ntwo\u2028\x0b more\n\nend".encode())
    assert read_sentences(path) == ["ä one", "two\u2028\x0b more", "", "end"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"good\ncaf\xe9\n", "a.txt, line 2, is not UTF-8"),
        ("a.txt.gz", b"plain text", "cannot be unpacked"),
        ("a.txt.gz", gzip.compress(os.urandom(1000).hex().encode())[:500], "cannot be unpacked"),
        ("a.txt", b"short\n" + b"x" * (2**24 + 2**18), "line 2, is longer than 16 MB"),
    ],
)
def test_unreadable_lines_are_reported(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=message):
        read_sentences(written(tmp_path / name, content))


def test_a_missing_file_is_reported_at_once(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"There is no file .*nothing\.txt"):
        PairFile(tmp_path / "nothing.txt")


@given(st.lists(st.lists(CELLS, min_size=2, max_size=4), max_size=4))
def test_csv_is_read_as_by_the_csv_module(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)
    with path.open(encoding="utf-8-sig", newline="") as file:
        expected = list(csv.reader(file))
    # Found from the rows, the delimiter could be another one that they hold as often.
    assert [row.record for row in PairFile(path, header=False, delimiter=",")] == expected


@given(st.lists(st.dictionaries(CELLS, CELLS | st.integers() | st.none(), min_size=1)))
@example([{":Sentence1": None}, {"SENTENCE2": "x"}])
def test_json_objects_are_read_as_written(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("rows") / "a.jsonl"
    rows = [{**row, "sentence1": "a", "sentence2": "b"} for row in rows]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
    assert [row.record for row in PairFile(path)] == rows


@pytest.mark.parametrize("name", [".csv", ".CSV", "a.b.csv", ".csv.gz", "A.CSV.GZ", "-.csv"])
def test_the_format_is_that_of_the_suffix(tmp_path, name):
    content = b'"a,b",c\n'
    content = gzip.compress(content) if name.lower().endswith(".gz") else content
    assert records(tmp_path / name, content) == [(1, ["a,b", "c"])]


def test_in_tsv_quotes_are_ordinary_and_rows_are_lines(tmp_path):
    content = '"a\t b"\t\r\nx\u2028y\t\ufeff"\t\x0c\ne\x0bf\tg\rh\n'
    assert records(tmp_path / "a.tsv", content) == [
        (1, ['"a', ' b"', ""]),
        (2, ["x\u2028y", '\ufeff"', "\x0c"]),
        (3, ["e\x0bf", "g\rh"]),
    ]


def test_quoted_csv_cells_hold_line_ends(tmp_path):
    content = 'a,b\r\n"one\r\ntwo","say ""hi"", she said"\r\nc,d\r\n'
    assert records(tmp_path / "a.csv", content) == [
        (1, ["a", "b"]),
        (2, ["one\r\ntwo", 'say "hi", she said']),
        (4, ["c", "d"]),
    ]


@pytest.mark.parametrize(
    ("format", "row"),
    [("tsv", "a\tb"), ("csv", "a,b"), ("jsonl", '{"sentence1": "a", "sentence2": "b"}')],
)
def test_empty_rows_are_allowed_at_the_end_only(tmp_path, format, row):
    assert len(records(tmp_path / "a", f"{row}\n\n\r\n", format=format)) == 1
    assert records(tmp_path / "a", "", format=format) == []
    with pytest.raises(ValueError, match="a, line 2, is empty"):
        records(tmp_path / "a", f"{row}\n\n\n{row}\n", format=format)


@pytest.mark.parametrize(
    ("format", "content", "message"),
    [
        ("csv", 'a,b\n"x "y" z",b\n', "line 2, is not CSV .* set the format to tsv"),
        ("csv", 'a,b\nc,d\n"never closed,b\nc,d\n', "line 3, is not CSV"),
        ("csv", "a,b\rc,d\n", "line 1, has a line end of another kind .* Save the file with"),
        ("jsonl", '{"a": \n', "line 1, is not JSON"),
        ("jsonl", "[" * 100_000, "line 1, is not JSON"),
        ("jsonl", '{"a": {"b": 1, "b": 2}}', r"line 1, is not JSON .one key occurs twice: b, b"),
        ("jsonl", '["a", "b"]\n', r"line 1, holds \[\"a\", \"b\"\] instead of an object"),
        ("jsonl", "{}\n", "line 1, holds {}"),
        ("jsonl", '{"a": ["Infinity"], "b": [{"c": -1E400}]}', "'b': -1E400 is not finite. Write"),
        ("jsonl", '{"a": "NaN", "b": -Infinity}', "line 1, 'b': -Infinity is not finite"),
    ],
)
def test_rows_of_another_format_are_reported(tmp_path, format, content, message):
    with pytest.raises(ValueError, match=message):
        records(tmp_path / "a", content, format=format)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a;b\nc;d\n", ["a", "b"]),
        ("a;b\nc, d;e\n", ["a", "b"]),  # commas are in one row only
        ("a|b|c,d\ne|f|g\n", ["a", "b", "c,d"]),
        ("a b\nc d\n", ["a b"]),
        ("a,b;c;d\ne,f;g;h\n", None),  # a comma fits all rows as well
        ("a;b,c\nd;e,f\n", None),
    ],
)
def test_the_delimiter_that_fits_all_rows_is_taken(tmp_path, text, found):
    path = tmp_path / "table.csv"
    path.write_text(text)
    if found is None:
        with pytest.raises(ValueError, match="unclear which character separates the columns"):
            read_table(path)
    else:
        assert read_table(path, header=False).rows[0] == found


def test_the_line_in_which_excel_names_the_delimiter_is_no_record(tmp_path):
    found = records(tmp_path / "excel.csv", "sep=;\nIt rains;Rain falls\nA, b;c\n")
    assert found == [(2, ["It rains", "Rain falls"]), (3, ["A, b", "c"])]


def test_text_that_is_utf8_under_another_encoding_is_said(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("text\nCaf\u00e9\n", encoding="utf-8")
    with pytest.warns(UserWarning, match=r"a\.csv seems to be utf-8, not cp1252"):
        read_table(path, encoding="cp1252")
    path.write_text("text\nCaf\u00e9\n", encoding="cp1252")
    assert read_table(path, encoding="cp1252").rows == [["Caf\u00e9"]]
