"""``skpara demo``, run as a user would run it, on the real pipeline."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline

import skpara
from skpara import FusionRegressor, LexicalFeatures
from skpara.cli import main
from skpara.cli._demo import example_rows, split_sample, split_sts
from skpara.metrics import pearson_score

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    """One run of the demo: the finished process and the folder it wrote to."""
    out = tmp_path_factory.mktemp("demo") / "new" / "out"
    done = subprocess.run(
        [sys.executable, "-m", "skpara", "demo", "--out", str(out), "--seed", "3"],
        env={name: value for name, value in os.environ.items() if name != "SKPARA_DATA"},
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )
    return done, out


def test_a_folder_without_sts_is_an_error(tmp_path, capsys):
    assert main(["demo", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_progress_goes_to_standard_error(demo):
    done, _ = demo
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Training on \d+ pairs \.\.\. [\d.]+ s$", done.stderr, re.MULTILINE)
    assert "Training" not in done.stdout
    assert "Warning" not in done.stderr


def test_demo_scores_what_the_saved_model_scores(demo):
    done, out = demo
    split = split_sample(3)
    model = skpara.load_model(out / "sts.skpara")
    expected = pearson_score(split.test_scores, model.predict(split.test))
    shown = float(re.search(r"Held-out Pearson's r: ([\d.]+)", done.stdout)[1])
    assert shown == pytest.approx(expected, abs=5e-4)
    assert shown > 0.6
    for genre in np.unique(split.test_groups):
        assert re.search(rf"^  {genre} +-?[\d.]+  \(\d+ pairs\)$", done.stdout, re.MULTILINE)


def test_demo_shows_features_and_examples(demo):
    done, _ = demo
    bars = re.findall(r"^  (\S+) +[█#]+ +([\d.]+)$", done.stdout, re.MULTILINE)
    assert len(bars) == 10
    values = [float(value) for _, value in bars]
    assert values == sorted(values, reverse=True)
    assert len(re.findall(r"gold [\d.]+, predicted [\d.]+", done.stdout)) == 3


def test_demo_writes_a_model_and_a_plot_and_nothing_else(demo):
    _, out = demo
    assert {path.name for path in out.iterdir()} == {"sts.skpara", "gold-against-predicted.png"}
    assert (out / "gold-against-predicted.png").read_bytes().startswith(b"\x89PNG")


def test_json_has_the_figures(tmp_path, monkeypatch, capsys):
    monkeypatch.delenv("SKPARA_DATA", raising=False)
    quick = make_pipeline(LexicalFeatures("counts"), FusionRegressor(n_repeats=1))
    monkeypatch.setattr(skpara, "make_sts_pipeline", lambda random_state: quick)
    assert main(["demo", "--out", str(tmp_path), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    split = split_sample(0)
    model = skpara.load_model(facts["model"])
    expected = pearson_score(split.test_scores, model.predict(split.test))
    assert facts["pearson"] == pytest.approx(expected)
    assert facts["held_out_pairs"] == sum(part["pairs"] for part in facts["sets"].values())
    assert list(facts["features"].values()) == sorted(facts["features"].values(), reverse=True)


def test_the_next_steps_run_as_they_are_printed(demo):
    done, _ = demo
    steps = done.stdout.split("Use it:\n")[1].splitlines()
    *before, last = (line.strip() for line in steps if line.strip())
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    score = eval(last, names)
    assert score.shape == (1,)
    assert 0 <= score[0] <= 5


def test_the_sample_is_split_without_overlap():
    split = split_sample(0, test_size=0.25)
    n = len(split.train) + len(split.test)
    assert len(split.test) / n == pytest.approx(0.25, abs=0.01)
    again = split_sample(0, test_size=0.25)
    np.testing.assert_array_equal(split.test, again.test)
    train, test = ({tuple(pair) for pair in part} for part in (split.train, split.test))
    assert not train & test


def test_sts_is_never_downloaded(tmp_path):
    with pytest.raises(FileNotFoundError):
        split_sts(tmp_path)


def test_examples_are_chosen_by_gold_score_only():
    assert example_rows(np.array([1.0, 5.0, 3.0])) == [1, 2, 0]
    assert example_rows(np.array([2.0])) == [0]
