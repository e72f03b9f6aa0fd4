"""``skpara evaluate``: the figures of the metrics, as a table and as JSON."""

from __future__ import annotations

import json

import pytest

from skpara import ParagramEncoder
from skpara.metrics import pearson_score, semeval_intervals
from skpara.saving import save_model


@pytest.fixture
def pairs(tmp_path, rows):
    path = tmp_path / "pairs.jsonl"
    names = ("sentence1", "sentence2", "score", "group")
    path.write_text("".join(json.dumps(dict(zip(names, row, strict=True))) + "\n" for row in rows))
    return path


def test_a_table_of_the_groups_and_their_means(run, model, model_file, pairs, rows):
    predicted = model.predict([row[:2] for row in rows])
    gold, groups = [row[2] for row in rows], [row[3] for row in rows]
    expected = semeval_intervals(gold, predicted, groups, random_state=0)
    shown = run("evaluate", pairs, "--model", model_file, "--group", "group").out
    assert shown == f"Model: {model_file}\nPairs: {pairs}\n\n{expected}\n"
    assert "mean over sets" in shown


def test_without_groups_all_pairs_are_one_set(run, model, tmp_path):
    path = save_model(model, tmp_path / "m", data="the sample", n_pairs=640)
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("".join(f"{i},dogs run,dogs {'run' * i},{i % 6}\n" for i in range(12)))
    lines = run("evaluate", pairs, "--model", path, "--columns", "2,3,4").out.splitlines()
    assert lines[0] == f"Model: {path}, trained on 640 pairs of the sample"
    assert [line.split()[0] for line in lines[3:]] == ["set", "all"]
    assert lines[4].split()[1] == "12"


def test_without_a_model_the_scores_are_cosines(run, rows, pairs):
    text = list(zip(*[row[:2] for row in rows], strict=True))
    r = pearson_score([row[2] for row in rows], ParagramEncoder().similarity(*text))
    values = run("evaluate", pairs).out.splitlines()[-1].split()
    assert float(values[2]) == pytest.approx(r, abs=1e-3)


@pytest.mark.filterwarnings("always")
def test_a_group_without_a_correlation_warns(run, model_file, tmp_path):
    path = tmp_path / "pairs.tsv"
    path.write_text("a b\ta b\t5\tx\na b\tc\t1\tx\na\tb\t2\ty\na\tb\t2\ty\n")
    shown = run("evaluate", path, "--model", model_file, "--group", "4")
    assert shown.err.startswith("skpara: warning: Pearson in set 'y': ")
    assert len(shown.err.splitlines()) == 1
    assert "nan" not in shown.out


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("", [], "holds 0 pair(s), but a correlation needs 2"),
        ("a\tb\t1\n", [], "holds 1 pair(s)"),
        ("a\tb\t1\tx\nc\td\t2\ty\ne\tf\t3\tx\n", ["--group", "4"], "Set 'y' has 1 pair"),
        ("a\tb\t1\nc\td\t?\n", [], "line 2, column 3: the score '?' is not a number"),
    ],
)
def test_data_that_cannot_be_evaluated(run, tmp_path, content, options, message):
    path = tmp_path / "pairs.tsv"
    path.write_text(content)
    error = run("evaluate", path, *options, code=1).err
    assert error.startswith("skpara: ")
    assert message in error
