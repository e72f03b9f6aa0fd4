"""Tables of any columns: TSV, CSV and JSON lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from skpara._messages import near_name, warn
from skpara._normal_form import compose
from skpara._typing import FilePath
from skpara.datasets._cells import cell_text
from skpara.datasets._text_files import NAMED, Record, Records

# Digits at the start or in a row, or an address: no name of a column is one, but data often is.
_DATA = re.compile(r"^\s*[-+(\d]|\d{3}|@")
_QUOTED = re.compile(r'"(?:[^"]*+"")++[^"]*+"')
# How spreadsheets keep the zeros of an id in CSV: as a formula.
_FORMULA = re.compile(r'^="([^"]*)"$')
# Rows at the start among which the names of columns are looked for, below a title.
_TITLE_ROWS = 5
_REMEDY = (
    "Select one of them; if the first row is data, pass --no-header, or header=False, and select "
    "by number."
)
# Usual names of a column of sentences, as letters and digits.
_USUAL_NAMES = ("sentence", "text", "name", "title", "question", "description", "caption")


class Table(NamedTuple):
    """The rows of a file."""

    name: str  # of the file, for messages
    format: str
    header: list[str] | None  # names of the columns
    rows: list[Record]
    lines: list[int]  # of the rows, from 1
    delimiter: str | None = None  # of CSV
    # Whether nothing but its place says that the first row is the header.
    header_is_guessed: bool = False

    def column(self, on: str | None = None) -> list[str]:
        """Return the text of a column: by its name, by its number from 1, or a usual one.

        Missing cells are empty, and numbers and dates are text.
        """
        names = self.header or [str(i + 1) for i in range(len((self.rows or [[]])[0]))]
        position = self._position(names, on)
        key = names[position] if self.format in NAMED else position
        is_usual = on is None and name_key(names[position]) in _USUAL_NAMES
        is_guessed = self.header_is_guessed and self.header is not None
        if is_guessed and not is_usual and on not in names:
            self._check_header(by_number=on is not None)
        texts = []
        for line, row in zip(self.lines, self.rows, strict=True):
            cell = row.get(key) if isinstance(row, dict) else row[key]
            if isinstance(cell, list | dict):
                raise ValueError(
                    f"{self.name}, line {line}: {names[position]!r} is {cell!r:.60}, not text. "
                    "Select a column of text, or write its parts into columns of their own."
                )
            texts.append(cell_text(cell))
        return texts

    def _check_header(self, *, by_number: bool) -> None:
        """Raise if the first row may be data: a column is selected, but not by its name."""
        names = self.header or []
        if not by_number or len(names) == 1 or any(map(_DATA.search, names)):
            raise ValueError(
                f"{self.name}: it is unclear whether the first row, {', '.join(names):.200}, has "
                "the names of the columns. Select a column by its name (--on), or say that the "
                "row is data (--no-header)."
            )

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
        self._check_title(names, on)
        return find_column(names, on, self.name, _REMEDY)

    def _check_title(self, names: list[str], on: str) -> None:
        """Raise if the names of the columns are below a title."""
        for line, row in zip(self.lines[:_TITLE_ROWS], self.rows, strict=False):
            if on in row and on not in names and not isinstance(row, dict):
                raise ValueError(
                    f"{self.name}: line {line} has the name {on!r}, not the first row. Delete "
                    "the rows above the names of the columns."
                )


def read_table(
    path: FilePath,
    *,
    format: str | None = None,
    header: bool = True,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Table:
    """Read all rows of a table; ``header`` says that the first row names the columns.

    What spreadsheets leave at the right and at the bottom is left out: cells without a name in
    columns that are empty, and empty rows.
    """
    records = Records(path, format, delimiter, encoding)
    numbers: list[int] = []
    rows: list[Record] = []
    for number, row in records.rows():
        if any(isinstance(cell, str) and "\0" in cell for cell in row):
            raise ValueError(
                f"{records.name}, line {number}, holds a NUL character: the file is damaged, or "
                "text in another encoding. Copy it again, or pass the encoding (--encoding)."
            )
        numbers.append(number)
        rows.append(row)
    if records.format == "csv":
        rows = [
            [_FORMULA.sub(r"\1", cell) if cell.startswith("=") else cell for cell in row]
            for row in rows
        ]
    if records.format == "tsv":
        _warn_of_quoted(records.name, numbers, rows)
    names = None
    if records.format in NAMED:
        names = list(dict.fromkeys(name for row in rows for name in row))
    elif rows:
        while not any(map(_is_filled, rows[-1])) and len(rows[-1]) > 1 and len(rows) > 1:
            del rows[-1], numbers[-1]
        rows = _same_width(rows, numbers, records.name, header=header)
        if header:
            names, rows, numbers = list(map(cell_text, rows[0])), rows[1:], numbers[1:]
            if len(names) > 1 and names in rows:  # files one below the other
                line = numbers[rows.index(names)]
                raise ValueError(
                    f"{records.name}, line {line}, repeats the names of the columns. Delete it."
                )
    is_guessed = header and records.format in ("csv", "tsv", "xlsx")
    return Table(records.name, records.format, names, rows, numbers, records.delimiter, is_guessed)


def _warn_of_quoted(name: str, numbers: list[int], rows: list[list[str]]) -> None:
    """Warn if a cell of TSV is quoted as in CSV; within the quotes, others are written twice."""
    for number, row in zip(numbers, rows, strict=True):
        if any(cell.startswith('"') and _QUOTED.fullmatch(cell) for cell in row):
            warn(
                f"{name}, line {number}, has a quoted cell, which is read with its quotes. If "
                "they are not part of the text, set the format to csv."
            )
            return


def _same_width(
    rows: list[list[Any]], numbers: list[int], name: str, *, header: bool
) -> list[list[Any]]:
    """Return rows without empty columns behind the last one that has a name."""
    width = _n_filled(rows[0]) if header else len(rows[0])
    unnamed = len(rows[0]) - width
    if header and unnamed and any(_n_filled(row) > width for row in rows):
        width = len(rows[0])  # a column without a name that has cells
    for number, row in zip(numbers, rows, strict=True):
        if len(row) < width or _n_filled(row) > width:
            check_width(row, rows[0][:width], f"{name}, line {number}")
    return [row[:width] for row in rows]


def _n_filled(row: list[Any]) -> int:
    """Return the number of cells up to the last one that is not empty."""
    return max((k + 1 for k, cell in enumerate(row) if _is_filled(cell)), default=0)


def _is_filled(cell: Any) -> bool:
    return bool(cell_text(cell).strip())


def find_column(names: Sequence[str], wanted: str | int, where: str, remedy: str) -> int:
    """Return the position of a column that is selected by its name or position.

    The same name in another case, with spaces or with invisible characters is taken if no column
    has the name itself.
    """
    if not isinstance(wanted, str):
        return wanted
    exact = wanted in names
    key, *keys = (name if exact else compose(name).strip().casefold() for name in (wanted, *names))
    if keys.count(key) != 1:
        if len(names) == 1:
            remedy = (
                "Select it, or pass the character that separates columns (--delimiter, or "
                "delimiter=)."
            )
        elif any(name.startswith('"') for name in names):
            remedy = "Its cells are quoted: set the format to csv."
        elif key in keys:
            remedy = "Select one of them by its number."
        elif near := near_name(key, keys):
            remedy = f"Did you mean {names[keys.index(near)]!r}?"
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
        remedy = "Add the cells that are missing, or look for a line break within a sentence."
        if len(row) > len(first):
            remedy = "Look for a tab or a comma within a sentence, and quote such cells."
            if any(cell.startswith('"') for cell in row):
                remedy = "Its cells are quoted: set the format to csv."
        if len(first) == 1:
            remedy = "Delete a title above the table, and quote cells with commas."
        raise ValueError(
            f"{where}, has {len(row)} column(s), but the first row has {len(first)}. {remedy}"
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
