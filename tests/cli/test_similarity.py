"""``skpara similarity``: scores of pairs without a model."""

from __future__ import annotations

import io

import numpy as np
import pytest

from skpara import ParagramEncoder
from skpara.cli import main
from skpara.explanation import novelty

PAIRS = [("A man plays a guitar.", "Someone is playing music."), ("It rains.", "It rains.")]


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("sentence1\tsentence2\n" + "".join(f"{a}\t{b}\n" for a, b in PAIRS), "utf-8")
    return path


def test_scores_are_the_cosines_of_the_packaged_vectors(file, capsys):
    assert main(["similarity", str(file)]) == 0
    scores = [float(line) for line in capsys.readouterr().out.splitlines()]
    first, second = zip(*PAIRS, strict=True)
    np.testing.assert_allclose(scores, ParagramEncoder().similarity(first, second), atol=5e-5)


def test_two_sentences_may_be_arguments(capsys):
    assert main(["similarity", *PAIRS[1]]) == 0
    assert capsys.readouterr().out == "1.0000\n"


def test_the_scale_may_be_another_one(file, capsys):
    assert main(["similarity", str(file), "--scale", "0", "5", "--with-pairs"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "sentence1\tsentence2\tpredicted"
    assert lines[2] == "It rains.\tIt rains.\t5.0000"


def test_standard_input(capsys, monkeypatch):
    text = "Two dogs run.\tTwo dogs run.\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    assert main(["similarity"]) == 0
    assert capsys.readouterr().out == "1.0000\n"


def test_novelty_is_a_column(file, capsys):
    assert main(["similarity", str(file), "--novelty"]) == 0
    values = [float(line.split("\t")[1]) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(values, novelty(ParagramEncoder(), PAIRS), atol=5e-5)


def test_two_sentences_with_novelty_to_a_file(tmp_path, capsys):
    out = tmp_path / "score.txt"
    assert main(["similarity", *PAIRS[1], "--novelty", "-o", str(out)]) == 0
    unlike = novelty(ParagramEncoder(), PAIRS[1:])[0]
    assert out.read_text() == f"1.0000\t{unlike:.4f}\n"
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize("options", [["--with-pairs"], ["--columns", "1,2"], ["--no-header"]])
def test_options_for_files_are_refused_with_two_sentences(options, capsys):
    assert main(["similarity", *PAIRS[1], *options]) == 2
    assert capsys.readouterr().err == (
        f"skpara: {options[0]} is for files; leave it out with two sentences.\n"
    )


def test_three_sentences_are_refused(capsys):
    assert main(["similarity", "a b", "c d", "e f"]) == 2
    assert capsys.readouterr().err == (
        "skpara: Expected a file, or two sentences, got 3 arguments. Put each sentence in "
        "quotation marks.\n"
    )


def test_two_files_are_refused(file, capsys):
    assert main(["similarity", str(file), str(file)]) == 2
    assert "is a file, not a sentence" in capsys.readouterr().err


def test_a_missing_file_is_one_line(capsys):
    assert main(["similarity", "nothing.csv"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert shown.err.count("\n") == 1
    assert "nothing.csv" in shown.err
