"""Files of sentence pairs: which columns hold the sentences, the score and the group."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from pathlib import PurePath
from typing import Any, NamedTuple

from skpara.cli._lines import Lines
from skpara.cli._records import Record, read_records

__all__ = ["PairFile", "Row"]

_ENDINGS = {
    ".tsv": "tsv",
    ".txt": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
}
_COLUMNS = ("sentence1", "sentence2", "score")
_SEPARATED_BY = {"tsv": "tabs", "csv": "commas"}
_SLIP = {
    "tsv": "a tab within a sentence",
    "csv": "a comma within a sentence that is not in quotes",
}
_CHUNK = 1024


class Row(NamedTuple):
    """One pair and where it stands."""

    line: int
    pair: tuple[str, str]
    score: float  # NaN where no scores are read
    group: str  # "" where no groups are read
    record: Record  # all of the row


class PairFile:
    """The rows of a TSV, CSV or JSON lines file, plain or packed, or of standard input.

    Parameters
    ----------
    path : str
        ``-`` is standard input.
    format : {"tsv", "csv", "jsonl"}, default=None
        None goes by the ending of the name; standard input is then TSV.
    columns : sequence of str, default=None
        Names, or numbers from 1 where no header names the columns, of the first sentence, the
        second, and the score. None is sentence1, sentence2, score where the first row holds the
        first two of these names, else 1, 2, 3.
    scored : bool, default=False
        Whether the scores are read.
    group : str, default=None
        The column, by name or number, that says which data set a row belongs to.

    Attributes
    ----------
    name : str
        For messages.
    format : str
    header : list of str or None
        Known once the first row is read.

    Raises
    ------
    ValueError
        If the format is unknown; while reading, if a row is not as it should be: names the line
        and the column.
    """

    def __init__(
        self,
        path: str,
        *,
        format: str | None = None,
        columns: Sequence[str] | None = None,
        scored: bool = False,
        group: str | None = None,
    ) -> None:
        self._lines = Lines(path)
        self.name = self._lines.name
        self.format = format or _format_of(path)
        self.header: list[str] | None = None
        self._given, self._scored, self._group = columns, scored, group
        self._wanted = _chosen(columns or _COLUMNS, scored, group)
        self._places: list[int] = []

    def __iter__(self) -> Iterator[Row]:
        self.header, self._places = None, []
        for line, record in read_records(self._lines, self.format):
            if self.format == "jsonl":
                values = self._of_object(line, record)
            else:
                if not self._places and self._is_header(line, record):
                    self.header = record
                    continue
                values = self._of_cells(line, record)
            score = self._score(line, values[2]) if self._scored else math.nan
            group = str(values[-1]) if self._group else ""
            yield Row(line, (values[0], values[1]), score, group, record)

    def chunks(self, size: int = _CHUNK) -> Iterator[list[Row]]:
        """Rows in lists of at most ``size``; none waits for rows that have yet to come in.

        Rows before a wrong one are given before it is complained of.
        """
        chunk: list[Row] = []
        try:
            for row in self:
                chunk.append(row)
                if len(chunk) >= size or not self._lines.at_hand:
                    yield chunk
                    chunk = []
        except ValueError:
            if chunk:
                yield chunk
            raise
        if chunk:
            yield chunk

    def _is_header(self, line: int, first: list[str]) -> bool:
        """Find the columns that are wanted; whether the first row names them."""
        where = f"{self.name}, line {line},"
        names = [cell.strip().casefold() for cell in first]
        wanted = [name.casefold() for name in self._wanted]
        if self._given is None:
            named = set(wanted[:2]) <= set(names)
        else:
            named = not all(name.isdecimal() for name in self._given)
        if not named:
            if self._group and not self._group.isdecimal():
                raise ValueError(
                    f"{where} does not name the columns, so that the group {self._group!r} "
                    "cannot be found. Give its number, or name all columns with --columns."
                )
            numbers = _chosen(self._given or "123", self._scored, self._group)
            self._places = [int(number) - 1 for number in numbers]
            return False
        for name in wanted:
            if names.count(name) != 1:
                problem = "has no column" if name not in names else "has more than one column"
                raise ValueError(
                    f"{where} {problem} {name!r}: it holds {', '.join(first):.200}. Say with "
                    "--columns how the columns are named; where the first row is a pair already, "
                    "give their numbers."
                )
        self._places = [names.index(name) for name in wanted]
        return True

    def _of_cells(self, line: int, cells: list[str]) -> list[str]:
        n_columns, needed = len(cells), max(self._places) + 1
        if self.header is not None and n_columns != len(self.header):
            raise ValueError(
                f"{self.name}, line {line}, has {n_columns} column(s), and the first row "
                f"{len(self.header)}. Look for {_SLIP[self.format]}."
            )
        if n_columns < needed:
            raise ValueError(
                f"{self.name}, line {line}, has {n_columns} column(s), and column {needed} is "
                f"wanted. They are separated by {_SEPARATED_BY[self.format]}; choose another "
                "format with --format, other columns with --columns."
            )
        return [cells[place] for place in self._places]

    def _of_object(self, line: int, found: dict[str, Any]) -> list[Any]:
        for name in self._wanted:
            if name not in found:
                raise ValueError(
                    f"{self.name}, line {line}, has no {name!r}: it holds "
                    f"{', '.join(found):.200}. Say with --columns how the sentences and the score "
                    "are named."
                )
        for name in self._wanted[:2]:
            _check_sentence(found[name], f"{self.name}, line {line}, {name!r}")
        return [found[name] for name in self._wanted]

    def _score(self, line: int, value: Any) -> float:
        try:
            score = math.nan if isinstance(value, bool) else float(value)
        except (TypeError, ValueError, OverflowError):
            score = math.nan
        if math.isfinite(score):
            return score
        named = self.format == "jsonl" or self.header is not None
        column = self._wanted[2] if named else self._places[2] + 1
        remedy = "Correct it or leave the row out."
        if line == 1 and not named:
            remedy = "If this line names the columns, say how: --columns NAME,NAME,NAME."
        raise ValueError(
            f"{self.name}, line {line}, column {column}: the score {value!r:.60} is not a "
            f"number. {remedy}"
        )


def _chosen(columns: Sequence[str], scored: bool, group: str | None) -> list[str]:
    """The columns that are read, of first sentence, second, score, and the group."""
    return [*columns[: 3 if scored else 2], *([group] if group else [])]


def _format_of(path: str) -> str:
    if path == "-":
        return "tsv"
    ending = PurePath(path.lower().removesuffix(".gz")).suffix
    if ending not in _ENDINGS:
        raise ValueError(
            f"{path} does not say what it holds, as it ends in none of {', '.join(_ENDINGS)}: "
            "give --format tsv, csv or jsonl."
        )
    return _ENDINGS[ending]


def _check_sentence(cell: Any, where: str) -> None:
    """JSON holds more than text, and text that cannot be written."""
    if not isinstance(cell, str):
        raise ValueError(f"{where} is {cell!r:.60}, and a sentence is wanted: text in quotes.")
    try:
        cell.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{where} holds half a character (of \\ud800 to \\udfff). Put it in whole."
        ) from None
