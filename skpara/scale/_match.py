"""Matching of two tables on one machine: DuckDB groups and joins, and processes compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import joblib
import numpy as np

from skpara._files import replace_file
from skpara._normal_form import PLACEHOLDER, record_key
from skpara._public import set_module
from skpara._typing import FilePath
from skpara.datasets import unused_names
from skpara.matching import (
    NEAREST,
    TableMatcher,
    checked_matcher,
    reading,
    sample_of_neighbours,
)
from skpara.matching import near_neighbours as closeness
from skpara.scale import _queries as queries
from skpara.scale._match_tasks import (
    OF_NEIGHBOURS,
    Candidates,
    count_task,
    decide_task,
    index_of,
    propose_task,
)
from skpara.scale._source import Source, literal, parquet
from skpara.scale._work import Work, check_work

if TYPE_CHECKING:
    import pyarrow as pa
    from duckdb import DuckDBPyConnection

# Names that are counted at a time, and the rows of a group of Parquet.
_NAMES_PER_TASK = 2**17
# Bytes of a name while it is searched: its n-grams and words, twice, and while they are counted.
_BYTES_PER_NAME = 4000
# Different queries that are decided at a time, as one call: their candidates take half a gigabyte.
_QUERIES_PER_CALL = 2**15
# Names that are read to guess the kind of a column.
_READ = 500
# Bytes of a table whose columns of texts are not too large for PyArrow, below 2 GiB.
_LARGEST_TABLE = 1e9


@set_module("skpara.scale")
class Matched(NamedTuple):
    """Result of :func:`match`: numbers, and files.

    Parameters
    ----------
    n_queries, n_candidates, n_matches : int
        The numbers of rows of both tables, and of the queries that have a match.
    matches, joined : Path
        Parquet files. ``matches`` has the row numbers of matches, from 0, ``query`` and
        ``candidate``, and their ``probability``. ``joined`` has all queries, in order, with the
        columns of the row that matches and the probability, or missing values. A name that is
        already taken gets the suffix ``_match``.
    """

    n_queries: int
    n_candidates: int
    n_matches: int
    matches: Path
    joined: Path

    def __str__(self) -> str:
        return (
            f"{self.n_matches} of {self.n_queries} rows have a match among {self.n_candidates} "
            "rows."
        )


def match(
    queries: FilePath | Sequence[FilePath],
    reference: FilePath | Sequence[FilePath],
    out: FilePath,
    matcher: TableMatcher | None = None,
    *,
    on: str | Mapping[str, str] | None = None,
    left_on: str | None = None,
    right_on: str | None = None,
    n_jobs: int | None = None,
    memory_gb: float = 4.0,
    verbose: bool = False,
) -> Matched:
    """Match names in Parquet files with a reference that does not fit in memory.

    The matches are those of :class:`~skpara.TableMatcher` for names. The reference is indexed in
    parts, with the weights of all n-grams and words. Finished work is kept in the folder: after an
    interruption of any kind, the same call continues.

    Parameters
    ----------
    queries, reference : path, or list of paths
        Parquet files, or patterns such as ``rows/*.parquet``, with the rows to find matches for
        and those to search.
    out : path
        The folder to write to: new, or from an earlier call with the same arguments. Only one call
        at a time can use it.
    matcher : TableMatcher, default=None
        What to regard as a match. It is not fitted. ``top_k`` is 1, and neither a ``model`` nor
        ``one_to_one`` is possible.
    on : str or mapping, default=None
        The column of names of both tables; needed if they have several. ``{"title": "names"}``
        says that the column holds names, whatever it looks like.
    left_on, right_on : str, default=None
        The column of each table, if their names differ.
    n_jobs : int, default=None
        The number of processes.
    memory_gb : float, default=4.0
        Memory to use, in gigabytes, by all processes. Each also needs 150 bytes for each different
        word of the reference.
    verbose : bool, default=False
        Whether to show the progress.

    Returns
    -------
    Matched
        Numbers, and the paths of the files.

    Notes
    -----
    Needs DuckDB and PyArrow: ``pip install "skpara[duckdb]"``. Differences from a matcher in
    memory: 32,768 different queries, drawn by their MD5, are decided at a time, like those of one
    call in which equal ones count once; vectors propose no candidates, as in a matcher with more
    than 20,000 rows; and if the reference does not fit in one part, more names are ranked, so a
    few more matches are found.

    Examples
    --------
    >>> import tempfile, pyarrow as pa, pyarrow.parquet as pq
    >>> from skpara.scale import match
    >>> folder = tempfile.mkdtemp()
    >>> shop = {"name": ["red bicycle", "garden chair"], "price": [250, 40]}
    >>> pq.write_table(pa.table(shop), f"{folder}/shop.parquet")
    >>> pq.write_table(pa.table({"wish": ["Bicycle, red", "a cake"]}), f"{folder}/wishes.parquet")
    >>> found = match(f"{folder}/wishes.parquet", f"{folder}/shop.parquet", f"{folder}/out",
    ...               left_on="wish", right_on="name")
    >>> print(found)
    1 of 2 rows have a match among 2 rows.
    >>> pq.read_table(found.joined)["price"].to_pylist()
    [250, None]
    """
    memory = check_work("match", memory_gb)
    if on is not None and (left_on is not None or right_on is not None):
        raise ValueError("Pass on, or left_on and right_on, but not both.")
    is_known = isinstance(on, Mapping)
    if isinstance(on, Mapping):
        if list(on.values()) != ["names"]:
            raise ValueError(f"on must be of one column of names, got {dict(on)!r:.200}.")
        [on] = on
    given = checked_matcher(TableMatcher() if matcher is None else matcher)
    left, right = Source.open(queries, left_on or on), Source.open(reference, right_on or on)
    work = MatchingWork(Path(out), left, right, given, n_jobs, memory, verbose)
    return work.run(is_known=is_known)


class MatchingWork(Work):
    """The steps of :func:`match`."""

    def __init__(
        self,
        out: Path,
        left: Source,
        right: Source,
        matcher: TableMatcher,
        n_jobs: int | None,
        memory: float,
        verbose: bool,
    ) -> None:
        options = {
            "names": f", ROW_GROUP_SIZE {_NAMES_PER_TASK}",
            "queries": ", PARTITION_BY (call)",
            "matches": ", COMPRESSION zstd",
        }
        super().__init__(
            out, n_jobs, memory, verbose, {"asked": left, "reference": right}, options
        )
        self.left, self.right, self.matcher = left, right, matcher
        names_per_part = self.rows_per_process(_BYTES_PER_NAME, _NAMES_PER_TASK)
        self.groups_per_part = names_per_part // _NAMES_PER_TASK
        # With more memory, a call that continues has other parts.
        self.proposed = self.folder / "proposed" / f"{self.groups_per_part:06d}"

    def run(self, *, is_known: bool) -> Matched:
        """Do what is not done."""
        self.check_settings(
            columns=[self.left.column, self.right.column],
            rules=joblib.hash(self.matcher.get_params()),
            files=[self.left.state(), self.right.state()],
        )
        if self.is_to_do():
            self._collect_names()
            if not is_known:
                self._check_kind()
            self._collect_queries()
            self._count()
            # Search for candidates in each part of the reference.
            work = partial(propose_task, self.matcher.n_candidates)
            self.do_groups("Search", work, "names", self.proposed, self.groups_per_part)
            self._find_neighbours()
            self._decide()
            self._write_joined()
        return Matched(**self.finish("matches", "joined"))

    def database(self) -> DuckDBPyConnection:
        """Return a database that has :func:`record_key`."""
        database = super().database()
        database.create_function("record_key", record_key, ["VARCHAR"], "VARCHAR")
        return database

    def _collect_names(self) -> None:
        """Write the different names of the reference, in the order of a TableMatcher."""
        self.write(
            "names",
            f"""SELECT row_number() OVER (ORDER BY record_key(text)) - 1 AS id,
                min(row) AS row, min(text) AS text
            FROM {_names_of("reference")} GROUP BY record_key(text) ORDER BY id""",
        )

    def _check_kind(self) -> None:
        sample = self.fetch(queries.sample(self.table("names"), _READ))
        kind = reading(sample["text"].to_pylist())[0]
        if kind != "names":
            raise ValueError(
                f"{self.right.files[0]}: the column {self.right.column!r} seems to be of {kind}, "
                "and a large reference can be of names only. If it is, pass "
                f"on={{{self.right.column!r}: 'names'}}, else use TableMatcher."
            )

    def _collect_queries(self) -> None:
        """Write the different queries by calls, and names whose neighbours are sought."""
        import pyarrow.parquet as pq

        n_names = pq.read_metadata(self.path("names")).num_rows
        sample = list(map(int, sample_of_neighbours(n_names)))
        self.write(
            "queries",
            f"""SELECT id, text, (row_number() OVER (ORDER BY md5(text)) - 1)
                    % CAST(ceil(count(*) OVER () / {_QUERIES_PER_CALL}) AS BIGINT) AS call
                FROM ({queries.different_texts(_names_of("asked"))})
                UNION ALL
                SELECT id, text, {OF_NEIGHBOURS} AS call FROM {self.table("names")}
                JOIN (SELECT unnest({sample}) AS id) AS sample USING (id)""",
        )

    def _count(self) -> None:
        """Count n-grams and words: what few names have says more."""
        self.do_groups("Count", count_task, "names", self.folder / "counted")
        self.write(
            "words",
            f"""SELECT word, CAST(sum(n) AS BIGINT) AS n
            FROM {self.table("spelled")} GROUP BY word ORDER BY min(first)""",
        )
        # The order of a TextIndex.
        self.write(
            "ngrams",
            f"""SELECT ngram, CAST(sum(n) AS BIGINT) AS n
            FROM {self.table("counted")} GROUP BY ngram ORDER BY sum(times) DESC, ngram""",
        )

    def _find_neighbours(self) -> None:
        path = self.folder / "near.npy"
        if path.exists():
            return
        found = Candidates.read(self.folder, self.proposed, OF_NEIGHBOURS, NEAREST)
        others = found.queries[found.rows] != found.ids[found.columns]
        pairs = found.rows[others], found.columns[others]
        near = closeness(self.matcher, index_of(self.folder), found.texts, pairs, found.names)
        replace_file(path, lambda part: np.save(part, near))

    def _decide(self) -> None:
        tasks = {}
        # Without the call of neighbours, -1.
        for folder in sorted((self.folder / "queries").glob("call=[0-9]*")):
            call = int(folder.name.removeprefix("call="))
            path = self.folder / "decided" / f"{call:06d}.parquet"
            tasks[path] = partial(decide_task, self.folder, self.proposed, self.matcher, call)
        self.do("Decide", tasks)
        known = parquet(self.folder, "queries/call=[0-9]*/*.parquet")
        self.write(
            "matches",
            f"""SELECT asked.row AS query, names.row AS candidate, probability
            FROM {_names_of("asked")} AS asked
            JOIN {known} AS known ON asked.text = known.text
            JOIN {self.table("decided")} AS decided ON known.id = decided.query
            JOIN {self.table("names")} AS names ON decided.candidate = names.id
            ORDER BY query""",
        )

    def _write_joined(self) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        matches = pq.read_table(self.path("matches"))
        found, candidates, probabilities = (column.to_numpy() for column in matches.columns)
        left, right = self.left.schema, self.right.schema
        names = unused_names([*right.names, "probability"], left.names)
        fields = [*right, pa.field("probability", pa.float64())]
        renamed = [x.with_name(y).with_nullable(True) for x, y in zip(fields, names, strict=True)]
        schema = pa.schema([*left, *renamed])

        def joined(start: int, queries: pa.Table) -> pa.Table:
            first, end = np.searchsorted(found, [start, start + len(queries)])
            rows, places = np.unique(candidates[first:end], return_inverse=True)
            matched = np.full(len(queries), -1)
            matched[found[first:end] - start] = np.arange(end - first)
            matches = pa.array(matched, mask=matched < 0)
            columns = self.right.take(rows).take(pa.array(places).take(matches)).columns
            columns = [
                *queries.columns,
                *columns,
                pa.array(probabilities[first:end]).take(matches),
            ]
            return pa.Table.from_arrays(columns, schema=schema)

        def write(part: Path) -> None:
            # The reference is read once for each part of the queries.
            size = self.left.bytes_per_row() + self.right.bytes_per_row()
            n_rows = int(min(self.memory / 8, _LARGEST_TABLE) / size)
            with pq.ParquetWriter(part, schema, compression="zstd") as writer:
                for start, queries in self.left.tables(n_rows):
                    writer.write_table(joined(start, queries))

        replace_file(self.path("joined"), write)
        self.write_summary(
            {
                "n_queries": sum(self.left.n_rows),
                "n_candidates": sum(self.right.n_rows),
                "n_matches": len(matches),
            }
        )


def _names_of(source: str) -> str:
    """Return what stands for rows with their texts as a matcher reads names: "" for "N/A"."""
    return f"""(SELECT row, CASE WHEN regexp_full_match(text, {literal(PLACEHOLDER.pattern)})
        THEN '' ELSE text END AS text FROM {source})"""
