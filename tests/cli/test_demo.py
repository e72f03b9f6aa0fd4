"""``skpara demo``, with a pipeline that is quick to fit; tests/install has the real one."""

from __future__ import annotations

import re
import shlex
from contextlib import redirect_stderr, redirect_stdout
from functools import partial
from io import StringIO

import pandas as pd
import pytest

from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    load_model,
    make_sts_pipeline,
)
from skpara.cli import main
from skpara.metrics import pearson_score


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One run of the demo: what it printed, its notes, and the folder it wrote to."""
    out = tmp_path_factory.mktemp("demo") / "new" / "out"
    parts = ParagramEncoder(max_iter=0), LexicalFeatures("fast"), FusionRegressor(linear_weight=1)
    quick = partial(make_sts_pipeline, *parts)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("skpara.make_sts_pipeline", quick, raising=False)
        with redirect_stdout(StringIO()) as printed, redirect_stderr(StringIO()) as notes:
            assert main(["demo", "--out", str(out)]) == 0
    return printed.getvalue(), notes.getvalue(), out


def test_figures_are_those_of_the_saved_model(demo):
    printed, _, out = demo
    test = pd.read_csv(out / "test.csv")
    model = load_model(out / "sts.skpara")
    expected = pearson_score(test["score"], model.predict(test.iloc[:, :2].to_numpy()))
    shown = float(re.search(r"Held-out Pearson's r, all sets together: ([\d.]+)", printed)[1])
    assert shown == pytest.approx(expected, abs=5e-4)
    assert shown > 0.6
    for genre in set(test["group"]):
        assert re.search(rf"^{genre} +\d+ +0\.\d+", printed, re.MULTILINE)


def test_progress_goes_to_standard_error(demo):
    printed, notes, _ = demo
    assert re.search(r"^Training on 480 pairs \.\.\. [\d.]+ s$", notes, re.MULTILINE)
    assert "Training" not in printed
    assert "warning" not in notes.lower()


def test_pairs_model_and_plot_are_written(demo):
    _, _, out = demo
    train, test = (pd.read_csv(out / f"{part}.csv") for part in ("train", "test"))
    assert (len(train), len(test)) == (480, 160)
    assert not set(zip(train["sentence1"], train["sentence2"], strict=True)) & set(
        zip(test["sentence1"], test["sentence2"], strict=True)
    )
    files = {"train.csv", "test.csv", "sts.skpara", "gold-against-predicted.png"}
    assert {path.name for path in out.iterdir()} == files


def test_the_next_steps_run_as_they_are_printed(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^  skpara (.*)$", demo[0], re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["predict", "evaluate", "report"]
    for command in commands:
        assert main(shlex.split(command)) == 0


def test_other_files_are_not_replaced(tmp_path, capsys):
    (tmp_path / "train.csv").write_text("mine\n")
    assert main(["demo", "--out", str(tmp_path)]) == 2
    assert "train.csv is not of the demo. Pass another folder as --out." in capsys.readouterr().err
    assert (tmp_path / "train.csv").read_text() == "mine\n"
