"""skpara-languages: made from bitext, installed, and found by its name."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import zipfile
from itertools import product

import pytest

from skpara import __version__
from skpara.encoders import align_vectors

NOUNS = {"dog": "Hund", "man": "Mann", "bird": "Vogel", "tree": "Baum"}
VERBS = {"sleeps": "schläft", "sings": "singt", "waits": "wartet", "falls": "fällt"}
GERMAN = [
    (f"The {noun} {verb}.", f"Der {NOUNS[noun]} {VERBS[verb]}.")
    for noun, verb in product(NOUNS, VERBS)
]
WHEEL = f"skpara_languages-{__version__}-py3-none-any.whl"
# Warnings are errors: the table extends the packaged vectors.
USE = """
from skpara import ParagramEncoder
encoder = ParagramEncoder(vectors="multilingual")
print(*encoder.similarity(["The dog sleeps."] * 2, ["Der Hund schläft.", "Der Baum singt."]))
"""


@pytest.fixture
def german(tmp_path):
    """A file of bitext, beside the text about it."""
    path = tmp_path / "animals.de.tsv"
    path.write_text("".join(f"{first}\t{second}\n" for first, second in GERMAN), "utf8")
    path.with_name("animals.txt").write_text("Animals\nMade up, CC0 1.0\n", "utf8")
    return path


def test_a_built_wheel_is_found(load, tiny_data, german, tmp_path, monkeypatch, capsys):
    out, target = tmp_path / "out", tmp_path / "installed"
    options = ["--data", str(tiny_data), "--bitext", str(german), "--out", str(out)]
    monkeypatch.setattr(sys, "argv", ["build_languages.py", *options])
    load("build_languages").main()
    assert re.search(r"^German +animals +16 +0$", capsys.readouterr().out, re.MULTILINE)
    assert [path.name for path in out.iterdir()] == [WHEEL]

    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "install"]
    options = ["--no-deps", "--no-index", "--no-compile", "--target", str(target)]
    subprocess.run([*pip, *options, str(out / WHEEL)], check=True)
    empty = {"XDG_CACHE_HOME": str(tmp_path / "cache"), "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", "-c", USE],
        env={**os.environ, **empty, "PYTHONPATH": str(target), "PYTHONUTF8": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    same, other = map(float, done.stdout.split())
    assert same > 0.9 > 0.5 > other

    record = json.loads((target / "skpara_languages" / "languages.json").read_text("utf8"))
    assert list(record["languages"]) == ["en", "es", "fr", "de"]
    assert record["languages"]["de"]["pairs"] == {"animals": 16}
    assert set(record["languages"]["de"]["scores"]) >= {"dev", "test", "test_with_english"}


def test_the_package_names_its_license_and_sources(load, tmp_path):
    builder = load("build_languages")
    table = align_vectors(GERMAN, {"dog": [1.0, 0.0], "bird": [0.0, 1.0]})
    languages = {"en": {"name": "English", "scores": {}}, "de": {"name": "German", "scores": {}}}
    record = {"english_sha256": "", "languages": languages}
    wheels = []
    for name in ("once", "again"):
        folder = tmp_path / name
        builder.write_package(folder / "tree", table, record, {"animals": "   Made up, CC0 1.0\n"})
        wheels.append(builder.build_wheel(folder / "tree", folder))
    assert wheels[0].read_bytes() == wheels[1].read_bytes()
    with zipfile.ZipFile(wheels[0]) as wheel:
        names = wheel.namelist()
        info = f"skpara_languages-{__version__}.dist-info"
        metadata = wheel.read(f"{info}/METADATA").decode()
        notice = wheel.read(f"{info}/licenses/NOTICE").decode()
    assert "License-Expression: CC-BY-SA-4.0\n" in metadata
    assert "Requires-Dist" not in metadata
    assert f"{info}/licenses/LICENSES/CC-BY-SA-4.0.txt" in names
    for text in ("1. Words of German\n", "   Made up, CC0 1.0\n", "WordNet 3.0 Copyright 2006"):
        assert text in notice


def test_evaluated_sentences_and_their_translations_are_left_out(load, tiny_data, german):
    builder = load("build_languages")
    pairs = builder.retrieval_pairs(tiny_data, "de")
    lines = [f"{pairs[0][0]}\tEin neuer Satz.", f"A new sentence.\t{pairs[1][1]}"]
    german.write_text("\n".join([*lines, "\t", "A dog.\tEin Hund.", "A dog.\tEin Hund."]), "utf8")
    text = builder.collect(tiny_data, [german])[-1]
    assert text.pairs == [("A dog.", "Ein Hund.")]
    assert (text.language, text.source, text.n_left_out) == ("de", "animals", 3)


def test_bitext_without_a_language_or_a_license_is_refused(load, german):
    builder = load("build_languages")
    for name in ("animals.tsv", "animals.xx.tsv", "animals.de.txt"):
        with pytest.raises(ValueError, match=r"NAME\.LANG\.tsv, where LANG is one of es, fr"):
            builder.described(german.with_name(name))
    german.with_name("animals.txt").unlink()
    with pytest.raises(FileNotFoundError, match="what its license is"):
        builder.described(german)
