"""``skpara match`` and ``skpara dedupe``: tables in, tables out."""

from __future__ import annotations

import csv
import io
import json
import os
import re

import pytest

from skpara.cli import main

ORDERS = 'id,title\n1,"bike, red"\n2,\n3,a chair\n'
SHOP = "name,price,id\ngarden chair,40,c\nred bicycle,250,b\n"
SUFFIXES = (".csv", ".txt", ".jsonl")
TEXT = "A dog runs.\nIt rains.\nA dog runs!\nA cat sleeps.\n"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "orders.csv").write_text(ORDERS)
    (tmp_path / "shop.csv").write_text(SHOP)
    (tmp_path / "lines.txt").write_text(TEXT)
    return tmp_path


def run(folder, *arguments):
    return main([str(folder / x) if x.endswith(SUFFIXES) else x for x in arguments])


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_two_tables(folder, capsys):
    assert run(folder, "match", "orders.csv", "shop.csv", "--on", "title,name") == 0
    shown = capsys.readouterr()
    rows = rows_of(shown.out)
    assert rows[0] == ["id", "title", "name", "price", "id_match", "score"]
    assert [row[:5] for row in rows[1:]] == [
        ["1", "bike, red", "red bicycle", "250", "b"],
        ["2", "", "", "", ""],
        ["3", "a chair", "garden chair", "40", "c"],
    ]
    assert 0 < float(rows[1][5]) <= 1
    assert rows[2][5] == ""
    assert shown.err == "2 of 3 rows have a match.\n"


def test_usual_names_and_numbers(folder, capsys):
    assert run(folder, "match", "orders.csv", "shop.csv") == 0
    expected = capsys.readouterr().out
    assert run(folder, "match", "orders.csv", "shop.csv", "--on", "2,1") == 0
    assert capsys.readouterr().out == expected
    assert run(folder, "match", "orders.csv", "shop.csv", "--on", "TITLE, Name") == 0
    assert capsys.readouterr().out == expected


def test_lowest_score_reasons_and_several_matches(folder, capsys):
    options = ["--top-k", "2", "--how", "inner", "--min-score", "0.3", "--explain"]
    assert run(folder, "match", "orders.csv", "shop.csv", *options) == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0][-2:] == ["score", "reason"]
    assert [row[0] for row in rows[1:]] == ["1", "3"]
    assert "chair ~ chair" in rows[2][-1]


def test_json_lines(folder, capsys):
    path = folder / "wishes.jsonl"
    path.write_text('{"text": "bike (red)", "n": 1}\n{"text": "", "tags": ["x"]}\n')
    assert run(folder, "match", "wishes.jsonl", "wishes.jsonl", "--on", "text") == 0
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert first["text"] == first["text_match"] == "bike (red)"
    assert first["n_match"] == 1
    assert second == {"text": "", "tags": ["x"]}


def test_a_model_scores_the_candidates(folder, model_file, capsys):
    options = ["--model", str(model_file), "-o", "new/out.csv"]
    assert run(folder, "match", "orders.csv", "shop.csv", *options) == 0
    assert capsys.readouterr().out == ""
    rows = rows_of((folder / "new" / "out.csv").read_text())
    assert 0 <= float(rows[1][5]) <= 5
    assert os.listdir(folder / "new") == ["out.csv"]


def test_rows_that_repeat_are_left_out(folder, capsys):
    assert run(folder, "dedupe", "lines.txt") == 0
    shown = capsys.readouterr()
    assert shown.out == "A dog runs.\nIt rains.\nA cat sleeps.\n"
    assert shown.err == "4 rows, 1 of them repeat another one.\n"
    assert run(folder, "dedupe", "lines.txt", "--keep", "last", "--threshold", "0.5") == 0
    assert "A dog runs!" in capsys.readouterr().out


def test_other_columns_are_kept(folder, capsys):
    (folder / "a.csv").write_text('n,text\n1,"a ""dog"""\n2,a cat\n3,a dog\n4,a dog\n')
    assert run(folder, "dedupe", "a.csv", "--on", "text", "--threshold", "0.99") == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0] == ["n", "text"]
    assert "4" not in [row[0] for row in rows]
    assert run(folder, "dedupe", "a.csv", "--on", "text", "--write", "clusters") == 0
    rows = rows_of(capsys.readouterr().out)
    assert rows[0] == ["n", "text", "cluster"]
    assert rows[3][2] == rows[4][2]
    assert run(folder, "dedupe", "a.csv", "--on", "text", "--write", "pairs") == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    assert lines[0] == ["sentence1", "sentence2", "score"]
    assert ["a dog", "a dog", "1.0000"] in lines


def test_standard_input(capsys, monkeypatch):
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(TEXT.encode())))
    assert main(["dedupe"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 3


@pytest.mark.parametrize("content", ["", "text\n"])
def test_no_rows(folder, content, capsys):
    (folder / "empty.csv").write_text(content)
    assert run(folder, "dedupe", "empty.csv", "--on", "text") == 0
    assert capsys.readouterr().out == content
    assert run(folder, "dedupe", "empty.csv", "--on", "text", "--write", "clusters") == 0
    assert capsys.readouterr().out == content.replace("text", "text,cluster")
    assert run(folder, "dedupe", "empty.csv", "--on", "text", "--write", "pairs") == 0
    assert capsys.readouterr().out == "sentence1\tsentence2\tscore\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["match", "orders.csv", "shop.csv", "--on", "title"],
            "no column 'title'.*name, price, id",
        ),
        (["match", "orders.csv", "none.csv"], "There is no file"),
        (["dedupe", "orders.csv", "--no-header"], "has the columns 1, 2. Select the column"),
        (["dedupe", "bad.csv"], "line 3, has 1 column"),
        (["dedupe", "bad.jsonl", "--on", "text"], "line 2: 'text' is 3 instead of text"),
    ],
)
def test_problems_are_explained(folder, arguments, message, capsys):
    (folder / "bad.csv").write_text("a,text\n1,b\nc\n")
    (folder / "bad.jsonl").write_text('{"text": "a"}\n{"text": 3}\n')
    assert run(folder, *arguments) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert re.search(message, shown.err), shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "-", "-"], "Only one of the two"),
        (["match", "orders.csv", "shop.csv", "--on", "a,b,c"], "--on takes"),
        (["match", "a.jsonl", "shop.csv", "--no-header"], "--no-header is for tsv and csv"),
        (["dedupe", "lines.txt", "--model", "x"], "set --threshold"),
        (["dedupe", "lines.txt", "--keep", "last", "--write", "pairs"], "--keep does not change"),
        (["dedupe", "lines.txt", "--keep", "last", "--write", "clusters"], "--write clusters"),
        (["dedupe", "lines.txt", "--linkage", "single", "--write", "pairs"], "--linkage does not"),
    ],
)
def test_options_that_would_do_nothing_are_refused(folder, arguments, message, capsys):
    (folder / "a.jsonl").write_text('{"text": "a"}\n')
    assert run(folder, *arguments) == 2
    shown = capsys.readouterr()
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_an_error_leaves_the_old_file(folder, capsys):
    out = folder / "out.csv"
    out.write_text("old")
    assert run(folder, "dedupe", "orders.csv", "--on", "price", "-o", str(out)) == 1
    assert out.read_text() == "old"
