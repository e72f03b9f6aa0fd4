"""Pairs of files of every format, and what is said of those that are not right."""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
import threading
from types import SimpleNamespace

import pytest

from skpara.cli._pair_files import PairFile

HEADER = ("sentence1", "sentence2", "score", "group")


def write(folder, name, rows, header=HEADER):
    """The rows in the format, and packed as, the name says."""
    path = folder / name
    opened = gzip.open if name.endswith(".gz") else open
    with opened(path, "wt", encoding="utf-8", newline="") as file:
        if ".jsonl" in name:
            for row in rows:
                file.write(json.dumps(dict(zip(header, row, strict=True))) + "\n")
        elif ".csv" in name:
            csv.writer(file).writerows([header, *rows] if header else rows)
        else:
            for row in [header, *rows] if header else rows:
                file.write("\t".join(map(str, row)) + "\n")
    return str(path)


def text(folder, content, name="pairs.tsv"):
    (folder / name).write_bytes(content.encode())
    return str(folder / name)


@pytest.mark.parametrize(
    "name", ["a.tsv", "a.txt", "a.csv", "a.jsonl", "a.ndjson.jsonl", "a.tsv.gz", "a.CSV.gz"]
)
def test_every_format_gives_the_same_rows(tmp_path, rows, name):
    path = write(tmp_path, name.lower(), rows)
    if name != name.lower():
        os.rename(path, tmp_path / name)
        path = str(tmp_path / name)
    found = list(PairFile(path, scored=True, group="group"))
    assert [(*row.pair, row.score, row.group) for row in found] == rows


def test_without_a_header_columns_are_one_two_three(tmp_path, rows):
    path = write(tmp_path, "a.tsv", rows, header=None)
    file = PairFile(path, scored=True, group="4")
    assert [(*row.pair, row.score, row.group) for row in file] == rows
    assert file.header is None


def test_columns_by_name_and_by_number(tmp_path):
    content = "id\tA\tgold\tb\n1\ta dog\t4\ta cat\n"
    path = text(tmp_path, content)
    (named,) = PairFile(path, columns=["a", "B", "gold"], scored=True, group="id")
    assert named[1:4] == (("a dog", "a cat"), 4.0, "1")
    *_, numbered = PairFile(path, columns=["2", "4"])
    assert numbered.pair == ("a dog", "a cat")
    assert math.isnan(numbered.score)
    path = text(tmp_path, '{"a": "one", "b": "two", "1": 3}\n', "a.jsonl")
    (row,) = PairFile(path, columns=["b", "a", "1"], scored=True)
    assert row[1:3] == (("two", "one"), 3.0)


def test_scores_are_not_looked_at_where_none_are_wanted(tmp_path):
    (row,) = PairFile(text(tmp_path, "a\tb\tunknown\n"))
    assert row.pair == ("a", "b")


def test_windows_files_with_a_byte_order_mark(tmp_path):
    content = "\ufeffsentence1,sentence2,score\r\na dog,a cat,1.5\r\n"
    (row,) = PairFile(text(tmp_path, content, "a.csv"), scored=True)
    assert row[:3] == (2, ("a dog", "a cat"), 1.5)


def test_empty_sentences_are_sentences(tmp_path):
    (row,) = PairFile(text(tmp_path, "\t\t2\n"), scored=True)
    assert row.pair == ("", "")


@pytest.mark.parametrize("content", ["", "\n", "sentence1\tsentence2\tscore\n"])
def test_no_rows(tmp_path, content):
    file = PairFile(text(tmp_path, content), scored=True)
    assert list(file) == list(file.chunks()) == []


def test_chunks_hold_all_rows_in_order(tmp_path, rows):
    path = write(tmp_path, "a.csv", rows)
    chunks = list(PairFile(path).chunks(7))
    assert [len(chunk) for chunk in chunks] == [7] * 5 + [5]
    assert [row.pair for chunk in chunks for row in chunk] == [row[:2] for row in rows]


def test_a_chunk_does_not_wait_for_rows_to_come(monkeypatch):
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as source, os.fdopen(writing, "wb", buffering=0) as sink:
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=source))
        chunks = PairFile("-").chunks(100)
        sink.write(b"a\tb\nc\td\ne\t")
        assert [row.pair for row in next(chunks)] == [("a", "b"), ("c", "d")]
        threading.Timer(0.1, lambda: sink.write(b"f\n")).start()
        assert [row.pair for row in next(chunks)] == [("e", "f")]


def test_rows_before_a_wrong_one_are_given_first(tmp_path):
    chunks = PairFile(text(tmp_path, "a\tb\nc\td\nwrong\n")).chunks()
    assert len(next(chunks)) == 2
    with pytest.raises(ValueError, match="line 3, has 1 column"):
        next(chunks)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.tsv", "a\tb\t1\nc\td\tx\n", r"a.tsv, line 2, column 3: the score 'x' is not a number"),
        ("a.tsv", "a\tb\t\n", "line 1, column 3: the score ''"),
        ("a.tsv", "a\tb\tnan\n", "the score 'nan' is not a number"),
        ("a.tsv", "premise\thypothesis\tsim\na\tb\t1\n", "line 1, column 3.*--columns NAME"),
        ("a.tsv", "a\tb\t1\nc\td\n", "line 2, has 2 column.*column 3 is wanted.*by tabs"),
        ("a.tsv", "sentence1\tsentence2\tgold\na\tb\t1\n", "line 1, has no column 'score'"),
        ("a.tsv", "sentence1\tsentence2\tscore\tscore\n", "more than one column 'score'"),
        (
            "a.tsv",
            "sentence1\tsentence2\tscore\na\tb\tc\t1\n",
            "line 2, has 4.*first row 3.*a tab",
        ),
        ("a.csv", "sentence1,sentence2,score\na, b,c,1\n", "line 2, has 4.*first row 3.*a comma"),
        ("a.csv", "sentence1,sentence2,score\na,b,4;5\n", "line 2, column score: the score '4;5'"),
        ("a.jsonl", '{"sentence1": "a", "score": 1}\n', "line 1, has no 'sentence2': it holds"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": null, "score": 1}', "'sentence2' is None"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "\\ud800", "score": 1}', "half a character"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": true}', "score True is not"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": [1]}', "column score: the"),
        ("a.jsonl", '{"sentence1": "a", "sentence2": "b", "score": NaN}', "score nan is not"),
    ],
)
def test_errors_name_line_column_and_remedy(tmp_path, name, content, message):
    with pytest.raises(ValueError, match=message):
        list(PairFile(text(tmp_path, content, name), scored=True))


def test_groups_that_cannot_be_found(tmp_path, rows):
    bare, headed = (write(tmp_path, f"{h}.tsv", rows, header=h) for h in (None, HEADER))
    with pytest.raises(ValueError, match=r"the group 'group' cannot be found\. Give its number"):
        list(PairFile(bare, group="group"))
    with pytest.raises(ValueError, match="no column 'genre': it holds sentence1, sentence2"):
        list(PairFile(headed, group="genre"))
    with pytest.raises(ValueError, match="column 9 is wanted"):
        list(PairFile(bare, group="9"))


def test_a_name_that_tells_no_format(tmp_path):
    path = text(tmp_path, "a\tb\n", "pairs.dat")
    with pytest.raises(ValueError, match=r"pairs\.dat does not say.*--format tsv"):
        PairFile(path)
    assert len(list(PairFile(path, format="tsv"))) == 1
