"""``skpara demo``, run as a user would run it, on the real pipeline."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys

import pandas as pd
import pytest

import skpara
from skpara.cli import main
from skpara.metrics import pearson_score


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One run of the demo: the finished process and the folder it wrote to."""
    out = tmp_path_factory.mktemp("demo") / "new" / "out"
    command = [sys.executable, "-m", "skpara", "demo", "--out", str(out)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=300, check=True)
    return done, out


def test_figures_are_those_of_the_saved_model(demo):
    done, out = demo
    test = pd.read_csv(out / "test.csv")
    model = skpara.load_model(out / "sts.skpara")
    expected = pearson_score(test["score"], model.predict(test.iloc[:, :2].to_numpy()))
    shown = float(re.search(r"Held-out Pearson's r, all sets together: ([\d.]+)", done.stdout)[1])
    assert shown == pytest.approx(expected, abs=5e-4)
    assert shown > 0.6
    for genre in set(test["group"]):
        assert re.search(rf"^{genre} +\d+ +0\.\d+", done.stdout, re.MULTILINE)


def test_progress_goes_to_standard_error(demo):
    done, _ = demo
    assert re.search(r"^Training on 480 pairs \.\.\. [\d.]+ s$", done.stderr, re.MULTILINE)
    assert "Training" not in done.stdout
    assert "Warning" not in done.stderr


def test_pairs_model_and_plot_are_written(demo):
    _, out = demo
    train, test = (pd.read_csv(out / f"{part}.csv") for part in ("train", "test"))
    assert (len(train), len(test)) == (480, 160)
    assert not set(zip(train["sentence1"], train["sentence2"], strict=True)) & set(
        zip(test["sentence1"], test["sentence2"], strict=True)
    )
    files = {"train.csv", "test.csv", "sts.skpara", "gold-against-predicted.png"}
    assert {path.name for path in out.iterdir()} == files


def test_the_next_steps_run_as_they_are_printed(demo, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    commands = re.findall(r"^  skpara (.*)$", demo[0].stdout, re.MULTILINE)
    assert [command.split()[0] for command in commands] == ["predict", "evaluate", "report"]
    for command in commands:
        assert main(shlex.split(command)) == 0
