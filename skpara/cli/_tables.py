"""What the commands on tables share: their options, and how rows are written."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from skpara._files import replace_file
from skpara.cli._options import refuse_no_header

if TYPE_CHECKING:
    from skpara.datasets import Table


def add_table_options(parser: argparse.ArgumentParser, scored: str) -> None:
    """Add the options that ``match`` and ``dedupe`` share."""
    parser.add_argument(
        "--model",
        type=Path,
        metavar="MODEL",
        help=f"file written by `skpara train` or skpara.save_model, which scores {scored} "
        "(default: the similarity of the packaged vectors)",
    )
    add_table_input(parser, ". The output has the format of the (first) input")
    parser.add_argument(
        "-o", "--out", type=Path, metavar="FILE", help="output file (default: standard output)"
    )


def add_table_input(parser: argparse.ArgumentParser, more: str = "") -> None:
    """Add what says how a table is read; ``more`` ends the help of ``--format``."""
    parser.add_argument(
        "--format",
        choices=("tsv", "csv", "jsonl"),
        help="format of the input (default: by the suffix, .tsv, .txt, .csv or .jsonl, each also "
        f"with .gz; standard input is tsv){more}",
    )
    parser.add_argument(
        "--no-header", action="store_true", help="the first row does not name the columns"
    )


def read_input(path: str, arguments: argparse.Namespace, on: str | None) -> Table:
    """Read a table; a text file of one column has no header unless a column is named."""
    from skpara.datasets import read_table

    table = read_table(path, format=arguments.format, header=not arguments.no_header)
    refuse_no_header(arguments, table.format)
    plain = path.removesuffix(".gz").endswith(".txt") or (path == "-" and not arguments.format)
    if plain and on is None and table.header is not None and len(table.header) == 1:
        rows = [table.header, *table.rows]
        table = table._replace(header=None, rows=rows, lines=list(range(1, len(rows) + 1)))
    return table


def load_scorer(path: Path | None) -> Any:
    """Load the model, if there is one."""
    if path is None:
        return None
    from skpara.saving import load_model

    return load_model(path)


def as_cells(table: Table, row: int) -> list[Any]:
    """Return the cells of a row, None for what a JSON line lacks; -1 stands for a missing row."""
    n_columns = len(table.header or (table.rows or [[]])[0])
    if row < 0:
        return [None] * n_columns
    record = table.rows[row]
    return (
        [record.get(name) for name in table.header or ()] if isinstance(record, dict) else record
    )


def write_rows(
    out: Path | None, format: str, names: Sequence[str] | None, rows: Iterable[Sequence[Any]]
) -> None:
    """Write a table: all of it or, where it cannot be written, nothing."""
    lines = []
    if names is not None and format != "jsonl":
        lines.append(format_cells(list(names), format))
    for row in rows:
        if format == "jsonl":
            assert names is not None
            present = {n: x for n, x in zip(names, row, strict=True) if x is not None}
            lines.append(json.dumps(present, ensure_ascii=False))
        else:
            lines.append(format_cells(["" if x is None else cell_text(x) for x in row], format))
    text = "".join(line + "\n" for line in lines)
    if out is None:
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        sys.stdout.write(text)
    else:
        replace_file(out, lambda path: path.write_bytes(text.encode()))


def unused(names: Iterable[str], taken: Iterable[str]) -> list[str]:
    """Return the names, with a suffix where they are taken."""
    used, result = set(taken), []
    for name in names:
        while name in used:
            name += "_match"
        used.add(name)
        result.append(name)
    return result


def cell_text(cell: Any) -> str:
    """Return the text of a cell, numbers with four digits."""
    return f"{cell:.4f}" if isinstance(cell, float) else str(cell)


def format_cells(cells: list[str], format: str) -> str:
    """Return a row as a line of a file."""
    if format == "tsv":
        return "\t".join(cells)
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue().removesuffix("\r\n")
