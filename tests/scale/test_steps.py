"""The functions that an engine runs, without an engine."""

from __future__ import annotations

import hashlib

import numpy as np
import pytest

from skpara import Deduplicator, ParagramEncoder
from skpara.datasets import load_sts_sample
from skpara.matching import TextRules, _search
from skpara.scale import _plan, _steps

pa = pytest.importorskip("pyarrow")
THRESHOLD = 0.7


@pytest.fixture(scope="module")
def texts():
    texts = list(dict.fromkeys(load_sts_sample().data.ravel().tolist()))
    return sorted(texts, key=lambda text: hashlib.md5(text.encode()).hexdigest())


@pytest.fixture
def plan(texts, monkeypatch):
    monkeypatch.setattr(_search, "_MAX_EXACT", 100)
    rules = TextRules.of(Deduplicator(threshold=THRESHOLD, min_cosine=THRESHOLD))
    n = _plan.texts_of_plan(len(texts))
    return _plan.fit_plan(rules, texts[:n], len(texts), most=len(texts) // 2)


def columns_of(table, *names):
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def test_groups_find_the_pairs_of_all_texts_once(plan, texts):
    ids = np.arange(len(texts)) * 3
    read = _steps.read_texts(plan, ids, texts)
    groups = sorted(set(read.items["cell_group"].to_pylist()))
    assert len(groups) > 1
    found = []
    for group in groups:
        items = read.items.filter(pa.array(read.items["cell_group"].to_numpy() == group))
        items = items.filter(items["words"].is_null())
        pairs = _steps.compare_texts(plan, items, group)
        # Vectors that are known, and another order, change nothing.
        order = np.random.default_rng(group).permutation(len(items))
        again = _steps.compare_texts(
            plan, items.take(pa.array(order)), group, units_of=read.units.__getitem__
        )
        assert again == pairs
        found += columns_of(pairs, "first", "second", "cosine")
    vectors = ParagramEncoder().encode(texts).astype(np.float64)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    expected = {
        (3 * i, 3 * j): cosines[i, j]
        for i, j in np.argwhere(np.triu(cosines >= THRESHOLD + 1e-6, 1)).tolist()
    }
    assert len(expected) > 50
    pairs_found = {(first, second): cosine for first, second, cosine in found}
    assert len(pairs_found) == len(found)
    assert len(expected.keys() - pairs_found.keys()) <= 0.1 * len(expected)
    for pair in expected.keys() & pairs_found.keys():
        assert pairs_found[pair] == pytest.approx(expected[pair], abs=1e-6)


def test_a_saved_plan_is_the_same(plan, texts, tmp_path):
    np.savez(tmp_path / "plan.npz", **plan.to_arrays())
    with np.load(tmp_path / "plan.npz") as arrays:
        saved = _plan.Plan.of_arrays(plan.rules, arrays)
    ids = np.arange(len(texts))
    first, second = (_steps.read_texts(x, ids, texts) for x in (plan, saved))
    assert first.items == second.items
    assert first.probed == second.probed
    assert sum(first.probed["n_pairs"].to_pylist()) > 0


def test_typing_errors_need_the_word_that_is_meant(plan):
    pairs = pa.table(
        {
            "first": [1, 1],
            "second": [2, 3],
            "cosine": [1.0, 1.0],
            "repeated": [False, False],
            "first_words": pa.array([["beach"], ["beach"]], pa.list_(pa.string())),
            "second_words": pa.nulls(2, pa.list_(pa.string())),
            "first_text": ["Dogs run on the baech."] * 2,
            "second_text": ["Dogs run on the beach.", "Dogs run on the sand."],
        }
    )
    judged = _steps.judge_pairs(plan, pairs)
    assert columns_of(judged, "first", "second", "score", "reason") == [(1, 2, 1.0, "")]


def test_the_sample_is_that_of_a_database(texts):
    duckdb = pytest.importorskip("duckdb")
    rows = [*texts, *texts[::2], "Ça va\x00?", "日本語"]
    sample = _search.sampled(rows, 40_000)
    given = pa.table({"text": rows})
    found = duckdb.from_arrow(given).distinct().order("md5(text)")
    expected = [text for (text,) in found.fetchall()]
    assert [rows[row] for row in sample] == expected
    assert all(rows.index(rows[row]) == row for row in sample)


def test_recall_counts_other_texts_that_are_near_to_a_probed_one(plan, texts):
    """Neither the probed text itself counts, nor the same in other capitals."""
    rows = [*texts, texts[0].upper(), f"{texts[1]}!"]
    read = _steps.read_texts(plan, np.arange(len(rows)), rows)
    n_pairs, n_found = (read.probed[name].to_numpy() for name in ("n_pairs", "n_found"))
    units = ParagramEncoder().encode(texts).astype(np.float64)
    units /= np.maximum(np.linalg.norm(units, axis=1, keepdims=True), 1e-12)
    near = units @ plan.probed.T.astype(np.float64) >= THRESHOLD
    own = units @ plan.probed.T.astype(np.float64) > 1 - 1e-6
    expected = (near & ~own).sum(axis=0)
    assert len(n_pairs) == len(plan.probed)
    assert np.abs(n_pairs - expected).max() <= 2  # cosines at the threshold
    assert abs(n_pairs.sum() - expected.sum()) <= 0.02 * expected.sum() + 4
    assert (n_found <= n_pairs).all()
    assert n_found.sum() >= 0.8 * n_pairs.sum()
