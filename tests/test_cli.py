"""The ``skpara`` command, run as a user would run it, on the real pipeline."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import joblib
import numpy as np
import pytest

from skpara import __version__
from skpara._demo import example_rows, replace_file, split_sample, split_sts
from skpara.augment.filters import OverlapFilter
from skpara.cli import main
from skpara.metrics import pearson_score
from skpara.text import tokenize


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


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"skpara {__version__}\n"


@pytest.mark.parametrize("argv", [[], ["paint"], ["demo", "--seed", "many"]])
def test_wrong_arguments_end_with_2_and_usage(argv, capsys):
    with pytest.raises(SystemExit) as end:
        main(argv)
    assert end.value.code == 2
    assert "usage: skpara" in capsys.readouterr().err


def test_a_folder_without_sts_is_refused_by_name(tmp_path, capsys):
    assert main(["demo", "--data", str(tmp_path), "--out", str(tmp_path / "out")]) == 1
    assert str(tmp_path) in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_demo_ends_well_with_progress_on_standard_error(demo):
    done, _ = demo
    assert done.returncode == 0, done.stderr
    assert re.search(r"^Training on \d+ pairs \.\.\. [\d.]+ s$", done.stderr, re.MULTILINE)
    assert "Training" not in done.stdout
    assert "Warning" not in done.stderr


def test_demo_scores_what_the_saved_model_scores(demo):
    done, out = demo
    split = split_sample(3)
    model = joblib.load(out / "sts.joblib")
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
    assert {path.name for path in out.iterdir()} == {"sts.joblib", "gold-against-predicted.png"}
    assert (out / "gold-against-predicted.png").read_bytes().startswith(b"\x89PNG")


def test_the_next_steps_run_as_they_are_printed(demo):
    done, _ = demo
    steps = done.stdout.split("Use it:\n")[1].splitlines()
    *before, last = (line.strip() for line in steps if line.strip())
    names: dict[str, object] = {}
    exec("\n".join(before), names)
    score = eval(last, names)
    assert score.shape == (1,)
    assert 0 <= score[0] <= 5


def test_the_sample_is_split_with_every_genre_in_equal_part():
    split = split_sample(0, test_size=0.25)
    n = len(split.train) + len(split.test)
    assert len(split.test) / n == pytest.approx(0.25, abs=0.01)
    again = split_sample(0, test_size=0.25)
    np.testing.assert_array_equal(split.test, again.test)
    train, test = ({tuple(pair) for pair in part} for part in (split.train, split.test))
    assert not train & test


def test_sts_years_are_looked_for_but_never_downloaded(tmp_path):
    with pytest.raises(FileNotFoundError):
        split_sts(tmp_path)


def test_examples_are_chosen_by_gold_score_alone():
    assert example_rows(np.array([1.0, 5.0, 3.0])) == [1, 2, 0]
    assert example_rows(np.array([2.0])) == [0]


def test_a_failed_write_leaves_the_old_file(tmp_path):
    path = tmp_path / "model"
    path.write_text("old")

    def write_half(unfinished):
        unfinished.write_text("ha")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        replace_file(path, write_half)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# --- augment -----------------------------------------------------------------------------------

LINES = ["The house is big.", "", "The  boy is eating an apple.", "The house is big.", "xyzzy"]


def test_augment_writes_pairs_and_says_what_was_dropped(apertium, tmp_path, capsys):
    source, out = tmp_path / "sentences.txt", tmp_path / "new" / "pairs.tsv"
    source.write_text("\n".join(LINES), "utf-8")
    assert main(["augment", str(source), "-o", str(out), "--pivot", "es"]) == 0
    pairs = [line.split("\t") for line in out.read_text("utf-8").splitlines()]
    assert {sentence for sentence, _ in pairs} <= {
        "The house is big.",
        "The boy is eating an apple.",
    }
    assert all(len(pair) == 2 and pair[0] != pair[1] for pair in pairs)
    shown = capsys.readouterr()
    assert f"5 lines, 3 distinct sentences, {len(pairs)} pairs" in shown.out
    assert "dropped: came back as they were" in shown.out
    assert "Translating" in shown.err
    assert os.listdir(out.parent) == ["pairs.tsv"]


def test_augment_keeps_what_the_bounds_allow(apertium, tmp_path, capsys):
    source, out = tmp_path / "sentences.txt", tmp_path / "pairs.tsv"
    source.write_text(
        "the children are playing in the garden\nthe movie starts at night\nit rains\n"
    )
    command = ["augment", str(source), "-o", str(out)]
    assert main([*command, "--length", "4", "6"]) == 0
    kept = [line.split("\t")[1] for line in out.read_text().splitlines()]
    assert kept
    assert all(4 <= len(tokenize(text)) <= 6 for text in kept)
    assert "dropped: too short or too long" in capsys.readouterr().out
    assert main([*command, "--overlap", "0.99", "1"]) == 0
    for line in out.read_text().splitlines():
        assert OverlapFilter(lower=0.99).select([tuple(line.split("\t"))]).all()
    assert "with too few words" in capsys.readouterr().out


def test_augment_goes_on_where_it_was(apertium, tmp_path, monkeypatch, capsys):
    from skpara.augment import ApertiumTranslator, TranslationError

    source, out = tmp_path / "sentences.txt", tmp_path / "pairs.tsv"
    source.write_text("\n".join(f"The house number {i} is old." for i in range(2500)), "utf-8")
    translate, asked = ApertiumTranslator.translate, []

    def limited(self, sentences):
        asked.extend(sentences)
        if len(asked) > 2500 and limited.broken:
            raise TranslationError("the power went out")
        return translate(self, sentences)

    limited.broken = True
    monkeypatch.setattr(ApertiumTranslator, "translate", limited)
    assert main(["augment", str(source), "-o", str(out)]) == 1
    assert "the power went out. What is translated is kept" in capsys.readouterr().err
    assert not out.exists()
    before = set(asked[:2000])
    asked.clear()
    limited.broken = False
    assert main(["augment", str(source), "-o", str(out)]) == 0
    assert not before & set(asked)
    assert len(out.read_text("utf-8").splitlines()) > 2000


def test_augment_names_what_is_wrong(apertium, tmp_path, capsys):
    out = str(tmp_path / "pairs.tsv")
    assert main(["augment", str(tmp_path / "nothing.txt"), "-o", out]) == 1
    assert "nothing.txt" in capsys.readouterr().err
    latin = tmp_path / "latin.txt"
    latin.write_bytes(b"good\ncaf\xe9\n")
    assert main(["augment", str(latin), "-o", out]) == 1
    assert "latin.txt, line 2, is not UTF-8" in capsys.readouterr().err
    assert main(["augment", str(latin.with_name("x")), "-o", out, "--pivot", "tlh"]) == 1
