"""Tables of any columns, and which of them holds the sentences."""

from __future__ import annotations

import gzip
import json

import pytest

from skpara.datasets import read_table


@pytest.mark.parametrize(
    ("text", "on", "sentences"),
    [
        ("id\tText\n1\ta\n2\tb\n", None, ["a", "b"]),
        ("id\twords\n1\ta\n2\tb\n", " WORDS ", ["a", "b"]),
        ("id\twords\n1\ta\n2\tb\n", "2", ["a", "b"]),
        ("words\tid\na\t1\n", "1", ["a"]),
        ('text\tother\n"a\t"\n', None, ['"a']),
    ],
)
def test_the_column_of_sentences(tmp_path, text, on, sentences):
    path = tmp_path / "table.tsv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_table(path).column(on) == sentences


def test_json_lines_keep_their_values(tmp_path):
    path = tmp_path / "table.jsonl"
    records = [{"title": "a", "price": 3}, {"title": "b", "tags": ["x"]}]
    path.write_text("\n".join(map(json.dumps, records)))
    table = read_table(path)
    assert table.header == ["title", "price", "tags"]
    assert table.rows == records
    assert table.column() == ["a", "b"]
    assert table.column("price") == ["3", ""]
    with pytest.raises(ValueError, match=r"line 2: 'tags' is .*, not text. Select"):
        table.column("tags")


@pytest.mark.parametrize(
    ("text", "on", "message"),
    [
        ("a,b\n1,2,3\n", None, r"line 2, has 3 column\(s\), but the first row has 2"),
        ("a,b\n1,2\n", None, r"table.csv has the columns a, b. Select the column of sentences"),
        ("a,b\n1,2\n", "c", r"table.csv has no column 'c', only a, b"),
        ("text\n1\n", "c", "only text. Select it, or pass the character that separates columns"),
        ("text,b\n1,2\n", "txt", r"only text, b. Did you mean .text.\?"),
        ("a,b\n1,2\n", "3", "no column '3'"),
        ("text,title\n1,2\n", None, "Select the column of sentences"),
    ],
)
def test_what_cannot_be_read_is_named(tmp_path, text, on, message):
    path = tmp_path / "table.csv"
    path.write_text(text)
    with pytest.raises(ValueError, match=message):
        read_table(path).column(on)


@pytest.mark.parametrize(
    "name", ["Gro\u0308\u00dfe", "\ufeffGr\u00f6\u00dfe", "gr\u00f6\u00dfe\u200b\u00a0"]
)
def test_a_name_is_found_as_it_looks(tmp_path, name):
    path = tmp_path / "table.csv"
    path.write_text(f"id,{name}\n1,a\n", encoding="utf-8")
    assert read_table(path).column("Gr\u00f6\u00dfe") == ["a"]


def test_a_file_without_names(tmp_path):
    path = tmp_path / "table.csv"
    path.write_text("a,b\nc,d\n")
    table = read_table(path, header=False)
    assert table.column("2") == ["b", "d"]
    with pytest.raises(ValueError, match=r"has the columns 1, 2\. Select"):
        table.column()
    with pytest.raises(ValueError, match="format must be one of 'tsv', 'csv', 'jsonl'"):
        read_table(path, format="xls")
