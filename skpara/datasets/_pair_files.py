"""Read files of sentence pairs: find the columns, check each row, return arrays."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterator, Sequence
from numbers import Integral
from pathlib import PurePath
from typing import Any, NamedTuple

from skpara._public import set_module
from skpara.datasets._documentation import document_loader
from skpara.datasets._text_files import FORMATS, Lines, Record, parse_score, read_records

_SUFFIXES = {".tsv": "tsv", ".txt": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
SENTENCE_COLUMNS = ("sentence1", "sentence2")
# Other names in public data sets, as letters and digits: SICK's sentence_A, Quora's question1, the
# "#1 String" of Microsoft's paraphrase corpus, premise and hypothesis of language inference.
_STEMS = "sentence sent s text t question q string phrase word segment caption headline document"
_PAIR_NAMES = [
    *((stem + a, stem + b) for stem in _STEMS.split() for a, b in (("1", "2"), ("a", "b"))),
    *(("1string", "2string"), ("premise", "hypothesis")),
]
# These often name something else beside the sentences.
_SECOND_CHOICE = [
    *((stem + a, stem + b) for stem in ("title", "name") for a, b in (("1", "2"), ("a", "b"))),
    *(("left", "right"), ("first", "second"), ("source", "target")),
]
_SCORE_NAMES = [
    *(
        "scores",
        "sim",
        "similarity",
        "similarityscore",
        "relatedness",
        "relatednessscore",
        "gold",
        "goldscore",
    ),
    *("label", "labels", "goldlabel", "isduplicate", "quality", "rating", "averagescore"),
]
_NUMBER = re.compile(r"\s*[-+]?\d+(?:[.,]\d*)?\s*")
# What may be the name of a column. Sentences of one such word are rare, and longer ones are not.
_NAME = re.compile(r"\s*[\w#.:/-]{1,40}(?<![.:])\s*", re.ASCII)
# If so many first rows have a number for a sentence, the column was selected by mistake.
_ROWS_OF_NUMBERS = 10
_SEPARATORS = {"tsv": "tabs", "csv": "commas"}
# The usual reason why a row has more columns than the first one.
_SLIPS = {"tsv": "a tab within a sentence", "csv": "a comma within a sentence, not in quotes"}


_REMEDY = (
    "Select the columns (columns=, or --columns on the command line), or say that this line is a "
    "pair (header=False, or --no-header)."
)


class Row(NamedTuple):
    """One row of a :class:`PairFile`."""

    line: int  # from 1
    pair: tuple[str, str]
    score: float  # NaN where no scores are read
    group: str  # "" where no groups are read
    record: Record = ()  # all cells of the row, or the object of a JSON line


@document_loader
@set_module("skpara.datasets")
class PairFile:
    r"""Rows of a file of sentence pairs, as a stream.

    :func:`read_pairs` returns the arrays of a whole file, and :class:`iter_pairs` arrays of
    chunks. This class is for programs that also need the line numbers, the other columns or the
    rows as they stand in the file. Iterating yields named tuples ``(line, pair, score, group,
    record)``; iterating again reads the file again.

    Parameters
    ----------
    %(path, format, columns, score_column, group_column, header)s

    Attributes
    ----------
    name : str
        Name of the file for messages.
    names : sequence of str
        Names of the two sentences, and of the score, that are looked for in the first row before
        the usual ones. It is empty and may be set before the rows are read.
    column_names : list of str or None
        Names of the columns of the two sentences, and of the score if it is read, where the file
        has names. Known once the first row is read.
    format : str
        The format that is read.
    header : list of str or None
        First row, where it names the columns. Known once the first row is read.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import PairFile
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("id,sentence1,sentence2\n7,a dog,a puppy\n")
    >>> [(row.line, row.pair, row.record) for row in PairFile(path)]
    [(2, ('a dog', 'a puppy'), ['7', 'a dog', 'a puppy'])]
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        columns: Sequence[str | int] | None = None,
        score_column: str | int | None = None,
        group_column: str | int | None = None,
        header: bool | None = None,
    ) -> None:
        self._lines = Lines(path)
        self.name = self._lines.name
        self.format = infer_format(os.fspath(path)) if format is None else format
        self.names: Sequence[str] = ()
        self.column_names: list[str] | None = None
        self.header: list[str] | None = None
        self._columns, self._score, self._group = columns, score_column, group_column
        self._has_header = header
        if self.format not in FORMATS:
            raise ValueError(f"format must be one of {list(FORMATS)}, got {self.format!r}.")
        if columns is not None and (isinstance(columns, str) or len(columns) != 2):
            raise ValueError(
                f"columns must select the two sentences, got {columns!r}. Select the score by "
                "score_column."
            )
        for column in (*(() if columns is None else columns), score_column, group_column):
            if isinstance(column, str):
                if header is False and column != "auto":
                    raise ValueError(
                        f"Column {column!r} cannot be found by its name with header=False. Select "
                        "it by its position."
                    )
            elif column is not None:
                if isinstance(column, bool) or not isinstance(column, Integral) or column < 0:
                    raise ValueError(
                        f"A column must be a name or a position from 0, got {column!r}."
                    )
                if self.format == "jsonl":
                    raise ValueError(
                        f"{self.name} holds JSON lines, which have no column numbers. Select the "
                        "columns by their names."
                    )

    def __iter__(self) -> Iterator[Row]:
        self.header = self.column_names = None
        selected: list[Any] = []
        scored, grouped = self._score is not None, self._group is not None
        n_rows, suspects = 0, [0, 1]
        for line, record in read_records(self._lines, self.format):
            if self.format == "jsonl":
                if not selected:
                    selected = self._find_keys(line, record)
                values = self._values_of_object(line, record, selected)
            else:
                if not selected:
                    selected = self._find_columns(line, record)
                    if self.header is not None:
                        continue
                values = self._values_of_cells(line, record, selected)
            score = self._parse_score(line, values[2], selected[2]) if scored else math.nan
            group = str(values[-1]) if grouped else ""
            n_rows += 1
            suspects = [i for i in suspects if _NUMBER.fullmatch(values[i])]
            if suspects and n_rows == _ROWS_OF_NUMBERS:
                raise ValueError(
                    f"{self.name}: column {self._column_name(selected[suspects[0]])} holds "
                    "numbers, not sentences. Select another column (columns=, or --columns on "
                    "the command line)."
                )
            yield Row(line, (values[0], values[1]), score, group, record)

    def chunks(self, size: int = 1024) -> Iterator[list[Row]]:
        """Yield lists of rows that do not wait for rows that have yet to arrive.

        A list ends early where the next row is not there yet, as in a pipe, and before a
        malformed row.

        Parameters
        ----------
        size : int, default=1024
            Maximum number of rows of a list.

        Yields
        ------
        list of Row
            The next rows.
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

    def _select(self, sentences: Sequence[Any], score: Any) -> list[Any]:
        """List the columns to read; the arguments stand in for those that were not selected."""
        selected = list(sentences if self._columns is None else self._columns)
        score = score if self._score == "auto" else self._score
        return selected + [column for column in (score, self._group) if column is not None]

    def _find_columns(self, line: int, first: list[str]) -> list[int]:
        """Return the positions of the columns, and set ``header`` if the first row names them."""
        positions = self._select((0, 1), 2)
        has_header = self._has_header
        if has_header is None:
            has_header = any(isinstance(column, str) for column in positions)
            has_header = has_header or self._known_pair(line, first) is not None
            if not has_header:
                self._check_first_pair(line, first, positions)
        if not has_header:
            return positions
        self.header = first
        names = [cell.strip().casefold() for cell in first]
        positions = []
        for column in self._known_columns(line, first):
            if isinstance(column, str):
                name = column.strip().casefold()
                if names.count(name) != 1:
                    problem = "has no column" if name not in names else "has more than one column"
                    raise ValueError(
                        f"{self.name}, line {line}, {problem} {name!r}: it holds "
                        f"{', '.join(first):.200}. Select columns that this row names or, where "
                        "it is a pair already, columns by their numbers."
                    )
                column = names.index(name)
            positions.append(column)
        read = positions[: 2 + (self._score is not None)]
        if max(read) < len(first):
            self.column_names = [first[position].strip() for position in read]
        return positions

    def _find_keys(self, line: int, first: dict[str, Any]) -> list[str]:
        """Return the names of the columns of JSON lines, by the first one."""
        selected = self._known_columns(line, list(first))
        self.column_names = selected[: 2 + (self._score is not None)]
        return selected

    def _known_columns(self, line: int, names: Sequence[str]) -> list[Any]:
        """List the columns to read; what was not selected has one of the usual names."""
        sentences = SENTENCE_COLUMNS if self._columns is None else self._columns
        if self._columns is None:
            sentences = self._known_pair(line, names) or SENTENCE_COLUMNS
        score: Any = self._score
        if score == "auto":
            score = self._known_score(line, names) or "score"
        return [*sentences, *(column for column in (score, self._group) if column is not None)]

    def _known_pair(self, line: int, names: Sequence[str]) -> tuple[str, str] | None:
        """Return the names of the sentences, or None where no usual ones are among the names."""
        by_key = {_key(name): name for name in names}
        preferred = [tuple(map(_key, self.names[:2])), SENTENCE_COLUMNS]
        matches = [pair for pair in preferred if len(pair) == 2 and by_key.keys() >= set(pair)][:1]
        for choice in (_PAIR_NAMES, _SECOND_CHOICE):
            matches = matches or [pair for pair in choice if by_key.keys() >= set(pair)]
        if len(matches) > 1:
            options = " or ".join(f"{by_key[a]},{by_key[b]}" for a, b in matches)
            raise ValueError(
                f"{self.name}, line {line}: it is unclear which columns hold the sentences, "
                f"{options}. {_REMEDY}"
            )
        return (by_key[matches[0][0]], by_key[matches[0][1]]) if matches else None

    def _known_score(self, line: int, names: Sequence[str]) -> str | None:
        """Return the name of the score, or None where no usual one is among the names."""
        by_key = {_key(name): name for name in names}
        preferred = [*map(_key, self.names[2:3]), "score"]
        matches = [key for key in preferred if key in by_key][:1]
        matches = matches or [key for key in _SCORE_NAMES if key in by_key]
        if len(matches) > 1:
            raise ValueError(
                f"{self.name}, line {line}: it is unclear which column holds the score, "
                f"{' or '.join(by_key[key] for key in matches)}. {_REMEDY}"
            )
        return by_key[matches[0]] if matches else None

    def _check_first_pair(self, line: int, first: list[str], positions: list[int]) -> None:
        """Refuse a first row that may name columns, or of which other columns hold the pair."""
        cells = [first[position] for position in positions[:2] if position < len(first)]
        where = f"{self.name}, line {line}"
        numbers = [cell for cell in cells if _NUMBER.fullmatch(cell)]
        if self._columns is None and numbers:
            raise ValueError(
                f"{where}: {numbers[0]!r} stands where a sentence is expected; the column may be "
                f"an index. {_REMEDY}"
            )
        n_expected = max(positions) + 1
        if n_expected == 2 and len(first) > 2 and _NUMBER.fullmatch(first[2]):
            n_expected = 3  # a score that is not read
        names = [cell for cell in cells if _NAME.fullmatch(cell)]
        # Where a score is read, it decides: the name of a column is not a number.
        if len(names) == 2 and self._score is None and not any(map(_NUMBER.fullmatch, first)):
            raise ValueError(
                f"{where}: it is unclear whether {', '.join(first):.200} are names of columns or "
                f"a pair. {_REMEDY}"
            )
        vague = [cell for cell in cells if cell in names or not cell.strip()]
        if self._columns is None and vague and len(first) > n_expected:
            raise ValueError(
                f"{where}: it is unclear which of its {len(first)} columns hold the sentences, "
                f"since {vague[0]!r} is none. {_REMEDY}"
            )

    def _column_name(self, column: str | int) -> str | int:
        if isinstance(column, str):
            return column
        # Messages number columns as they number lines, from 1.
        return column + 1 if self.header is None else self.header[column].strip()

    def _values_of_cells(self, line: int, cells: list[str], positions: list[int]) -> list[str]:
        n_columns, needed = len(cells), max(positions) + 1
        # A separator within a sentence shifts all cells behind it, so that another column would
        # be read as the score without an error.
        if self.header is not None and n_columns != len(self.header):
            raise ValueError(
                f"{self.name}, line {line}, has {n_columns} column(s), but the first row has "
                f"{len(self.header)}. Look for {_SLIPS[self.format]}."
            )
        if n_columns < needed:
            raise ValueError(
                f"{self.name}, line {line}, has {n_columns} column(s), but column {needed} is "
                f"needed. Columns of {self.format} are separated by {_SEPARATORS[self.format]}; "
                "select another format or other columns."
            )
        return [cells[position] for position in positions]

    def _values_of_object(self, line: int, record: dict[str, Any], names: list[str]) -> list[Any]:
        for name in names:
            if name not in record:
                raise ValueError(
                    f"{self.name}, line {line}, has no {name!r}: it holds "
                    f"{', '.join(record):.200}. Select columns by the names in the file."
                )
        for name in names[:2]:
            _check_sentence(record[name], f"{self.name}, line {line}, {name!r}")
        return [record[name] for name in names]

    def _parse_score(self, line: int, value: Any, column: str | int) -> float:
        column = self._column_name(column)
        remedy = "Correct it or leave the row out."
        if line == 1 and self._has_header is None and self.format != "jsonl":
            remedy = (
                "If this line names the columns, select the sentences and the score by their "
                "names (columns= and score_column=, or --columns on the command line)."
            )
        return parse_score(value, f"{self.name}, line {line}, column {column}", remedy)


def _key(name: Any) -> str:
    """Return the letters and digits of a name, so that Sentence_A is sentencea."""
    return "".join(filter(str.isalnum, str(name).casefold()))


def infer_format(path: str) -> str:
    if path == "-":
        return "tsv"
    suffix = PurePath(path.lower().removesuffix(".gz")).suffix
    if suffix not in _SUFFIXES:
        raise ValueError(
            f"The format of {path} cannot be told from its suffix, which is none of "
            f"{', '.join(_SUFFIXES)}. Set the format to tsv, csv or jsonl."
        )
    return _SUFFIXES[suffix]


def _check_sentence(cell: Any, where: str) -> None:
    """JSON can hold values that are not text, and text that cannot be encoded."""
    if not isinstance(cell, str):
        raise ValueError(
            f"{where} is {cell!r:.60} instead of a sentence, which is text in quotes."
        )
    try:
        cell.encode()
    except UnicodeEncodeError:
        raise ValueError(
            f"{where} holds half a character (\\ud800 to \\udfff). Replace it with the whole "
            "character."
        ) from None
