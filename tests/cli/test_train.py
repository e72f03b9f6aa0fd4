"""``skpara train``: the whole system, from a file to a file."""

from __future__ import annotations

import io
import json
import os
import re

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression

from skpara import FusionRegressor, LexicalFeatures, make_sts_pipeline
from skpara.cli import main
from skpara.fusion import STSPipeline
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
    assert main(["train", str(scored), "-o", str(out), "--seed", "3"]) == 0
    shown = capsys.readouterr()
    steps = ["encoder", "lexical features", "regressor", "Training on 60 pairs"]
    lines = re.findall(r"^ *([\w ]+): [\d.]+ s$", shown.err, re.MULTILINE)
    assert [line.strip() for line in lines] == steps
    scores = sample.target[:60]
    summary = f"scores from {scores.min():g} to {scores.max():g}, mean {scores.mean():.2f}"
    assert f"Pairs: 60, {summary}\n" in shown.out
    assert f"Model: {out} (" in shown.out
    assert os.listdir(out.parent) == ["model.skpara"]
    model = load_model(out)
    assert repr(model) == repr(make_sts_pipeline(random_state=3))
    unseen = model.predict(sample.data[60:160])
    assert pearson_score(sample.target[60:160], unseen) > 0.5
    assert read_description(out)["n_pairs"] == 60
    assert read_description(out)["data"] == str(scored)
    assert main(["predict", str(out), str(scored)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 60


def test_json_has_the_figures_of_the_text(scored, sample, tmp_path, capsys):
    out = tmp_path / "model.skpara"
    assert main(["train", str(scored), "-o", str(out), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert report["pairs"] == 60
    assert report["mean"] == pytest.approx(sample.target[:60].mean())
    assert (report["model"], report["bytes"]) == (str(out), out.stat().st_size)


def test_standard_input_and_sentences_to_adapt_to(scored, tmp_path, monkeypatch, capsys):
    out, sentences = tmp_path / "model", tmp_path / "sentences.txt"
    sentences.write_text("A man plays a guitar.\nOne.\tTwo.\tmore\n\nThree.\n")
    fitted = {}
    monkeypatch.setattr("skpara.make_sts_pipeline", lambda **_: recording(fitted), raising=False)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(scored.read_bytes())))
    assert main(["train", "-", "-o", str(out), "--unlabeled", str(sentences)]) == 0
    assert fitted == {"unlabeled": ["A man plays a guitar.", "One.", "Two.", "Three."]}
    assert "Unlabeled sentences: 4" in capsys.readouterr().out
    assert read_description(out)["data"] == "standard input"
    table = tmp_path / "to-be-scored.csv"
    table.write_text("sentence1,sentence2\nOne.,Two.\n")
    assert main(["train", str(scored), "-o", str(out), "--unlabeled", str(table)]) == 0
    assert fitted == {"unlabeled": [("One.", "Two.")]}
    assert "Unlabeled pairs: 1" in capsys.readouterr().out


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


def test_a_missing_teacher_is_an_error_before_training(scored, tmp_path, capsys):
    pytest.importorskip("sentence_transformers")
    missing = tmp_path / "no-model"
    arguments = ["train", str(scored), "-o", str(tmp_path / "model"), "--teacher", str(missing)]
    assert main(arguments) == 1
    shown = capsys.readouterr().err
    assert f"skpara: There is no folder {str(missing)!r}" in shown
    assert "Training" not in shown


def recording(fitted):
    """Return a pipeline that notes what it is fitted with."""
    features, regressor = LexicalFeatures("counts"), FusionRegressor(LinearRegression())
    pipeline = STSPipeline([("features", features), ("fusion", regressor)])

    def fit(X, y, **parameters):
        fitted.clear()
        fitted.update(parameters)
        return STSPipeline.fit(pipeline, X, y)

    pipeline.fit = fit
    return pipeline


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "holds no pairs"),
        ("sentence1\tsentence2\tscore\n", "holds no pairs"),
        ("a\tb\t3\nc\td\t3\n", "All scores of"),
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
    assert main([*arguments[:-1], "0"]) == 1
    assert "low < high" in capsys.readouterr().err
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


def test_languages_that_cannot_be_translated(apertium, scored, tmp_path, capsys):
    out = tmp_path / "model"
    command = ["train", str(scored), "-o", str(out), "--paraphrase", "tlh"]
    assert main([*command, "--unlabeled", str(scored)]) == 1
    assert "en-tlh" in capsys.readouterr().err


def test_options_that_would_do_nothing_are_refused(scored, tmp_path, capsys):
    out = ["-o", str(tmp_path / "model")]
    assert main(["train", str(scored), *out, "--paraphrase", "es"]) == 2
    assert "--paraphrase paraphrases the text of --unlabeled" in capsys.readouterr().err
    assert main(["train", "-", *out, "--unlabeled", "-"]) == 2
    assert "Only one of PAIRS and --unlabeled can be standard input" in capsys.readouterr().err


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
