"""Read tables of any columns: TSV, CSV and JSON lines."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, NamedTuple

from skpara._public import set_module
from skpara.datasets._pair_files import infer_format
from skpara.datasets._text_files import FORMATS, Lines, Record, read_records

# What a column of sentences is usually called, as letters and digits.
_USUAL_NAMES = ("sentence", "text", "name", "title", "question", "description", "caption")


@set_module("skpara.datasets")
class Table(NamedTuple):
    """The rows of a file.

    Parameters
    ----------
    name : str
        Name of the file for messages.
    format : {"tsv", "csv", "jsonl"}
        The format that was read.
    header : list of str or None
        Names of the columns; None where the file has none.
    rows : list of list of str, or list of dict
        The cells of each row, or the object of each JSON line.
    lines : list of int
        The line of each row, from 1.
    """

    name: str
    format: str
    header: list[str] | None
    rows: list[Record]
    lines: list[int]

    def column(self, on: str | None = None) -> list[str]:
        """Return one column of text.

        Parameters
        ----------
        on : str, default=None
            Its name, or its number from 1. None is the only column, or the one that has a usual
            name, such as "text" or "title".

        Returns
        -------
        list of str
            The cells of the column.

        Raises
        ------
        ValueError
            If there is no such column, or a cell is not text.
        """
        key = self._find(on)
        sentences = []
        for line, row in zip(self.lines, self.rows, strict=True):
            cell = row.get(key) if isinstance(row, dict) else row[key]
            if not isinstance(cell, str):
                raise ValueError(
                    f"{self.name}, line {line}: {on or key!r} is {cell!r:.60} instead of text."
                )
            sentences.append(cell)
        return sentences

    def _find(self, on: str | None) -> Any:
        is_json = self.format == "jsonl"
        names = self.header if self.header is not None else [""] * len((self.rows or [[]])[0])
        if on is None:
            keys = ["".join(filter(str.isalnum, name.casefold())) for name in names]
            usual = [i for i, key in enumerate(keys) if key in _USUAL_NAMES]
            columns = range(len(names)) if len(names) == 1 else usual
            if len(columns) != 1:
                raise ValueError(
                    f"{self._describe()} Name the column of sentences by on, or by --on on the "
                    "command line."
                )
            [position] = columns
        else:
            folded = [name.strip().casefold() for name in names]
            wanted = on.strip().casefold()
            if folded.count(wanted) == 1:
                position = folded.index(wanted)
            elif on.isdecimal() and not is_json and 1 <= int(on) <= len(names):
                position = int(on) - 1
            else:
                raise ValueError(f"There is no column {on!r}. {self._describe()}")
        return names[position] if is_json else position

    def _describe(self) -> str:
        if self.header is None:
            n_columns = len(self.rows[0]) if self.rows else 0
            return f"{self.name} was read without names and has {n_columns} columns."
        return f"{self.name} has the columns {', '.join(self.header):.200}."


def unused_names(names: Iterable[Any], taken: Iterable[Any]) -> list[Any]:
    """Return new names of columns, with a suffix where they are taken already."""
    used, result = set(taken), []
    for name in names:
        while name in used:
            name = f"{name}_match"
        used.add(name)
        result.append(name)
    return result


def read_table(
    path: str | os.PathLike[str], *, format: str | None = None, header: bool = True
) -> Table:
    r"""Read all rows of a table, with all its columns.

    Parameters
    ----------
    path : path, or "-"
        The file, UTF-8, also compressed with gzip; "-" is standard input.
    format : {"tsv", "csv", "jsonl"}, default=None
        The format; None is told from the suffix. In tsv, quotes are ordinary characters.
    header : bool, default=True
        Whether the first row of tsv or csv holds the names of the columns.

    Returns
    -------
    Table
        The rows and the names of their columns.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the file is not of the format, or a row has more or fewer cells than the first.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import read_table
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "shop.csv"
    >>> _ = path.write_text("id,title\n7,red bicycle\n8,garden chair\n")
    >>> read_table(path).column("title")
    ['red bicycle', 'garden chair']
    """
    lines = Lines(path)
    format = infer_format(os.fspath(path)) if format is None else format
    if format not in FORMATS:
        raise ValueError(f"format must be one of {list(FORMATS)}, got {format!r}.")
    numbers: list[int] = []
    rows: list[Record] = []
    for number, row in read_records(lines, format):
        if rows and format != "jsonl" and len(row) != len(rows[0]):
            raise ValueError(
                f"{lines.name}, line {number}, has {len(row)} column(s), but the first row has "
                f"{len(rows[0])}. Look for a separator within a cell."
            )
        numbers.append(number)
        rows.append(row)
    names = None
    if format == "jsonl":
        names = list(dict.fromkeys(name for row in rows for name in row))
    elif header and rows:
        names, rows, numbers = rows[0], rows[1:], numbers[1:]
    return Table(lines.name, format, names, rows, numbers)
