"""``skpara match`` and ``skpara dedupe``: tables in, tables out."""

from __future__ import annotations

import csv
import io
import json
import os
import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skpara.datasets import read_table


def rows_of(text):
    return list(csv.reader(io.StringIO(text)))


def test_two_tables(run, folder):
    shown = run("match", "orders.csv", "shop.csv", "--left-on", "title", "--right-on", "name")
    rows = rows_of(shown.out)
    assert rows[0] == ["id", "title", "name", "price", "id_match", "probability"]
    assert [row[:5] for row in rows[1:]] == [
        ["1", "bike, red", "red bicycle", "250", "b"],
        ["2", "", "", "", ""],
        ["3", "a chair", "garden chair", "40", "c"],
    ]
    assert 0 < float(rows[1][5]) <= 1
    assert rows[2][5] == ""
    assert shown.err == "2 of 3 rows have a match.\n"


def test_usual_names_and_numbers(run, folder):
    files = ["orders.csv", "shop.csv"]
    shown = run("match", *files, "--left-on", "2", "--right-on", " NAME")
    assert shown.out == run("match", *files).out


def test_records_are_matched_one_to_one(run, folder):
    (folder / "a.csv").write_text("name,x,row\nAnna Berg,,1951\nJohn Small,,1980\nAna Berg,,1951")
    (folder / "b.csv").write_text("id,name,row\n1,Jon Small,1980\n2,Anna Berg,1951\n")
    shown = run("match", "a.csv", "b.csv", "--on", "name,row", "--one-to-one", "--explain")
    rows = rows_of(shown.out)
    assert rows[0] == "name x row id name_match row_match probability reason".split()
    assert [row[3] for row in rows[1:]] == ["2", "1", ""]
    shown = run("match", "a.csv", "b.csv", "--on", "name", "--precision", "0.995")
    assert shown.err.startswith("1 of 3 rows")
    assert re.match(r"name [+]\d\.\d\d; row [+]\d\.\d\d; whole row [+-]\d", rows[1][-1])
    shown = run("match", "a.csv", "b.csv", "--left-on", "row", "--right-on", "name,row", code=2)
    assert "1 columns of a.csv and 2 of b.csv are to be compared. Name as many" in shown.err
    shown = run("match", "orders.csv", "b.csv", "--on", "row", code=1)
    assert "has no column 'row'" in shown.err
    assert "--left-on and --right-on name columns" in shown.err


def test_all_matches_of_a_row(run, folder):
    (folder / "a.csv").write_text("name\nAnna Berg\n")
    (folder / "b.csv").write_text("name\nAnna Berg\nPaul Klee\nAnna Berg\n")
    files = ["a.csv", "b.csv", "--top-k"]
    assert len(rows_of(run("match", *files, "1").out)) == 2
    assert len(rows_of(run("match", *files, "all").out)) == 3


def test_a_table_that_is_compared_with_itself_is_noted(run, folder):
    assert "`skpara dedupe` finds duplicates" in run("match", "shop.csv", "shop.csv").err


def test_lowest_score_reasons_and_several_matches(run, folder):
    options = ["--top-k", "2", "--how", "inner", "--threshold", "0.3", "--explain"]
    rows = rows_of(run("match", "orders.csv", "shop.csv", *options).out)
    assert rows[0][-2:] == ["probability", "reason"]
    assert [row[0] for row in rows[1:]] == ["1", "3"]
    assert "chair ~ chair" in rows[2][-1]
    (folder / "x.tsv").write_text("name\nchair\n")
    (folder / "y.csv").write_text('name\n"chair\t"\n')
    assert "TSV cannot hold" in run("match", "x.tsv", "y.csv", code=1).err


# A table with NUL is refused, ="1" is the text 1 of a spreadsheet, and four quotes are warned of.
CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\0="), max_size=6)
CELLS = CELLS.filter(lambda text: text.count('"') < 4) | st.sampled_from(["", '"', ",", "\r"])
VALUES = CELLS | st.none() | st.booleans() | st.integers()
VALUES |= st.floats(allow_nan=False, allow_infinity=False)
VALUES |= st.lists(VALUES, max_size=2) | st.dictionaries(CELLS, VALUES, max_size=1)
ROWS = {
    "csv": st.tuples(CELLS, CELLS),
    "tsv": st.tuples(*[CELLS.map(lambda text: re.sub("[\t\n\r]", "_", text))] * 2),
    "jsonl": st.dictionaries(st.sampled_from(["a", "b"]), VALUES | st.just("\ud800")),
}
FORMAT = st.sampled_from(sorted(ROWS))


def write(path, row):
    """Write a table of one row, with the sentence in a column "text"."""
    with path.open("w", encoding="utf-8", newline="") as out:
        if path.suffix == ".jsonl":
            json.dump({"text": "a dog"} | row, out)
        elif path.suffix == ".csv":
            csv.writer(out).writerows([["text", "a", "b"], ["a dog", *row]])
        else:
            out.write("text\ta\tb\n" + "\t".join(["a dog", *row]))


def cells_of(path):
    """The cells of the only row as text."""
    table = read_table(path)
    row = table.rows[0]
    cells = [row.get(name) for name in table.header] if isinstance(row, dict) else row
    texts = [x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in cells]
    texts = ["" if text == "null" else text for text in texts]
    return [text.encode(errors="backslashreplace").decode() for text in texts]


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(st.data(), FORMAT, FORMAT)
def test_cells_come_out_as_they_went_in(run, folder, data, format, other):
    left, right, out = folder / f"l.{format}", folder / f"r.{other}", folder / f"out.{format}.gz"
    write(left, data.draw(ROWS[format]))
    write(right, data.draw(ROWS[other]))
    run("dedupe", left, "-o", out, "--on", "text")
    assert read_table(out).rows == read_table(left).rows
    cells = [*cells_of(left), *cells_of(right)]
    if format == "tsv" and re.search("[\t\n]", "".join(cells)):
        assert "TSV cannot hold" in run("match", left, right, "--on", "text", code=1).err
    else:
        run("match", left, right, "-o", out, "--on", "text")
        assert cells_of(out)[:-1] == cells


NUMBERS = st.from_regex(r"-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,2})?", fullmatch=True)


@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(NUMBERS.filter(str.isascii))
def test_numbers_of_json_have_the_digits_that_were_written(run, folder, number):
    row = f'{{"text": "a dog", "other": "a cat", "n": {number}, "more": [{{"x": {number}}}]}}'
    (folder / "a.jsonl").write_text(row)
    assert run("dedupe", "a.jsonl", "--on", "text").out == row + "\n"
    assert run("match", "a.jsonl", "a.jsonl", "--on", "text").out.startswith(row[:-1])
    shown = run("match", "lines.txt", "a.jsonl", "--right-on", "text")
    assert shown.out.split("\t")[3] == number
    shown = run("predict", "a.jsonl", "--columns=text,other", "--with-pairs")
    assert shown.out.startswith(row[:-1])


def test_a_model_scores_the_candidates(run, folder, model_file):
    options = ["--model", str(model_file), "-o", "new/out.csv"]
    assert run("match", "orders.csv", "shop.csv", *options).out == ""
    rows = rows_of((folder / "new" / "out.csv").read_text())
    assert 0 <= float(rows[1][5]) <= 5
    assert os.listdir(folder / "new") == ["out.csv"]


def test_rows_that_repeat_are_left_out(run, folder):
    shown = run("dedupe", "lines.txt")
    assert shown.out == "A dog runs.\nIt rains.\nA cat sleeps.\n"
    assert shown.err.startswith("4 rows, 3 clusters, 1 rows dropped, largest cluster 2 ")
    assert "A dog runs!" in run("dedupe", "lines.txt", "--keep", "last", "--threshold", "0.5").out


def test_other_columns_are_kept(run, folder):
    (folder / "a.csv").write_text('n,text\n1,"a ""dog"""\n2,a cat\n3,a dog\n4,a dog\n')
    rows = rows_of(run("dedupe", "a.csv", "--on", "text", "--threshold", "0.99").out)
    assert rows[0] == ["n", "text"]
    assert "4" not in [row[0] for row in rows]
    (folder / "a.csv").write_text('cluster,text\n1,"a ""dog"""\n2,a cat\n3,a dog\n4,a dog\n')
    rows = rows_of(run("dedupe", "a.csv", "--on", "text", "--write", "clusters").out)
    assert rows[0] == ["cluster", "text", "cluster_match"]
    assert rows[3][2] == rows[4][2]
    shown = run("dedupe", "a.csv", "--on", "text", "--write", "pairs").out
    lines = [line.split("\t") for line in shown.splitlines()]
    assert lines[0] == ["sentence1", "sentence2", "score", "reason"]
    assert ['a "dog"', "a dog", "1.0000", ""] in lines  # the first of all rows that say the same


def test_records_that_repeat_are_left_out(run, folder):
    rows = [f"{a} {b},{1000 + 77 * len(b)}{a[0]}" for a in ("Ada", "Bo") for b in ("Berg", "Li")]
    (folder / "a.csv").write_text("\n".join(["name,code", *rows, rows[1].replace("Li", "Lie")]))
    shown = run("dedupe", "a.csv", "--on", "name,code")
    assert shown.out.splitlines() == ["name,code", *rows]
    shown = run("dedupe", "a.csv", "--on", "name,code", "--write", "pairs")
    first, second = shown.out.splitlines()[1].split("\t")[:2]
    assert (first, second) == ("Ada Li 1154A", "Ada Lie 1154A")
    (folder / "a.jsonl").write_text('{"name": "Bo \\ud800", "code": "1"}\n' * 2)
    assert run("dedupe", "a.jsonl", "--on", "name,code").out.count("Bo \\ud800") == 1


def test_opposites_are_kept_apart(run, folder):
    days = ["The board is meeting on Monday.", "The board is meeting on Tuesday."]
    (folder / "days.txt").write_text("\n".join(days))
    dedupe = ["dedupe", "days.txt", "--threshold", "0.7"]
    shown = run(*dedupe, "--write", "pairs")
    assert shown.out.splitlines()[1].endswith("\tTuesday, not Monday")
    assert "0 near the threshold, 1 kept apart by the guard" in shown.err
    assert run(*dedupe, "--guard", "off").out == f"{days[0]}\n"
    (folder / "days.txt").write_text("The board is meeting on Monday.\nIt rains all day.\n")
    (folder / "day.txt").write_text("The board is meeting on Friday.\n")
    assert "Monday" in run("match", "day.txt", "days.txt", "--guard", "identifiers").out
    shown = run("match", "day.txt", "days.txt", "--explain")
    assert shown.out.endswith("\t\t\tMonday, not Friday\n")


def test_standard_input(run, folder, monkeypatch):
    monkeypatch.setattr(
        "sys.stdin", io.TextIOWrapper(io.BytesIO((folder / "lines.txt").read_bytes()))
    )
    assert len(run("dedupe").out.splitlines()) == 3


@pytest.mark.parametrize("content", ["", "text\n"])
def test_no_rows(run, folder, content):
    (folder / "empty.csv").write_text(content)
    command = ["dedupe", "empty.csv", "--on", "text"]
    shown = run(*command)
    assert shown.out == content
    assert ("empty.csv is empty." in shown.err) == (not content)
    assert run(*command, "--write", "clusters").out == content.replace("text", "text,cluster")
    assert run(*command, "--write", "pairs").out == "sentence1\tsentence2\tscore\treason\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["match", "orders.csv", "shop.csv", "--on", "title"],
            "no column 'title'.*name, price, id",
        ),
        (["match", "orders.csv", "none.csv"], "There is no file"),
        (
            ["match", "orders.csv", "shop.csv", "--left-on", "item"],
            "--left-on and --right-on name",
        ),
        (["dedupe", "orders.csv", "--no-header"], "has the columns 1, 2. Select the column"),
        (["dedupe", "bad.csv"], "line 3, has 1 column"),
        (["dedupe", "lines.txt", "--threshold", "90"], "threshold is a cosine.*mean 0.9"),
        (
            ["match", "orders.csv", "shop.csv", "--threshold", "35"],
            "threshold is.*mean 0.35",
        ),
        (["dedupe", "bad.jsonl", "--on", "text"], r"line 2: 'text' is \['a'\], not text"),
        (["dedupe", "header.csv", "--on", "txt"], "header.csv has no column 'txt', only text"),
    ],
)
def test_problems_are_explained(run, folder, arguments, message):
    (folder / "header.csv").write_text("text\n")
    (folder / "bad.csv").write_text("a,text\n1,b\nc\n")
    (folder / "bad.jsonl").write_text('{"text": "a"}\n{"text": ["a"]}\n')
    shown = run(*arguments, code=1)
    assert shown.out == ""
    assert re.search(message, shown.err), shown.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["match", "-", "-"], "Only one of the two"),
        (["dedupe", "a", "--on", "b,b"], "twice"),
        (["match", "orders.csv", "shop.csv", "--on", "a", "--left-on", "b"], "not both"),
        (["match", "a.jsonl", "shop.csv", "--no-header"], "--no-header is for tsv and csv"),
        (["dedupe", "lines.txt", "--model", "x"], "set --threshold"),
        (["dedupe", "lines.txt", "--keep", "last", "--write", "pairs"], "--keep does not change"),
        (["dedupe", "lines.txt", "--keep", "last", "--write", "clusters"], "--write clusters"),
        (["dedupe", "lines.txt", "--linkage", "single", "--write", "pairs"], "--linkage does not"),
    ],
)
def test_options_that_would_do_nothing_are_refused(run, folder, arguments, message):
    (folder / "a.jsonl").write_text('{"text": "a"}\n')
    shown = run(*arguments, code=2)
    assert shown.out == ""
    assert message in shown.err
    assert shown.err.count("\n") == 1


def test_an_error_leaves_the_old_file(run, folder):
    out = folder / "out.csv"
    out.write_text("old")
    run("dedupe", "orders.csv", "--on", "price", "-o", str(out), code=1)
    assert out.read_text() == "old"


def test_files_of_parquet_are_matched_in_a_folder(run, folder):
    pa = pytest.importorskip("pyarrow")
    pq = pytest.importorskip("pyarrow.parquet")
    pytest.importorskip("duckdb")
    shop = {"title": ["red bicycle", "garden chair", "oak table"], "price": [250, 40, 300]}
    pq.write_table(pa.table(shop), folder / "shop.parquet")
    pq.write_table(pa.table({"wish": ["Bicycle, red", "cake"]}), folder / "wishes.parquet")
    columns = ["--left-on", "wish", "--right-on", "title"]
    command = ["match", "wishes.parquet", "shop.parquet", *columns, "--folder", "out"]
    assert "1 of 2 rows have a match among 3 rows" in run(*command).err
    joined = pq.read_table(folder / "out" / "joined.parquet")
    assert joined["price"].to_pylist() == [250, None]
    for options, message in (
        (["--review", "3"], "--review does not go with"),
        (["--how", "inner"], "--how does not go with"),
        (["--one-to-one"], "--one-to-one does not go with"),
    ):
        assert message in run(*command, *options, code=2).err
    assert "needs all candidates in memory" in run(*command, "--top-k", "2", code=1).err
    assert "--folder needs Parquet files" in run("match", "orders.csv", *command[2:], code=2).err
    assert "--memory needs" in run(*command[:-2], "--memory", "3", code=2).err


def test_rows_without_a_match_of_either_file(run, folder):
    (folder / "a.csv").write_text("name,n\nBosch GSR120 drill,1\ngarden hose 25 m,2\n")
    (folder / "b.csv").write_text("name,eur\nPhilips Kettle,39\nBosch GSR120-Li Drill,92\n")
    found = {}
    for how in ("inner", "right", "outer", "anti"):
        shown = run("match", "a.csv", "b.csv", "--on", "name", "--how", how, "--explain")
        assert shown.err == "1 of 2 rows have a match.\n"
        found[how] = [(row["n"], row.get("eur")) for row in csv.DictReader(io.StringIO(shown.out))]
    assert found == {
        "inner": [("1", "92")],
        "right": [("1", "92"), ("", "39")],
        "outer": [("1", "92"), ("2", ""), ("", "39")],
        "anti": [("2", None)],
    }
