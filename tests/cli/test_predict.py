"""``skpara predict``: scores and decisions, from and to everywhere, as pairs come in."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import subprocess
import sys
from types import SimpleNamespace

import joblib
import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionClassifier, FusionRegressor, LexicalFeatures, ParagramEncoder, novelty
from skpara.cli import main
from skpara.cli._options import TypedPair
from skpara.cli._predict import Output
from skpara.fusion import load_pair_classifier
from skpara.saving import save_model

COMMAND = [sys.executable, "-m", "skpara", "predict"]
TWO = [("A man plays a guitar.", "Someone is playing music."), ("It rains.", "It rains.")]


@pytest.fixture
def pairs(tmp_path, rows):
    path = tmp_path / "pairs.tsv"
    lines = ["\t".join(map(str, row)) for row in rows]
    path.write_text("\n".join(["sentence1\tsentence2\tscore\tgroup", *lines]) + "\n", "utf-8")
    return path


@pytest.fixture
def expected(model, rows):
    return model.predict([row[:2] for row in rows])


def table(text):
    return np.loadtxt(io.StringIO(text))


def stdin_of(monkeypatch, text):
    stdin = io.TextIOWrapper(io.BytesIO(text.encode()))
    monkeypatch.setattr("sys.stdin", stdin)
    return stdin


def test_one_score_a_line(run, model_file, pairs, expected, tmp_path):
    shown = run("predict", pairs, "--model", model_file)
    np.testing.assert_allclose(table(shown.out), expected, atol=5e-5)
    assert shown.err == ""  # no progress where nobody looks
    for name, opened in [("scores.txt", open), ("scores.txt.gz", gzip.open)]:
        out = tmp_path / name / name
        shown_again = run("predict", pairs, "--model", model_file, "-o", out)
        assert shown_again.out == f"Pairs: 40\nScores: {out}\n"
        with opened(out, "rt") as file:
            assert file.read() == shown.out
        assert os.listdir(out.parent) == [name]


@pytest.mark.parametrize("argument", [["-"], []])
def test_standard_input(run, model_file, rows, expected, argument, monkeypatch):
    stdin_of(monkeypatch, "".join(f"{a}\t{b}\n" for a, b, *_ in rows))
    scores = table(run("predict", *argument, "--model", model_file).out)
    np.testing.assert_allclose(scores, expected, atol=5e-5)


def test_two_words_may_be_typed(run, monkeypatch):
    stdin_of(monkeypatch, "dog\tpuppy\n").isatty = lambda: True
    shown = run("predict")
    assert len(shown.out.splitlines()) == 1
    assert "Type two sentences" in shown.err


def test_with_pairs_adds_a_column_to_the_rows(run, model_file, model, pairs, expected, tmp_path):
    lines = run("predict", pairs, "--model", model_file, "--with-pairs").out.split("\n")[:-1]
    assert [line.rsplit("\t", 1)[0] for line in lines] == pairs.read_text("utf-8").splitlines()
    assert lines[0].endswith("\tpredicted")
    scores = [float(line.rsplit("\t", 1)[1]) for line in lines[1:]]
    np.testing.assert_allclose(scores, expected, atol=5e-5)
    cells = ['say "hi", she\nsaid', "two\u2028 é", "x"]
    score = round(float(model.predict([cells[:2]])[0]), 4)
    path = tmp_path / "a.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["sentence1", "sentence2", "note"], cells])
    out = run("predict", path, "--model", model_file, "--with-pairs").out
    shown = list(csv.reader(io.StringIO(out, newline="")))
    assert shown == [["sentence1", "sentence2", "note", "predicted"], [*cells, f"{score:.4f}"]]
    path = tmp_path / "a.jsonl"
    record = {"sentence1": cells[0], "sentence2": cells[1], "note": [1, None]}
    path.write_text(json.dumps(record) + "\n")
    out = run("predict", path, "--model", model_file, "--with-pairs").out
    assert json.loads(out) == {**record, "predicted": score}


CELLS = st.text(st.characters(exclude_categories=["Cs"]), min_size=1)


@given(st.lists(CELLS, min_size=2, max_size=4))
def test_csv_rows_are_read_as_they_were_written(cells):
    text = Output(["predicted"], True, "csv", TypedPair(("", ""))).line(cells, [2 / 3]) + "\n"
    assert list(csv.reader(io.StringIO(text, newline=""), strict=True)) == [[*cells, "0.6667"]]


@given(st.dictionaries(CELLS, CELLS | st.integers() | st.none()))
def test_json_rows_are_read_as_they_were_written(record):
    text = Output(["predicted"], True, "jsonl", TypedPair(("", ""))).line(record, [2 / 3])
    assert "\n" not in text
    assert json.loads(text) == record | {"predicted" + "_match" * ("predicted" in record): 0.6667}


def test_columns_are_found_by_their_names(run, model, model_file, rows, expected, tmp_path):
    # The columns of Kaggle's Quora, behind an index as pandas writes it.
    path, content = tmp_path / "quora.csv", io.StringIO()
    csv.writer(content).writerows([i, a, b, 1] for i, (a, b, *_) in enumerate(rows))
    path.write_text(",question1,question2,is_duplicate\n" + content.getvalue(), "utf-8")
    scores = table(run("predict", path, "--model", model_file).out)
    np.testing.assert_allclose(scores, expected, atol=5e-5)
    path.write_text(",Headline,Body,rank\n" + content.getvalue(), "utf-8")
    trained = save_model(model, tmp_path / "m", columns=["headline", "body", "points"])
    scores = table(run("predict", path, "--model", trained).out)
    np.testing.assert_allclose(scores, expected, atol=5e-5)
    shown = run("predict", path, "--model", model_file, code=1)  # trained with other names
    assert shown.out == ""
    assert "unclear" in shown.err
    shown = run("predict", path, "--model", model_file, "--columns", "headline,body")
    assert len(shown.out.splitlines()) == len(rows)


@pytest.mark.parametrize("first", ["headline\tbody", "0\tA dog sleeps."])
def test_an_unclear_first_row_is_not_scored(run, tmp_path, first):
    path = tmp_path / "pairs.tsv"
    path.write_text(f"{first}\nA man sings.\tA man is singing.\n")
    shown = run("predict", path, code=1)
    assert shown.out == ""
    assert "--no-header" in shown.err
    assert len(run("predict", path, "--no-header").out.splitlines()) == 2


@pytest.mark.parametrize("content", ["", "sentence1\tsentence2\n"])
def test_no_pairs_no_scores(run, tmp_path, content):
    path = tmp_path / "pairs.tsv"
    path.write_text(content)
    assert run("predict", path).out == ""
    assert run("predict", path, "--with-pairs").out == content.replace("\n", "\tpredicted\n")


def test_rows_before_a_malformed_one_are_scored(run, tmp_path):
    path, out = tmp_path / "pairs.tsv", tmp_path / "scores.txt"
    path.write_text("a dog\tb\nc\td\nwrong\n")
    shown = run("predict", path, code=1)
    assert len(shown.out.splitlines()) == 2
    assert shown.err.startswith(f"skpara: {path}, line 3, has 1 column")
    out.write_text("old")
    run("predict", path, "-o", out, code=1)
    assert out.read_text() == "old"
    assert sorted(os.listdir(tmp_path)) == ["pairs.tsv", "scores.txt"]


def test_files_of_other_kinds_are_refused(run, model, pairs, tmp_path):
    path = tmp_path / "model"
    joblib.dump(model, path)
    assert "is a pickle, which can run code" in run("predict", pairs, "--model", path, code=1).err
    save_model(ParagramEncoder(max_iter=0).fit([("a", "b")]), path)
    message = "contains a ParagramEncoder, which has no predict"
    assert message in run("predict", pairs, "--model", path, code=1).err


class Gives:
    """A model of one's own that gives other scores than a model file does."""

    def __init__(self, scores):
        self.scores = scores

    def predict(self, pairs):
        return self.scores


@pytest.mark.parametrize("command", ["predict", "evaluate"])
@pytest.mark.parametrize(
    ("scores", "message"),
    [
        (np.zeros((40, 2)), "shape (40, 2) for 40 pairs, instead of one score for each"),
        (np.where(np.arange(40) == 3, np.nan, 1.0), "The model's score of ("),
    ],
)
def test_scores_that_cannot_be_used(run, command, model_file, pairs, scores, message, monkeypatch):
    monkeypatch.setattr("skpara.saving.load_model", lambda path: Gives(scores), raising=False)
    shown = run(command, pairs, "--model", model_file, code=1)
    assert shown.out == ""
    assert message in shown.err


def test_without_a_model_the_scores_are_cosines(run, pairs, rows):
    shown = table(run("predict", pairs, "--novelty").out)
    text = [row[:2] for row in rows]
    cosines = ParagramEncoder().similarity(*zip(*text, strict=True))
    np.testing.assert_allclose(shown[:, 0], cosines.clip(0, 1), atol=5e-5)
    np.testing.assert_allclose(shown[:, 1], novelty(ParagramEncoder(), text), atol=5e-5)


def test_two_sentences_may_be_arguments(run, tmp_path, model, model_file):
    assert run("predict", *TWO[1]).out == "1.0000\n"
    score = model.predict(TWO[:1])[0]
    assert run("predict", *TWO[0], "--model", model_file).out == f"{score:.4f}\n"
    out = tmp_path / "score.txt"
    run("predict", *TWO[1], "--novelty", "-o", out)
    assert out.read_text() == f"1.0000\t{novelty(ParagramEncoder(), TWO[1:])[0]:.4f}\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*TWO[1], "--with-pairs"], "--with-pairs is for files; leave it out with two sentences."),
        ([*TWO[1], "--columns", "1,2"], "--columns is for files"),
        (["a b", "c d", "e f"], "Expected a file, or two sentences, got 3 arguments."),
        ([__file__, __file__], "is a file, not a sentence"),
        (["It rains."], "There is no file 'It rains.'. Pass a file, or two sentences."),
        (["new.csv", "It rains."], "There is no file new.csv. Pass a file, or two sentences."),
        ([*TWO[1], "--model", "m", "--vectors", "v"], "--vectors is for scores without --model"),
        ([*TWO[1], "--threshold", "0.5", "--interval", "0.9"], "--interval is for scores"),
        (["a.jsonl", "--no-header"], "--no-header is for tsv and csv"),
        ([*TWO[1], "--threshold", "0.5", "--unsure"], "--unsure needs --precision"),
    ],
)
def test_arguments_that_do_not_go_together(run, arguments, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a.jsonl").touch()
    error = run("predict", *arguments, code=2).err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("option", [["--threshold", "0.2"], ["--precision", "0.8"]])
def test_decisions_need_no_model(run, option, pairs, rows):
    packaged = load_pair_classifier()
    threshold = 0.2 if option[0] == "--threshold" else packaged.threshold(precision=0.8)
    shown = run("predict", pairs, "--with-pairs", *option)
    decided = list(csv.DictReader(io.StringIO(shown.out), delimiter="\t"))
    expected = packaged.predict_proba([row[:2] for row in rows])[:, 1]
    np.testing.assert_allclose([float(row["probability"]) for row in decided], expected, atol=6e-5)
    decisions = [row["decision"] for row in decided]
    assert decisions == ["same" if p >= threshold else "different" for p in expected]
    if option[0] == "--precision":
        shown = run("predict", pairs, "--with-pairs", *option, "--unsure")
        decided = csv.DictReader(io.StringIO(shown.out), delimiter="\t")
        unsure = packaged.decide([row[:2] for row in rows], precision=0.8)
        assert [row["decision"] for row in decided] == unsure.tolist()
        assert "Thresholds: 0." in shown.err


def test_names_of_columns_that_are_taken(run, tmp_path):
    path = tmp_path / "pairs.jsonl"
    record = {"sentence1": "a dog", "sentence2": "a dog", "decision": "open"}
    path.write_text(json.dumps(record) + "\n", "utf-8")
    written = json.loads(run("predict", path, "--threshold", "0.5", "--with-pairs").out)
    assert (written["decision"], written["decision_match"]) == ("open", "same")


def test_a_classifier_of_three_classes(run, sample, pairs, rows, tmp_path):
    model = make_pipeline(LexicalFeatures("counts"), FusionClassifier(cv=2))
    model.fit(sample.data[:200], np.digitize(sample.target[:200], [1.5, 3.5]))
    file = save_model(model, tmp_path / "three")
    shown = table(run("predict", pairs, "--model", file).out)
    probabilities = model.predict_proba([row[:2] for row in rows])
    np.testing.assert_allclose(shown[:, 0], probabilities.max(axis=1), atol=6e-5)
    np.testing.assert_array_equal(shown[:, 1], probabilities.argmax(axis=1))
    error = run("predict", pairs, "--model", file, "--threshold", "0.5", code=1).err
    assert "has 3 classes" in error


def test_decisions_that_cannot_be_made(run, model_file, pairs):
    error = run("predict", pairs, "--model", model_file, "--threshold", "0.5", code=2).err
    assert "--threshold needs a model of `train --labels`" in error
    error = run("predict", pairs, "--precision", "0.9999", code=1).err
    assert "No threshold has a precision of" in error


def test_intervals_and_novelty_are_columns(run, sample, pairs, rows, model_file, tmp_path):
    regressor = FusionRegressor(LinearRegression(), intervals=True)
    model = make_pipeline(LexicalFeatures("counts"), regressor).fit(sample.data, sample.target)
    file = save_model(model, tmp_path / "sure")
    options = ["--interval", "0.8", "--novelty"]
    shown = table(run("predict", pairs, "--model", file, *options).out)
    text = [row[:2] for row in rows]
    intervals = model[-1].predict_interval(model[:-1].transform(text), 0.8)
    expected = np.column_stack([model.predict(text), intervals, novelty(model, text)])
    np.testing.assert_allclose(shown, expected, atol=5e-5)
    header = run("predict", pairs, "--model", file, *options, "--with-pairs").out.split("\n")[0]
    assert header.endswith("\tpredicted\tlow\thigh\tnovelty")
    shown = run("predict", pairs, "--model", model_file, "--interval", "0.8", code=1)
    assert shown.out == ""
    assert "Train it with `skpara train --intervals`" in shown.err


def test_scores_are_written_as_pairs_arrive(monkeypatch, capsys, model_file):
    out, n_written = io.TextIOWrapper(io.BytesIO()), []

    def next_line(_):
        n_written.append(out.buffer.getvalue().count(b"\n"))
        if len(n_written) > 2:
            raise KeyboardInterrupt
        return b"a man sings\ta man is singing\n"

    pipe = SimpleNamespace(buffer=SimpleNamespace(read1=next_line), isatty=lambda: False)
    monkeypatch.setattr("sys.stdin", pipe)
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert main(["predict", "--model", str(model_file)]) == 130
    assert n_written == [0, 1, 2]
    assert capsys.readouterr().err == "\nskpara: interrupted after 2 pairs\n"


@pytest.mark.skipif(sys.platform == "win32", reason="a shell")
@pytest.mark.parametrize(
    ("closed", "message"),
    [
        (">&- </dev/null", "skpara: standard output is closed; redirect it to a file.\n"),
        ("<&- >&- 2>&-", ""),
    ],
)
def test_closed_output(closed, message):
    command = ["sh", "-c", f'"$0" "$@" {closed}', *COMMAND]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, message)


def test_closed_input_and_errors(run, monkeypatch, model_file):
    """As by ``<&-`` and ``2>&-``: Python has no streams then."""
    monkeypatch.setattr("sys.stdin", None)
    error = "skpara: Standard input is closed; pass the name of a file.\n"
    assert run("predict", code=1) == ("", error)
    stdin_of(monkeypatch, "")
    monkeypatch.setattr("sys.stderr", None)
    assert run("predict", "--model", model_file) == ("", "")
    sys.stderr.close()


def test_an_output_that_is_closed_early_ends_it_quietly(monkeypatch, capsys, model_file):
    reader, writer = os.pipe()
    os.close(reader)
    stdin_of(monkeypatch, "a dog\tb\n")
    with open(writer, "w") as out, monkeypatch.context() as patch:
        patch.setattr("sys.stdout", out)
        assert main(["predict", "--model", str(model_file)]) == 141
    # Python can flush the stream now, as it does at its end.
    assert capsys.readouterr().err == ""


def test_an_interrupted_file_is_not_written(run, monkeypatch, tmp_path, model_file):
    class Interrupted(io.BufferedReader):
        def read1(self, *_):
            if os.listdir(out.parent):  # the output has been opened
                raise KeyboardInterrupt
            return super().read1()

    out = tmp_path / "out" / "scores.txt"
    out.parent.mkdir()
    stdin = Interrupted(io.BytesIO(b"a dog\tb\n"))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(stdin))
    shown = run("predict", "--model", model_file, "-o", out, code=130)
    assert shown.err.endswith(f"; {out} is not written\n")
    assert os.listdir(out.parent) == []


@pytest.mark.filterwarnings("default:The second column")
def test_numbers_in_the_place_of_sentences_are_said(run, tmp_path):
    path = tmp_path / "pairs.csv"
    rows = [f"A dog number {k} runs.,A hound runs.,{k}.5" for k in range(4)]
    path.write_text("\n".join(["sentence1,sentence2,score", *rows]))
    shown = run("predict", path, "--columns", "sentence1,score")
    assert len(shown.out.splitlines()) == 4
    assert "The second column of sentences holds numbers, such as 0.5." in shown.err
    assert "numbers" not in run("predict", path).err


def test_a_file_without_pairs_is_said(run, tmp_path):
    path = tmp_path / "empty.csv"
    path.write_text("")
    assert run("predict", str(path)) == ("", "No pairs.\n")


@pytest.mark.parametrize("suffix", ["parquet", "xlsx", "jsonl"])
def test_scores_are_the_same_in_every_format(run, tmp_path, suffix):
    pairs = tmp_path / "pairs.csv"
    rows = ["sentence1,sentence2,id", "A dog runs.,A dog ran.,x", "It rains.,A cat sleeps.,y"]
    pairs.write_text("\n".join(rows))
    out = tmp_path / f"out.{suffix}"
    lines = run("predict", pairs, "--with-pairs").out.splitlines()
    header, *rows = (line.split(",") for line in lines)
    for keep in ([], ["--with-pairs"]):
        assert "Pairs: 2" in run("predict", pairs, "-o", out, *keep).out
        read = {"parquet": pd.read_parquet, "xlsx": pd.read_excel}
        if suffix == "jsonl":
            frame = pd.DataFrame(map(json.loads, out.read_text().splitlines()))
        else:
            frame = read[suffix](out)
        assert frame.columns.tolist() == (header if keep else header[-1:])
        assert len(frame) == 2
        expected = pytest.approx([float(row[-1]) for row in rows], abs=1e-4)
        assert frame[header[-1]].astype(float).tolist() == expected
        if keep:
            assert frame["id"].tolist() == ["x", "y"]


@pytest.mark.parametrize("suffix", ["parquet", "xlsx"])
def test_tables_are_the_same_in_every_format(run, folder, suffix):
    for command in (["match", "orders.csv", "shop.csv"], ["dedupe", "lines.txt"]):
        lines = list(csv.reader(run(*command).out.splitlines()))
        run(*command, "-o", f"out.{suffix}")
        frame = (pd.read_parquet if suffix == "parquet" else pd.read_excel)(f"out.{suffix}")
        cells = frame.astype(object).fillna("").to_numpy().tolist()
        found = [[str(cell) for cell in row] for row in cells]
        if command[0] == "match":
            assert frame.columns.tolist() == lines.pop(0)
            assert [row[:2] for row in found] == [row[:2] for row in lines]
        assert len(found) == len(lines)


@pytest.mark.filterwarnings("default:2 pair")
def test_pairs_without_a_sentence_are_counted(run, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2\nA dog runs.,A hound runs.\nIt rains., \n,\n")
    assert run("predict", path).err.startswith(
        "skpara: warning: 2 pair(s) have an empty sentence, the first one in line 3."
    )
