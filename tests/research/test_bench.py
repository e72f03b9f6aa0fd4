"""Measurements of benchmarks, and their comparison with earlier ones."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "examples" / "benchmarks"
sys.path[:0] = [str(BENCHMARKS), str(BENCHMARKS.parent)]
import bench  # noqa: E402
import measure  # noqa: E402
from measure import Measurement  # noqa: E402


def test_ratios_are_medians_over_rounds_and_goals_follow_the_unit():
    seconds = {"peer": [1.0, 2.0, 4.0], "ours": [0.5, 0.5, 0.5]}
    peer, ours = measure.compare(seconds, "rows/s", n=10, peer="peer", goals={"ours": "4x"})
    assert (peer.value, peer.ratio, peer.reached) == (5, None, None)
    assert (ours.value, ours.ratio, ours.reached) == (20, 4, True)
    slower = measure.compare(seconds, "s", peer="peer", goals={"ours": "0.2x"})[1]
    assert (slower.ratio, slower.reached) == (0.25, False)
    assert Measurement("memory", 63, "MB", goal="64").reached


def test_a_child_process_reports_time_memory_and_its_result():
    child = measure.run_child("import sys\nresult = {'read': input() + sys.argv[1]}", 3, stdin="x")
    assert child["read"] == "x3"
    assert child["cpu"] > 0
    assert 1 < child["peak"] < 1000
    with pytest.raises(RuntimeError, match="ValueError: no such row"):
        measure.run_child("raise ValueError('no such row')")


def test_changes_beyond_the_noise_are_listed(capsys):
    old = {
        "speed": Measurement("speed", 100, "rows/s", 2.0, "peer"),
        "noisy": Measurement("noisy", 100, "rows/s", 2.0, "peer", spread=0.5),
        "time": Measurement("time", 1.0, "s"),
        "memory": Measurement("memory", 100, "MB"),
    }
    new = {
        "speed": Measurement("speed", 500, "rows/s", 1.0, "peer"),
        "noisy": Measurement("noisy", 100, "rows/s", 1.4, "peer"),
        "time": Measurement("time", 9.0, "s"),
        "memory": Measurement("memory", 50, "MB"),
        "added": Measurement("added", 1, "s"),
    }
    assert bench.compare(old, new, 0.2, same_machine=False)
    worse, _, better = capsys.readouterr().out.partition("Better")
    assert "speed" in worse
    assert "memory" in better
    assert "noisy" not in worse + better
    assert "time" not in worse + better
    assert not bench.compare(old, old, 0.2, same_machine=True)
