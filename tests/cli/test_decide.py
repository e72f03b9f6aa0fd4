"""``skpara decide``: probabilities and decisions beside the rows of a table."""

from __future__ import annotations

import csv
import io
import json

import numpy as np
import pytest

from skpara import load_model
from skpara.cli import main
from skpara.fusion import load_pair_classifier


@pytest.fixture
def table(tmp_path, rows):
    path = tmp_path / "pairs.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([["id", "sentence1", "sentence2"]])
        csv.writer(file).writerows([[k, a, b] for k, (a, b, *_) in enumerate(rows)])
    return path


def read(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_packaged_classifier_needs_no_model(table, rows, capsys):
    assert main(["decide", str(table)]) == 0
    shown = capsys.readouterr()
    decided = read(shown.out)
    expected = load_pair_classifier().predict_proba([row[:2] for row in rows])[:, 1]
    assert [row["id"] for row in decided] == [str(k) for k in range(len(rows))]
    np.testing.assert_allclose([float(row["probability"]) for row in decided], expected, atol=6e-5)
    decisions = [row["decision"] for row in decided]
    assert decisions == ["same" if p >= 0.5 else "different" for p in expected]
    assert f"same: {decisions.count('same')}" in shown.err


def test_threshold_and_promise(table, rows, capsys):
    packaged = load_pair_classifier()
    expected = packaged.predict_proba([row[:2] for row in rows])[:, 1]
    promised = packaged.threshold(precision=0.8)
    surely = packaged.threshold(precision=0.8, confidence=0.999)
    assert surely > promised
    for options, threshold in (
        (["--threshold", "0.2"], 0.2),
        (["--precision", "0.8"], promised),
        (["--precision", "0.8", "--confidence", "0.999"], surely),
    ):
        assert main(["decide", str(table), *options]) == 0
        decisions = [row["decision"] == "same" for row in read(capsys.readouterr().out)]
        assert decisions == (expected >= threshold).tolist()


def test_json_lines_to_a_file(tmp_path, capsys):
    path, out = tmp_path / "pairs.jsonl", tmp_path / "decided.jsonl"
    record = {"sentence1": "a dog", "sentence2": "a dog", "decision": "open"}
    path.write_text(json.dumps(record) + "\n", "utf-8")
    assert main(["decide", str(path), "-o", str(out)]) == 0
    [written] = map(json.loads, out.read_text("utf-8").splitlines())
    assert written["decision"] == "open"
    assert written["decision_match"] == "same"
    assert capsys.readouterr().out == ""


def test_header_without_rows(tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2\n", "utf-8")
    assert main(["decide", str(path)]) == 0
    assert capsys.readouterr().out == "sentence1,sentence2,probability,decision\n"


def test_model_that_predicts_no_classes(model_file, table, capsys):
    assert main(["decide", str(table), "--model", str(model_file)]) == 1
    assert "does not predict classes" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["-0.1", "1.5", "high"])
def test_thresholds_are_probabilities(table, text, capsys):
    with pytest.raises(SystemExit):
        main(["decide", str(table), f"--threshold={text}"])
    assert "expected a number from 0 to 1" in capsys.readouterr().err


def test_confidence_is_about_a_promise(table, capsys):
    assert main(["decide", str(table), "--confidence", "0.9"]) == 2
    assert "--confidence is about --precision" in capsys.readouterr().err


def test_promise_that_cannot_be_kept(table, capsys):
    assert main(["decide", str(table), "--precision", "1"]) == 1
    assert "No threshold has a precision of 1" in capsys.readouterr().err


def test_train_with_labels(tmp_path, sample, capsys):
    train, out = tmp_path / "train.tsv", tmp_path / "model.skpara"
    rows = zip(sample.data[:80].tolist(), sample.target[:80] >= 3, strict=True)
    lines = [f"{a}\t{b}\t{int(y)}" for (a, b), y in rows]
    train.write_text("\n".join(["sentence1\tsentence2\tlabel", *lines]) + "\n", "utf-8")
    columns = ["--columns", "sentence1,sentence2,label"]
    assert main(["train", str(train), "--labels", *columns, "-o", str(out)]) == 0
    assert "class 0: " in capsys.readouterr().out
    assert load_model(out).classes_.tolist() == [0, 1]
    assert main(["decide", str(train), "--model", str(out), "--threshold", "0.5"]) == 0
    decisions = [line.split("\t")[-1] for line in capsys.readouterr().out.splitlines()[1:]]
    assert set(decisions) <= {"0", "1"}


def test_labels_are_whole_numbers(tmp_path, capsys):
    train = tmp_path / "train.tsv"
    train.write_text("a dog\ta cat\t0.5\na dog\ta puppy\t1\n", "utf-8")
    arguments = ["train", str(train), "--no-header", "--labels", "-o", str(tmp_path / "m.skpara")]
    assert main(arguments) == 1
    assert "line 1: the class 0.5 is not a whole number" in capsys.readouterr().err


@pytest.mark.parametrize(
    "options",
    [
        ["--score-range", "0", "5"],
        ["--intervals"],
        ["--paraphrase", "es"],
        ["--teacher", "folder"],
        ["--unlabeled", "new.csv"],
    ],
)
def test_options_for_scores_are_refused_with_labels(options, tmp_path, capsys):
    command = ["train", "labels.csv", "--labels", "-o", str(tmp_path / "m.skpara"), *options]
    assert main(command) == 2
    assert capsys.readouterr().err == (
        f"skpara: {options[0]} is for scores; leave it out, or leave out --labels.\n"
    )
