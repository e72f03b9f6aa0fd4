"""``skpara explain``: reasons for the scores of pairs."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder, SiameseRegressor
from skpara.explanation import explain
from skpara.saving import save_model

PAIRS = [("A man plays a guitar.", "Someone is playing music."), ("It rains.", "Prices <rose>.")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\n" + "".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    return path


@pytest.fixture
def lexical():
    return make_pipeline(LexicalFeatures(["cosine", "len_sum"]), Ridge()).fit(PAIRS, [3, 0])


@pytest.fixture
def options(lexical, tmp_path):
    return ["--model", save_model(lexical, tmp_path / "m.skpara")]


def test_two_sentences_need_no_model(run):
    expected = explain(ParagramEncoder(), PAIRS[:1])[0]
    assert run("explain", *PAIRS[0]).out == f"{expected}\n\n"


def test_a_file_is_explained_by_a_model(run, file, lexical, options, tmp_path):
    expected = "".join(f"{explanation}\n\n" for explanation in explain(lexical, PAIRS))
    assert run("explain", file, *options).out == expected
    lines = run("explain", file, *options, "--json").out
    assert [json.loads(line)["pair"] for line in lines.splitlines()] == [*map(list, PAIRS)]
    out = tmp_path / "reasons.jsonl"
    run("explain", file, *options, "--json", "-o", out)
    assert out.read_text("utf-8") == lines


def test_a_page_has_everything(run, file, options, tmp_path):
    out = tmp_path / "reasons.html"
    run("explain", file, *options, "-o", out)
    text = out.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "guitar" in text
    assert "<rose" not in text
    assert "http" not in text
    run("explain", file, *options, "-o", out, "--json", code=2)


def test_a_model_that_cannot_be_explained_is_one_line(run, file, tmp_path):
    vectors = {"a": [1.0, 2.0], "dog": [2.0, 1.0]}
    model = SiameseRegressor("average", vectors=vectors, max_iter=1, random_state=0).fit(
        PAIRS * 10, [3, 0] * 10
    )
    path = save_model(model, tmp_path / "m.skpara")
    other = Path(shutil.copy(file, tmp_path / "other.tsv"))
    for command in (["explain", file], ["match", file, other, "--on", "1", "--explain"]):
        shown = run(*command, "--model", path, code=1).err
        assert re.fullmatch(r"skpara: explain needs .* got SiameseRegressor\.\n", shown)
