"""``skpara train``: the whole system, from a file to a file."""

from __future__ import annotations

import io
import os
import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from skpara import FusionRegressor, LexicalFeatures, make_sts_pipeline
from skpara.cli import main
from skpara.fusion import PairPipeline
from skpara.metrics import pearson_score
from skpara.saving import load_model, read_description

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def scored(sample, tmp_path_factory):
    """Sixty scored pairs in a file."""
    path = tmp_path_factory.mktemp("scored") / "pairs.tsv"
    rows = zip(sample.data[:60].tolist(), sample.target[:60], strict=True)
    path.write_text("".join(f"{a}\t{b}\t{y}\n" for (a, b), y in rows), "utf-8")
    return path


def test_it_trains_the_pipeline_that_python_makes(scored, sample, tmp_path, capsys):
    out = tmp_path / "new" / "model.skpara"
    assert main(["train", str(scored), "-o", str(out)]) == 0
    shown = capsys.readouterr()
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
    assert read_description(out)["n_pairs"] == 60
    assert read_description(out)["data"] == str(scored)
    assert main(["predict", str(scored), "--model", str(out)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 60


def test_standard_input_and_sentences_to_adapt_to(scored, tmp_path, monkeypatch):
    out, sentences = tmp_path / "model", tmp_path / "sentences.txt"
    sentences.write_text("A man plays a guitar.\nOne.\tTwo.\tmore\n\nThree.\n")
    fitted = {}
    monkeypatch.setattr("skpara.make_sts_pipeline", lambda **_: recording(fitted), raising=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(scored.read_bytes())))
    assert main(["train", "-", "-o", str(out), "--unlabeled", str(sentences)]) == 0
    assert fitted == {"unlabeled": ["A man plays a guitar.", "One.", "Two.", "Three."]}
    assert read_description(out)["data"] == "standard input"
    table = tmp_path / "to-be-scored.csv"
    table.write_text("sentence1,sentence2\nOne.,Two.\n")
    assert main(["train", str(scored), "-o", str(out), "--unlabeled", str(table)]) == 0
    assert fitted == {"unlabeled": [("One.", "Two.")]}


def test_names_of_columns_are_kept_for_other_files(tmp_path, monkeypatch):
    out, fitted = tmp_path / "model", {}
    monkeypatch.setattr("skpara.make_sts_pipeline", lambda **_: recording(fitted), raising=False)
    path, table = tmp_path / "pairs.csv", tmp_path / "to-be-scored.csv"
    path.write_text("id,Headline,Body,points\n1,One.,Two.,3\n2,Three.,Four.,4.5\n")
    table.write_text("id,body,headline\n1,Two.,One.\n")
    arguments = ["train", str(path), "-o", str(out), "--columns", "headline,body,points"]
    assert main([*arguments, "--unlabeled", str(table)]) == 0
    assert fitted == {"unlabeled": [("One.", "Two.")]}
    assert read_description(out)["columns"] == ["Headline", "Body", "points"]
    path.write_text("question1,question2,is_duplicate\nOne.,Two.,1\nThree.,Four.,4.5\n")
    assert main(["train", str(path), "-o", str(out)]) == 0
    assert read_description(out)["columns"] == ["question1", "question2", "is_duplicate"]
    path.write_text("One.,Two.,1\nThree.,Four.,4.5\n")
    assert main(["train", str(path), "-o", str(out), "--no-header"]) == 0
    assert read_description(out)["columns"] is None


def test_groups_are_passed_to_the_regressor(sample, tmp_path, monkeypatch):
    path, fitted = tmp_path / "pairs.csv", {}
    rows = ["sentence1,sentence2,score,set", "one,two,1,a", "three,four,4.5,b"]
    path.write_text("\n".join(rows))
    monkeypatch.setattr("skpara.make_sts_pipeline", lambda **_: recording(fitted), raising=False)
    assert main(["train", str(path), "-o", str(tmp_path / "model"), "--group", "set"]) == 0
    assert fitted == {"groups": ["a", "b"]}


def recording(fitted):
    """Return a pipeline that notes what it is fitted with."""
    features, regressor = LexicalFeatures("counts"), FusionRegressor(LinearRegression())
    pipeline = PairPipeline([("features", features), ("fusion", regressor)])

    def fit(X, y, **parameters):
        fitted.clear()
        fitted.update(parameters)
        return PairPipeline.fit(pipeline, X, y)

    pipeline.fit = fit
    return pipeline


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds 0 pairs"),
        ("sentence1\tsentence2\tscore\n", "holds 0 pairs"),
        ("a\tb\t3\nc\td\t3\n", "all with the same score"),
        ("a\tb\t3\nc\td\tx\n", "line 2, column 3: the score 'x' is not a number"),
    ],
)
def test_unusable_pairs_are_errors(tmp_path, content, message, capsys):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    path.write_text(content)
    assert main(["train", str(path), "-o", str(out)]) == 1
    assert message in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize(("low", "high"), [(0, 1), (-10, 90)])
def test_scores_may_have_any_scale(scored, tmp_path, low, high, capsys):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    cells = [line.split("\t") for line in scored.read_text("utf-8").splitlines()]
    rescaled = [(a, b, low + (high - low) * float(y) / 5) for a, b, y in cells]
    path.write_text("".join(f"{a}\t{b}\t{y}\n" for a, b, y in rescaled), "utf-8")
    gold = np.array([y for *_, y in rescaled])
    for options, bounds in (
        ([], (gold.min(), gold.max())),
        (["--score-range", str(low), str(high)], (low, high)),
    ):
        assert main(["train", str(path), "-o", str(out), *options]) == 0
        assert f"scores from {gold.min():g} to {gold.max():g}," in capsys.readouterr().out
        model = load_model(out)
        predicted = model.predict([(a, b) for a, b, _ in rescaled])
        assert model[-1].score_range_ == pytest.approx(bounds)
        assert pearson_score(gold, predicted) > 0.9
        assert np.ptp(predicted) > 0.4 * (high - low)  # not all at one end


def test_scores_that_look_like_classes_are_pointed_out(sample, tmp_path, capsys):
    path = tmp_path / "pairs.csv"
    rows = zip(sample.data[:40].tolist(), sample.target[:40], strict=True)
    text = "".join(f'"{a}","{b}",{int(y > 3)}\n' for (a, b), y in rows)
    path.write_text(text, "utf-8")
    assert main(["train", str(path), "-o", str(tmp_path / "m.skpara")]) == 0
    (warning,) = re.findall("skpara: warning: (.*)", capsys.readouterr().err)
    assert "are 2 whole numbers" in warning
    assert "--labels" in warning


def test_a_score_outside_the_range_is_an_error_that_names_the_line(scored, tmp_path, capsys):
    path, out = tmp_path / "pairs.tsv", tmp_path / "model"
    path.write_text(scored.read_text("utf-8") + "One.\tTwo.\t44\n", "utf-8")
    arguments = ["train", str(path), "-o", str(out), "--score-range", "0", "5"]
    assert main(arguments) == 1
    assert "line 61: the score 44 is not in [0, 5]. Correct it" in capsys.readouterr().err
    assert not out.exists()


def test_unusable_paths_are_errors_before_training(scored, tmp_path, capsys):
    assert main(["train", str(scored), "-o", str(tmp_path)]) == 1
    assert main(["train", str(scored), "-o", str(scored / "model")]) == 1
    missing = tmp_path / "nothing.txt"
    assert (
        main(["train", str(scored), "-o", str(tmp_path / "m"), "--unlabeled", str(missing)]) == 1
    )
    error = capsys.readouterr().err
    assert "is a folder. Name a file in it." in error
    assert "is not a writable folder." in error
    assert f"There is no file {missing}" in error
    assert "Training" not in error


def test_interrupted_training_ends_at_once(scored, tmp_path, monkeypatch, capsys):
    from skpara.learning import CorrelationObjective

    epochs = []

    def interrupted(*arguments):
        epochs.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(CorrelationObjective, "epoch", interrupted)
    assert main(["train", str(scored), "-o", str(tmp_path / "model")]) == 130
    assert capsys.readouterr().err.endswith("failed\n\nskpara: interrupted\n")
    assert len(epochs) == 1
    assert os.listdir(tmp_path) == []


def test_labels_train_a_classifier(tmp_path, sample, capsys):
    train, out = tmp_path / "train.tsv", tmp_path / "model.skpara"
    rows = zip(sample.data[:80].tolist(), sample.target[:80] >= 3, strict=True)
    lines = [f"{a}\t{b}\t{int(y)}" for (a, b), y in rows]
    train.write_text("\n".join(["sentence1\tsentence2\tlabel", *lines]) + "\n", "utf-8")
    assert main(["train", str(train), "--labels", "-o", str(out)]) == 0
    assert "class 0: " in capsys.readouterr().out
    assert load_model(out).classes_.tolist() == [0, 1]
    assert main(["predict", str(train), "--model", str(out)]) == 0
    decisions = [line.split("\t")[1] for line in capsys.readouterr().out.splitlines()]
    assert set(decisions) == {"0", "1"}
    train.write_text("a dog\ta cat\t0.5\na dog\ta puppy\t1\n", "utf-8")
    assert main(["train", str(train), "--labels", "-o", str(out)]) == 1
    assert "line 1: the class 0.5 is not a whole number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["a.csv", "--labels", "--score-range", "0", "5"], "--score-range is for scores"),
        (["a.csv", "--labels", "--intervals"], "--intervals is for scores"),
        (["a.csv", "--labels", "--unlabeled", "new.csv"], "--unlabeled is for scores"),
        (["-", "--unlabeled", "-"], "Only one of PAIRS and --unlabeled"),
    ],
)
def test_options_that_would_do_nothing_are_refused(options, message, tmp_path, capsys):
    assert main(["train", *options, "-o", str(tmp_path / "model")]) == 2
    assert message in capsys.readouterr().err
