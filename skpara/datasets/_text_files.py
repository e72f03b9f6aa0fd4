r"""Lines of text files, and rows of TSV, CSV, JSON lines, Parquet and spreadsheets.

Lines end at ``\n`` alone: sentences may hold the rarer line separators of Unicode, at which
``str.splitlines`` and text-mode files would cut them.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import json
import math
import os
import re
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext, suppress
from itertools import chain
from pathlib import PurePath
from typing import Any

from skpara._files import missing_file
from skpara._messages import warn
from skpara._typing import FilePath
from skpara.datasets._cells import WrittenNumber, cell_text
from skpara.datasets._typed_files import read_parquet, read_xlsx

# A list of cells (str, but in Parquet and spreadsheets of any type), or the object of a JSON line.
Record = Any

_BLOCK = 2**18  # bytes per read; a pipe returns less as soon as it has less
# No sentence is this long. Without a limit, a file without line ends would fill the memory.
_LONGEST_LINE = 2**24
SUFFIXES = {
    ".tsv": "tsv",
    ".txt": "tsv",
    ".csv": "csv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".parquet": "parquet",
    ".xlsx": "xlsx",
}
_ARCHIVES = (".7z", ".bz2", ".rar", ".tar", ".tgz", ".xz", ".zip")
# Cells of these have types, and no delimiter or encoding can be chosen.
TYPED = {"parquet": read_parquet, "xlsx": read_xlsx}
# Each row of these names its cells: it is a dict.
NAMED = ("jsonl", "ppdb")
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
# Characters: more than any cell that people read, and less than a file whose quote does not end.
_LONGEST_CELL = 2**24
# Lines from which the delimiter of a CSV file is guessed: enough for a rare comma within a cell to
# show.
_SAMPLE = 50
# First bytes of files that are not text, whatever their names say.
_PACKED = {
    b"\x1f\x8b": "packed with gzip. Give it a name that ends in .gz.",
    b"PK\x03\x04": "a zip archive or a spreadsheet. Unpack it, or give it a name in .xlsx.",
    b"\xd0\xcf\x11\xe0": "a file of an old Excel or Word. Save the table as CSV.",
    b"PAR1": "Parquet. Give it a name that ends in .parquet.",
    b"%PDF": "a PDF. Save the table as CSV.",
}
_LONGEST_MARK, _FIRST = 4, 2**18  # bytes
# Marks at the start of a file; the longer ones of UTF-32 begin like those of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# The six fields of PPDB 2.0; 1.0 has no entailment.
_PPDB_FIELDS = ("category", "sentence1", "sentence2", "features", "alignment", "entailment")
_PPDB_SCORES = ("PPDB2.0Score", "PPDB1.0Score")
_LABEL_NUMBER = re.compile(r"[-+]?\d{1,15}(\.\d{1,15})?", re.ASCII)
_DELIMITER_LINE = re.compile('"?sep=(.)"?', re.IGNORECASE)
_ENCODING = "encoding=, or --encoding on the command line"
_DELIMITER = "delimiter=, or --delimiter on the command line"


class Lines:
    r"""Lines of text without their ends, read no further ahead than needed.

    The encoding is UTF-8 if none is given and no mark at the start says another. A ``\r`` at the
    end of a line is kept, since within a quoted CSV cell it belongs to the text, unless the file
    has no other line ends.
    """

    def __init__(self, path: FilePath, encoding: str | None = None) -> None:
        self._path = os.fspath(path)
        self._encoding = _known_encoding(encoding)
        self.name = "standard input" if self._path == "-" else self._path
        self.number = 0  # of the last line returned, from 1
        self.at_hand = False  # whether the next line is available without waiting for more input
        # A missing file is reported before any work is done, not at the first line. Anything but
        # a folder may be read, including pipes such as /dev/stdin.
        if self._path != "-" and not os.path.exists(self._path):
            raise missing_file(self._path)
        if self._path == "-" and sys.stdin is None:
            raise ValueError("Standard input is closed; pass the name of a file.")

    def __iter__(self) -> Iterator[str]:
        self.number = 0
        end = b"\n"
        with self._open() as stream:
            rest = b""
            for block in self._decoded(self._blocks(stream)):
                if self.number == 0 and self._has_old_ends(block):
                    end = b"\r"
                *lines, rest = (rest + block).split(end)
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
        is_packed = self._path.lower().endswith(".gz")
        return gzip.open(self._path) if is_packed else open(self._path, "rb")

    def _has_old_ends(self, block: bytes) -> bool:
        """Return whether a whole block of a file ends its lines as the first Macintosh did."""
        return self._path != "-" and b"\n" not in block and b"\r" in block.rstrip(b"\r")

    def _blocks(self, stream: Any) -> Iterator[bytes]:
        try:
            # read1 returns the content of a pipe; read would wait until the block is full.
            while block := stream.read1(_BLOCK):
                yield block
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"{self.name} cannot be unpacked: {error}. Download or copy it again."
            ) from None

    def _first(self, blocks: Iterator[bytes]) -> bytes:
        """Return what shows the encoding and the line ends: the first line, or its start."""
        most = _LONGEST_MARK if self._path == "-" else _FIRST
        first = b""
        while len(first) < most and b"\n" not in first and (block := next(blocks, b"")):
            first += block
        return first

    def _decoded(self, blocks: Iterator[bytes]) -> Iterator[bytes]:
        """Return blocks in UTF-8, whose line ends are single bytes."""
        first = self._first(blocks)
        for start, what in _PACKED.items():
            if first.startswith(start):
                raise ValueError(f"{self.name} is {what}")
        found = next((name for mark, name in _MARKS if first.startswith(mark)), None)
        encoding = found or self._encoding or "utf-8"  # the mark is of this very file
        if encoding == "utf-8-sig":
            first = first.removeprefix(codecs.BOM_UTF8)
        if encoding in ("utf-8", "utf-8-sig"):
            zeros = [byte == 0 for byte in first[:_LONGEST_MARK]]
            if found is None and zeros in ([True, False] * 2, [False, True] * 2):
                order = "utf-16-be" if zeros[0] else "utf-16-le"
                raise ValueError(
                    f"{self.name} is not UTF-8. It may be {order}: pass it as the encoding "
                    f"({_ENCODING})."
                )
            yield from chain([first], blocks)
            return
        decoder = codecs.getincrementaldecoder(encoding)()
        is_checked = encoding.startswith("utf")
        try:
            for block in chain([first], blocks):
                if not is_checked and not block.isascii():
                    is_checked = True
                    self._warn_of_utf8(block, encoding)
                yield decoder.decode(block).encode("utf-8", "surrogatepass")
            yield decoder.decode(b"", final=True).encode("utf-8", "surrogatepass")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{self.name}, behind line {self.number}, is not {encoding} ({error.reason}). "
                f"Pass another encoding ({_ENCODING})."
            ) from None

    def _warn_of_utf8(self, block: bytes, encoding: str) -> None:
        """Warn if text is UTF-8 although another encoding was passed, which reads it, too."""
        with suppress(UnicodeDecodeError):  # by chance, few other texts are valid
            codecs.getincrementaldecoder("utf-8")().decode(block)
            warn(f"{self.name} seems to be utf-8, not {encoding}. If so, leave out the encoding.")

    def _decode(self, line: bytes) -> str:
        self.number += 1
        try:
            return line.decode("utf-8")
        except UnicodeDecodeError:
            raise ValueError(
                f"{self.name}, line {self.number}, is not UTF-8. Pass its encoding ({_ENCODING}): "
                "files from Windows in Western Europe and America are cp1252."
            ) from None


def _known_encoding(name: str | None) -> str | None:
    """Return Python's name of an encoding of text."""
    if name is None:
        return None
    try:
        "".encode(name)  # refuses codecs of bytes, too
        return codecs.lookup(name).name
    except (LookupError, ValueError, TypeError):
        raise ValueError(
            f"There is no encoding {name!r:.60}. Pass utf-8, utf-16, cp1252 (Windows), mac-roman, "
            "or another that Python knows."
        ) from None


def read_sentences(path: FilePath, encoding: str | None = None) -> list[str]:
    r"""Return the lines of a text file without their ends; blank ones are kept."""
    return [line.removesuffix("\r") for line in Lines(path, encoding)]


class Records(Lines):
    """Rows of a file, with their line numbers.

    Empty rows are allowed at the end of the file only. Anywhere else, skipping them would shift
    the scores that are written for the rows. ``delimiter`` is the one of a CSV file, which is
    known once the first row is read.
    """

    def __init__(
        self,
        path: FilePath,
        format: str | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
    ) -> None:
        super().__init__(path, encoding)
        self.format = infer_format(self._path) if format is None else format
        if self.format not in _READERS:
            known = ", ".join(map(repr, _READERS))
            raise ValueError(f"format must be one of {known}, got {format!r}.")
        self.delimiter = _known_delimiter(delimiter)
        if self.format == "tsv" and self.delimiter not in (None, "\t"):
            if format == "tsv":
                raise ValueError("The delimiter of tsv is a tab. Set the format to csv.")
            self.format = "csv"
        if self.format not in ("tsv", "csv") and self.delimiter is not None:
            raise ValueError(f"{self.name} is {self.format}: it has no delimiter. Leave it out.")
        if self.format in TYPED and encoding is not None:
            raise ValueError(f"{self.name} is {self.format}: it has no encoding. Leave it out.")
        if self.format in TYPED and self._path == "-":
            raise ValueError(f"Standard input cannot be {self.format}. Pass the name of a file.")

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
    if os.path.isdir(path):
        raise IsADirectoryError(f"{path} is a folder. Pass a file in it.")
    name = PurePath(path.lower().removesuffix(".gz")).name
    suffix = PurePath(f"_{name}").suffix  # also of ".csv", which has nothing else
    if suffix not in SUFFIXES or (path.lower().endswith(".gz") and SUFFIXES[suffix] in TYPED):
        remedy = (
            "Save the table in one of these formats, CSV for example. If it has one of them, set "
            "the format to tsv, csv or jsonl."
        )
        if suffix == ".skpara":
            remedy = "It is a model: pass the file of pairs here, and the model as --model."
        elif suffix in _ARCHIVES:
            remedy = "Unpack it first."
        raise ValueError(f"{path} has none of the suffixes {', '.join(SUFFIXES)}. {remedy}")
    return SUFFIXES[suffix]


def _known_delimiter(name: str | None) -> str | None:
    """Return a delimiter that is given by its name or as a character."""
    if name is None:
        return None
    delimiter = DELIMITERS.get(name, "\t" if name == "\\t" else name)
    if not isinstance(delimiter, str) or len(delimiter) != 1 or delimiter in '"\r\n \0':
        raise ValueError(
            f"A delimiter is one character, or {', '.join(DELIMITERS)}, got {name!r:.60}."
        )
    return delimiter


def parse_score(value: Any, where: str, remedy: str = "Correct it.") -> float:
    """Return ``value`` as a finite number; errors start with ``where``. A comma is a point."""
    try:
        # Python takes True for 1, but in a JSON line it is a label, not a score.
        number = value.replace(",", ".") if isinstance(value, str) else value
        score = math.nan if isinstance(value, bool) else float(number)
    except (TypeError, ValueError, OverflowError):
        score = math.nan
    if not math.isfinite(score):
        raise ValueError(f"{where}: the score {value!r:.60} is not a number. {remedy}")
    return score


def parse_label(value: Any, where: str, remedy: str = "Correct it.") -> int | str:
    """Return the name of a class, or its number; errors start with ``where``."""
    text = cell_text(value).strip()
    if not text:
        raise ValueError(f"{where}: there is no label. {remedy}")
    if not _LABEL_NUMBER.fullmatch(text):
        return text
    number = float(text)
    if not number.is_integer():
        raise ValueError(f"{where}: the class {text} is not a whole number. {remedy}")
    return int(number)


def _read_tsv(lines: Lines) -> Iterator[tuple[int, Record]]:
    for line in lines:
        text = line.removesuffix("\r")
        yield lines.number, text.split("\t") if text else []


def _read_csv(lines: Records) -> Iterator[tuple[int, Record]]:
    head, everything = _peeked(lines)
    line = 1
    if head and (named := _DELIMITER_LINE.fullmatch(head[0].strip())):  # Excel writes it
        lines.delimiter, line = lines.delimiter or named[1], 2
        next(everything)
    elif lines.delimiter is None:
        lines.delimiter = _found_delimiter(head, lines.name)
    ended = (text + "\n" for text in everything)
    reader = csv.reader(ended, delimiter=lines.delimiter or ",", strict=True)
    skipped = line - 1
    limit = csv.field_size_limit(_LONGEST_CELL)
    try:
        for record in reader:
            yield line, record
            line = skipped + reader.line_num + 1
    except csv.Error as error:
        remedy = "A quote within a quoted cell must be written twice."
        if "limit" in str(error) or "end of data" in str(error):
            remedy = "Look for a quote that does not end."
        elif "new-line" in str(error):
            raise ValueError(
                f"{lines.name}, line {line}, has a line end of another kind than other lines, a "
                "carriage return. Save the file with line ends of one kind."
            ) from None
        raise ValueError(
            f"{lines.name}, line {line}, is not CSV ({error}). {remedy} If the file has no "
            "quoting, set the format to tsv."
        ) from None
    finally:
        csv.field_size_limit(limit)


def _peeked(lines: Lines) -> tuple[list[str], Iterator[str]]:
    """Return the first lines, as far as there is no waiting for them, and all lines."""
    head: list[str] = []
    problem: ValueError | None = None
    others = iter(lines)
    try:
        for line in others:
            head.append(line)
            if len(head) >= _SAMPLE or not lines.at_hand:
                break
    except ValueError as error:  # the lines before it come first
        problem = error

    def everything() -> Iterator[str]:
        yield from head
        if problem is not None:
            raise problem
        yield from others

    return head, everything()


def _found_delimiter(head: list[str], name: str) -> str:
    """Return the delimiter that separates as many cells in most rows as in the first one.

    It is the comma if no other one does, or none does.
    """
    lines = [line + "\n" for line in head if line.strip()]
    found: dict[str, tuple[int, int]] = {}
    for delimiter in DELIMITERS.values():
        try:
            widths = [len(row) for row in csv.reader(lines, delimiter=delimiter)]
        except csv.Error:
            continue
        if widths and widths[0] > 1:
            found[delimiter] = widths[1:].count(widths[0]), widths[0]
    if not found:
        return ","
    most = max(found.values())  # rows that fit, and columns
    n_rows = most[0]
    if n_rows == 0 and "," in found:
        return ","
    best = {key for key, value in found.items() if value == most}
    if "," in found and found[","][0] == n_rows:
        best.add(",")  # with fewer columns, but nothing speaks against it
    if len(best) > 1:
        names = " or ".join(name for name, key in DELIMITERS.items() if key in best)
        raise ValueError(
            f"{name}: it is unclear which character separates the columns, {names}. Pass it as "
            f"the delimiter ({_DELIMITER})."
        )
    return best.pop()


def _read_jsonl(lines: Lines) -> Iterator[tuple[int, Record]]:
    wrong: list[str] = []

    def number(digits: str) -> float:
        value = WrittenNumber(digits)
        value.text = digits
        if not math.isfinite(value):
            wrong.append(digits)
        return value

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
        if wrong:
            _refuse_infinite(record, where, wrong[0])
        yield lines.number, record


def _refuse_infinite(record: Record, where: str, written: str) -> None:
    """Raise a ValueError that names the column of a number that is not finite.

    Python reads NaN, Infinity and 1e400, and writes them as what no other reader takes.
    """
    for column, cell in record.items():
        try:
            json.dumps(cell, allow_nan=False)
        except ValueError:
            raise ValueError(
                f"{where} {column!r}: {written:.60} is not finite. Write null or text."
            ) from None


def _read_ppdb(lines: Lines) -> Iterator[tuple[int, Record]]:
    """Yield phrase and paraphrase as the two sentences, the other fields, and the features."""
    for line in lines:
        cells = [cell.strip() for cell in line.split("|||")] if line.strip() else []
        if cells and len(cells) not in (len(_PPDB_FIELDS) - 1, len(_PPDB_FIELDS)):
            raise ValueError(
                f"{lines.name}, line {lines.number}, has {len(cells)} field(s) instead of "
                f"{' ||| '.join(_PPDB_FIELDS)}. Set another format if this is not a file of PPDB."
            )
        record = dict(zip(_PPDB_FIELDS, cells, strict=False))
        for feature in record.pop("features", "").split():
            name, equals, value = feature.rpartition("=")  # there are names such as p(e|LHS=NN)
            if equals:
                record[name] = value
        for name in _PPDB_SCORES:
            if name in record:
                record.setdefault("score", record[name])
        yield lines.number, record


def _read_typed(lines: Records) -> Iterator[tuple[int, Record]]:
    lines.at_hand = True
    yield from enumerate(TYPED[lines.format](lines.name), start=1)


_READERS: dict[str, Callable[[Records], Iterator[tuple[int, Record]]]] = {
    "tsv": _read_tsv,
    "csv": _read_csv,
    "jsonl": _read_jsonl,
    "ppdb": _read_ppdb,
    "parquet": _read_typed,
    "xlsx": _read_typed,
}
