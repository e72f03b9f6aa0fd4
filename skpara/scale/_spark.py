"""Deduplication on a cluster: Spark groups and joins, and its workers compare."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import check_scalar

from skpara._optional import import_optional
from skpara._public import set_module
from skpara._warnings import warn
from skpara.matching import Deduplicator, TextRules, are_sentences, least_recall
from skpara.scale import _queries as queries
from skpara.scale._link import Pairs, linked
from skpara.scale._plan import Plan, fit_plan, texts_of_plan
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
# What a worker returns about texts: rows of four kinds, each with some of the columns.
_READ = """kind string, id long, text string, text_key long, vector_key long, has_words boolean,
    words array<string>, cell_group int, own int, cells array<int>, n_pairs array<long>,
    n_found array<long>"""
_COMPARED = """first long, second long, cosine double, first_words array<string>,
    second_words array<string>"""
_JUDGED = "first long, second long, repeated boolean, score double, reason string"
# The best row of a cluster, by the parameter ``keep``. Of equally long ones it is the first.
_KEPT = {
    "first": "min(id)",
    "last": "max(id)",
    "longest": "max_by(id, struct(length(text), -id))",
}


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
    """Find the texts of a frame of Spark that say the same, on a cluster.

    The result is that of :func:`deduplicate` for sentences, which is for one machine. Names are
    compared as sentences are, with a warning.

    Parameters
    ----------
    frame : pyspark DataFrame
        The rows.
    folder : str
        A new folder that all machines see, for the results and what leads to them.
    deduplicator : Deduplicator, default=None
        What to regard as duplicates, and which row to keep. It is not fitted.
    on : str
        The column of texts.
    id : str
        A column of whole numbers, different for each row. The row with the lowest one is first.
    texts_per_task : int, default=262144
        The most different texts that a task compares at a time, each with some 3 kB of memory.

    Returns
    -------
    DeduplicatedFrame
        The labels of rows, the pairs, and the recall.

    Notes
    -----
    Needs PySpark and Java: ``pip install "skpara[spark]"``, and skpara on the workers. The driver
    needs memory for the similar pairs, 100 bytes for each: it follows chains of them. All that
    is between the steps is written to the folder. An interrupted call starts anew.
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
    work = _Work(frame.selectExpr(f"`{id}` AS row", f"coalesce(`{on}`, '') AS text"), folder)
    if deduplicator.kind == "auto":
        some = sorted({row.text for row in work.rows.select("text").limit(_TEXTS_READ).collect()})
        if not are_sentences(deduplicator, some):
            warn(
                f"{on!r} seems to have names, which are compared as sentences here. Use "
                "skpara.scale.deduplicate for them, or pass Deduplicator(kind='sentences')."
            )
    plan = work.read(rules, texts_per_task)
    work.compare(plan, texts_per_task)
    work.judge(plan)
    work.link(rules)
    recall = work.recall() if len(plan.probed) else 1.0
    return DeduplicatedFrame(work.load("labels"), work.load("pairs"), recall)


class _Work:
    """The steps, each of which reads what others wrote, and writes for others.

    Without the files, a lost worker would make Spark repeat all steps.
    """

    def __init__(self, rows: DataFrame, folder: str) -> None:
        self.rows, self.spark, self.folder = rows, rows.sparkSession, folder.rstrip("/")

    def load(self, name: str) -> DataFrame:
        return self.spark.read.parquet(f"{self.folder}/{name}")

    def save(self, name: str, frame: DataFrame, *partitions: str) -> DataFrame:
        frame.write.mode("overwrite").partitionBy(*partitions).parquet(f"{self.folder}/{name}")
        return self.load(name)

    def query(self, text: str, **frames: DataFrame) -> DataFrame:
        """Return the result of a query, which names frames in braces."""
        return self.spark.sql(text, **frames)

    def read(self, rules: TextRules, most: int) -> Plan:
        """Make the plan, and read the texts."""
        texts = self.save("texts", self.query(queries.different_texts("{rows}"), rows=self.rows))
        n_texts = texts.count()
        chosen = self.query(queries.sample("{texts}", texts_of_plan(n_texts)), texts=texts)
        plan = fit_plan(rules, chosen.toArrow()["text"].to_pylist(), n_texts, most)
        spread = _spread(texts.select("id", "text"), n_texts, _TEXTS_PER_TASK)
        read = spread.mapInArrow(_reader(*_sent(plan)), _READ)
        self.save("read", read, "kind")
        return plan

    def compare(self, plan: Plan, most: int) -> None:
        """Compare texts in groups; all parts of a heavy group are compared with one another."""
        texts, items, readings = (self._read(kind) for kind in ("text", "item", "reading"))
        keyed = self.query(queries.keyed("{texts}"), texts=texts)
        crowded = self.query(queries.crowded("{keyed}"), keyed=keyed)
        frames = {"texts": texts, "keyed": keyed, "crowded": crowded}
        names = ("{texts}", "{keyed}", "{crowded}")
        is_same = plan.rules.joins_equal_vectors()
        equal = self.query(queries.equal_pairs(*names, is_same=is_same), **frames)
        grouped = self.query(
            f"""SELECT id, text, words, cell_group, own, cells FROM {{items}}
                WHERE id IN ({queries.compared("{keyed}", "{crowded}")})
                UNION ALL
                SELECT id, text, words, cell_group, own, cells FROM {{readings}}
                WHERE id IN ({queries.mended("{texts}")})""",
            items=items,
            readings=readings,
            **frames,
        )
        grouped = self.save("groups", grouped)
        sizes = grouped.groupBy("cell_group").count().toArrow()
        parts = [
            (group, i, j, k)
            for group, n in zip(*(column.to_pylist() for column in sizes.columns), strict=True)
            for k in [1 if n <= most else -(-2 * n // most)]
            for i in range(k)
            for j in range(k)
        ]
        schema = "cell_group int, i int, j int, k int"
        heavy = self.query(
            """SELECT /*+ BROADCAST(parts) */ grouped.*, i, j, k
            FROM {grouped} AS grouped JOIN {parts} AS parts
                ON grouped.cell_group = parts.cell_group
                    AND (pmod(id, k) = i OR pmod(id, k) = j)""",
            grouped=grouped,
            parts=self.spark.createDataFrame(parts, schema),
        )
        found = heavy.groupBy("cell_group", "i", "j", "k").applyInArrow(
            _comparer(*_sent(plan)), _COMPARED
        )
        self.save("compared", equal.unionByName(found, allowMissingColumns=True))

    def judge(self, plan: Plan) -> None:
        """Score the pairs, let the guard read them, and write each once."""
        compared, texts = self.load("compared"), self._read("text")
        pairs = self.query(queries.with_texts("{pairs}", "{texts}"), pairs=compared, texts=texts)
        spread = _spread(pairs, compared.count(), _PAIRS_PER_TASK)
        judged = spread.mapInArrow(_judge(*_sent(plan)), _JUDGED)
        self.save("pairs", self.query(queries.best("{judged}"), judged=judged))

    def link(self, rules: TextRules) -> None:
        """Join duplicates to clusters, and choose the rows to keep."""
        import pyarrow as pa

        pairs = self.load("pairs").where(f"reason = '' AND score >= {rules.threshold!r}D")
        table = pairs.select("first", "second", "score", "repeated").toArrow()
        table = table.sort_by([("first", "ascending"), ("second", "ascending")])
        first, second, scores, are_equal = (
            column.to_numpy(zero_copy_only=False) for column in table.combine_chunks().columns
        )
        ids, places = np.unique(np.concatenate([first, second]), return_inverse=True)
        places = places.reshape(2, -1)
        duplicates = Pairs(places[0], places[1], scores, are_equal.astype(np.bool_))
        most_pairs = max(1, len(scores))
        clusters = linked(
            len(ids), rules.linkage, lambda: [duplicates], most_pairs, self._ranks(pairs)
        )
        known = pa.table({"id": ids, "cluster": ids[clusters].astype(np.int64)})
        labelled = self.query(
            # Rows without words are duplicates of nothing.
            """SELECT row AS id, rows.text,
                CASE WHEN has_words THEN coalesce(cluster, texts.id) ELSE row END AS cluster
            FROM {rows} AS rows JOIN {texts} AS texts ON rows.text = texts.text
            LEFT JOIN {known} AS known ON texts.id = known.id""",
            rows=self.rows,
            texts=self._texts(),
            known=self.spark.createDataFrame(known),
        )
        self.save("labels", self._with_kept(labelled, rules.keep))

    def _ranks(self, pairs: DataFrame) -> NDArray[np.int64]:
        """Return the places of the texts of pairs in their order, by their ids."""
        ranks = self.query(
            """SELECT id, row_number() OVER (ORDER BY text, id) AS rank FROM {texts}
            WHERE id IN (SELECT first FROM {pairs} UNION SELECT second FROM {pairs})""",
            texts=self._read("text"),
            pairs=pairs,
        )
        ordered = ranks.toArrow().sort_by("id")
        return ordered["rank"].to_numpy().astype(np.int64)

    def _texts(self) -> DataFrame:
        """Return texts as they are written: what was read is normalized."""
        read = self._read("text").select("id", "has_words")
        return self.load("texts").join(read, "id")

    def _with_kept(self, labelled: DataFrame, keep: str) -> DataFrame:
        return self.query(
            f"""SELECT labelled.id, cluster, kept.id IS NOT NULL AS kept
            FROM {{labelled}} AS labelled LEFT JOIN (
                SELECT {_KEPT[keep]} AS id FROM {{labelled}} GROUP BY cluster
            ) AS kept ON labelled.id = kept.id""",
            labelled=labelled,
        )

    def recall(self) -> float:
        """Return a lower bound of the fraction of pairs that was found."""
        counts = self._read("probed").select("n_pairs", "n_found").toArrow()
        n_pairs, n_found = (np.array(x.to_pylist()).sum(axis=0) for x in counts.columns)
        return least_recall(n_pairs, n_found)

    def _read(self, kind: str) -> DataFrame:
        return self.load("read").where(f"kind = '{kind}'")


def _spread(frame: DataFrame, n_rows: int, most: int) -> DataFrame:
    """Spread rows over tasks: Spark goes by bytes, and these have few for the work they make."""
    return frame.repartition(max(1, -(-n_rows // most)))


def _sent(plan: Plan) -> tuple[TextRules, dict[str, NDArray[Any]]]:
    """Return what workers make the plan of; PySpark sends it to each once."""
    return plan.rules, plan.to_arrays()


def _reader(rules: TextRules, arrays: dict[str, NDArray[Any]]) -> Callable[[Batches], Batches]:
    def read(batches: Batches) -> Batches:
        import pyarrow as pa

        plan = Plan.of_arrays(rules, arrays)
        for batch in batches:
            ids, texts = batch["id"].to_numpy(), batch["text"].to_pylist()
            found = read_texts(plan, ids, texts)
            of_texts = found.texts
            for number, name in enumerate(of_texts.column_names):
                if name.endswith("_key"):  # Spark has signed numbers only
                    signed = pa.array(of_texts[name].to_numpy().view(np.int64))
                    of_texts = of_texts.set_column(number, name, signed)
            rows = found.items["row"]
            parts = {
                "text": of_texts,
                "item": found.items.drop_columns(["row"]).append_column(
                    "text", of_texts["text"].take(rows)
                ),
                "reading": found.readings,
                "probed": pa.table(
                    {"n_pairs": [found.n_pairs.tolist()], "n_found": [found.n_found.tolist()]}
                ),
            }
            yield from _as_batches(parts)

    return read


def _as_batches(parts: dict[str, pa.Table]) -> Batches:
    """Yield the rows of tables with all columns of ``_READ``."""
    import pyarrow as pa

    texts, integers = pa.list_(pa.string()), pa.list_(pa.int64())
    schema = pa.schema(
        {
            "kind": pa.string(),
            "id": pa.int64(),
            "text": pa.string(),
            "text_key": pa.int64(),
            "vector_key": pa.int64(),
            "has_words": pa.bool_(),
            "words": texts,
            "cell_group": pa.int32(),
            "own": pa.int32(),
            "cells": pa.list_(pa.int32()),
            "n_pairs": integers,
            "n_found": integers,
        }
    )
    for kind, part in parts.items():
        columns = {
            field.name: part[field.name].cast(field.type)
            if field.name in part.column_names
            else pa.nulls(len(part), field.type)
            for field in schema
        }
        columns["kind"] = pa.array([kind] * len(part), pa.string())
        yield from pa.table(columns, schema).to_batches()


def _comparer(
    rules: TextRules, arrays: dict[str, NDArray[Any]]
) -> Callable[[tuple[pa.Scalar, ...], pa.Table], pa.Table]:
    def compare(key: tuple[pa.Scalar, ...], items: pa.Table) -> pa.Table:
        group, i, j, k = (number.as_py() for number in key)
        return compare_texts(Plan.of_arrays(rules, arrays), items, group, (i, j, k))

    return compare


def _judge(rules: TextRules, arrays: dict[str, NDArray[Any]]) -> Callable[[Batches], Batches]:
    def judge(batches: Batches) -> Batches:
        import pyarrow as pa

        plan = Plan.of_arrays(rules, arrays)
        for batch in batches:
            judged = judge_pairs(plan, pa.Table.from_batches([batch]))
            yield from judged.select(
                ["first", "second", "repeated", "score", "reason"]
            ).to_batches()

    return judge
