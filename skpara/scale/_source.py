"""Files of Parquet that are one table."""

from __future__ import annotations

from collections.abc import Iterator
from glob import escape, glob
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from skpara._files import missing_file
from skpara._frames import has_columns
from skpara._normal_form import compose
from skpara._typing import Ints

if TYPE_CHECKING:
    import pyarrow as pa

# Rows that are read at a time.
_ROWS_PER_BATCH = 2**16


class Source(NamedTuple):
    """Files of one table, and its column of texts.

    PyArrow reads them: DuckDB takes columns from the names of folders, has one type for several,
    and does not distinguish names that differ only in case.
    """

    files: list[str]
    n_rows: list[int]
    schema: pa.Schema
    column: str

    @classmethod
    def open(cls, source: Any, on: str | None) -> Source:
        import pyarrow as pa
        import pyarrow.parquet as pq

        if has_columns(source):
            raise TypeError(
                f"Expected names of Parquet files, got a {type(source).__name__}. A Deduplicator "
                "or a TableMatcher takes tables in memory."
            )
        paths = [source] if isinstance(source, str | PathLike) else list(source)
        files = [name for path in paths for name in _names_of(fspath(path))]
        schema = _schema_of(files)
        names = [on] if on is not None else schema.names
        if len(names) != 1 or names[0] not in schema.names:
            problem = "on is None" if on is None else f"there is no column {on!r}"
            raise ValueError(
                f"{files[0]} has {len(schema.names)} columns, {', '.join(schema.names):.200}, and "
                f"{problem}. Pass the name of the column of texts as on."
            )
        type_ = schema.field(names[0]).type
        if pa.types.is_dictionary(type_):
            type_ = type_.value_type
        if not _is_text(type_):
            raise ValueError(f"{files[0]}: the column {names[0]!r} has {type_}, not text.")
        n_rows = [pq.read_metadata(name).num_rows for name in files]
        if not any(n_rows):
            raise ValueError(f"{', '.join(files):.200} has no rows.")
        return cls(files, n_rows, schema, names[0])

    def batches(self, columns: list[str] | None = None) -> Iterator[tuple[int, pa.RecordBatch]]:
        """Yield the number of the first row, and rows, with the types of the schema."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        schema = self.schema
        if columns is not None:
            schema = pa.schema([schema.field(name) for name in columns])
        start = 0
        for name in self.files:
            with pq.ParquetFile(name) as file:
                for batch in file.iter_batches(_ROWS_PER_BATCH, columns=columns):
                    if batch.schema != schema:
                        batch = batch.select(schema.names).cast(schema)
                    yield start, batch
                    start += len(batch)

    def texts(self) -> pa.RecordBatchReader:
        """Return the number and the composed text of each row, for one query."""
        import pyarrow as pa

        schema = pa.schema({"row": pa.int64(), "text": pa.string()})
        return pa.RecordBatchReader.from_batches(schema, self._texts(schema))

    def _texts(self, schema: pa.Schema) -> Iterator[pa.RecordBatch]:
        import pyarrow as pa
        import pyarrow.compute as pc

        for start, batch in self.batches([self.column]):
            texts = batch.column(0).cast(pa.string())
            try:
                texts.validate(full=True)
            except pa.ArrowInvalid as error:
                raise ValueError(
                    f"The column {self.column!r} is not UTF-8 after row {start} ({error}). Write "
                    "the text again."
                ) from None
            texts = texts.fill_null("")
            if not pc.all(pc.string_is_ascii(texts)).as_py():
                texts = pa.array(map(compose, texts.to_pylist()), pa.string())
            rows = np.arange(start, start + len(texts))
            yield pa.record_batch([pa.array(rows), texts], schema=schema)

    def take(self, rows: Ints) -> pa.Table:
        """Return rows by their numbers, which are in order."""
        import pyarrow as pa

        parts = []
        for start, batch in self.batches():
            first, end = np.searchsorted(rows, [start, start + len(batch)])
            parts.append(batch.take(pa.array(rows[first:end] - start)))
        return pa.Table.from_batches(parts, self.schema)

    def tables(self, n_rows: int) -> Iterator[tuple[int, pa.Table]]:
        """Yield the number of the first row, and ``n_rows`` rows or a few more."""
        import pyarrow as pa

        parts: list[pa.RecordBatch] = []
        first = 0
        for start, batch in self.batches():
            if start - first >= n_rows and parts:
                yield first, pa.Table.from_batches(parts, self.schema)
                first, parts = start, []
            parts.append(batch)
        yield first, pa.Table.from_batches(parts, self.schema)

    def bytes_per_row(self) -> float:
        """Return the size of a row in memory, by the first ones."""
        _, batch = next(self.batches())
        return float(batch.nbytes / len(batch))

    def state(self) -> list[list[Any]]:
        """Return what changes when the files do."""
        stats = [Path(name).stat() for name in self.files]
        return [
            [str(Path(name).absolute()), stat.st_size, stat.st_mtime_ns]
            for name, stat in zip(self.files, stats, strict=True)
        ]


def _names_of(path: str) -> list[str]:
    if Path(path).is_dir():
        path = f"{escape(path)}/*.parquet"
    names = [path] if Path(path).exists() else sorted(glob(path))
    if not names:
        raise missing_file(path)
    return names


def _schema_of(files: list[str]) -> pa.Schema:
    """Return the names and types that all files have, or raise an error if they differ."""
    import pyarrow as pa

    schema = _read_schema(files[0])
    if len(set(schema.names)) < len(schema.names):
        raise ValueError(
            f"{files[0]} has columns of the same name, {', '.join(schema.names):.200}."
        )
    for name in files[1:]:
        other = _read_schema(name)
        if sorted(other.names) != sorted(schema.names):
            raise ValueError(
                f"{files[0]} and {name} have different columns, "
                f"{schema.names!r:.200} and {other.names!r:.200}. Write them again with the same."
            )
        for place, field in enumerate(schema):
            one, two = field.type, other.field(field.name).type
            if pa.types.is_null(one):
                schema = schema.set(place, field.with_type(two))
            elif (
                one != two and not pa.types.is_null(two) and not (_is_text(one) and _is_text(two))
            ):
                raise ValueError(
                    f"{files[0]} and {name}: the column {field.name!r} has {one} and {two}. Write "
                    "them again with the same types."
                )
    return schema


def _read_schema(name: str) -> pa.Schema:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        return pq.read_schema(name)
    except pa.ArrowInvalid as error:
        raise ValueError(f"{name} is not Parquet ({error}). Write the table as Parquet.") from None


def _is_text(type_: pa.DataType) -> bool:
    import pyarrow as pa

    return bool(pa.types.is_string(type_) or pa.types.is_large_string(type_))


def parquet(folder: Path, pattern: str) -> str:
    """Return what a query reads from: files of the package in a folder of any name."""
    path = literal(f"{escape(str(folder))}/{pattern}")
    return f"read_parquet({path}, hive_partitioning = false, union_by_name = true)"


def literal(value: str | Path) -> str:
    """Return a string as SQL writes it."""
    return "'" + str(value).replace("'", "''") + "'"
