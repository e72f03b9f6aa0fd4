"""Tables as people have them are read as they are meant, or refused with what to do."""

from __future__ import annotations

import gzip
import json
import re

import pytest

from skpara import FusionClassifier, LexicalFeatures, make_pair_classifier

NAMES = ["Åsa Öberg", "Ben Fox", "Chloé Zed"]


def table(separator=",", end="\n", names=("id", "name", "city"), behind="", quote=""):
    rows = [names, *([f"00{k}", name, "Oslo"] for k, name in enumerate(NAMES))]
    lines = (separator.join(f"{quote}{cell}{quote}" for cell in row) + behind for row in rows)
    return end.join(lines) + end


def headless():
    return table().partition("\n")[2]


READ = {
    "semicolons.csv": table(";"),
    "pipes.csv": table("|"),
    "tabs.csv": table("\t"),
    "all quoted.csv": table(";", quote='"'),
    "packed.csv.gz": gzip.compress(table("|").encode()),
    "mark of UTF-8.csv": table().encode("utf-8-sig"),
    "UTF-16 with tabs.csv": table("\t").encode("utf-16"),
    "UTF-32.csv": table(";").encode("utf-32"),
    "Windows.csv --encoding cp1252": table(";", "\r\n").encode("cp1252"),
    "no mark.csv --encoding utf-16-be": table().encode("utf-16-be"),
    "Macintosh.csv": table(end="\r"),
    "both line ends.csv": table().replace("Oslo\n", "Oslo\r\n", 1),
    "commas behind all rows.csv": table(behind=",,,"),
    "commas behind some rows.csv": table().replace("Oslo\n", "Oslo,,\n", 1),
    "empty rows at the end.csv": table() + ",,\n,,\n",
    "line of Excel.csv": "sep=;\n" + table(";"),
    "spaces.csv": table(names=(" id ", " NAME", "city")),
    "other separators in cells.csv": table().replace("Oslo", '"a;b;c|d"'),
    "line breaks in cells.csv": table().replace("Oslo", '"Oslo\nNorway"'),
    "decimal commas.csv": table(";").replace("Oslo", "1.234,50 €"),
    "another character.csv --delimiter #": table("#"),
    "in a text file.txt --delimiter semicolon": table(";"),
    "ids as formulas.csv": re.sub(r"(00\d)", r'="\1"', table()),
    "only a quote in a cell.csv": table(names=("id", "name", 'city "x"')),
    "no names.csv --no-header --on 2": headless(),
    "mark of UTF-8.csv --encoding cp1252": table().encode("utf-8-sig"),
    "long cell.csv": table().replace("Oslo", "far away " * 20_000, 1),
    "names twice.csv --on 2": table(names=("id", "name", "name")),
}


@pytest.mark.parametrize("name", READ)
def test_a_table_is_read_as_it_is_meant(run, folder, name):
    name, *options = name.split(" --")
    content = READ[" --".join([name, *options])]
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    options = [part for option in options for part in f"--{option}".split()]
    on = [] if "--on" in options else ["--on", "name"]
    run("dedupe", name, *on, *options, "--threshold", "0.999", "-o", "out.jsonl")
    rows = [json.loads(line) for line in (folder / "out.jsonl").read_text("utf8").splitlines()]
    assert [list(row.values())[:2] for row in rows] == [[f"00{k}", x] for k, x in enumerate(NAMES)]
    assert {len(row) for row in rows} == {3}


REFUSED = {
    "Windows.csv": (table(";").encode("cp1252"), r"line 2, is not UTF-8.*--encoding.*cp1252"),
    "no mark.csv": (table().encode("utf-16-le"), r"may be utf-16-le.*--encoding"),
    "too short.csv": (table() + "003,Dan\n", r"line 5, has 2 .*Add the cells that are missing"),
    "wide title.csv": ("Customers,of,2026\n" + table(), r"line 2 has the name 'name'.*Delete the"),
    "mistyped.csv": (table(names=("id", "nmae", "city")), r"Did you mean 'nmae'"),
    "nested.jsonl": ('{"name": {"last": "Lee"}}', r"line 1: 'name' is .*Select a column of text"),
    "comma in a name.csv": (table() + "003,Eck, Dan,Oslo\n", r"line 5, has 4 .*comma"),
    "title.csv": ("Customers\n" + table(), r"line 2, has 3 .*Delete a title above"),
    "two files.csv": (table() * 2, "line 5, repeats the names of the columns"),
    "colons.csv": (table(":"), r"no column 'name'.*--delimiter"),
    "packed.csv": (gzip.compress(table().encode()), r"packed with gzip.*\.gz"),
    "zip.csv": (b"PK\x03\x04" + bytes(99), r"zip archive or a spreadsheet.*\.xlsx"),
    "old.csv": (b"\xd0\xcf\x11\xe0" + bytes(99), "old Excel.*Save the table as CSV"),
    "quoted.tsv": (table("\t", quote='"'), "cells are quoted: set the format to csv"),
    "open quote.csv": (table() + '"' + "x\n" * 99_999, "quote that does not end"),
    "zeros.csv": (table().encode() + b"\0" * 64, "line 5, holds a NUL"),
    "no names.csv --on 2": (headless(), r"unclear whether the first row.*--no-header"),
    "no names in a row.csv": (headless(), r"no column 'name'.*--no-header"),
    "one column.csv": ("Ann Lee\nBo Ek\n", r"unclear whether the first row.*--no-header"),
    "names twice.csv": (table(names=("id", "name", "name")), r"more than one.*by its number"),
    "two ways.csv": ("a|b,name\nc|d,Ann\ne|f,Bo\n", r"unclear which character.*--delimiter"),
    "commas.tsv": (table(), r"no column 'name'.*--delimiter"),
    "quote in a cell.csv": (table().replace("Ben", '"Ben'), r"line 3, is not CSV.*quote"),
    "empty line.csv": (table().replace("\n001", "\n\n001"), r"line 3, is empty. Delete it"),
    "packed.zip": (b"PK", "Unpack it first"),
    "list.json": ("[]", r"none of the suffixes .*\.xlsx"),
    "in fact text.xlsx": (table(), r"not a spreadsheet|needs openpyxl: pip install"),
    "in fact text.parquet": (table(), "is not Parquet"),
    "a.csv --encoding cp12520": (table(), "no encoding 'cp12520'. Pass utf-8"),
    "b.csv --delimiter ;;": (table(), "A delimiter is one character"),
    "c.jsonl --delimiter ;": ('{"name": "a"}', "it has no delimiter"),
    "d.parquet --encoding cp1252": (table(), "it has no encoding"),
    "e.tsv --format tsv --delimiter ;": (table("\t"), "delimiter of tsv is a tab"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_read_is_refused_with_a_remedy(run, folder, name):
    content, message = REFUSED[name]
    name, *options = name.split(" --")
    (folder / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    options = [part for option in options for part in f"--{option}".split()]
    on = [] if "--on" in options or name == "one column.csv" else ["--on", "name"]
    shown = run("dedupe", name, *on, *options, "-o", "out.csv", code=1)
    assert re.search(message, shown.err), shown.err
    assert shown.err.count("\n") == 1
    assert not (folder / "out.csv").exists()


@pytest.mark.filterwarnings("always:.*has a quoted cell")
def test_a_quoted_cell_of_tsv_is_taken_as_it_is_and_warned_of(run, folder):
    (folder / "a.tsv").write_text('id\tname\n1\t"a ""b"""\n2\t"c"\n')
    shown = run("dedupe", "a.tsv", "--on", "name")
    assert shown.out.splitlines()[1] == '1\t"a ""b"""'
    assert "line 2, has a quoted cell" in shown.err
    assert run("dedupe", "a.tsv", "--on", "name", "--format", "csv").out.startswith(
        "id\tname\n1\t"
    )


def test_a_missing_cell_is_a_row_without_a_match(run, folder):
    (folder / "a.csv").write_text("id;name;born\n007;Ann Lee;1970\n008;;\n009;Bo Ek;1981\n")
    rows = [{"name": None}, {"name": "Ann  Lee", "born": 1970, "n": 1}, {"n": 2}]
    (folder / "b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    for on in ("name", "name,born"):
        lines = run("match", "a.csv", "b.jsonl", "--on", on, "--explain").out.splitlines()
        # The delimiter of the output is that of the first table, and ids keep their zeros.
        assert lines[0] == "id;name;born;name_match;born_match;n;probability;reason"
        assert lines[1].startswith("007;Ann Lee;1970;Ann  Lee;1970;1;")
        assert lines[2] == "008;;;;;;;no text"
        assert run("dedupe", "b.jsonl", "--on", on).out.count("\n") == 3


def test_an_output_that_is_the_input_is_refused(run, folder):
    before = (folder / "orders.csv").read_bytes()
    for command in ("dedupe ./orders.csv --on 1", "match shop.csv orders.csv --on 1"):
        shown = run(*command.split(), "-o", "orders.csv", code=2)
        assert "orders.csv is the input, which it would replace" in shown.err
    assert (folder / "orders.csv").read_bytes() == before


def test_scores_with_a_decimal_comma_are_numbers(run, folder):
    rows = [("A dog runs.", "A dog ran.", "4,5"), ("It rains.", "Prices rose.", "0,25")] * 3
    shown = set()
    for comma in ",.":
        lines = (";".join(row).replace(",", comma) for row in rows)
        (folder / "a.csv").write_text("\n".join(["sentence1;sentence2;score", *lines]))
        shown.add(run("evaluate", "a.csv").out)
    assert len(shown) == 1


@pytest.mark.parametrize(("command", "name"), [("dedupe", "OUT.CSV.GZ"), ("encode", "OUT.NPY")])
def test_a_suffix_in_capitals_is_one(run, tmp_path, command, name):
    (tmp_path / "a.txt").write_text("It rains.\nA dog runs.\n")
    run(command, tmp_path / "a.txt", "-o", tmp_path / name)
    start = (tmp_path / name).read_bytes()[:6]
    assert start.startswith(b"\x1f\x8b" if command == "dedupe" else b"\x93NUMPY")


@pytest.mark.parametrize("name", ["out.pdf", "out.parquet.gz", "out.csv.zip", "out.xls"])
@pytest.mark.parametrize(
    "command", ["match lines.txt lines.txt", "dedupe lines.txt", "predict a_b.tsv"]
)
def test_an_output_of_an_unknown_suffix_is_refused(run, folder, command, name):
    shown = run(*command.split(), "-o", name, code=2)
    assert re.search(rf"{name} has none of the suffixes .*\.csv.*\.parquet, \.xlsx", shown.err)
    assert not (folder / name).exists()


@pytest.mark.parametrize(
    ("command", "known"),
    [
        ("encode lines.txt -o v.npz", ".npy, .txt, .tsv"),
        ("report p.csv -o r.pdf", ".html, .htm"),
        ("explain a b -o r.pdf", ".html, .htm, .txt"),
    ],
)
def test_other_commands_refuse_a_suffix_that_they_do_not_write(run, folder, command, known):
    shown = run(*command.split(), code=2)
    assert f"none of the suffixes {known}" in shown.err


def test_the_suffix_of_an_output_is_its_format(run, folder):
    (folder / "a.csv").write_text('name,note\nAnn,"x, y"\nBo,\n')
    expected = {
        "out.csv": 'name,note\nAnn,"x, y"\nBo,\n',
        "out.tsv": "name\tnote\nAnn\tx, y\nBo\t\n",
        "out.jsonl": '{"name": "Ann", "note": "x, y"}\n{"name": "Bo", "note": ""}\n',
        "out": 'name,note\nAnn,"x, y"\nBo,\n',
    }
    for name, text in expected.items():
        run("dedupe", "a.csv", "--on", "name", "-o", name)
        assert (folder / name).read_text() == text


def test_pairs_are_read_and_written_in_all_forms(run, folder):
    content = "question1;question2;label\nÅsa runs.;Åsa is running.;same\nIt rains.;No.;other\n"
    (folder / "p.csv").write_bytes(content.encode("cp1252"))
    shown = run("predict", "p.csv", "--with-pairs", "--encoding", "cp1252").out.splitlines()
    assert shown[0] == "question1;question2;label;predicted"
    assert shown[1].startswith("Åsa runs.;Åsa is running.;same;0.")
    assert "--encoding" in run("predict", "p.csv", code=1).err
    run("predict", "p.csv", "--encoding", "latin-1", "--with-pairs", "-o", "q.jsonl")
    rows = [json.loads(line) for line in (folder / "q.jsonl").read_text("utf8").splitlines()]
    assert [list(row) for row in rows] == [["question1", "question2", "label", "predicted"]] * 2
    run("predict", "q.jsonl", "--with-pairs", "-o", "r.csv", code=2)
    message = "'same' is not a number.*--labels"
    shown = run("train", "p.csv", "-o", "m.skpara", "--encoding", "cp1252", code=1)
    assert re.search(message, shown.err)


def test_labels_may_be_text(run, folder, monkeypatch):
    fusion = FusionClassifier(cv=2, random_state=0)
    quick = make_pair_classifier(lexical=LexicalFeatures("counts"), classifier=fusion)
    monkeypatch.setattr("skpara.make_pair_classifier", lambda **_: quick, raising=False)
    nouns = "dog cat man woman child bird horse team river car".split()
    rows = [f"A {x} runs.\tA {x} is running.\tsame" for x in nouns * 3]
    rows += [f"A {x} runs.\tThe {y} sleeps.\tdifferent" for x in nouns for y in nouns[:3]]
    (folder / "a.tsv").write_text("\n".join(rows))
    shown = run("train", "a.tsv", "--labels", "-o", "m.skpara")
    assert "class different: 30, class same: 30." in shown.out
    assert "probability of same" in shown.out
    shown = run("predict", "a.tsv", "--model", "m.skpara").out.splitlines()
    assert {line.split("\t")[1] for line in shown} <= {"same", "different"}
    (folder / "a.tsv").write_text("\n".join([*rows, "It rains.\tNo.\t1"]))
    shown = run("train", "a.tsv", "--labels", "-o", "m.skpara", code=1)
    assert "line 61: the label 1 differs in kind from most" in shown.err
    (folder / "a.tsv").write_text("\n".join([*rows, "It rains.\tNo.\t "]))
    assert (
        "line 61, column 3: there is no label"
        in run("train", "a.tsv", "--labels", "-o", "m.skpara", code=1).err
    )
    (folder / "a.tsv").write_text("\n".join(f"{row}{k}" for k, row in enumerate(rows)))
    shown = run("train", "a.tsv", "--labels", "-o", "m.skpara", code=1)
    assert "60 different labels" in shown.err
