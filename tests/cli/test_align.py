"""``skpara align-vectors``: from files of translated sentences to a table."""

from __future__ import annotations

import json
import sys

import pytest

from skpara import ParagramEncoder, WordVectors
from skpara.cli import main

ROWS = [("A dog runs.", "Corre un perro."), ("Dogs sleep.", "Los perros duermen.")]


@pytest.fixture
def vectors(tmp_path):
    """Return a file of vectors for the English words."""
    words = "a dog runs dogs sleep".split()
    rows = [[float(i == k) for k in range(len(words))] for i in range(len(words))]
    path = tmp_path / "english.npz"
    WordVectors(words, rows).save(path)
    return str(path)


@pytest.fixture
def bitext(tmp_path):
    path = tmp_path / "spa.tsv"
    path.write_text("".join(f"{a}\t{b}\tCC-BY 2.0\n" for a, b in ROWS), "utf-8")
    return str(path)


def test_a_table_is_written(tmp_path, vectors, bitext, capsys):
    more = tmp_path / "deu.csv"
    more.write_text('english,german\n"A dog runs.",Ein Hund l\u00e4uft.\n', "utf-8")
    out = tmp_path / "new" / "table.safetensors"
    command = ["align-vectors", "--vectors", vectors, "--min-count", "1"]
    command += ["--out", str(out), "--bitext"]
    assert main([*command, bitext, bitext]) == 0
    shown = capsys.readouterr()
    assert "Pairs: 4, of which 2 are different" in shown.out
    assert "Words: 5 of the first language, 7 added" in shown.out
    assert f"Vectors: {out}" in shown.out
    assert f"Reading {bitext} ..." in shown.err
    assert "Learning from 2 pairs" in shown.err
    table = WordVectors.load(out)
    assert {"corre", "un", "perro", "los", "perros", "duermen"} < set(table.words)
    assert main([*command, str(more), "--columns", "english,german", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert (report["pairs"], report["words"], report["vectors"]) == (1, 5, str(out))
    assert report["bytes"] == out.stat().st_size
    assert "l\u00e4uft" in WordVectors.load(out)


def test_columns_may_be_in_the_other_order(tmp_path, vectors, capsys):
    path, out = tmp_path / "spa.tsv", str(tmp_path / "table.npz")
    path.write_text("".join(f"{b}\t{a}\n" for a, b in ROWS), "utf-8")
    command = ["align-vectors", "--vectors", vectors, "--min-count", "1"]
    command += ["-o", out, "--bitext", str(path)]
    assert main(command) == 1
    assert "columns seem to be swapped" in capsys.readouterr().err
    assert main([*command, "--columns", "2,1"]) == 0
    assert "perro" in WordVectors.load(out)


@pytest.mark.skipif(sys.platform != "linux", reason="XDG_CACHE_HOME is for Linux")
def test_multilingual_vectors_are_those_of_the_command(
    tmp_path, vectors, bitext, monkeypatch, capsys
):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    encoder = ParagramEncoder(vectors="multilingual")
    with pytest.raises(FileNotFoundError, match="skpara align-vectors --bitext"):
        encoder.encode(["perro"])
    command = ["align-vectors", "--vectors", vectors, "--bitext", bitext, "--min-count", "1"]
    assert main(command) == 0
    assert "vectors='multilingual'" in capsys.readouterr().out
    assert encoder.encode(["perro"]).any()
    first = WordVectors.load("multilingual")
    assert WordVectors.load("multilingual") is first
    # A new table is noticed.
    assert main(command) == 0
    assert WordVectors.load("multilingual") is not first


def test_problems_are_reported_before_the_work(tmp_path, vectors, bitext, capsys):
    command = ["align-vectors", "--vectors", vectors, "--bitext"]
    assert main([*command, "-", "-"]) == 2
    assert "Only one of the files can be standard input" in capsys.readouterr().err
    assert main([*command, bitext, "-o", "table.bin"]) == 1
    assert "saved as .safetensors or .npz" in capsys.readouterr().err
    assert main([*command, str(tmp_path / "nothing.tsv"), "-o", "table.npz"]) == 1
    assert "nothing.tsv" in capsys.readouterr().err
    empty = tmp_path / "empty.tsv"
    empty.touch()
    assert main([*command, str(empty), "-o", "table.npz"]) == 1
    assert "empty.tsv holds no pairs" in capsys.readouterr().err
    with pytest.raises(SystemExit) as end:
        main([*command, bitext, "--min-count", "0"])
    assert end.value.code == 2
    assert "at least 1" in capsys.readouterr().err
