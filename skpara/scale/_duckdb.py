"""Deduplication on one machine: DuckDB groups and joins, and processes compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
from sklearn.base import clone

from skpara._files import replace_file
from skpara._public import set_module
from skpara._typing import FilePath, Ints
from skpara.matching import Deduplicator, TextRules, are_sentences, places_to_read, plain
from skpara.scale import _queries as queries
from skpara.scale._engine import Engine
from skpara.scale._link import Pairs, linked
from skpara.scale._plan import Plan, parts_of_group
from skpara.scale._source import Source
from skpara.scale._tasks import compare_task, judge_task, plan_of, read_task
from skpara.scale._work import Work, check_work, write_table

# Texts that are read at a time: some seconds of work, and the rows of a group of Parquet.
_TEXTS_PER_TASK = 2**17
# Bytes of a text while it is compared: its vector, twice while it is ordered, and its cells.
_BYTES_PER_TEXT = 2500
# Pairs that are judged at a time: some seconds of work of the guard.
_PAIRS_PER_TASK = 2**15
# Fewer at a time would take longer than they save.
_LEAST_TEXTS = 2**14
# Bytes of a name while it is compared with all others.
_BYTES_PER_NAME = 8000
# Names whose pairs have this probability are worth a look, whatever the threshold.
_LIKELY = 0.5
# Bytes of a pair while it is linked.
_BYTES_PER_PAIR = 200


@set_module("skpara.scale")
class Deduplicated(NamedTuple):
    """Result of :func:`deduplicate`: numbers, and files.

    Parameters
    ----------
    n_rows, n_texts, n_clusters : int
        The numbers of rows, of different texts, and of clusters, which are the rows kept.
    n_pairs, n_apart : int
        The number of pairs of different texts that reach the threshold, and of those that the
        guard keeps apart.
    recall : float
        A lower bound of the fraction of pairs that was found, as ``recall_`` of
        :class:`~skpara.Deduplicator`; NaN for names.
    kept, labels, pairs : Path
        Files of Parquet. ``kept`` has the rows that are kept, with all columns. ``labels`` has a
        row for each row of the input, in order: ``row``, its number from 0, ``cluster``, numbered
        in the order of their first row, and ``kept``. ``pairs`` has the pairs of rows with
        different texts, each text by its first row: ``first``, ``second``, ``score``, the
        ``reason`` of the guard to keep them apart or "", and ``repeated``, whether they differ in
        case, spaces and final punctuation only.
    """

    n_rows: int
    n_texts: int
    n_clusters: int
    n_pairs: int
    n_apart: int
    recall: float
    kept: Path
    labels: Path
    pairs: Path

    def __str__(self) -> str:
        return (
            f"{self.n_rows} rows, {self.n_clusters} clusters, {self.n_rows - self.n_clusters} "
            f"rows dropped; {self.n_pairs} pairs of different texts reach the threshold, "
            f"{self.n_apart} of them are kept apart by the guard."
        )


def deduplicate(
    source: FilePath | Sequence[FilePath],
    out: FilePath,
    deduplicator: Deduplicator | None = None,
    *,
    on: str | None = None,
    memory_gb: float = 4.0,
    verbose: bool = False,
) -> Deduplicated:
    """Deduplicate texts in Parquet files that do not fit in memory.

    The clusters are those of :class:`~skpara.Deduplicator`. Sentences are encoded where they are
    compared, and everything else stays on disk; different names must fit in memory. Finished work
    is kept in the folder: after an interruption of any kind, the same call continues.

    Parameters
    ----------
    source : path, or list of paths
        A Parquet file, a pattern such as ``rows/*.parquet``, or several of them, whose columns
        have the same names and types.
    out : path
        The folder to write to: new, or from an earlier call with the same arguments. Only one call
        at a time can use it.
    deduplicator : Deduplicator, default=None
        What to regard as duplicates, and which row to keep. It is not fitted. Its ``n_jobs`` is
        the number of processes.
    on : str, default=None
        The column of texts; needed if there are several columns.
    memory_gb : float, default=4.0
        Memory to use, in gigabytes, by all processes. More rows also need 35 bytes each, and
        different names 8 kB each.
    verbose : bool, default=False
        Whether to show the progress.

    Returns
    -------
    Deduplicated
        Numbers, and the paths of the files.

    Raises
    ------
    MemoryError
        If the column has more different names than fit in ``memory_gb``. You could compare them by
        meaning, as sentences: ``Deduplicator(kind="sentences")``.

    Notes
    -----
    Needs DuckDB and PyArrow: ``pip install "skpara[duckdb]"``. It needs disk space for about three
    copies of the texts, and 30 bytes for each similar pair: thousands of nearly equal texts, such
    as one sentence with thousands of numbers, make millions of pairs.

    Examples
    --------
    >>> import tempfile, pyarrow as pa, pyarrow.parquet as pq
    >>> from skpara.scale import deduplicate
    >>> folder = tempfile.mkdtemp()
    >>> rows = {"text": ["It rains.", "A dog runs.", "It rains!"], "stars": [3, 5, 4]}
    >>> pq.write_table(pa.table(rows), f"{folder}/rows.parquet")
    >>> found = deduplicate(f"{folder}/rows.parquet", f"{folder}/out", on="text")
    >>> pq.read_table(found.kept).to_pylist()
    [{'text': 'It rains.', 'stars': 3}, {'text': 'A dog runs.', 'stars': 5}]
    """
    memory = check_work("deduplicate", memory_gb)
    deduplicator = Deduplicator() if deduplicator is None else deduplicator
    table = Source.open(source, on)
    return DeduplicationWork(Path(out), table, deduplicator, memory, verbose).run()


class DeduplicationWork(Work, Engine):
    """The engine of :func:`deduplicate`: DuckDB on files."""

    def __init__(
        self,
        out: Path,
        source: Source,
        deduplicator: Deduplicator,
        memory: float,
        verbose: bool,
    ) -> None:
        options = {
            "texts": f", ROW_GROUP_SIZE {_TEXTS_PER_TASK}",
            "groups": ", PARTITION_BY (cell_group)",
            "similar": f", ROW_GROUP_SIZE {_PAIRS_PER_TASK}",
            "pairs": ", COMPRESSION zstd",
        }
        super().__init__(out, deduplicator.n_jobs, memory, verbose, {"rows": source}, options)
        self.source, self.deduplicator = source, deduplicator
        self.is_text = deduplicator.kind in ("auto", "sentences")
        self.rules = TextRules.of(
            deduplicator if self.is_text else clone(deduplicator).set_params(linkage="auto")
        )
        self.n_rows = sum(source.n_rows)
        self.texts_per_group = self.rows_per_process(_BYTES_PER_TEXT, _LEAST_TEXTS)

    def run(self) -> Deduplicated:
        """Do what is not done."""
        self.check_settings(
            column=self.source.column,
            rules=joblib.hash((self.deduplicator.kind, self.deduplicator.linkage, *self.rules)),
            files=self.source.state(),
        )
        if self.is_to_do():
            self.collect()
            recall = np.nan
            if self._are_sentences():
                self.find_pairs()
                self._link()
                recall = self.recall()
            else:
                self._compare_in_memory()
            self.write(
                "labels",
                f"""SELECT row, dense_rank() OVER (ORDER BY cluster) - 1 AS cluster, kept
                FROM ({self.labels()}) AS labels ORDER BY row""",
            )
            self._write_kept()
            self._write_summary(recall)
        return Deduplicated(**self.finish("kept", "labels", "pairs"))

    def path(self, name: str) -> Path:
        """Return the file of a table; pairs of equal texts are among those compared."""
        return super().path(f"compared/{name}" if name == "equal" else name)

    def _are_sentences(self) -> bool:
        """Return whether texts are compared as sentences are, as a Deduplicator decides."""
        if not self.is_text or self.deduplicator.kind == "sentences":
            return self.is_text
        different = f"({queries.different(self.table('texts'))}) AS different"
        n_texts = self.fetch(f"SELECT count(*) AS n FROM {different}")["n"][0].as_py()
        places = places_to_read(n_texts).tolist()
        query = f"SELECT text FROM {different} WHERE list_contains({places}, place)"
        return are_sentences(self.deduplicator, self.fetch(query)["text"].to_pylist())

    def _compare_in_memory(self) -> None:
        """Write the clusters and pairs of texts that are all compared with one another."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        if self.path("pairs").exists():
            return
        n_texts = self._n_texts()
        if n_texts * _BYTES_PER_NAME > self.memory:
            raise MemoryError(
                f"{n_texts} different names need {n_texts * _BYTES_PER_NAME / 1e9:.0f} GB: pass "
                "memory_gb if there is as much. Else compare them by their meaning, as sentences "
                "are: Deduplicator(kind='sentences')."
            )
        table = pq.read_table(self.path("texts")).sort_by("id")
        rows, texts = table["id"].to_numpy(), table["text"].to_pylist()
        fitted = clone(self.deduplicator).set_params(verbose=int(self.verbose)).fit(texts)
        # Rows that say nothing, such as "N/A", are duplicates of nothing.
        [compared] = fitted._records.cells
        read = pa.table({"id": rows, "has_words": list(map(bool, compared))})
        write_table(read, self.folder / "read" / "names.parquet")
        firsts = np.unique(fitted.labels_, return_index=True)[1]
        self._write_clusters(rows, rows[firsts[fitted.labels_]])
        found = fitted.borderline(np.inf)
        found = found[found["score"] >= min(self.rules.threshold, _LIKELY)]
        found = found[np.lexsort((found["second"], found["first"]))]
        first, second = found["first"], found["second"]
        keys = np.array(list(map(plain, texts)), dtype=object)
        columns = {
            "first": rows[first],
            "second": rows[second],
            "score": found["score"],
            "reason": pa.array(found["reason"], pa.string()),
            "repeated": keys[first] == keys[second],
        }
        write_table(pa.table(columns), self.path("pairs"))

    def plan(self) -> Plan:
        """Make the plan, and leave it to the processes."""
        path = self.folder / "plan.npz"
        if not path.exists():
            arrays = super().plan().to_arrays()
            replace_file(path, lambda part: np.savez(part, allow_pickle=False, **arrays))
        return plan_of(self.folder, self.rules)

    def read(self, plan: Plan) -> None:
        """Read the texts of each group of Parquet."""
        self.do_groups("Read", partial(read_task, self.rules), "texts", self.folder / "read")

    def compare(self, plan: Plan) -> None:
        """Compare the texts of each group, or of each part of a heavy one."""
        import pyarrow.parquet as pq

        tasks = {}
        for folder in sorted((self.folder / "groups").glob("cell_group=*")):
            group = int(folder.name.removeprefix("cell_group="))
            n = sum(pq.read_metadata(path).num_rows for path in folder.iterdir())
            for part in parts_of_group(n, self.texts_per_group):
                # With more memory, a call that continues has other parts.
                name = "-".join(f"{number:05d}" for number in (group, *part))
                work = partial(compare_task, self.rules, self.folder, group, part)
                tasks[self.folder / "compared" / f"{name}.parquet"] = work
        self.do("Compare", tasks)

    def judge(self, plan: Plan) -> None:
        """Score the pairs, and let the guard read their texts."""
        work = partial(judge_task, self.rules)
        self.do_groups("Judge", work, "similar", self.folder / "judged")

    def _link(self) -> None:
        """Write the clusters of rows."""
        if self.path("clusters").exists():
            return
        most_pairs = int(self.memory / _BYTES_PER_PAIR)
        ids, places = self.ranks()
        ranks = np.zeros(self.n_rows, dtype=np.int64)
        ranks[ids] = places
        clusters = linked(self.n_rows, self.rules.linkage, self._duplicates, most_pairs, ranks)
        self._write_clusters(np.arange(self.n_rows), clusters)

    def _write_clusters(self, rows: Ints, clusters: Ints) -> None:
        """Write the clusters of rows that are not in one of their own."""
        import pyarrow as pa

        joined = rows != clusters
        table = pa.table({"id": rows[joined], "cluster": clusters[joined]})
        write_table(table, self.path("clusters"))

    def _duplicates(self) -> Iterator[Pairs]:
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        for batch in pq.ParquetFile(self.path("pairs")).iter_batches(2**20):
            is_enough = pc.greater_equal(batch["score"], self.rules.threshold)
            batch = batch.filter(pc.and_(is_enough, pc.equal(batch["reason"], "")))
            yield Pairs.of(batch)

    def _write_kept(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kept = pq.read_table(self.path("labels"), columns=["kept"])["kept"].to_numpy()

        def write(part: Path) -> None:
            with pq.ParquetWriter(part, self.source.schema, compression="zstd") as writer:
                for start, batch in self.source.batches():
                    chosen = batch.filter(pa.array(kept[start : start + len(batch)]))
                    writer.write_batch(chosen)

        replace_file(self.path("kept"), write)

    def _write_summary(self, recall: float) -> None:
        pairs, labels = self.table("pairs"), self.table("labels")
        numbers = self.fetch(
            f"""SELECT count(*) AS n_pairs, count(*) FILTER (reason <> '') AS n_apart,
                (SELECT count(*) FILTER (kept) FROM {labels}) AS n_clusters
            FROM {pairs} WHERE score >= {self.rules.threshold!r}"""
        )
        counts = {"n_rows": self.n_rows, "n_texts": self._n_texts(), "recall": recall}
        self.write_summary(numbers.to_pylist()[0] | counts)

    def _n_texts(self) -> int:
        import pyarrow.parquet as pq

        return pq.read_metadata(self.path("texts")).num_rows
