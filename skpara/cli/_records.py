r"""Rows of TSV, CSV and JSON lines as they stand in the file, and written again.

In TSV a ``"`` is an ordinary character and a row is a line; in CSV cells may be quoted, and hold
commas and ends of lines; in JSON lines each line is an object.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

from skpara.cli._lines import Lines

__all__ = ["FORMATS", "Record", "as_text", "read_records"]

FORMATS = ("tsv", "csv", "jsonl")
Record = Any  # a list of str, or the object of a JSON line


def read_records(lines: Lines, format: str) -> Iterator[tuple[int, Record]]:
    """Rows with the numbers of their lines.

    Empty rows may stand at the end alone: results are matched to rows by their order.

    Raises
    ------
    ValueError
        If a row is empty or not of the format: names the line.
    """
    blank: int | None = None
    for line, record in _READERS[format](lines):
        if not record:
            blank = blank or line
        elif blank is not None:
            raise ValueError(f"{lines.name}, line {blank}, is empty. Delete it, or fill it in.")
        else:
            yield line, record


def as_text(record: Record, format: str) -> str:
    """One row as text, without the end of the line."""
    if format == "jsonl":
        return json.dumps(record, ensure_ascii=False)
    if format == "tsv":
        return "\t".join(record)
    text = io.StringIO()
    csv.writer(text).writerow(record)
    return text.getvalue().removesuffix("\r\n")


def _tabbed(lines: Lines) -> Iterator[tuple[int, Record]]:
    for line in lines:
        text = line.removesuffix("\r")
        yield lines.number, text.split("\t") if text else []


def _quoted(lines: Lines) -> Iterator[tuple[int, Record]]:
    reader = csv.reader((line + "\n" for line in lines), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise ValueError(
                f"{lines.name}, line {line}, is not CSV ({error}). A quote within a quoted cell "
                "is written twice; a file without quoting is --format tsv."
            ) from None
        yield line, record


def _objects(lines: Lines) -> Iterator[tuple[int, Record]]:
    for line in lines:
        text = line.strip()
        yield lines.number, _object(text, f"{lines.name}, line {lines.number},") if text else {}


def _object(text: str, where: str) -> dict[str, Any]:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: a number of too many digits
        raise ValueError(f"{where} is not JSON ({error}). Each line holds one object.") from None
    if not isinstance(found, dict) or not found:
        raise ValueError(
            f"{where} holds {text[:60]}, and an object is wanted, such as "
            '{"sentence1": "...", "sentence2": "..."}.'
        )
    return found


_READERS: dict[str, Callable[[Lines], Iterator[tuple[int, Record]]]] = {
    "tsv": _tabbed,
    "csv": _quoted,
    "jsonl": _objects,
}
