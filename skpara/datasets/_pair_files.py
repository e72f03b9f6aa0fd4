"""Files of sentence pairs: the columns, and checked rows."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from numbers import Integral
from typing import Any, NamedTuple

from skpara._typing import FilePath
from skpara.datasets._cells import cell_text
from skpara.datasets._tables import check_width, find_column, name_key
from skpara.datasets._text_files import (
    NAMED,
    TYPED,
    Record,
    Records,
    parse_label,
    parse_score,
)

SENTENCE_COLUMNS = ("sentence1", "sentence2")
# Usual names of the two sentences and of the score, as letters and digits, in order of preference.
_PAIR_NAMES = [
    *((stem + a, stem + b) for stem in ("sentence", "question", "s", "text")
      for a, b in (("1", "2"), ("a", "b"))),
    *(("premise", "hypothesis"), ("left", "right")),
]  # fmt: skip
_SCORE_NAMES = ("score", "similarity", "relatednessscore", "goldlabel", "label", "isduplicate")
NUMBER = re.compile(r"\s*[-+]?(?:\d++(?:[.,]\d*)?|\.\d+)\s*")
# Possible names of a column. Sentences of one such word are rare, and longer ones are not names.
_NAME = re.compile(r"\s*+[\w#.:/-]{0,40}(?<![.:])\s*", re.ASCII)
_REMEDY = (
    "Select the columns (columns=, or --columns on the command line), or say that this line is a "
    "pair (header=False, or --no-header)."
)


class Row(NamedTuple):
    """One row of a :class:`PairFile`."""

    line: int  # from 1
    pair: tuple[str, str]
    score: Any  # a float, NaN where no scores are read; of labels an int or text
    group: str  # "" where no groups are read
    record: Record = ()  # all cells of the row, or the object of a JSON line


class PairFile:
    """Rows of a file of sentence pairs, as a stream; iterating again reads the file again.

    See :func:`read_pairs` for the parameters. ``names`` may be set before the rows are read:
    names of the sentences, and of the score, that are preferred to the usual ones. ``header`` (if
    the first row names the columns) and ``column_names`` (of the sentences, and of the score if it
    is read) are known once the first row is read.
    """

    def __init__(
        self,
        path: FilePath,
        *,
        format: str | None = None,
        columns: Sequence[str | int] | None = None,
        score_column: str | int | None = None,
        group_column: str | int | None = None,
        header: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
        labels: bool = False,
    ) -> None:
        self._records = Records(path, format, delimiter, encoding)
        self.name, self.format = self._records.name, self._records.format
        self.names: Sequence[str] = ()
        self.column_names: list[str] | None = None
        self.header: list[str] | None = None
        self._columns, self._score, self._group = columns, score_column, group_column
        self._has_header, self._labels = True if self.format == "parquet" else header, labels
        if not isinstance(header, bool | None):
            raise ValueError(f"header must be True, False or None, got {header!r:.60}.")
        if columns is not None and (
            not isinstance(columns, list | tuple) or len(columns) != 2 or columns[0] == columns[1]
        ):
            raise ValueError(
                f"columns must select the two sentences, got {columns!r:.200}. Select the score "
                "by score_column."
            )
        for column in (*(columns or ()), score_column, group_column):
            if column is None or column == "auto":
                continue
            if isinstance(column, Integral) and not isinstance(column, bool):
                is_allowed = int(column) >= 0 and self.format not in NAMED
            else:
                is_allowed = isinstance(column, str) and header is not False
            if not is_allowed:
                raise ValueError(
                    f"{self.name}: a column is a name, except with header=False, or a position "
                    f"from 0, except in JSON lines and PPDB, got {column!r}."
                )

    @property
    def delimiter(self) -> str | None:
        """The delimiter of a CSV file, once its first row is read."""
        return self._records.delimiter

    def __iter__(self) -> Iterator[Row]:
        self.header = self.column_names = None
        selected: Any = []
        for line, record in self._records.rows():
            where = f"{self.name}, line {line}"
            if not selected:
                selected = self._select(where, record)
                if self.header is not None:
                    continue
            values = self._values(where, record, selected)
            score: Any = math.nan
            if self._score is not None:
                shown = selected[2] if self.header is None else self.header[selected[2]]
                column = shown + 1 if isinstance(shown, int) else shown.strip()
                remedy = "Correct it, leave the row out, or select other columns (columns=, or "
                remedy += "--columns on the command line)."
                if line == 1:
                    remedy = f"If this row names the columns, select them. {remedy}"
                if self._labels:
                    score = parse_label(values[2], f"{where}, column {column}", remedy)
                else:
                    if isinstance(values[2], str) and values[2].strip().isalpha():
                        remedy += " `skpara train --labels` learns from classes."
                    score = parse_score(values[2], f"{where}, column {column}", remedy)
            group = "" if self._group is None else cell_text(values[-1])
            if self._group is not None and not group.strip():
                raise ValueError(
                    f"{where}: there is no group. Fill it in, or select another column or none "
                    "(group_column=, or --group on the command line)."
                )
            yield Row(line, (values[0], values[1]), score, group, record)

    def chunks(self, size: int = 1024) -> Iterator[list[Row]]:
        """Yield lists of at most ``size`` rows.

        A list ends early where the next row is not there yet, as in a pipe, and before a
        malformed row.
        """
        chunk: list[Row] = []
        try:
            for row in self:
                chunk.append(row)
                if len(chunk) >= size or not self._records.at_hand:
                    yield chunk
                    chunk = []
        except ValueError:
            if chunk:
                yield chunk
            raise
        if chunk:
            yield chunk

    def _select(self, where: str, first: Record) -> list[Any]:
        """Return the positions, or the keys, of the columns; set ``header`` if there is one."""
        names = [str(name) for name in first]
        keys = {name_key(n): n for n in reversed(names)} | {n: n for n in names}
        preferred = [name_key(name) for name in self.names]
        is_named = self.format in NAMED
        pairs = [tuple(preferred[:2]), *_PAIR_NAMES] if preferred else _PAIR_NAMES
        usual = next(([keys[a], keys[b]] for a, b in pairs if a in keys and b in keys), None)
        has_names = is_named or self._has_header
        if has_names is None:
            columns = [*(self._columns or ()), self._score, self._group]
            by_name = any(isinstance(column, str) and column != "auto" for column in columns)
            has_names = usual is not None or by_name
        if not has_names:
            positions = self._with_others(self._columns or (0, 1), 2)
            if self._has_header is None:
                self._check_first_pair(where, first, positions)
            return positions
        scores = [keys[key] for key in (*preferred[2:3], *_SCORE_NAMES) if key in keys]
        if self._score == "auto" and not scores:
            raise ValueError(
                f"{where} has no column 'score', only {', '.join(names):.200}. Each pair needs a "
                "score or label: name its column as the third one (columns=, or --columns on the "
                "command line). `skpara predict` scores pairs that have none."
            )
        sentences = self._columns or usual or SENTENCE_COLUMNS
        wanted = self._with_others(sentences, (scores or ["score"])[0])
        positions = [find_column(names, column, where, _REMEDY) for column in wanted]
        if not is_named:
            self.header = first
        read = positions[: 2 + (self._score is not None)]
        if max(read) < len(names):
            self.column_names = [names[position].strip() for position in read]
        return [names[position] for position in positions] if is_named else positions

    def _with_others(self, sentences: Sequence[Any], usual_score: str | int) -> list[Any]:
        """Return the columns of the sentences, and of the score and the group if they are read."""
        score = usual_score if self._score == "auto" else self._score
        return [*sentences, *(column for column in (score, self._group) if column is not None)]

    def _check_first_pair(self, where: str, first: list[str], positions: list[int]) -> None:
        """Raise if the first row looks like a header, or the wrong columns are selected."""
        cells = [first[position] for position in positions[:2] if position < len(first)]
        names = [cell for cell in cells if _NAME.fullmatch(cell)]
        is_unclear = len(names) == 2 and not any(map(NUMBER.fullmatch, first))
        if self._columns is None:
            # The third column may be a score that is not read.
            n_expected = max(*positions, 2 if NUMBER.fullmatch("".join(first[2:3])) else 1) + 1
            is_unclear |= any(map(NUMBER.fullmatch, cells))
            is_unclear |= bool(names) and len(first) > n_expected
        if is_unclear:
            raise ValueError(
                f"{where}: it is unclear whether {', '.join(first):.200} are names of columns, or "
                f"which of them are the sentences. {_REMEDY}"
            )

    def _values(self, where: str, record: Record, selected: list[Any]) -> list[Any]:
        if isinstance(record, dict):
            for name in selected:
                if name not in record:
                    raise ValueError(
                        f"{where}, has no {name!r}: it holds {', '.join(record):.200}. Select "
                        "columns by the names in the file."
                    )
            for name in selected[:2]:
                _check_sentence(record[name], f"{where}, {name!r}")
        else:
            if self.header is not None:
                check_width(record, self.header, where)
            if max(selected) >= len(record):
                remedy = "Select another format, delimiter or other columns."
                raise ValueError(
                    f"{where}, has {len(record)} column(s), but column {max(selected) + 1} is "
                    f"needed. {remedy}"
                )
            if self.format in TYPED:
                return [
                    cell_text(record[column]) if k != 2 or self._score is None else record[column]
                    for k, column in enumerate(selected)
                ]
        return [record[column] for column in selected]


def _check_sentence(cell: Any, where: str) -> None:
    """Raise for values of JSON that are not text, and for text that cannot be encoded."""
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
