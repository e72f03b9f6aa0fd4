"""Result files in MTEB's format: its own evaluation agrees with the packaged metrics."""

from __future__ import annotations

import json
import os
import runpy
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
TASKS = [f"STS{year}" for year in range(12, 17)]


def scores_in(path):
    (scores,) = json.loads(path.read_text("utf8"))["scores"]["test"]
    assert scores["main_score"] == scores["cosine_spearman"]
    return scores


def test_the_script_writes_what_mteb_computes(tiny_data, tmp_path, monkeypatch):
    if not os.environ.get("SKPARA_REQUIRE_PACKAGES"):
        pytest.importorskip("mteb")
    from skpara import ParagramEncoder
    from skpara.datasets import fetch_sts
    from skpara.metrics import pearson_score

    script = str(ROOT / "examples" / "benchmarks" / "mteb_results.py")
    monkeypatch.setattr(sys, "argv", [script, "--data", str(tiny_data), "--out", str(tmp_path)])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of MTEB
        runpy.run_path(script, run_name="__main__")
    files = {"model_meta.json", *(f"{name}.json" for name in TASKS)}
    assert {path.name for path in tmp_path.iterdir()} == files
    for name, year in zip(TASKS, range(2012, 2017), strict=True):
        sts = fetch_sts(year, data_home=tiny_data)
        cosines = ParagramEncoder().similarity(*np.asarray(sts.data).T.tolist())
        # Not Spearman's rho: cosines of 1 are ties here, and differ by rounding there.
        expected = pearson_score(sts.target, cosines)
        scores = scores_in(tmp_path / f"{name}.json")
        assert scores["cosine_pearson"] == pytest.approx(expected, abs=2e-4)
