"""Files of Parquet that are one table."""

from __future__ import annotations

from glob import glob
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple


class Source(NamedTuple):
    """Files of one table, and its column of texts."""

    files: list[str]
    n_rows: list[int]
    column: str

    @classmethod
    def open(cls, source: Any, on: str | None) -> Source:
        import pyarrow as pa
        import pyarrow.parquet as pq

        paths = [source] if isinstance(source, str | PathLike) else list(source)
        files = [name for path in paths for name in _names_of(fspath(path))]
        schema = pq.read_schema(files[0])
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
        if not (pa.types.is_string(type_) or pa.types.is_large_string(type_)):
            raise ValueError(f"{files[0]}: the column {names[0]!r} has {type_}, not text.")
        n_rows = [pq.read_metadata(name).num_rows for name in files]
        if not any(n_rows):
            raise ValueError(f"{', '.join(files):.200} has no rows.")
        return cls(files, n_rows, names[0])

    def view(self) -> str:
        """Return a query of the number and the text of each row."""
        parts, start = [], 0
        for name, n in zip(self.files, self.n_rows, strict=True):
            parts.append(
                f"SELECT file_row_number + {start} AS row, "
                f"coalesce({column_name(self.column)}::VARCHAR, '') AS text "
                f"FROM read_parquet({literal(name)}, file_row_number = true)"
            )
            start += n
        return " UNION ALL ".join(parts)

    def rows(self, number: str) -> str:
        """Return a query of all columns and the number of each row, under a new name."""
        parts, start = [], 0
        for name, n in zip(self.files, self.n_rows, strict=True):
            parts.append(
                f"SELECT * EXCLUDE (file_row_number), "
                f"file_row_number + {start} AS {column_name(number)} "
                f"FROM read_parquet({literal(name)}, file_row_number = true)"
            )
            start += n
        return " UNION ALL BY NAME ".join(parts)

    def state(self) -> list[list[Any]]:
        """Return what changes when the files do."""
        stats = [Path(name).stat() for name in self.files]
        return [
            [str(Path(name).absolute()), stat.st_size, stat.st_mtime_ns]
            for name, stat in zip(self.files, stats, strict=True)
        ]


def _names_of(path: str) -> list[str]:
    if Path(path).is_dir():
        path = f"{path}/*.parquet"
    names = [path] if Path(path).exists() else sorted(glob(path))
    if not names:
        raise FileNotFoundError(f"There is no file {path}.")
    return names


def literal(value: str | Path) -> str:
    """Return a string as SQL writes it."""
    return "'" + str(value).replace("'", "''") + "'"


def column_name(column: str) -> str:
    """Return the name of a column as SQL writes it."""
    return '"' + column.replace('"', '""') + '"'
