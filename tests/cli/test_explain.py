"""``skpara explain``: reasons for the scores of pairs."""

from __future__ import annotations

import json

import pytest
from sklearn.linear_model import Ridge
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder
from skpara.cli import main
from skpara.explanation import explain
from skpara.saving import save_model

PAIRS = [("A man plays a guitar.", "Someone is playing music."), ("It rains.", "Prices <rose>.")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    return path


@pytest.fixture
def lexical(tmp_path):
    features = LexicalFeatures(["cosine", "len_sum"])
    return make_pipeline(features, Ridge()).fit(PAIRS, [3, 0])


@pytest.fixture
def lexical_file(lexical, tmp_path):
    return str(save_model(lexical, tmp_path / "m.skpara"))


def test_two_sentences_need_no_model(capsys):
    assert main(["explain", *PAIRS[0]]) == 0
    assert capsys.readouterr().out == f"{explain(ParagramEncoder(), PAIRS[:1])[0]}\n\n"


def test_a_file_is_explained_by_a_model(file, lexical, lexical_file, capsys):
    assert main(["explain", str(file), "--model", lexical_file, "--no-header"]) == 0
    expected = [f"{explanation}\n\n" for explanation in explain(lexical, PAIRS)]
    assert capsys.readouterr().out == "".join(expected)


def test_json_has_a_line_for_each_pair(file, lexical_file, tmp_path, capsys):
    command = ["explain", str(file), "--model", lexical_file, "--no-header", "--json"]
    assert main(command) == 0
    lines = capsys.readouterr().out
    assert [json.loads(line)["pair"] for line in lines.splitlines()] == [*map(list, PAIRS)]
    out = tmp_path / "reasons.jsonl"
    assert main([*command, "-o", str(out)]) == 0
    assert out.read_text("utf-8") == lines


def test_a_page_has_everything(file, lexical_file, tmp_path):
    out = tmp_path / "reasons.html"
    command = ["explain", str(file), "--model", lexical_file, "--no-header", "-o", str(out)]
    assert main(command) == 0
    text = out.read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "guitar" in text
    assert "<rose" not in text
    assert "http" not in text
    assert main([*command, "--json"]) == 2


def test_a_model_that_cannot_be_explained_is_one_line(file, tmp_path, capsys):
    network = ParagramEncoder("projection", max_iter=1).fit(PAIRS * 2)
    saved = save_model(make_pipeline(network, Ridge()).fit(PAIRS * 2, range(4)), tmp_path / "m")
    command = ["explain", str(file), "--no-header", "--model", str(saved)]
    code, shown = main(command), capsys.readouterr()
    assert (code, shown.err.count("\n")) in ((0, 0), (1, 1))  # never a traceback
