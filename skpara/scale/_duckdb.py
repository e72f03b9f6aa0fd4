"""Deduplication on one machine: DuckDB groups and joins, and processes compare."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from os import PathLike
from pathlib import Path
from typing import NamedTuple

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import check_scalar

from skpara._files import replace_file
from skpara._optional import import_optional
from skpara._public import set_module
from skpara.matching import (
    Deduplicator,
    TextRules,
    are_sentences,
    least_recall,
    places_to_read,
    plain,
)
from skpara.scale import _queries as queries
from skpara.scale._link import Pairs, linked
from skpara.scale._plan import fit_plan, texts_of_plan
from skpara.scale._source import Source, parquet
from skpara.scale._tasks import compare_task, judge_task, read_task
from skpara.scale._work import LEAST_MEMORY, Task, Work, copy

Rows = NDArray[np.int64]

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
_SIDES = ("first", "second")
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
    source: str | PathLike[str] | Sequence[str | PathLike[str]],
    out: str | PathLike[str],
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
    import_optional("duckdb", "deduplicate", install="skpara[duckdb]")
    import_optional("pyarrow", "deduplicate", install="skpara[duckdb]")
    check_scalar(memory_gb, "memory_gb", (int, float), min_val=LEAST_MEMORY / 1e9)
    deduplicator = Deduplicator() if deduplicator is None else deduplicator
    table = Source.open(source, on)
    return DeduplicationWork(Path(out), table, deduplicator, memory_gb * 1e9, verbose).run()


class DeduplicationWork(Work):
    """The steps of :func:`deduplicate`."""

    def __init__(
        self,
        out: Path,
        source: Source,
        deduplicator: Deduplicator,
        memory: float,
        verbose: bool,
    ) -> None:
        super().__init__(out, deduplicator.n_jobs, memory, verbose)
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
            self._collect_texts()
            if self._are_sentences():
                self._make_plan()
                self._read_texts()
                self._gather_groups()
                self._compare()
                self._judge()
                self._join_pairs()
            else:
                self._compare_in_memory()
            self._write_labels()
            self._write_kept()
            self._write_summary()
        numbers = self.finish()
        kept, labels, pairs = (
            self.out / f"{name}.parquet" for name in ("kept", "labels", "pairs")
        )
        return Deduplicated(**numbers, kept=kept, labels=labels, pairs=pairs)

    def _collect_texts(self) -> None:
        """Write the different texts, with the number of their first row."""
        with self.database() as database:
            database.register("rows", self.source.texts())
            copy(
                database,
                queries.different_texts("rows"),
                self.folder / "texts.parquet",
                f"ROW_GROUP_SIZE {_TEXTS_PER_TASK}",
            )

    def _are_sentences(self) -> bool:
        """Return whether texts are compared as sentences are, as a Deduplicator decides."""
        if not self.is_text or self.deduplicator.kind == "sentences":
            return self.is_text
        texts = parquet(self.folder, "texts.parquet")
        with self.database() as database:
            found = database.sql(queries.different(texts))
            [(n_texts,)] = database.sql("SELECT count(*) FROM found").fetchall()
            places = places_to_read(n_texts).tolist()
            found = database.sql(f"SELECT text FROM found WHERE list_contains({places}, place)")
            some = [text for (text,) in found.fetchall()]
        return are_sentences(self.deduplicator, some)

    def _compare_in_memory(self) -> None:
        """Write the clusters and pairs of texts that are all compared with one another."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        pairs = self.out / "pairs.parquet"
        if pairs.exists():
            return
        n_texts = pq.read_metadata(self.folder / "texts.parquet").num_rows
        if n_texts * _BYTES_PER_NAME > self.memory:
            raise MemoryError(
                f"{n_texts} different names need {n_texts * _BYTES_PER_NAME / 1e9:.0f} GB: pass "
                "memory_gb if there is as much. Else compare them by their meaning, as sentences "
                "are: Deduplicator(kind='sentences')."
            )
        texts = pq.read_table(self.folder / "texts.parquet").sort_by("id")
        rows = texts["id"].to_numpy()
        fitted = clone(self.deduplicator).set_params(verbose=int(self.verbose))
        fitted.fit(texts["text"].to_pylist())
        (self.folder / "read").mkdir(exist_ok=True)
        # Rows that say nothing, such as "N/A", are duplicates of nothing.
        table = pa.table({"id": rows, "has_words": list(map(bool, fitted._sentences))})
        pq.write_table(table, self.folder / "read" / "names.parquet")
        clusters = np.arange(self.n_rows)
        clusters[rows] = rows[np.unique(fitted.labels_, return_index=True)[1]][fitted.labels_]
        np.save(self.folder / "clusters.npy", clusters)
        found = fitted.borderline(np.inf)
        found = found[found["score"] >= min(self.rules.threshold, _LIKELY)]
        found = found[np.lexsort((found["second"], found["first"]))]
        written = [list(map(plain, texts["text"].take(found[x]).to_pylist())) for x in _SIDES]
        columns = {x: rows[found[x]] for x in _SIDES} | {
            "score": found["score"],
            "reason": pa.array(found["reason"], pa.string()),
            "repeated": [a == b for a, b in zip(*written, strict=True)],
        }
        replace_file(pairs, lambda part: pq.write_table(pa.table(columns), part))

    def _make_plan(self) -> None:
        path = self.folder / "plan.npz"
        if path.exists():
            return
        with self.database() as database:
            texts = parquet(self.folder, "texts.parquet")
            [(n_texts,)] = database.sql(f"SELECT count(*) FROM {texts}").fetchall()
            query = queries.sample(texts, texts_of_plan(n_texts))
            sample = [text for (text,) in database.sql(query).fetchall()]
        plan = fit_plan(self.rules, sample, n_texts, self.texts_per_group)
        replace_file(path, lambda part: np.savez(part, allow_pickle=False, **plan.to_arrays()))

    def _read_texts(self) -> None:
        import pyarrow.parquet as pq

        n_tasks = pq.read_metadata(self.folder / "texts.parquet").num_row_groups
        names = [f"{number:06d}.parquet" for number in range(n_tasks)]
        tasks: dict[Path, Task] = {
            self.folder / "read" / name: partial(read_task, self.folder, self.rules, number)
            for number, name in enumerate(names)
        }
        self.do("Read", tasks)

    def _gather_groups(self) -> None:
        """Write the texts of each group of cells, and the pairs that need no comparison."""
        items, equal = self.folder / "groups", self.folder / "compared" / "equal.parquet"
        if items.exists() and equal.exists():
            return
        texts = parquet(self.folder, "read/*.parquet")
        is_same = self.rules.joins_equal_vectors()
        with self.database() as database:
            database.execute("SET preserve_insertion_order = false")
            database.execute(f"CREATE TABLE keyed AS {queries.keyed(texts)}")
            database.execute(f"CREATE TABLE crowded AS {queries.crowded('keyed')}")
            pairs = queries.equal_pairs(texts, "keyed", "crowded", is_same=is_same)
            copy(
                database,
                "SELECT *, NULL::VARCHAR[] AS first_words, NULL::VARCHAR[] AS second_words "
                f"FROM ({pairs})",
                equal,
            )
            copy(
                database,
                f"""SELECT id, place, NULL::VARCHAR AS text, NULL::VARCHAR[] AS words, cell_group,
                    own, cells
                FROM {parquet(self.folder, "items/*.parquet")}
                WHERE id IN ({queries.compared("keyed", "crowded")})
                UNION ALL
                SELECT id, NULL AS place, text, words, cell_group, own, cells
                FROM {parquet(self.folder, "readings/*.parquet")}
                WHERE id IN ({queries.mended(texts)})""",
                items,
                "PARTITION_BY (cell_group)",
            )

    def _compare(self) -> None:
        import pyarrow.parquet as pq

        tasks: dict[Path, Task] = {}
        for folder in sorted((self.folder / "groups").glob("cell_group=*")):
            group = int(folder.name.removeprefix("cell_group="))
            n = sum(pq.read_metadata(path).num_rows for path in folder.iterdir())
            # Each part of a heavy group is compared with each.
            k = 1 if n <= self.texts_per_group else -(-2 * n // self.texts_per_group)
            for i in range(k):
                for j in range(k):
                    # With more memory, a call that continues has other parts.
                    name = f"{group:05d}-{i:03d}-{j:03d}-{k:03d}.parquet"
                    tasks[self.folder / "compared" / name] = partial(
                        compare_task, self.folder, self.rules, folder, group, (i, j, k)
                    )
        self.do("Compare", tasks)

    def _judge(self) -> None:
        """Score the pairs, and let the guard read their texts."""
        import pyarrow.parquet as pq

        pairs = self.folder / "compared.parquet"
        texts = parquet(self.folder, "read/*.parquet")
        compared = parquet(self.folder, "compared/*.parquet", ", union_by_name = true")
        with self.database() as database:
            database.execute("SET preserve_insertion_order = false")
            copy(
                database,
                queries.with_texts(compared, texts),
                pairs,
                f"ROW_GROUP_SIZE {_PAIRS_PER_TASK}",
            )
        self.do(
            "Judge",
            {
                self.folder / "judged" / f"{number:06d}.parquet": partial(
                    judge_task, self.folder, self.rules, pairs, number
                )
                for number in range(max(1, pq.read_metadata(pairs).num_row_groups))
            },
        )

    def _join_pairs(self) -> None:
        """Write each pair once, with its best score."""
        judged = parquet(self.folder, "judged/*.parquet")
        with self.database() as database:
            copy(
                database,
                f"{queries.best(judged)} ORDER BY first, second",
                self.out / "pairs.parquet",
                "COMPRESSION zstd",
            )

    def _duplicates(self) -> Iterator[Pairs]:
        import pyarrow.compute as pc
        import pyarrow.parquet as pq

        for batch in pq.ParquetFile(self.out / "pairs.parquet").iter_batches(2**20):
            is_enough = pc.greater_equal(batch["score"], self.rules.threshold)
            batch = batch.filter(pc.and_(is_enough, pc.equal(batch["reason"], "")))
            yield Pairs(
                batch["first"].to_numpy(),
                batch["second"].to_numpy(),
                batch["score"].to_numpy(),
                batch["repeated"].to_numpy(zero_copy_only=False),
            )

    def _write_labels(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        path = self.out / "labels.parquet"
        if path.exists():
            return
        if (self.folder / "clusters.npy").exists():
            clusters = np.load(self.folder / "clusters.npy", allow_pickle=False)
        else:
            most_pairs = int(self.memory / _BYTES_PER_PAIR)
            clusters = linked(
                self.n_rows, self.rules.linkage, self._duplicates, most_pairs, self._ranks()
            )
        texts, lengths = self._texts_of_rows()
        first = clusters[texts]
        rows = np.arange(self.n_rows)
        kept = first == rows
        labels = (np.cumsum(kept) - 1)[first]
        if self.rules.keep != "first":
            order = rows  # of several rows, the last one stays
            if lengths is not None:
                order = np.lexsort((-rows, lengths[texts]))
            best = np.zeros(labels.max(initial=-1) + 1, dtype=np.int64)
            best[labels[order]] = order
            kept = np.zeros(self.n_rows, dtype=np.bool_)
            kept[best] = True
        table = pa.table({"row": rows, "cluster": labels, "kept": kept})
        replace_file(path, lambda part: pq.write_table(table, part))

    def _ranks(self) -> Rows:
        """Return the places of texts in their order, by their first rows."""
        ranks = np.zeros(self.n_rows, dtype=np.int64)
        texts = parquet(self.folder, "texts.parquet")
        query = f"SELECT id, row_number() OVER (ORDER BY text, id) AS rank FROM {texts}"
        with self.database() as database:
            for part in database.sql(query).to_arrow_reader(2**20):
                ranks[part["id"].to_numpy()] = part["rank"].to_numpy()
        return ranks

    def _texts_of_rows(self) -> tuple[Rows, Rows | None]:
        """Return the first row with the text of each row, and the length of each text."""
        texts_of, lengths = np.arange(self.n_rows), None
        texts = parquet(self.folder, "texts.parquet")
        read = parquet(self.folder, "read/*.parquet")
        with self.database() as database:
            database.register("rows", self.source.texts())
            # Rows without words are duplicates of nothing.
            query = f"""SELECT row, id FROM rows JOIN (
                FROM {texts} SEMI JOIN (FROM {read} WHERE has_words) USING (id) WHERE n > 1
            ) AS texts ON rows.text = texts.text WHERE row <> id"""
            for part in database.sql(query).to_arrow_reader(2**20):
                texts_of[part["row"].to_numpy()] = part["id"].to_numpy()
            if self.rules.keep == "longest":
                lengths = np.zeros(self.n_rows, dtype=np.int64)
                query = f"SELECT id, length(text) AS length FROM {texts}"
                for part in database.sql(query).to_arrow_reader(2**20):
                    lengths[part["id"].to_numpy()] = part["length"].to_numpy()
        return texts_of, lengths

    def _write_kept(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kept = pq.read_table(self.out / "labels.parquet", columns=["kept"])["kept"].to_numpy()

        def write(part: Path) -> None:
            with pq.ParquetWriter(part, self.source.schema, compression="zstd") as writer:
                for start, batch in self.source.batches():
                    chosen = batch.filter(pa.array(kept[start : start + len(batch)]))
                    writer.write_batch(chosen)

        replace_file(self.out / "kept.parquet", write)

    def _write_summary(self) -> None:
        import pyarrow.parquet as pq

        n_texts = pq.read_metadata(self.folder / "texts.parquet").num_rows
        recall = np.nan
        if counts := [
            np.load(path, allow_pickle=False) for path in (self.folder / "probed").glob("*")
        ]:
            n_probed, n_found = (sum(x[name] for x in counts) for name in ("n_pairs", "n_found"))
            # If all were compared with all, none was probed.
            recall = least_recall(n_probed, n_found) if len(n_probed) else 1.0
        with self.database() as database:
            pairs, labels = (
                parquet(self.out, name) for name in ("pairs.parquet", "labels.parquet")
            )
            query = f"SELECT count(*), count(*) FILTER (reason <> '') FROM {pairs} "
            query += f"WHERE score >= {self.rules.threshold!r}"
            [(n_similar, n_apart)] = database.sql(query).fetchall()
            [(n_kept,)] = database.sql(f"SELECT count(*) FILTER (kept) FROM {labels}").fetchall()
        numbers = {
            "n_rows": self.n_rows,
            "n_texts": n_texts,
            "n_clusters": n_kept,
            "n_pairs": n_similar,
            "n_apart": n_apart,
            "recall": recall,
        }
        self.write_summary(numbers)
