"""Input and output of the commands on tables."""

from __future__ import annotations

import argparse
import csv
import gzip
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TextIO

from skpara._files import replace_file
from skpara.cli._options import UsageError, refuse_no_header
from skpara.cli._screen import notes, results

if TYPE_CHECKING:
    from skpara.datasets import Table


def read_input(path: str, arguments: argparse.Namespace, on: str | None) -> Table:
    """Read a table; a text file of one column has no header unless a column is named."""
    from skpara.datasets import read_table

    table = read_table(
        path,
        format=arguments.format,
        header=not arguments.no_header,
        delimiter=arguments.delimiter,
        encoding=arguments.encoding,
    )
    refuse_no_header(arguments, table.format)
    is_text = path.lower().removesuffix(".gz").endswith(".txt")
    is_text = is_text or (path == "-" and not arguments.format)
    if is_text and on is None and table.header is not None and len(table.header) == 1:
        rows = [table.header, *table.rows]
        table = table._replace(header=None, rows=rows, lines=list(range(1, len(rows) + 1)))
    return table


def read_records(
    path: str, arguments: argparse.Namespace, on: str | None
) -> tuple[Table, Any, list[str] | None]:
    """Read a table and the columns to compare: the sentences of one; else several by name."""
    names: list[Any] = on.split(",") if on else [None]
    if len(set(names)) < len(names):
        raise UsageError(f"{on!r} has the same column twice.")
    table = read_input(path, arguments, names[0])
    if not table.rows and not table.header:
        print(f"{table.name} is empty.", file=notes())
    # An empty file has no columns, which is not an error.
    is_empty = not table.rows and (not table.header or names == [None])
    columns = {name: [] if is_empty else table.column(name) for name in names}
    if len(names) == 1:
        return table, columns[names[0]], None
    return table, columns, names


def load_scorer(path: Path | None) -> Any:
    """Load the model, if there is one."""
    if path is None:
        return None
    from skpara.saving import load_model

    return load_model(path)


class Value(NamedTuple):
    """A value as it was read; unlike computed numbers it is not rounded, and may be null."""

    value: Any


def as_cells(table: Table, row: int) -> list[Any]:
    """Return the cells of a row, None for missing keys of a JSON line; row -1 is missing."""
    if row < 0:
        return [None] * len(table.header or (table.rows or [[]])[0])
    record = table.rows[row]
    if isinstance(record, dict):
        return [Value(record[x]) if x in record else None for x in table.header or ()]
    return list(map(Value, record))


def output_format(out: Path | None, otherwise: str = "csv") -> str:
    """Return the format of an output by its suffix; without one it is that of the input."""
    from skpara.datasets import SUFFIXES, TYPED

    name = "" if out is None else out.name.lower()
    suffix = Path(name.removesuffix(".gz")).suffix
    if not suffix and not name.endswith(".gz"):
        return "csv" if otherwise in TYPED else otherwise
    known = SUFFIXES.get(suffix)
    if known is None or (name.endswith(".gz") and known in TYPED):
        raise UsageError(
            f"-o {out} has none of the suffixes {', '.join(SUFFIXES)} (all but the last two also "
            "with .gz). Rename it."
        )
    return known


def write_rows(
    out: Path | None,
    format: str,
    names: Sequence[str] | None,
    rows: Iterable[Sequence[Any]],
    delimiter: str | None = None,
) -> None:
    """Write a whole table, or nothing if an error occurs."""
    from skpara.datasets import TYPED, unused_names, write_json, write_typed

    rows = list(rows)
    if format not in ("tsv", "csv"):  # columns need names there, and different ones
        numbers = (str(k + 1) for k in range(len(rows[0]) if rows else 0))
        names = unused_names(numbers if names is None else names, [])
    if format in TYPED and out is not None:
        columns, values = list(names or ()), [[_value(cell) for cell in row] for row in rows]
        replace_file(out, lambda path: write_typed(path, format, columns, values))
        return
    lines = [] if names is None or format == "jsonl" else [format_cells(names, format, delimiter)]
    for row in rows:
        if format == "jsonl":
            present = ((n, x) for n, x in zip(names or (), row, strict=True) if x is not None)
            lines.append(write_json({n: _value(x) for n, x in present}))
        else:
            lines.append(format_cells(row, format, delimiter))
    write_text(out, "".join(line + "\n" for line in lines))


def _value(cell: Any) -> Any:
    return cell.value if isinstance(cell, Value) else cell


def write_text(out: Path | None, text: str) -> None:
    """Write text to a file, or to standard output."""

    def write(path: Path) -> None:
        with open_text(path) as file:
            file.write(text)

    if out is None:
        results().write(text)
    else:
        replace_file(out, write)


def open_text(path: Path) -> TextIO:
    """Open a file to write; one that ends in .gz is compressed, as the readers expect."""
    opener = gzip.open if path.suffix.lower() == ".gz" else open
    raw: Any = opener(path, "wb")
    # Half a character is written as JSON does, \ud800.
    return io.TextIOWrapper(raw, "utf-8", "backslashreplace", newline="\n")


def format_cells(cells: Iterable[Any], format: str, delimiter: str | None = None) -> str:
    """Return a row as a line of a file, with four decimal digits of computed numbers."""
    texts = [_text(cell) for cell in cells]
    if format == "tsv":
        for text in texts:
            if "\t" in text or "\n" in text:
                raise ValueError(
                    f"TSV cannot hold the tab or line break in {text!r:.60}. Write to a file that "
                    "ends in .csv or .jsonl."
                )
        return "\t".join(texts)
    line = io.StringIO()
    csv.writer(line, delimiter=delimiter or ",").writerow(texts)
    return line.getvalue().removesuffix("\r\n")


def _text(cell: Any) -> str:
    from skpara.datasets import cell_text

    if isinstance(cell, Value):
        return cell_text(cell.value)
    return "" if cell is None else f"{cell:.4f}" if isinstance(cell, float) else str(cell)
