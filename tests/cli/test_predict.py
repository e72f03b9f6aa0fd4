"""``skpara predict``: scores and decisions, from and to everywhere, as pairs come in."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

import joblib
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionClassifier, FusionRegressor, LexicalFeatures, ParagramEncoder
from skpara.cli import main
from skpara.cli._predict import _with_values
from skpara.explanation import novelty
from skpara.fusion import load_pair_classifier
from skpara.saving import save_model

COMMAND = [sys.executable, "-m", "skpara", "predict"]


@pytest.fixture
def pairs(tmp_path, rows):
    path = tmp_path / "pairs.tsv"
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["sentence1\tsentence2\tscore\tgroup", *lines]) + "\n", "utf-8")
    return path


@pytest.fixture
def expected(model, rows):
    return model.predict([row[:2] for row in rows])


def running(model_file, *arguments):
    return subprocess.Popen(
        [*COMMAND, "--model", str(model_file), *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


def test_one_score_a_line(model_file, pairs, expected, capsys):
    assert main(["predict", str(pairs), "--model", str(model_file)]) == 0
    shown = capsys.readouterr()
    np.testing.assert_allclose(
        [float(line) for line in shown.out.splitlines()], expected, atol=5e-5
    )
    assert shown.err == ""  # no progress where nobody looks


@pytest.mark.parametrize("argument", [["-"], []])
def test_standard_input(model_file, rows, expected, argument, capsys, monkeypatch):
    lines = "".join(f"{a}\t{b}\n" for a, b, *_ in rows)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    assert main(["predict", *argument, "--model", str(model_file)]) == 0
    scores = [float(line) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(scores, expected, atol=5e-5)


def test_to_a_file(model_file, pairs, expected, tmp_path, capsys):
    out = tmp_path / "new" / "scores.txt"
    assert main(["predict", str(pairs), "--model", str(model_file), "-o", str(out)]) == 0
    np.testing.assert_allclose(np.loadtxt(out), expected, atol=5e-5)
    assert capsys.readouterr().out == f"Pairs: 40\nScores: {out}\n"
    assert os.listdir(out.parent) == ["scores.txt"]


def test_with_pairs_adds_a_column_to_the_rows(model_file, pairs, expected, tmp_path, capsys):
    assert main(["predict", str(pairs), "--model", str(model_file), "--with-pairs"]) == 0
    lines_read = pairs.read_text("utf-8").split("\n")[:-1]
    lines = capsys.readouterr().out.split("\n")[:-1]
    assert [line.rsplit("\t", 1)[0] for line in lines] == lines_read
    assert lines[0].endswith("\tpredicted")
    scores = [float(line.rsplit("\t", 1)[1]) for line in lines[1:]]
    np.testing.assert_allclose(scores, expected, atol=5e-5)


def test_with_pairs_in_csv_and_json(model_file, model, tmp_path, capsys):
    cells = ['say "hi", she\nsaid', "two\u2028 é", "x"]
    score = round(float(model.predict([cells[:2]])[0]), 4)
    table = tmp_path / "a.csv"
    with table.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["sentence1", "sentence2", "note"], cells])
    assert main(["predict", str(table), "--model", str(model_file), "--with-pairs"]) == 0
    shown = list(csv.reader(io.StringIO(capsys.readouterr().out, newline="")))
    assert shown == [["sentence1", "sentence2", "note", "predicted"], [*cells, f"{score:.4f}"]]
    lines = tmp_path / "a.jsonl"
    record = {"sentence1": cells[0], "sentence2": cells[1], "note": [1, None]}
    lines.write_text(json.dumps(record) + "\n")
    assert main(["predict", str(lines), "--model", str(model_file), "--with-pairs"]) == 0
    assert json.loads(capsys.readouterr().out) == {**record, "predicted": score}


CELLS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(CELLS, min_size=2, max_size=4))
def test_csv_rows_are_read_as_they_were_written(cells):
    text = _with_values(cells, ["predicted"], [1.0], "csv") + "\n"
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == [[*cells, "1.0000"]]


@given(st.dictionaries(CELLS, CELLS | st.integers() | st.none()))
def test_json_rows_are_read_as_they_were_written(record):
    text = _with_values(record, ["predicted"], [1.0], "jsonl")
    assert "\n" not in text
    assert json.loads(text) == record | {"predicted": 1.0}


# The header and the columns of Kaggle's Quora, behind an index as pandas writes it.
QUORA = ",question1,question2,is_duplicate\n"


def quora(rows):
    text = io.StringIO()
    csv.writer(text).writerows([i, a, b, 1] for i, (a, b, *_) in enumerate(rows))
    return QUORA + text.getvalue()


def test_columns_are_found_by_their_usual_names(model_file, rows, expected, tmp_path, capsys):
    path = tmp_path / "quora.csv"
    path.write_text(quora(rows), "utf-8")
    assert main(["predict", str(path), "--model", str(model_file)]) == 0
    scores = [float(line) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(scores, expected, atol=5e-5)


def test_names_of_the_training_file_are_found(model, rows, expected, tmp_path, capsys):
    trained = save_model(model, tmp_path / "m", columns=["headline", "body", "points"])
    path = tmp_path / "news.csv"
    content = quora(rows).replace("question1,question2,is_duplicate", "Headline,Body,rank")
    path.write_text(content, "utf-8")
    assert main(["predict", str(path), "--model", str(trained)]) == 0
    scores = [float(line) for line in capsys.readouterr().out.splitlines()]
    np.testing.assert_allclose(scores, expected, atol=5e-5)
    save_model(model, tmp_path / "other")  # nothing is known about the columns of this one
    assert main(["predict", str(path), "--model", str(tmp_path / "other")]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "unclear" in shown.err
    assert "--columns" in shown.err
    other = ["--model", str(tmp_path / "other")]
    assert main(["predict", str(path), *other, "--columns", "headline,body"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == len(rows)


@pytest.mark.parametrize("first", ["headline\tbody", "0\tA dog sleeps."])
def test_an_unclear_first_row_is_not_scored(model_file, tmp_path, first, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{first}\nA man sings.\tA man is singing.\n")
    assert main(["predict", str(path), "--model", str(model_file)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "--no-header" in shown.err
    assert main(["predict", str(path), "--model", str(model_file), "--no-header"]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 2


def test_two_words_may_be_typed(model_file, monkeypatch, capsys):
    typed = io.TextIOWrapper(io.BytesIO(b"dog\tpuppy\n"))
    typed.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", typed)
    assert main(["predict", "--model", str(model_file)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 1


@pytest.mark.parametrize("content", ["", "sentence1\tsentence2\n"])
def test_no_pairs_no_scores(model_file, tmp_path, content, capsys):
    path = tmp_path / "pairs.tsv"
    path.write_text(content)
    assert main(["predict", str(path), "--model", str(model_file)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["predict", str(path), "--model", str(model_file), "--with-pairs"]) == 0
    assert capsys.readouterr().out == content.replace("\n", "\tpredicted\n")


def test_rows_before_a_malformed_one_are_scored(model_file, tmp_path, capsys):
    path, out = tmp_path / "pairs.tsv", tmp_path / "scores.txt"
    path.write_text("a dog\tb\nc\td\nwrong\n")
    assert main(["predict", str(path), "--model", str(model_file)]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 2
    assert shown.err.startswith(f"skpara: {path}, line 3, has 1 column")
    out.write_text("old")
    assert main(["predict", str(path), "--model", str(model_file), "-o", str(out)]) == 1
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["pairs.tsv", "scores.txt"]


def test_a_model_that_does_not_return_scores(model_file, pairs, monkeypatch, capsys):
    monkeypatch.setattr("skpara.saving.load_model", lambda path: GivesRows(), raising=False)
    assert main(["predict", str(pairs), "--model", str(model_file)]) == 1
    assert "shape (40, 2) for 40 pairs, instead of one score for each" in capsys.readouterr().err


def test_files_of_other_kinds_are_refused(model, pairs, tmp_path, capsys):
    path = tmp_path / "model"
    joblib.dump(model, path)
    assert main(["predict", str(pairs), "--model", str(path)]) == 1
    assert "is a pickle, which can run code" in capsys.readouterr().err
    encoder = ParagramEncoder(max_iter=0).fit([("a", "b")])
    encoder.save(path)
    assert main(["predict", str(pairs), "--model", str(path)]) == 1
    assert "contains a ParagramEncoder, which has no predict" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["predict", "evaluate"])
def test_scores_that_are_not_finite_are_an_error(
    command, model_file, pairs, rows, monkeypatch, capsys
):
    # No model file gives such scores, but a regressor of one's own may.
    monkeypatch.setattr("skpara.saving.load_model", lambda path: GivesNaN(), raising=False)
    assert main([command, str(pairs), "--model", str(model_file)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert f"The model's score of {rows[3][:2]!r} is nan" in shown.err


class GivesNaN:
    def predict(self, pairs):
        return np.where(np.arange(len(pairs)) == 3, np.nan, 1.0)


class GivesRows:
    def predict(self, pairs):
        return np.zeros((len(pairs), 2))


@pytest.mark.slow
def test_scores_are_written_as_pairs_arrive(model_file):
    with running(model_file) as process:
        try:
            for _ in range(2):
                process.stdin.write(b"a man sings\ta man is singing\n")
                process.stdin.flush()
                assert 0 <= float(process.stdout.readline()) <= 5  # before more is written
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
            assert process.stderr.read() == b"\nskpara: interrupted after 2 pairs\n"
        finally:
            process.kill()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="a shell")
@pytest.mark.parametrize(
    ("closed", "code", "message"),
    [
        ("<&-", 1, "skpara: Standard input is closed; pass the name of a file.\n"),
        (">&- </dev/null", 1, "skpara: standard output is closed; redirect it to a file.\n"),
        ("2>&- </dev/null", 0, ""),
        ("<&- >&- 2>&-", 1, ""),
    ],
)
def test_closed_streams(model_file, closed, code, message):
    done = subprocess.run(
        ["sh", "-c", f'"$0" "$@" {closed}', *COMMAND, "--model", str(model_file)],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (code, message)


@pytest.mark.slow
def test_a_closed_output_ends_it_quietly(model_file):
    with running(model_file) as process:
        try:
            process.stdin.write(b"a dog\tb\n")
            process.stdin.flush()
            process.stdout.readline()
            process.stdout.close()
            process.stdin.write(b"a dog\tb\n")
            process.stdin.close()
            assert process.wait(30) == 141
            assert process.stderr.read() == b""
        finally:
            process.kill()


@pytest.mark.slow
def test_an_interrupted_file_is_not_written(model_file, tmp_path):
    out = tmp_path / "out" / "scores.txt"
    with running(model_file, "-o", str(out)) as process:
        try:
            process.stdin.write(b"a dog\tb\n")
            process.stdin.flush()
            while not (out.parent.is_dir() and any(out.parent.iterdir())):
                assert process.poll() is None
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            assert process.wait(30) == 130
            assert f"; {out} is not written".encode() in process.stderr.read()
        finally:
            process.kill()
    assert os.listdir(out.parent) == []


@pytest.fixture(scope="module")
def sure(sample, tmp_path_factory):
    """A model with intervals, and its file."""
    regressor = FusionRegressor(LinearRegression(), intervals=True)
    model = make_pipeline(LexicalFeatures("counts"), regressor).fit(sample.data, sample.target)
    return model, str(save_model(model, tmp_path_factory.mktemp("sure") / "model.skpara"))


def test_intervals_and_novelty_are_columns(sure, pairs, rows, capsys):
    model, file = sure
    assert main(["predict", str(pairs), "--model", file, "--interval", "0.8", "--novelty"]) == 0
    shown = np.loadtxt(io.StringIO(capsys.readouterr().out))
    text = [row[:2] for row in rows]
    intervals = model[-1].predict_interval(model[:-1].transform(text), 0.8)
    expected = np.column_stack([model.predict(text), intervals, novelty(model, text)])
    np.testing.assert_allclose(shown, expected, atol=5e-5)
    command = [
        "predict",
        str(pairs),
        "--model",
        file,
        "--interval",
        "0.8",
        "--novelty",
        "--with-pairs",
    ]
    assert main(command) == 0
    header = capsys.readouterr().out.split("\n")[0]
    assert header.endswith("\tpredicted\tlow\thigh\tnovelty")


def test_a_model_without_intervals_is_refused(model_file, pairs, capsys):
    assert main(["predict", str(pairs), "--model", str(model_file), "--interval", "0.8"]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "Train it with `skpara train --intervals`" in shown.err


TWO = [("A man plays a guitar.", "Someone is playing music."), ("It rains.", "It rains.")]


def test_without_a_model_the_scores_are_cosines(pairs, rows, capsys):
    assert main(["predict", str(pairs), "--novelty"]) == 0
    shown = np.loadtxt(io.StringIO(capsys.readouterr().out))
    text = [row[:2] for row in rows]
    cosines = ParagramEncoder().similarity(*zip(*text, strict=True))
    np.testing.assert_allclose(shown[:, 0], cosines.clip(0, 1), atol=5e-5)
    np.testing.assert_allclose(shown[:, 1], novelty(ParagramEncoder(), text), atol=5e-5)


def test_two_sentences_may_be_arguments(tmp_path, model, model_file, capsys):
    assert main(["predict", *TWO[1]]) == 0
    assert capsys.readouterr().out == "1.0000\n"
    assert main(["predict", *TWO[0], "--model", str(model_file)]) == 0
    assert capsys.readouterr().out == f"{model.predict(TWO[:1])[0]:.4f}\n"
    out = tmp_path / "score.txt"
    assert main(["predict", *TWO[1], "--novelty", "-o", str(out)]) == 0
    assert out.read_text() == f"1.0000\t{novelty(ParagramEncoder(), TWO[1:])[0]:.4f}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TWO[1], "--with-pairs"], "--with-pairs is for files; leave it out with two sentences."),
        ([*TWO[1], "--columns", "1,2"], "--columns is for files"),
        (["a b", "c d", "e f"], "Expected a file, or two sentences, got 3 arguments."),
        ([__file__, __file__], "is a file, not a sentence"),
        ([*TWO[1], "--model", "m", "--vectors", "v"], "--vectors is for scores without --model"),
        ([*TWO[1], "--threshold", "0.5", "--interval", "0.9"], "--interval is for scores"),
        (["a.jsonl", "--no-header"], "--no-header is for tsv and csv"),
    ],
)
def test_arguments_that_do_not_go_together(arguments, message, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").touch()
    assert main(["predict", *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", [["--threshold", "0.2"], ["--precision", "0.8"]])
def test_decisions_need_no_model(option, pairs, rows, capsys):
    packaged = load_pair_classifier()
    threshold = 0.2 if option[0] == "--threshold" else packaged.threshold(precision=0.8)
    assert main(["predict", str(pairs), "--with-pairs", *option]) == 0
    decided = list(csv.DictReader(io.StringIO(capsys.readouterr().out), delimiter="\t"))
    expected = packaged.predict_proba([row[:2] for row in rows])[:, 1]
    np.testing.assert_allclose([float(row["probability"]) for row in decided], expected, atol=6e-5)
    decisions = [row["decision"] for row in decided]
    assert decisions == ["same" if p >= threshold else "different" for p in expected]


def test_decisions_in_json_lines(tmp_path, capsys):
    path = tmp_path / "pairs.jsonl"
    record = {"sentence1": "a dog", "sentence2": "a dog", "decision": "open"}
    path.write_text(json.dumps(record) + "\n", "utf-8")
    assert main(["predict", str(path), "--threshold", "0.5", "--with-pairs"]) == 0
    written = json.loads(capsys.readouterr().out)
    assert (written["decision"], written["decision_match"]) == ("open", "same")


def test_a_classifier_of_three_classes(sample, pairs, rows, tmp_path, capsys):
    model = make_pipeline(LexicalFeatures("counts"), FusionClassifier())
    model.fit(sample.data, np.digitize(sample.target, [1.5, 3.5]))
    file = str(save_model(model, tmp_path / "three"))
    assert main(["predict", str(pairs), "--model", file]) == 0
    lines = [line.split("\t") for line in capsys.readouterr().out.splitlines()]
    probabilities = model.predict_proba([row[:2] for row in rows])
    np.testing.assert_allclose([float(p) for p, _ in lines], probabilities.max(axis=1), atol=6e-5)
    assert [int(name) for _, name in lines] == probabilities.argmax(axis=1).tolist()
    assert main(["predict", str(pairs), "--model", file, "--threshold", "0.5"]) == 1
    assert "has 3 classes" in capsys.readouterr().err


def test_decisions_that_cannot_be_made(model_file, pairs, capsys):
    assert main(["predict", str(pairs), "--model", str(model_file), "--threshold", "0.5"]) == 2
    assert "--threshold needs a model of `train --labels`" in capsys.readouterr().err
    assert main(["predict", str(pairs), "--precision", "0.9999"]) == 1
    assert "No threshold has a precision of" in capsys.readouterr().err
