"""Deduplication on a cluster: Spark groups and joins, and its workers compare."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from sklearn.utils import check_scalar

from skpara._compatibility import import_optional
from skpara._messages import warn
from skpara._public import set_module
from skpara.matching import Deduplicator, TextRules, are_sentences
from skpara.scale._engine import Engine
from skpara.scale._link import Pairs, linked
from skpara.scale._plan import Plan, parts_of_group
from skpara.scale._steps import compare_texts, judge_pairs, read_texts

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame

Batches = Iterator["pa.RecordBatch"]

# Texts that a task reads, and pairs that it judges: some seconds of work.
_TEXTS_PER_TASK = 2**16
_PAIRS_PER_TASK = 2**14
# Texts that are read to decide whether they are sentences.
_TEXTS_READ = 500
# What a worker returns about texts: rows of three kinds, each with some of the columns.
_READ = {
    "kind": "string",
    "id": "long",
    "text": "string",
    "text_key": "long",
    "vector_key": "long",
    "has_words": "boolean",
    "row": "long",
    "words": "array<string>",
    "cell_group": "int",
    "own": "int",
    "cells": "array<int>",
    "n_pairs": "long",
    "n_found": "long",
}
_COLUMNS = {
    "read": "id, text, text_key, vector_key, has_words",
    "items": "id, row, text, words, cell_group, own, cells",
    "probed": "id, n_pairs, n_found",
}
_COMPARED = """first long, second long, cosine double, first_words array<string>,
    second_words array<string>"""
_JUDGED = "first long, second long, repeated boolean, score double, reason string"


@set_module("skpara.scale")
class DeduplicatedFrame(NamedTuple):
    """Result of :func:`deduplicate_spark`: frames of Spark, whose files are in the folder.

    Parameters
    ----------
    labels : pyspark DataFrame
        A row for each row of the input: ``id``, ``cluster``, the lowest id of the rows of its
        cluster, and ``kept``.
    pairs : pyspark DataFrame
        The pairs, as those of :class:`Deduplicated`, with ids instead of row numbers.
    recall : float
        A lower bound of the fraction of pairs that was found.
    """

    labels: DataFrame
    pairs: DataFrame
    recall: float


def deduplicate_spark(
    frame: DataFrame,
    folder: str,
    deduplicator: Deduplicator | None = None,
    *,
    on: str,
    id: str,
    texts_per_task: int = 2**18,
) -> DeduplicatedFrame:
    """Deduplicate the texts of a Spark frame on a cluster.

    The result is that of :func:`deduplicate` on one machine. Names are compared as sentences, with
    a warning.

    Parameters
    ----------
    frame : pyspark DataFrame
        The rows.
    folder : str
        A new folder that all machines can access, for final and intermediate results.
    deduplicator : Deduplicator, default=None
        What to regard as duplicates, and which row to keep. It is not fitted.
    on : str
        The column of texts.
    id : str
        A column of whole numbers, different for each row. The row with the lowest one is first.
    texts_per_task : int, default=262144
        Most different texts that a task compares at a time; each takes about 3 kB of memory.

    Returns
    -------
    DeduplicatedFrame
        The labels of rows, the pairs, and the recall.

    Notes
    -----
    Needs PySpark and Java: ``pip install "skpara[spark]"``, and skpara on the workers. The driver
    needs 100 bytes of memory for each similar pair, to follow chains of them. Intermediate results
    are written to the folder. An interrupted call starts over.
    """
    import_optional("pyspark", "deduplicate_spark", install="skpara[spark]")
    import_optional("pyarrow", "deduplicate_spark", install="skpara[spark]")
    check_scalar(texts_per_task, "texts_per_task", int, min_val=2)
    deduplicator = Deduplicator() if deduplicator is None else deduplicator
    if deduplicator.kind not in ("auto", "sentences"):
        raise ValueError(
            f"kind={deduplicator.kind!r}, but a cluster compares sentences only. Leave kind out, "
            "or use skpara.scale.deduplicate."
        )
    rules = TextRules.of(deduplicator)
    types = dict(frame.dtypes)
    for name, wanted in ((on, ["string"]), (id, ["bigint", "int", "smallint", "tinyint"])):
        if types.get(name) not in wanted:
            problem = f"has the type {types[name]}" if name in types else "is missing"
            raise ValueError(
                f"frame: the column {name!r} {problem}. Pass a column of text as on and one of "
                "whole numbers as id."
            )
    rows = frame.selectExpr(f"`{id}` AS row", f"coalesce(`{on}`, '') AS text")
    if deduplicator.kind == "auto":
        some = sorted({row.text for row in rows.select("text").limit(_TEXTS_READ).collect()})
        if not are_sentences(deduplicator, some):
            warn(
                f"{on!r} seems to have names, which are compared as sentences here. Use "
                "skpara.scale.deduplicate for them, or pass Deduplicator(kind='sentences')."
            )
    engine = _Spark(rows, folder, rules, texts_per_task)
    engine.collect()
    engine.find_pairs()
    engine.link()
    return DeduplicatedFrame(engine.load("labels"), engine.load("pairs"), engine.recall())


class _Spark(Engine):
    """Steps each of which reads what others wrote, and writes for others.

    Without the files, a lost worker would make Spark repeat all steps.
    """

    def __init__(self, rows: DataFrame, folder: str, rules: TextRules, most: int) -> None:
        self.rows, self.spark, self.folder = rows, rows.sparkSession, folder.rstrip("/")
        self.rules, self.texts_per_group = rules, most

    def table(self, name: str) -> str:
        """Return what stands for a table behind FROM."""
        if name == "rows":
            return "{rows}"
        if name in _COLUMNS:
            return f"(SELECT {_COLUMNS[name]} FROM {self.table('parts')} WHERE kind = '{name}')"
        path = f"{self.folder}/{name}".replace("`", "``").replace("{", "{{").replace("}", "}}")
        return f"parquet.`{path}`"

    def query(self, query: str) -> DataFrame:
        """Return the result of a query as a frame."""
        return self.spark.sql(query, rows=self.rows)

    def fetch(self, query: str) -> pa.Table:
        """Return the result of a query."""
        return self.query(query).toArrow()

    def load(self, name: str) -> DataFrame:
        """Return a table as a frame."""
        return self.spark.read.parquet(f"{self.folder}/{name}")

    def save(self, name: str, frame: DataFrame, *partitions: str) -> None:
        """Write a frame as a table."""
        frame.write.mode("overwrite").partitionBy(*partitions).parquet(f"{self.folder}/{name}")

    def write(self, name: str, query: str) -> None:
        """Write the result of a query as a table."""
        self.save(name, self.query(query))

    def read(self, plan: Plan) -> None:
        """Read the texts, in tasks of some seconds."""

        def read(batches: Batches) -> Batches:
            import pyarrow as pa

            for batch in batches:
                found = read_texts(plan, batch["id"].to_numpy(), batch["text"].to_pylist())
                parts = {"read": found.texts, "items": found.items, "probed": found.probed}
                tables = [
                    part.append_column("kind", pa.array([kind] * len(part), pa.string()))
                    for kind, part in parts.items()
                ]
                joined = pa.concat_tables(tables, promote_options="default")
                yield from joined.select(list(_READ)).to_batches()

        texts = _spread(self.load("texts").select("id", "text"), _TEXTS_PER_TASK)
        schema = ", ".join(f"{name} {kind}" for name, kind in _READ.items())
        self.save("parts", texts.mapInArrow(read, schema), "kind")

    def compare(self, plan: Plan) -> None:
        """Compare texts in groups; all parts of a heavy group are compared with one another."""

        def compare(key: tuple[pa.Scalar, ...], items: pa.Table) -> pa.Table:
            group, i, j, k = (number.as_py() for number in key)
            return compare_texts(plan, items, group, (i, j, k))

        groups = self.load("groups")
        sizes = groups.groupBy("cell_group").count().toArrow().to_pylist()
        parts = [
            (size["cell_group"], *part)
            for size in sizes
            for part in parts_of_group(size["count"], self.texts_per_group)
        ]
        heavy = self.spark.sql(
            """SELECT /*+ BROADCAST(parts) */ grouped.*, i, j, k
            FROM {grouped} AS grouped JOIN {parts} AS parts
                ON grouped.cell_group = parts.cell_group
                    AND (pmod(id, k) = i OR pmod(id, k) = j)""",
            grouped=groups,
            parts=self.spark.createDataFrame(parts, "cell_group int, i int, j int, k int"),
        )
        keys = ("cell_group", "i", "j", "k")
        found = heavy.groupBy(*keys).applyInArrow(compare, _COMPARED)
        equal = self.load("equal")
        self.save("compared", equal.unionByName(found, allowMissingColumns=True))

    def judge(self, plan: Plan) -> None:
        """Score the pairs, and let the guard read them."""

        def judge(batches: Batches) -> Batches:
            import pyarrow as pa

            for batch in batches:
                yield from judge_pairs(plan, pa.Table.from_batches([batch])).to_batches()

        pairs = _spread(self.load("similar"), _PAIRS_PER_TASK)
        self.save("judged", pairs.mapInArrow(judge, _JUDGED))

    def link(self) -> None:
        """Join duplicates to clusters, and choose the rows to keep."""
        import pyarrow as pa

        pairs = self.load("pairs").where(f"reason = '' AND score >= {self.rules.threshold!r}D")
        found = Pairs.of(
            pairs.toArrow().sort_by([("first", "ascending"), ("second", "ascending")])
        )
        ids, places = np.unique([found.first, found.second], return_inverse=True)
        places = places.reshape(2, -1)
        duplicates = found._replace(first=places[0], second=places[1])
        of_texts, ranks = self.ranks()
        ranks = ranks[np.searchsorted(of_texts, ids)]
        most = max(1, len(found.first))
        clusters = linked(len(ids), self.rules.linkage, lambda: [duplicates], most, ranks)
        joined = pa.table({"id": ids, "cluster": ids[clusters].astype(np.int64)})
        self.save("clusters", self.spark.createDataFrame(joined))
        self.write("labels", f"SELECT row AS id, cluster, kept FROM ({self.labels()}) AS labels")


def _spread(frame: DataFrame, most: int) -> DataFrame:
    """Spread rows over tasks: Spark goes by bytes, and these have few for the work they make."""
    return frame.repartition(max(1, -(-frame.count() // most)))
