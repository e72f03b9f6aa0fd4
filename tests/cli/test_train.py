"""``skpara train``: the whole system, from a file to a file."""

from __future__ import annotations

import io
import os
import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from skpara import FusionRegressor, LexicalFeatures, make_sts_pipeline
from skpara.fusion import PairPipeline
from skpara.metrics import pearson_score
from skpara.saving import load_model, read_description


@pytest.fixture(scope="module")
def scored(sample, tmp_path_factory):
    """Sixty scored pairs in a file."""
    path = tmp_path_factory.mktemp("scored") / "pairs.tsv"
    rows = zip(sample.data[:60].tolist(), sample.target[:60], strict=True)
    path.write_text("".join(f"{a}\t{b}\t{y}\n" for (a, b), y in rows), "utf-8")
    return path


def test_it_trains_the_pipeline_that_python_makes(run, scored, sample, tmp_path):
    out = tmp_path / "new" / "model.skpara"
    shown = run("train", scored, "-o", out)
    assert re.search(r"^Training on 60 pairs \.\.\. [\d.]+ s$", shown.err, re.MULTILINE)
    scores = sample.target[:60]
    summary = f"scores from {scores.min():g} to {scores.max():g}, mean {scores.mean():.2f}"
    assert f"Pairs: 60, {summary}\n" in shown.out
    assert f"Model: {out} (" in shown.out
    assert os.listdir(out.parent) == ["model.skpara"]
    model = load_model(out)
    assert repr(model) == repr(make_sts_pipeline(random_state=0))
    unseen = model.predict(sample.data[60:160])
    assert pearson_score(sample.target[60:160], unseen) > 0.5
    description = read_description(out)
    assert (description["n_pairs"], description["data"]) == (60, str(scored))
    assert len(run("predict", scored, "--model", out).out.splitlines()) == 60


@pytest.fixture
def fitted(monkeypatch):
    """A pipeline that is quick to fit, and a dict of other data that it was fitted with."""
    features, regressor = LexicalFeatures("counts"), FusionRegressor(LinearRegression())
    pipeline = PairPipeline([("features", features), ("fusion", regressor)])
    received = {}

    def fit(X, y, **parameters):
        received.clear()
        received.update(parameters)
        return PairPipeline.fit(pipeline, X, y)

    pipeline.fit = fit
    monkeypatch.setattr("skpara.make_sts_pipeline", lambda **_: pipeline, raising=False)
    return received


def test_standard_input_and_sentences_to_adapt_to(run, scored, fitted, tmp_path, monkeypatch):
    out, sentences = tmp_path / "model", tmp_path / "sentences.txt"
    sentences.write_text("A man plays a guitar.\nOne.\tTwo.\tmore\n\nThree.\n")
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(scored.read_bytes())))
    run("train", "-", "-o", out, "--unlabeled", sentences)
    assert fitted == {"unlabeled": ["A man plays a guitar.", "One.", "Two.", "Three."]}
    assert read_description(out)["data"] == "standard input"


def test_names_of_columns_are_kept_for_other_files(run, fitted, tmp_path):
    out, path, table = (tmp_path / name for name in ("model", "pairs.csv", "to-be-scored.csv"))
    path.write_text("id,Headline,Body,points\n1,One.,Two.,3\n2,Three.,Four.,4.5\n")
    table.write_text("id,body,headline\n1,Two.,One.\n")
    columns = ["--columns", "headline,body,points"]
    run("train", path, "-o", out, *columns, "--unlabeled", table)
    assert fitted == {"unlabeled": [("One.", "Two.")]}
    assert read_description(out)["columns"] == ["Headline", "Body", "points"]
    path.write_text("One.,Two.,1\nThree.,Four.,4.5\n")
    run("train", path, "-o", out, "--no-header")
    assert read_description(out)["columns"] is None


def test_groups_are_passed_to_the_regressor(run, fitted, tmp_path):
    path = tmp_path / "pairs.csv"
    path.write_text("sentence1,sentence2,score,set\none,two,1,a\nthree,four,4.5,b\n")
    run("train", path, "-o", tmp_path / "model", "--group", "set")
    assert fitted == {"groups": ["a", "b"]}


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", [], "holds 0 pairs"),
        ("sentence1\tsentence2\tscore\n", [], "holds 0 pairs"),
        ("a\tb\t3\nc\td\t3\n", [], "all with the same score"),
        ("a\tb\t3\nc\td\tx\n", [], "line 2, column 3: the score 'x' is not a number"),
        ("a\tb\t3\nc\td\t44\n", ["--score-range", 0, 5], "line 2: the score 44 is not in [0, 5]"),
        ("a\tb\t1\nc\td\t0.5\n", ["--labels"], "line 2, column 3: the class 0.5 is not a"),
    ],
)
def test_unusable_pairs_are_errors(run, tmp_path, content, options, message):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    path.write_text(content)
    assert message in run("train", path, "-o", out, *options, code=1).err
    assert not out.exists()


@pytest.mark.parametrize(
    ("n_pairs", "options", "message"),
    [
        (1, [], "holds 1 pairs, all with the same score. Add pairs"),
        (2, [], "2 pair(s) are too few to hold each of 3 parts out. Pass more pairs."),
        (3, ["--intervals"], "Intervals need at least 20 pairs, got 3. Pass more pairs, or leave"),
        (2, ["--labels"], "Only one pair is of the class 0; each class needs at least two"),
    ],
)
def test_too_few_pairs_are_said_in_words_of_the_command(run, tmp_path, n_pairs, options, message):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    texts = ["Rain falls.\tIt rains.", "Dogs run.\tA hound ran.", "Bread bakes.\tShe cooks."]
    values = [0, 1, 0] if "--labels" in options else [0.5, 3.2, 4.1]
    rows = zip(texts[:n_pairs], values, strict=False)
    path.write_text("".join(f"{text}\t{value}\n" for text, value in rows))
    error = run("train", path, "-o", out, *options, code=1).err
    assert message in error
    assert not any(name in error for name in ("n_splits", "min_df", "cross_fit", "=False"))
    assert not out.exists()


def test_scores_may_have_any_scale(run, scored, tmp_path):
    low, high, stated = -10, 90, (-20, 99)
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    cells = [line.split("\t") for line in scored.read_text("utf-8").splitlines()]
    rescaled = [(a, b, low + (high - low) * float(y) / 5) for a, b, y in cells]
    path.write_text("".join(f"{a}\t{b}\t{y}\n" for a, b, y in rescaled), "utf-8")
    gold = [y for *_, y in rescaled]
    run("train", path, "-o", out, "--score-range", *stated)
    model = load_model(out)
    predicted = model.predict([(a, b) for a, b, _ in rescaled])
    assert model[-1].score_range_ == stated
    assert pearson_score(gold, predicted) > 0.9
    assert np.ptp(predicted) > 0.4 * (high - low)  # not all at one end


@pytest.mark.filterwarnings("default:y has class labels")
def test_scores_that_look_like_classes_are_pointed_out(run, sample, tmp_path):
    path = tmp_path / "pairs.csv"
    rows = zip(sample.data[:40].tolist(), sample.target[:40], strict=True)
    path.write_text("".join(f'"{a}","{b}",{int(y > 3)}\n' for (a, b), y in rows), "utf-8")
    shown = run("train", path, "-o", tmp_path / "m.skpara")
    (warning,) = re.findall("skpara: warning: (.*)", shown.err)
    assert "y has class labels" in warning
    assert "--labels" in warning


def test_unusable_paths_are_errors_before_training(run, scored, tmp_path):
    missing = tmp_path / "nothing.txt"
    for message, arguments in (
        ("is a folder. Name a file in it.", ["-o", tmp_path]),
        ("is not a writable folder.", ["-o", scored / "model"]),
        (f"There is no file {missing}", ["-o", tmp_path / "m", "--unlabeled", missing]),
    ):
        error = run("train", scored, *arguments, code=1).err
        assert message in error
        assert "Training" not in error


def test_interrupted_training_ends_at_once(run, scored, tmp_path, monkeypatch):
    from skpara.learning import CorrelationObjective

    epochs = []

    def interrupted(*arguments):
        epochs.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(CorrelationObjective, "epoch", interrupted)
    shown = run("train", scored, "-o", tmp_path / "model", code=130)
    assert shown.err.endswith("failed\n\nskpara: interrupted\n")
    assert len(epochs) == 1
    assert os.listdir(tmp_path) == []


def test_labels_train_a_classifier(run, sample, tmp_path):
    train, out = tmp_path / "train.tsv", tmp_path / "model.skpara"
    rows = zip(sample.data[:80].tolist(), sample.target[:80] >= 3, strict=True)
    lines = [f"{a}\t{b}\t{int(y)}" for (a, b), y in rows]
    train.write_text("\n".join(["sentence1\tsentence2\tlabel", *lines]) + "\n", "utf-8")
    assert "class 0: " in run("train", train, "--labels", "-o", out).out
    assert load_model(out).classes_.tolist() == [0, 1]
    shown = run("predict", train, "--model", out).out
    assert {line.split("\t")[1] for line in shown.splitlines()} == {"0", "1"}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["a.csv", "--labels", "--score-range", "0", "5"], "--score-range is for scores"),
        (["a.csv", "--labels", "--intervals"], "--intervals is for scores"),
        (["a.csv", "--labels", "--unlabeled", "new.csv"], "--unlabeled is for scores"),
        (["-", "--unlabeled", "-"], "Only one of PAIRS and --unlabeled"),
    ],
)
def test_options_that_would_do_nothing_are_refused(run, options, message, tmp_path):
    assert message in run("train", *options, "-o", tmp_path / "model", code=2).err


def test_labels_of_one_class_and_empty_ranges(run, tmp_path):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    path.write_text("It rains.\tRain falls.\tsame\nA dog ran.\tA hound ran.\tsame\n")
    assert "all of the same class" in run("train", path, "-o", out, "--labels", code=1).err
    wrong = run("train", path, "-o", out, "--score-range", "5", "0", code=2).err
    assert "--score-range 5 0 is empty. Pass the lower score first." in wrong
    assert (
        "--score-range 3 3 is empty"
        in run("train", path, "-o", out, "--score-range", "3", "3", code=2).err
    )
