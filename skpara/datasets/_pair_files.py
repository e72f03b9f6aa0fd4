"""Read files of sentence pairs: find the columns, check each row, return arrays."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from numbers import Integral
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from skpara._public import set_module
from skpara._typing import Floats, Pairs
from skpara.datasets._documentation import document_loader
from skpara.datasets._text_files import FORMATS, Lines, Record, parse_score, read_records

_SUFFIXES = {".tsv": "tsv", ".txt": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_SENTENCES = ("sentence1", "sentence2")
_SEPARATORS = {"tsv": "tabs", "csv": "commas"}
# The usual reason why a row has more columns than the first one.
_SLIPS = {"tsv": "a tab within a sentence", "csv": "a comma within a sentence, not in quotes"}


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
        self.format = _infer_format(os.fspath(path)) if format is None else format
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
        self.header = None
        selected: list[Any] = []
        scored, grouped = self._score is not None, self._group is not None
        if self.format == "jsonl":
            selected = self._select(_SENTENCES, "score")
        for line, record in read_records(self._lines, self.format):
            if self.format == "jsonl":
                values = self._values_of_object(line, record, selected)
            else:
                if not selected:
                    selected = self._find_columns(line, record)
                    if self.header is not None:
                        continue
                values = self._values_of_cells(line, record, selected)
            score = self._parse_score(line, values[2], selected[2]) if scored else math.nan
            group = str(values[-1]) if grouped else ""
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
        names = [cell.strip().casefold() for cell in first]
        has_header = self._has_header
        if has_header is None:
            by_name = [isinstance(column, str) for column in self._select((0, 1), 2)]
            default = self._columns is None and set(_SENTENCES) <= set(names)
            has_header = default or any(by_name)
        if not has_header:
            return self._select((0, 1), 2)
        self.header = first
        positions = []
        for column in self._select(_SENTENCES, "score"):
            if isinstance(column, str):
                name = column.casefold()
                if names.count(name) != 1:
                    problem = "has no column" if name not in names else "has more than one column"
                    raise ValueError(
                        f"{self.name}, line {line}, {problem} {name!r}: it holds "
                        f"{', '.join(first):.200}. Select columns that this row names or, where "
                        "it is a pair already, columns by their numbers."
                    )
                column = names.index(name)
            positions.append(column)
        return positions

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
        if not isinstance(column, str):  # messages number columns as they number lines, from 1
            column = column + 1 if self.header is None else self.header[column].strip()
        remedy = "Correct it or leave the row out."
        if line == 1 and self._has_header is None and self.format != "jsonl":
            remedy = "If this line names the columns, select them by their names."
        return parse_score(value, f"{self.name}, line {line}, column {column}", remedy)


@document_loader
@set_module("skpara.datasets")
class iter_pairs:
    r"""Pairs of a file of any size, chunk by chunk.

    Memory holds one chunk at a time. Iterating again reads the file again, so that training by
    :meth:`ParagramEncoder.fit_stream <skpara.ParagramEncoder.fit_stream>` can go over the file in
    several epochs.

    Parameters
    ----------
    %(path)s
    chunk_size : int, default=10_000
        Number of pairs of a chunk; the last one may be shorter.
    %(format, columns, score_column, header)s

    Yields
    ------
    pairs : ndarray of shape (at most chunk_size, 2), object
        The sentences.
    scores : ndarray of shape (at most chunk_size,), float64
        Their scores, if ``score_column`` is given.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import iter_pairs
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> _ = path.write_text("a dog\ta puppy\t4.5\na car\ta dog\t0.5\n")
    >>> [pairs.tolist() for pairs in iter_pairs(path, chunk_size=1)]
    [[['a dog', 'a puppy']], [['a car', 'a dog']]]
    >>> next(iter(iter_pairs(path, score_column=2)))[1]
    array([4.5, 0.5])
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        chunk_size: int = 10_000,
        format: str | None = None,
        columns: Sequence[str | int] | None = None,
        score_column: str | int | None = None,
        header: bool | None = None,
    ) -> None:
        if chunk_size < 1:
            raise ValueError(f"chunk_size must be at least 1, got {chunk_size}.")
        self.chunk_size = chunk_size
        self._scored = score_column is not None
        self._file = PairFile(
            path, format=format, columns=columns, score_column=score_column, header=header
        )

    def __iter__(self) -> Iterator[Pairs | tuple[Pairs, Floats]]:
        rows = iter(self._file)
        while chunk := list(islice(rows, self.chunk_size)):
            pairs = _pair_array(chunk)
            yield (pairs, np.array([row.score for row in chunk])) if self._scored else pairs


@document_loader
def read_pairs(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    score_column: str | int | None = None,
    group_column: str | int | None = None,
    header: bool | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    r"""Read a file of sentence pairs, with their scores and groups where it has them.

    Parameters
    ----------
    %(path, format, columns, score_column, group_column, header)s
    %(as_frame, return_X_y)s

    Returns
    -------
    %(bunch)s
            The scores; only with ``score_column``.
        groups : ndarray of shape (n_pairs,), str
            The groups; only with ``group_column``.
        feature_names, target_names, filenames : list of str
            Names of the columns, of the score, and of the file.
        DESCR : str
            The number of pairs and the name of the file.

    See Also
    --------
    iter_pairs : Chunks of a file that does not fit in memory.
    PairFile : Rows with their line numbers and all columns.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import read_pairs
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("premise,hypothesis,gold\na dog,a puppy,4.5\na car,a dog,0.5\n")
    >>> pairs = read_pairs(path, columns=("premise", "hypothesis"), score_column="gold")
    >>> pairs.data[0].tolist(), pairs.target.tolist()
    (['a dog', 'a puppy'], [4.5, 0.5])
    """
    if return_X_y and score_column is None:
        raise ValueError("return_X_y=True needs score_column, the column of the target.")
    file = PairFile(
        path,
        format=format,
        columns=columns,
        score_column=score_column,
        group_column=group_column,
        header=header,
    )
    rows = list(file)
    return make_bunch(
        rows,
        f"{len(rows)} pairs of {file.name}.",
        [file.name],
        as_frame,
        return_X_y,
        scored=score_column is not None,
        grouped=group_column is not None,
    )


def make_bunch(
    rows: Sequence[Row],
    descr: str,
    filenames: Iterable[str | Path],
    as_frame: bool,
    return_X_y: bool,
    *,
    scored: bool = True,
    grouped: bool = True,
    **columns: ArrayLike,
) -> Bunch | tuple[Any, Any]:
    """Return rows in the form that all loaders share."""
    data: Any = _pair_array(rows)
    target: Any = np.array([row.score for row in rows], dtype=np.float64)
    bunch = Bunch(
        feature_names=list(_SENTENCES),
        filenames=[str(name) for name in filenames],
        DESCR=descr,
        **{name: np.asarray(column) for name, column in columns.items()},
    )
    if grouped:
        bunch["groups"] = np.array([row.group for row in rows], dtype=str)
    if as_frame:
        import pandas as pd

        frame = pd.DataFrame(data, columns=list(_SENTENCES))
        data, target = frame.copy(), pd.Series(target, name="score")
        if scored:
            frame["score"] = target
        if grouped:
            frame["group"] = bunch["groups"]
        bunch["frame"] = frame
    if return_X_y:
        return data, target
    bunch["data"] = data
    if scored:
        bunch.update(target=target, target_names=["score"])
    return bunch


def read_tsv_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the first two columns of a TSV file without a header."""
    return [row.pair for row in PairFile(path, format="tsv", columns=(0, 1), header=False)]


def _pair_array(rows: Sequence[Row]) -> Pairs:
    pairs = [row.pair for row in rows]
    return np.array(pairs, dtype=object).reshape(-1, 2)  # of shape (0, 2) without rows


def _infer_format(path: str) -> str:
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
