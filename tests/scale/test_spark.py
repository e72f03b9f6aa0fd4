"""Deduplication on Spark, compared with a Deduplicator that has all rows in memory."""

from __future__ import annotations

import shutil
import sys

import numpy as np
import pytest
from repeated_rows import rows_of

from skpara import Deduplicator
from skpara.matching import _search
from skpara.scale import deduplicate_spark

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # its sockets
]


@pytest.fixture(scope="module")
def spark(tmp_path_factory):
    sql = pytest.importorskip("pyspark.sql")
    if not shutil.which("java"):
        pytest.skip("Spark needs Java")
    settings = {
        "spark.ui.enabled": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "3",
        "spark.sql.warehouse.dir": str(tmp_path_factory.mktemp("warehouse")),
    }
    builder = sql.SparkSession.builder.master("local[2]")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        session = builder.config(map=settings).getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        yield session
        session.stop()


def frame_of(spark, rows, ids):
    return spark.createDataFrame(
        list(zip(ids.tolist(), rows, strict=True)), "`a number` long, `a text` string"
    )


@pytest.mark.parametrize(
    ("parameters", "max_exact", "texts_per_task"),
    [
        ({"keep": "longest"}, 20_000, 2**18),
        # Groups that are too large for a task are shared.
        ({"threshold": 0.8, "keep": "last", "guard": False, "linkage": "single"}, 100, 40),
    ],
)
def test_the_result_is_that_of_one_machine(
    spark, parameters, max_exact, texts_per_task, tmp_path, monkeypatch
):
    monkeypatch.setattr(_search, "_MAX_EXACT", max_exact)
    rows = [*rows_of(len(parameters), 300), None]
    ids = 3 * np.arange(len(rows)) - 500
    order = np.random.default_rng(0).permutation(len(rows))
    found = deduplicate_spark(
        frame_of(spark, [rows[k] for k in order], ids[order]),
        str(tmp_path),
        Deduplicator(**parameters),
        on="a text",
        id="a number",
        texts_per_task=texts_per_task,
    )
    rows = ["" if row is None else row for row in rows]
    fitted = Deduplicator(**parameters).fit(rows, on=None)
    labels = found.labels.orderBy("id").toArrow()
    assert labels["id"].to_pylist() == ids.tolist()
    first = np.unique(fitted.labels_, return_index=True)[1]
    assert labels["cluster"].to_pylist() == ids[first[fitted.labels_]].tolist()
    assert ids[fitted.kept_].tolist() == labels.filter(labels["kept"])["id"].to_pylist()
    expected = {
        (ids[i], ids[j], score): reason
        for i, j, score, reason in fitted.borderline(float("inf")).tolist()
        if rows[i] != rows[j] and rows.index(rows[j]) == j
    }
    pairs = found.pairs.toArrow().to_pylist()
    assert expected == {(x["first"], x["second"], x["score"]): x["reason"] for x in pairs}
    assert len(pairs) == len(expected) > 100
    assert (found.recall == 1) == (max_exact > 100)


def test_bad_columns_raise_an_error(spark, tmp_path):
    frame = frame_of(spark, ["It rains."], np.arange(1))
    with pytest.raises(ValueError, match="column 'a number' has the type bigint"):
        deduplicate_spark(frame, str(tmp_path), on="a number", id="a number")
    with pytest.raises(ValueError, match="column 'row' is missing"):
        deduplicate_spark(frame, str(tmp_path), on="a text", id="row")
