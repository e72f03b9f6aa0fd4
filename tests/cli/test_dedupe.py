"""``skpara dedupe`` on files of Parquet that do not fit into memory."""

from __future__ import annotations

import pytest

from skpara import Deduplicator
from skpara.cli import _dedupe

pytest.importorskip("duckdb")
pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")

ROWS = ["It rains.", "A dog runs.", "it rains!", "Prices rose.", "A dog ran."]


@pytest.fixture
def rows(folder):
    pq.write_table(pa.table({"text": ROWS, "stars": [1, 2, 3, 4, 5]}), folder / "rows.parquet")
    return folder / "rows.parquet"


def test_a_folder_gets_what_is_kept(run, folder, rows):
    command = ["dedupe", rows, "--on", "text", "--folder", "out", "--keep", "last"]
    shown = run(*command, "--threshold", "0.85")
    expected = Deduplicator(threshold=0.85, keep="last").fit(ROWS)
    kept = pq.read_table(folder / "out" / "kept.parquet")
    assert kept["stars"].to_pylist() == [row + 1 for row in expected.kept_.tolist()]
    labels = pq.read_table(folder / "out" / "labels.parquet")
    assert labels["cluster"].to_pylist() == expected.labels_.tolist()
    assert f"5 rows, {len(kept)} clusters" in shown.err
    assert shown.out == ""
    assert "call with other rules" in run(*command, "--threshold", "0.86", code=1).err
    assert run(*command, "--threshold", "0.85", "-q").err == ""


def test_a_table_that_is_too_large_is_refused(run, rows, monkeypatch):
    monkeypatch.setattr(_dedupe, "total_memory", lambda: 6000)
    shown = run("dedupe", rows, "--on", "text", code=2)
    assert "has 5 rows" in shown.err
    assert "--folder" in shown.err


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["orders.csv", "--folder", "out"], "--folder needs Parquet files"),
        (["rows.parquet", "--folder", "out", "--review", "3"], "--review does not go with"),
        (["rows.parquet", "--folder", "out", "--write", "pairs"], "--write does not go with"),
        (["rows.parquet", "--memory", "3"], "--memory needs --folder"),
    ],
)
def test_options_that_do_not_go_together(run, folder, rows, options, message):
    assert message in run("dedupe", *options, "--on", "text", code=2).err
    assert not (folder / "out").exists()
