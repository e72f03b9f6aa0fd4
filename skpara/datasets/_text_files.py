r"""Lines of text files, and rows of TSV, CSV and JSON lines.

Lines end at ``\n`` alone: sentences may hold the rarer line separators of Unicode, at which
``str.splitlines`` and text-mode files would cut them.
"""

from __future__ import annotations

import csv
import gzip
import json
import math
import os
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import PurePath
from typing import Any

# A list of str, or the object of a JSON line.
Record = Any

_BLOCK = 2**18  # bytes per read; a pipe returns less as soon as it has less
# No sentence is this long. Without a limit, a file without line ends would fill the memory.
_LONGEST_LINE = 2**24
_SUFFIXES = {".tsv": "tsv", ".txt": "tsv", ".csv": "csv", ".jsonl": "jsonl", ".ndjson": "jsonl"}
_OTHER_TABLES = (".xlsx", ".xls", ".ods", ".parquet", ".feather", ".json")


class Lines:
    r"""Lines of UTF-8 text without their ends, read no further ahead than needed.

    A ``\r`` at the end of a line is kept, since within a quoted CSV cell it belongs to the text.
    A byte-order mark at the start of the file is dropped.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = os.fspath(path)
        self.name = "standard input" if self._path == "-" else self._path
        self.number = 0  # of the last line returned, from 1
        self.at_hand = False  # whether the next line is available without waiting for more input
        # A missing file is reported before any work is done, not at the first line. Anything but
        # a folder may be read, including pipes such as /dev/stdin.
        if self._path != "-" and not os.path.exists(self._path):
            raise FileNotFoundError(f"There is no file {self._path}.")
        if self._path == "-" and sys.stdin is None:
            raise ValueError("Standard input is closed; pass the name of a file.")

    def __iter__(self) -> Iterator[str]:
        self.number = 0
        with self._open() as stream:
            rest = b""
            for block in self._blocks(stream):
                *lines, rest = (rest + block).split(b"\n")
                for i, line in enumerate(lines, start=1):
                    self.at_hand = i < len(lines)
                    yield self._decode(line)
                if len(rest) > _LONGEST_LINE:
                    raise ValueError(
                        f"{self.name}, line {self.number + 1}, is longer than "
                        f"{_LONGEST_LINE // 2**20} MB: this is not a file of sentences."
                    )
            self.at_hand = False
            if rest:
                yield self._decode(rest)

    def _open(self) -> AbstractContextManager[Any]:
        if self._path == "-":
            return nullcontext(sys.stdin.buffer)  # stays open afterwards
        return gzip.open(self._path) if self._path.endswith(".gz") else open(self._path, "rb")

    def _blocks(self, stream: Any) -> Iterator[bytes]:
        try:
            # read1 returns the content of a pipe; read would wait until the block is full.
            while block := stream.read1(_BLOCK):
                yield block
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"{self.name} cannot be unpacked: {error}. Download or copy it again."
            ) from None

    def _decode(self, line: bytes) -> str:
        self.number += 1
        try:
            return line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise ValueError(
                f"{self.name}, line {self.number}, is not UTF-8. Convert the file, for example "
                "with iconv."
            ) from None


def read_sentences(path: str | os.PathLike[str]) -> list[str]:
    r"""Return the lines of a text file without their ends; blank ones are kept."""
    return [line.removesuffix("\r") for line in Lines(path)]


class Records(Lines):
    """Rows of a file, with their line numbers.

    Empty rows are allowed at the end of the file only. Anywhere else, skipping them would shift
    the scores that are written for the rows.
    """

    def __init__(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        super().__init__(path)
        self.format = infer_format(self._path) if format is None else format
        if self.format not in _READERS:
            raise ValueError(f"format must be one of {list(_READERS)}, got {format!r}.")

    def rows(self) -> Iterator[tuple[int, Record]]:
        """Yield line numbers and rows."""
        blank: int | None = None
        for line, record in _READERS[self.format](self):
            if not record:
                blank = blank or line
            elif blank is not None:
                raise ValueError(f"{self.name}, line {blank}, is empty. Delete it, or fill it in.")
            else:
                yield line, record


def infer_format(path: str) -> str:
    """Return the format of a file, by its suffix."""
    if path == "-":
        return "tsv"
    suffix = PurePath(path.lower().removesuffix(".gz")).suffix
    if suffix not in _SUFFIXES:
        remedy = "Set the format to tsv, csv or jsonl."
        if suffix in _OTHER_TABLES:
            remedy = "Save the table as CSV (UTF-8), or read it with pandas."
        elif suffix == ".skpara":
            remedy = "It is a model: pass the file of pairs here, and the model as --model."
        raise ValueError(f"{path} has none of the suffixes {', '.join(_SUFFIXES)}. {remedy}")
    return _SUFFIXES[suffix]


def parse_score(value: Any, where: str, remedy: str = "Correct it.") -> float:
    """Return ``value`` as a finite number; errors start with ``where``."""
    try:
        # Python takes True for 1, but in a JSON line it is a label, not a score.
        score = math.nan if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise ValueError(f"{where}: the score {value!r:.60} is not a number. {remedy}")
    return score


def _read_tsv(lines: Lines) -> Iterator[tuple[int, Record]]:
    for line in lines:
        text = line.removesuffix("\r")
        yield lines.number, text.split("\t") if text else []


def _read_csv(lines: Lines) -> Iterator[tuple[int, Record]]:
    reader = csv.reader((line + "\n" for line in lines), strict=True)
    line = 1
    try:
        for record in reader:
            yield line, record
            line = reader.line_num + 1
    except csv.Error as error:
        raise ValueError(
            f"{lines.name}, line {line}, is not CSV ({error}). A quote within a quoted cell "
            "must be written twice. If the file has no quoting, set the format to tsv."
        ) from None


class WrittenNumber(float):
    """A number of a JSON line that Python would write otherwise: 1E5, -0, or one of 20 digits."""

    text: str


def write_json(value: Any) -> str:
    """Return a value of a JSON line as JSON, with numbers as they were written."""
    if isinstance(value, WrittenNumber):
        return value.text
    if isinstance(value, list):
        return f"[{', '.join(map(write_json, value))}]"
    if isinstance(value, dict):
        items = [f"{write_json(key)}: {write_json(cell)}" for key, cell in value.items()]
        return f"{{{', '.join(items)}}}"
    return json.dumps(value, ensure_ascii=False)


def _read_jsonl(lines: Lines) -> Iterator[tuple[int, Record]]:
    wrong: list[str] = []

    def number(digits: str) -> float:
        value = WrittenNumber(digits)
        value.text = digits
        if not math.isfinite(value):
            wrong.append(digits)
        return float(value) if repr(value) == digits else value

    def unique(items: list[tuple[str, Any]]) -> dict[str, Any]:
        if len(record := dict(items)) < len(items):
            raise ValueError(f"one key occurs twice: {', '.join(key for key, _ in items):.60}")
        return record

    def integer(digits: str) -> float:
        return number(digits) if digits == "-0" else int(digits)

    decoder = json.JSONDecoder(
        parse_float=number, parse_int=integer, parse_constant=number, object_pairs_hook=unique
    )
    for line in lines:
        where = f"{lines.name}, line {lines.number},"
        text = line.strip()
        try:
            record = decoder.decode(text) if text else {}
        # json raises ValueError for a number of too many digits, RecursionError for deep nesting.
        except (ValueError, RecursionError) as error:
            raise ValueError(f"{where} is not JSON ({error}). A line holds an object.") from None
        if text and (not isinstance(record, dict) or not record):
            raise ValueError(
                f"{where} holds {text[:60]} instead of an object such as "
                '{"sentence1": "...", "sentence2": "..."}.'
            )
        # Python reads NaN, Infinity and 1e400, and writes them as what no other reader takes.
        for column, cell in record.items() if wrong else ():
            try:
                json.dumps(cell, allow_nan=False)
            except ValueError:
                raise ValueError(
                    f"{where} {column!r}: {wrong[0]:.60} is no finite number. Write null or text."
                ) from None
        yield lines.number, record


_READERS: dict[str, Callable[[Lines], Iterator[tuple[int, Record]]]] = {
    "tsv": _read_tsv,
    "csv": _read_csv,
    "jsonl": _read_jsonl,
}
