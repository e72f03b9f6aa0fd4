"""Tables of any columns: TSV, CSV and JSON lines."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from skpara.datasets._text_files import Record, Records

# Usual names of a column of sentences, as letters and digits.
_USUAL_NAMES = ("sentence", "text", "name", "title", "question", "description", "caption")


class Table(NamedTuple):
    """The rows of a file."""

    name: str  # of the file, for messages
    format: str
    header: list[str] | None  # names of the columns
    rows: list[Record]
    lines: list[int]  # of the rows, from 1

    def column(self, on: str | None = None) -> list[str]:
        """Return the text of a column: by its name, by its number from 1, or a usual one."""
        names = self.header or [str(i + 1) for i in range(len((self.rows or [[]])[0]))]
        position = self._position(names, on)
        key = names[position] if self.format == "jsonl" else position
        for line, row in zip(self.lines, self.rows, strict=True):
            cell = row.get(key) if isinstance(row, dict) else row[key]
            if not isinstance(cell, str):
                raise ValueError(
                    f"{self.name}, line {line}: {key!r} is {cell!r:.60} instead of text."
                )
        return [row[key] for row in self.rows]

    def _position(self, names: list[str], on: str | None) -> int:
        if on is None:
            usual = [i for i, name in enumerate(names) if name_key(name) in _USUAL_NAMES]
            positions = range(len(names)) if len(names) == 1 else usual
            if len(positions) != 1:
                raise ValueError(
                    f"{self.name} has the columns {', '.join(names):.200}. Select the column of "
                    "sentences (on=, or --on on the command line)."
                )
            return positions[0]
        if on.isdecimal() and on not in names and 1 <= int(on) <= len(names):
            return int(on) - 1
        return find_column(names, on, self.name, "Select one of them.")


def read_table(
    path: str | os.PathLike[str], *, format: str | None = None, header: bool = True
) -> Table:
    """Read all rows of a table; ``header`` says that the first row names the columns."""
    records = Records(path, format)
    numbers: list[int] = []
    rows: list[Record] = []
    for number, row in records.rows():
        if rows and records.format != "jsonl":
            check_width(row, rows[0], f"{records.name}, line {number}")
        numbers.append(number)
        rows.append(row)
    names = None
    if records.format == "jsonl":
        names = list(dict.fromkeys(name for row in rows for name in row))
    elif header and rows:
        names, rows, numbers = rows[0], rows[1:], numbers[1:]
    return Table(records.name, records.format, names, rows, numbers)


def find_column(names: Sequence[str], wanted: str | int, where: str, remedy: str) -> int:
    """Return the position of a column that is selected by its name or position.

    The same name in another case or with spaces is taken if no column has the name itself.
    """
    if not isinstance(wanted, str):
        return wanted
    exact = wanted in names
    key, *keys = (name if exact else name.strip().casefold() for name in (wanted, *names))
    if keys.count(key) != 1:
        raise ValueError(
            f"{where} has {'more than one' if key in keys else 'no'} column {wanted!r}, only "
            f"{', '.join(names):.200}. {remedy}"
        )
    return keys.index(key)


def check_width(row: list[str], first: list[str], where: str) -> None:
    """Raise if a row has more or fewer cells than the first one."""
    # A separator within a sentence shifts all cells behind it, so that another column would be
    # read without an error.
    if len(row) != len(first):
        raise ValueError(
            f"{where}, has {len(row)} column(s), but the first row has {len(first)}. Look for a "
            "tab or a comma within a sentence."
        )


def name_key(name: Any) -> str:
    """Return the letters and digits of a name, so that Sentence_A is sentencea."""
    return "".join(filter(str.isalnum, str(name).casefold()))


def unused_names(names: Iterable[Any], taken: Iterable[Any]) -> list[Any]:
    """Return new names of columns, with a suffix where they are taken already."""
    used, result = set(taken), []
    for name in names:
        while name in used:
            name = f"{name}_match"
        used.add(name)
        result.append(name)
    return result
