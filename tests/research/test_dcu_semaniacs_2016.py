"""The claims that examples/papers/dcu_semaniacs_2016.py reads from its runs, and its test."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from sklearn.utils import Bunch

SCRIPT = Path(__file__).parents[2] / "examples/papers/dcu_semaniacs_2016.py"


@pytest.fixture(scope="module")
def script():
    return runpy.run_path(str(SCRIPT))


def with_correlations(n, r_a, r_b, r_ab):
    """Three vectors whose sample correlations are exactly the given ones."""
    rng = np.random.default_rng(0)
    noise = rng.normal(size=(n, 3))
    axes, _ = np.linalg.qr(noise - noise.mean(axis=0))  # orthonormal and centred
    matrix = np.array([[1, r_a, r_b], [r_a, 1, r_ab], [r_b, r_ab, 1]])
    return (axes @ np.linalg.cholesky(matrix).T).T


def test_williams_by_hand(script):
    williams_test = script["williams_test"]
    # n = 103, r_a = .4, r_b = .5, r_ab = .1, worked on paper:
    # K = 1 - .16 - .25 - .01 + .04 = .62, mean r = .45
    # t = -.1 sqrt(102 * 1.1 / (2 * 102/100 * .62 + .2025 * .729)) = -.1 sqrt(112.2 / 1.41242)
    sample = with_correlations(103, 0.4, 0.5, 0.1)
    assert williams_test(*sample) == pytest.approx((-0.89128, 0.3749), abs=1e-4)
    # n = 28, r_a = .6, r_b = .2, r_ab = 0: K = .6, t = .4 sqrt(27 / (2 * 27/25 * .6 + .16))
    y, a, b = with_correlations(28, 0.6, 0.2, 0.0)
    statistic, pvalue = williams_test(y, a, b)
    assert statistic == pytest.approx(0.4 * np.sqrt(27 / 1.456))
    assert pvalue == pytest.approx(2 * stats.t.sf(statistic, 25))
    assert williams_test(y, b, a) == pytest.approx((-statistic, pvalue))
    assert williams_test(y, a, 3 * a - 2) == (0.0, 1.0)


@pytest.mark.parametrize("distribution", ["normal", "uniform"])
def test_equal_systems_seldom_differ_significantly(script, distribution):
    rng = np.random.default_rng(0)
    pvalues = []
    for _ in range(1000):
        y, noise_a, noise_b = getattr(rng, distribution)(size=(3, 40))
        shared = 0.5 * rng.normal(size=40)  # the systems err alike
        systems = y + noise_a + shared, y + noise_b + shared
        pvalues.append(script["williams_test"](y, *systems)[1])
    # standard error of a rate of .05 over 1000 draws: .007
    assert np.mean(np.array(pvalues) < 0.05) == pytest.approx(0.05, abs=0.025)


def test_claims_hold_only_where_differences_are_significant(script, capsys):
    rng = np.random.default_rng(0)
    gold = rng.standard_normal(400)
    noise = {"raw cosine": 1.0, "task-internal": 2.0, "synthetic": 1.0, "fusion": 0.1}
    noise |= {"paper's task-internal": 0.5, "paper's synthetic": 0.5, "paper's fusion": 0.5}
    runs = [
        script["Run"](name, [gold + scale * rng.standard_normal(400)], False)
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


def test_systems_are_compared_seed_by_seed(script):
    rng = np.random.default_rng(0)
    gold = rng.standard_normal(400)
    test = Bunch(target=gold, groups=np.repeat(["a", "b"], 200))
    good, fair, bad = (gold + scale * rng.standard_normal(400) for scale in (0.2, 1.0, 2.0))
    runs = [
        script["Run"]("fixed", [fair], False),
        script["Run"]("better", [good, good], False),
        script["Run"]("changing", [good, bad], False),
        script["Run"]("good", [good], False),
        script["Run"]("bad", [bad], False),
    ]
    alone = [script["compare"](test, runs, name, "fixed") for name in ("good", "bad")]
    assert script["compare"](test, runs, "better", "fixed") == pytest.approx(alone[0])
    # What one seed finds and the other denies is no finding, significant as both may be.
    difference, p = script["compare"](test, runs, "changing", "fixed")
    assert all(p < 0.05 for _, p in alone)
    assert (difference, p) == (pytest.approx((alone[0][0] + alone[1][0]) / 2), 1.0)
