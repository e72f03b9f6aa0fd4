"""The tables of the DCU-SEManiacs paper, on tiny data."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from sklearn.utils import Bunch

SCRIPT = Path(__file__).parents[2] / "examples/papers/dcu_semaniacs_2016.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def test_claims_hold_only_where_differences_are_significant(script, capsys):
    rng = np.random.default_rng(0)
    gold = rng.standard_normal(400)
    noise = {"raw cosine": 1.0, "task-internal": 2.0, "synthetic": 1.0, "fusion": 0.1}
    noise |= {"paper's task-internal": 0.5, "paper's synthetic": 0.5, "paper's fusion": 0.5}
    runs = [
        script["Run"](name, gold + scale * rng.standard_normal(400), False)
        for name, scale in noise.items()
    ]
    script["show_claims"](Bunch(target=gold, groups=np.repeat(["a", "b"], 200)), runs)
    shown = capsys.readouterr().out
    papers, ours = (re.findall(r"(?m)^  (\w.*)", part) for part in shown.split("claims")[1:])
    assert papers[0] == "tuning on scored pairs beats the untuned vectors: holds"
    assert "synthetic paraphrases beat task-internal pairs: cannot be confirmed" in papers[1]
    assert "does not hold, it is significantly worse" in ours[0]
    assert ours[1:] == [
        "synthetic paraphrases beat task-internal pairs: holds",
        "fusion is the best system: holds",
    ]


@pytest.mark.slow
@pytest.mark.usefixtures("apertium")
@pytest.mark.filterwarnings("ignore")
def test_every_system_is_in_the_table(script, data_home, tmp_path, capsys):
    vectors = tmp_path / "vectors.txt"
    rng = np.random.default_rng(0)
    words = ["a", "the", "man", "woman", "is", "in", "to", "of", "dog", "on"]
    rows = (" ".join([word, *map(str, rng.standard_normal(4).round(3))]) for word in words)
    vectors.write_text("\n".join(rows) + "\n")
    arguments = ["--data", str(data_home), "--tables", "1", "--limit", "5"]
    script["main"]([*arguments, "--teacher-free-vectors", str(vectors)])
    shown = capsys.readouterr().out
    saw_test = dict(re.findall(r"(?m)^(\w.*?)  +(yes|no) .*", shown))
    assert {name for name, saw in saw_test.items() if saw == "yes"} == {
        *("synthetic", "lexical features alone", "fusion", "paper's synthetic", "paper's fusion"),
        *("teacher-free synthetic", "teacher-free fusion"),
    }
    assert len(saw_test) == 15
    assert shown.count("against raw cosine") >= 4
    assert max(map(len, shown.split("\n"))) <= 115
