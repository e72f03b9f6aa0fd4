"""What the scripts of this folder share: their options, reports of progress, plain-text tables."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence

Cell = str | int | float | None
WIDTH = 100  # columns of text; pages show the tables in a fixed-width font


def script_parser(doc: str | None, *, seeds: int | None = None) -> argparse.ArgumentParser:
    """Return a parser of the options that most scripts have."""
    parser = argparse.ArgumentParser(description=(doc or "").split("\n")[0])
    parser.add_argument("--data", help="folder of the data sets; default $SKPARA_DATA or cache")
    if seeds is not None:
        parser.add_argument("--seeds", type=int, default=seeds, help="runs of each row")
    return parser


def progress(text: str, start: float) -> None:
    """Print to standard error, which is not part of a table; ``start`` is of ``perf_counter``."""
    print(f"{text} ({time.perf_counter() - start:.0f} s)", file=sys.stderr, flush=True)


def number(value: Cell, digits: int = 3) -> str:
    """Format a cell: .768 for 0.768, 1,305 for 1305, nothing for None."""
    if value is None or isinstance(value, str):
        return value or ""
    if isinstance(value, int):
        return f"{value:,}"
    text = f"{value:,.{digits}f}"
    if not float(text.replace(",", "")):
        text = text.removeprefix("-")  # -0.0001 is .000
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def mean_and_range(values: Sequence[float], digits: int = 3) -> str:
    """Format the mean of several runs, with the smallest and largest value in brackets."""
    mean = number(float(sum(values)) / len(values), digits)
    if len(values) == 1:
        return mean
    return f"{mean} ({number(float(min(values)), digits)}-{number(float(max(values)), digits)})"


def over_seeds(tables: Sequence[Sequence[Sequence[Cell]]], digits: int = 3) -> list[list[Cell]]:
    """Join the rows of several runs: means of floats, with the range where they differ."""
    rows: list[list[Cell]] = []
    for same_rows in zip(*tables, strict=True):
        row: list[Cell] = []
        for cells in zip(*same_rows, strict=True):
            values = [cell for cell in cells if isinstance(cell, float)]
            differ = len(values) > 1 and min(values) < max(values)
            row.append(mean_and_range(values, digits) if differ else cells[0])
        rows.append(row)
    return rows


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[Cell]], *, digits: int = 3
) -> None:
    """Print a title, the names of the columns, and the rows; ``digits`` is for floats.

    Columns of text are aligned to the left. If the table is wider than ``WIDTH``, the columns
    that do not fit follow below, with the first column repeated.
    """
    source = [list(row) for row in rows]
    cells = [[number(cell, digits) for cell in row] for row in source]
    cells = [row + [""] * (len(columns) - len(row)) for row in cells]
    left = [
        i == 0
        or any(isinstance(row[i], str) and row[i][:1].isalpha() for row in source if i < len(row))
        for i in range(len(columns))
    ]
    widths = [
        max(len(text) for text in (name, *(row[i] for row in cells)))
        for i, name in enumerate(columns)
    ]
    parts: list[list[int]] = [[0]]
    for i in range(1, len(columns)):
        if len(parts[-1]) > 1 and sum(widths[k] + 2 for k in [*parts[-1], i]) - 2 > WIDTH:
            parts.append([0])
        parts[-1].append(i)
    if title:
        print(f"\n{title}")
    for part in parts:
        print()
        for row in [list(columns), ["-" * width for width in widths], *cells]:
            aligned = (
                row[i].ljust(widths[i]) if left[i] else row[i].rjust(widths[i]) for i in part
            )
            print("  ".join(aligned).rstrip())
    print(end="", flush=True)
