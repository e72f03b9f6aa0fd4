"""Deduplication of Parquet files, compared with a Deduplicator that has all rows in memory."""

from __future__ import annotations

import os
import sys
import time
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from repeated_names import with_copies
from repeated_rows import rows_of
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from skpara import Deduplicator, FusionClassifier, LexicalFeatures
from skpara.matching import _search
from skpara.scale import _duckdb, _plan, _tasks, deduplicate

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(folder, rows, name="rows.parquet", column="text"):
    table = pa.table({column: pa.array(rows, pa.string()), "row": np.arange(len(rows))})
    pq.write_table(table, folder / name)
    return folder / name


def labels_of(found):
    table = pq.read_table(found.labels)
    assert table["row"].to_pylist() == list(range(found.n_rows))
    return table["cluster"].to_numpy(), np.flatnonzero(table["kept"].to_numpy())


def check(found, rows, fitted):
    """The result is that of an estimator that was fitted to all rows."""
    labels, kept = labels_of(found)
    np.testing.assert_array_equal(labels, fitted.labels_)
    np.testing.assert_array_equal(kept, fitted.kept_)
    assert pq.read_table(found.kept)["row"].to_pylist() == fitted.kept_.tolist()
    assert (found.n_rows, found.n_clusters) == (len(rows), len(fitted.kept_))
    # Of rows with the same text, the first one is in pairs with rows of other texts.
    expected = {
        (i, j, score): reason
        for i, j, score, reason in fitted.borderline(float("inf")).tolist()
        if rows[i] != rows[j] and rows.index(rows[j]) == j
    }
    pairs = pq.read_table(found.pairs).to_pylist()
    assert expected == {(x["first"], x["second"], x["score"]): x["reason"] for x in pairs}
    assert len(pairs) == len(expected)


@pytest.mark.parametrize(
    ("parameters", "max_exact"),
    [
        ({}, 20_000),
        ({}, 100),
        ({"guard": False, "linkage": "single"}, 100),
        ({"guard": False, "keep": "longest"}, 100),
        ({"threshold": 0.8, "keep": "last", "guard": "identifiers"}, 100),
    ],
)
def test_clusters_are_those_of_a_deduplicator(parameters, max_exact, tmp_path, monkeypatch):
    monkeypatch.setattr(_search, "_MAX_EXACT", max_exact)
    rows = rows_of(len(parameters) + max_exact, 120)
    fitted = Deduplicator(**parameters).fit(rows, on=None)
    found = deduplicate(
        write(tmp_path, rows), tmp_path / "out", Deduplicator(**parameters), on="text"
    )
    check(found, rows, fitted)
    assert (found.recall == 1) == (max_exact > 100)
    assert len({*fitted.labels_.tolist()}) < len(rows) - 24


def test_a_model_scores_the_pairs(tmp_path, scored_sample):
    fusion = FusionClassifier(LogisticRegression(), cv=2, random_state=0)
    model = make_pipeline(LexicalFeatures(["cosine", "align_f"]), fusion)
    model.fit(scored_sample[0], scored_sample[1] > 3)
    rows = rows_of(5, 120)
    estimator = Deduplicator(0.7, model=model)
    found = deduplicate(write(tmp_path, rows), tmp_path / "out", estimator, on="text")
    check(found, rows, Deduplicator(0.7, model=model).fit(rows))


WORDS = st.sampled_from(
    "a the dog dogs bit man runs in Rome 12 13 not café cafe beach baech ! us".split()
)


@settings(max_examples=4)
@given(rows=st.lists(st.lists(WORDS, max_size=6).map(" ".join), min_size=1, max_size=60))
def test_any_rows(rows, tmp_path_factory):
    folder = tmp_path_factory.mktemp("any")
    # A column of other kinds than sentences has other rules.
    sentences = Deduplicator(kind="sentences")
    fitted = clone(sentences).fit(rows)
    found = deduplicate(write(folder, rows), folder / "out", sentences, on="text")
    np.testing.assert_array_equal(labels_of(found)[0], fitted.labels_)


def test_a_heavy_group_is_shared(tmp_path, monkeypatch):
    """Each of its parts is compared with each, and no pair is found twice or lost."""
    monkeypatch.setattr(_search, "_MAX_EXACT", 100)
    rows = rows_of(7, 150)
    path = write(tmp_path, rows)
    whole = deduplicate(path, tmp_path / "whole", on="text")
    monkeypatch.setattr(_plan, "_groups", lambda cells, *_: np.zeros(len(cells.centres), np.int32))
    monkeypatch.setattr(_duckdb, "_LEAST_TEXTS", 200)
    monkeypatch.setattr(_duckdb, "_BYTES_PER_TEXT", 1e12)
    shared = []
    compare = _tasks.compare_texts
    monkeypatch.setattr(_tasks, "compare_texts", lambda *x: shared.append(x[3]) or compare(*x))
    parts = deduplicate(path, tmp_path / "parts", on="text")
    assert max(k for _, _, k in shared) > 1
    assert len(shared) == max(k for _, _, k in shared) ** 2
    for name in ("pairs", "labels", "kept"):
        assert pq.read_table(getattr(parts, name)) == pq.read_table(getattr(whole, name))


def test_texts_are_read_in_parts(tmp_path, monkeypatch):
    """Their vectors are found again, whatever the size of a part."""
    monkeypatch.setattr(_duckdb, "_TEXTS_PER_TASK", 2048)
    words = ["red blue old new".split(), "dog cat horse bird car house".split()]
    words += ["runs sleeps waits falls stands".split(), "here there outside".split()]
    rows = [" ".join(x) for x in product(*words, ["in May", "in June", "today"], "ab")]
    rows = [*rows, *(f"{row} {n}" for n, row in enumerate(rows))]
    estimator = Deduplicator(guard=False, threshold=0.95, linkage="single")
    found = deduplicate(write(tmp_path, rows), tmp_path / "out", estimator, on="text")
    np.testing.assert_array_equal(labels_of(found)[0], estimator.fit(rows).labels_)
    assert 10 < found.n_clusters < len(rows) - 100


def test_several_files_with_missing_texts(tmp_path):
    rows = ["It rains.", None, "A dog runs.", "it rains!", None, "A dog runs."]
    for number in range(3):
        write(tmp_path, rows[2 * number : 2 * number + 2], f"part-{number}.parquet", 'a "text"')
    for source in (tmp_path, str(tmp_path / "*.parquet"), sorted(tmp_path.glob("*.parquet"))):
        out = tmp_path.parent / f"out-{type(source).__name__}"
        found = deduplicate(source, out, on='a "text"')
        assert labels_of(found)[0].tolist() == [0, 1, 2, 0, 3, 2]
        assert pq.read_table(found.kept)['a "text"'].to_pylist() == [rows[k] for k in (0, 1, 2, 4)]


def test_what_is_done_is_not_done_again(tmp_path, monkeypatch):
    path = write(tmp_path, rows_of(3, 60))
    table = pq.read_table(path)
    pq.write_table(table.append_column("title", table["text"]), path)
    found = deduplicate(path, tmp_path / "out", on="text")
    assert sorted(x.name for x in (tmp_path / "out").iterdir()) == [
        "kept.parquet", "labels.parquet", "pairs.parquet", "settings.json", "summary.json"
    ]  # fmt: skip
    monkeypatch.setattr(_tasks, "read_texts", None)  # would raise
    assert deduplicate(path, tmp_path / "out", on="text") == found
    with pytest.raises(ValueError, match="a call with other rules"):
        deduplicate(path, tmp_path / "out", Deduplicator(threshold=0.95), on="text")
    with pytest.raises(ValueError, match="a call with other column"):
        deduplicate(path, tmp_path / "out", on="title")
    write(tmp_path, rows_of(3, 80))
    with pytest.raises(ValueError, match="a call with other files"):
        deduplicate(path, tmp_path / "out", on="text")


def test_halves_of_files_are_not_read(tmp_path, monkeypatch):
    """A killed process leaves them behind."""
    path, out = write(tmp_path, rows := rows_of(13, 60)), tmp_path / "out"
    with monkeypatch.context() as patch:
        patch.setattr(_tasks, "judge_pairs", None)
        with pytest.raises(TypeError):
            deduplicate(path, out, on="text")
    for file in list((out / "unfinished").rglob("*.*")):
        if file.is_file():
            file.with_name(f".skpara-unfinished-0{file.suffix}").write_bytes(b"half")
    (out / "unfinished" / "groups.part").mkdir()
    # With more memory, work that was begun continues, too.
    found = deduplicate(path, out, on="text", memory_gb=5)
    check(found, rows, Deduplicator().fit(rows))


KILLED = """
from skpara.matching import _search
from skpara.scale import _duckdb, deduplicate
_search._MAX_EXACT, _duckdb._TEXTS_PER_TASK = 100, 2048
deduplicate({path!r}, {out!r}, on="text")
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="needs kill")
def test_a_kill_at_any_moment_loses_nothing(tmp_path, monkeypatch, start_process):
    rows = rows_of(11, 200)
    path, out = write(tmp_path, rows), tmp_path / "out"
    rng, n_kills, left = np.random.default_rng(0), 0, set()
    code = KILLED.format(path=str(path), out=str(out))
    while not (out / "summary.json").exists() and n_kills < 3:
        known, process = files_of(out), start_process(code)
        # After it has made some progress, however fast the machine is.
        while process.is_alive() and len(files_of(out) - known) < 1 + 2 * n_kills:
            time.sleep(0.002)
        time.sleep(rng.random() * 0.05)
        process.kill()
        process.join()
        n_kills += 1
        left |= {name.split("/")[0] for name in files_of(out)}
    assert n_kills > 1
    assert "unfinished" in left
    monkeypatch.setattr(_search, "_MAX_EXACT", 100)
    check(deduplicate(path, out, on="text"), rows, Deduplicator().fit(rows))
    assert not (out / "unfinished").exists()


def files_of(folder):
    """The finished files of a folder, which may change at the same time."""
    found = {
        os.path.relpath(os.path.join(at, name), folder)
        for at, _, names in os.walk(folder)
        for name in names
    }
    return {name for name in found if "skpara-unfinished" not in name and ".part" not in name}


def test_bad_input_raises_an_error(tmp_path):
    path = write(tmp_path, ["It rains."])
    out = tmp_path / "out"
    with pytest.raises(FileNotFoundError, match=r"no file .*none"):
        deduplicate(tmp_path / "none", out)
    with pytest.raises(ValueError, match=r"2 columns, text, row, and on is None"):
        deduplicate(path, out)
    with pytest.raises(ValueError, match=r"there is no column 'txt'"):
        deduplicate(path, out, on="txt")
    with pytest.raises(ValueError, match=r"the column 'row' has int64, not text"):
        deduplicate(path, out, on="row")
    with pytest.raises(ValueError, match=r"Did you mean 0\.9"):
        deduplicate(path, out, Deduplicator(threshold=90), on="text")
    with pytest.raises(ValueError, match="average"):
        deduplicate(path, out, Deduplicator(linkage="average"), on="text")
    with pytest.raises(ValueError, match=r"memory_gb == 0\.1"):
        deduplicate(path, out, on="text", memory_gb=0.1)
    assert not out.exists()
    with pytest.raises(FileExistsError, match="has other files"):
        deduplicate(path, tmp_path, on="text")
    with pytest.raises(ValueError, match="has no rows"):
        deduplicate(write(tmp_path, [], "none.parquet"), out, on="text")


@pytest.mark.parametrize("name", ["duckdb", "pyarrow"])
def test_a_missing_package_is_named_with_the_remedy(tmp_path, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ImportError, match=rf"{name}.*skpara\[duckdb\]"):
        deduplicate(tmp_path / "rows.parquet", tmp_path / "out", on="text")


def test_results_go_into_a_new_or_empty_folder(tmp_path):
    path = write(tmp_path, ["It rains.", "It rains!", "A dog runs."])
    empty = tmp_path / "empty"
    empty.mkdir()
    (empty / ".hidden").write_text("")
    for out in (empty, tmp_path / "new" / "folder"):
        assert deduplicate(path, out, on="text").n_clusters == 2
    used = tmp_path / "used"
    used.mkdir()
    (used / "file").write_text("")
    with pytest.raises(FileExistsError, match=r"has other files\. Pass a new folder"):
        deduplicate(path, used, on="text")


@pytest.mark.parametrize(
    "parameters", [{}, {"threshold": 0.7, "linkage": "average", "kind": "names"}]
)
def test_names_are_compared_as_in_memory(parameters, tmp_path):
    names, _ = with_copies("companies", 300, 60, seed=3)
    nothing = ["", "  ", "N/A", "!!"]
    rows = [*names, *names[:20], *nothing, *nothing, names[0].upper()]
    fitted = Deduplicator(**parameters).fit(rows)
    assert fitted.kind_ == "names"
    found = deduplicate(
        write(tmp_path, rows), tmp_path / "out", Deduplicator(**parameters), on="text"
    )
    labels, kept = labels_of(found)
    np.testing.assert_array_equal(labels, fitted.labels_)
    np.testing.assert_array_equal(kept, fitted.kept_)
    scores = dict(zip(map(tuple, fitted.pairs_.tolist()), fitted.scores_, strict=True))
    pairs = pq.read_table(found.pairs).to_pylist()
    assert len(pairs) > 30
    for pair in pairs:
        assert pair["score"] == pytest.approx(scores[pair["first"], pair["second"]])
        assert pair["score"] >= 0.5
    assert found.n_clusters == len(fitted.kept_)
    assert np.isnan(found.recall)


def test_more_names_than_memory_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(_duckdb, "_BYTES_PER_NAME", 1e9)
    path = write(tmp_path, with_copies("persons", 20, 5, seed=1)[0])
    with pytest.raises(MemoryError, match=r"25 different names .*kind='sentences'"):
        deduplicate(path, tmp_path / "out", on="text")
    deduplicate(path, tmp_path / "as sentences", Deduplicator(kind="sentences"), on="text")
