"""The claims that examples/papers/dcu_semaniacs_2016.py reads from its runs."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
from sklearn.utils import Bunch

SCRIPT = Path(__file__).parents[2] / "examples/papers/dcu_semaniacs_2016.py"


def test_claims_hold_only_where_differences_are_significant(capsys):
    script = runpy.run_path(str(SCRIPT))
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
