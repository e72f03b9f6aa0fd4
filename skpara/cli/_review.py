"""Questions about pairs in the terminal; the answers are a table that others can fill in."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from skpara._files import locked
from skpara._messages import printable
from skpara.cli._options import UsageError, positive_int
from skpara.cli._tables import write_rows

# Cells of several columns, and how a pair was drawn, follow.
_COLUMNS = ("sentence1", "sentence2", "probability", "answer")
_FIRST = ("", "ranks")  # how the first questions are drawn, which is known without the file
_ANSWERS = ("y", "n", "u")
_ROUND = 10  # questions after which probabilities are learned anew
_HELP = "y: the same, n: different, u: unsure, b: back to the last one, q: stop and write results"
_DIFFERENT = "* "  # before the name of a column in which two rows differ

Row = dict[str, str]


def add_review_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--review``, ``--certify`` and ``--answers``."""
    group = parser.add_argument_group("options of answers")
    group.add_argument(
        "--review",
        type=positive_int,
        metavar="N",
        help="ask about the N pairs whose answers teach most, and learn from the answers. They "
        "are stored one by one; to continue after a stop, repeat the command. Without a "
        "terminal, the questions are written to a file for somebody to fill in",
    )
    group.add_argument(
        "--certify",
        action="store_true",
        help="with --review, ask about random matches instead, and report a share of the matches "
        "that is certainly right; 60 answers may be enough",
    )
    group.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help="CSV of questions and answers (y, n, u for unsure, or empty) to learn from and, with "
        "--review, to add to (default with --review: FILE.answers.csv). Several people may share "
        "a file",
    )


def review(estimator: Any, arguments: argparse.Namespace, table: str) -> None:
    """Learn from the answers in the file, and ask for more of them."""
    if arguments.review is None and arguments.answers is None:
        if arguments.certify:
            raise UsageError("--certify needs answers: pass --review N, or --answers FILE.")
        return
    path = arguments.answers or Path("answers.csv" if table == "-" else f"{table}.answers.csv")
    if arguments.out is not None and os.path.realpath(arguments.out) == os.path.realpath(path):
        raise UsageError(f"-o {arguments.out} is the file of the answers. Choose another.")
    rows = _read(path) if path.exists() or not arguments.review else []
    estimator.review(_ROUND)  # the pairs that it draws first depend on no answer
    _judge(estimator, rows)
    if arguments.review:
        _ask(estimator, rows, arguments, path)
    n, precision, recall, _, measured, _ = estimator.estimate()
    text = f"{n} pairs match"
    if precision == precision:  # NaN before answers
        text += f"; expected precision {precision:.2f}, recall {recall:.2f}"
    if measured is not None:
        text += f"; measured precision {measured.low:.2f} to {measured.high:.2f}"
    print(f"{text}. Answers: {path}", file=sys.stderr)
    if arguments.certify:
        print(str(estimator.certify()).replace("review(evenly=True)", "--review"), file=sys.stderr)


def _ask(estimator: Any, rows: list[Row], arguments: argparse.Namespace, path: Path) -> None:
    """Ask for more answers, and write each."""
    n = arguments.review
    rows.sort(key=lambda row: row["answer"] not in _ANSWERS)  # open questions come last
    place = first = sum(row["answer"] in _ANSWERS for row in rows)
    has_terminal = sys.stdin is not None and sys.stdin.isatty()
    while place < first + n:
        if place == len(rows):
            _judge(estimator, rows)
            size = min(_ROUND, first + n - place) if has_terminal else n
            rows += _as_rows(estimator.review(size, evenly=arguments.certify))
            _write(path, rows, [])
        if not has_terminal:
            text = f"Fill in the column `answer` of {path} with y, n or u."
            print(text, file=sys.stderr)
        if not has_terminal or place == len(rows):
            break
        row = rows[place]
        print(f"\n{place - first + 1} of {n} ({row['probability']})", file=sys.stderr)
        print("\n".join(shown(row)), file=sys.stderr)
        print("The same? y/n/u/b/q: ", end="", file=sys.stderr, flush=True)
        answer = (sys.stdin.readline() or "q").strip().lower()[:1]
        if answer == "q":
            break
        if answer in _ANSWERS:
            row["answer"] = answer
            _write(path, rows, [row])
        elif answer != "b":
            print(_HELP, file=sys.stderr)
        place += 1 if answer in _ANSWERS else -1 if answer == "b" and place else 0
    _judge(estimator, rows)


def shown(row: Row) -> list[str]:
    """Return the lines that show a pair: the cells one below the other, differences marked."""
    fields = [name[:-2] for name in row if name.endswith("_1") and f"{name[:-1]}2" in row]
    if not fields:
        return [f"  {printable(row[name])}" for name in ("sentence1", "sentence2")]
    width = max(len(printable(name)) for name in fields)
    lines = []
    for name in fields:
        cells = row[f"{name}_1"], row[f"{name}_2"]
        is_same = cells[0] == cells[1]
        mark = " " * len(_DIFFERENT) if is_same else _DIFFERENT
        lines.append(f"{mark}{printable(name):{width}}  {printable(cells[0])}")
        if not is_same:
            lines.append(" " * (len(_DIFFERENT) + width + 2) + printable(cells[1]))
    return lines


def _as_rows(pairs: Any) -> list[Row]:
    """Return what ``review`` returned as rows of text, without the numbers of rows."""
    names = pairs.dtype.names[2:]
    rows = []
    for pair in pairs:
        row = {name: str(pair[name]) for name in names}
        rows.append({**row, "probability": f"{pair['probability']:.2f}", "answer": ""})
    return rows


def _judge(estimator: Any, rows: list[Row]) -> None:
    import numpy as np

    answered = [row for row in rows if row["answer"] in _ANSWERS]
    if answered:
        names = list(dict.fromkeys(name for row in answered for name in row))
        cells = [tuple(row.get(name, "") for name in names) for row in answered]
        estimator.judge(np.array(cells, dtype=[(name, object) for name in names]))


def _write(path: Path, rows: list[Row], answered: list[Row]) -> None:
    """Write questions and answers, with the answers that somebody else has written meanwhile.

    Of those in ``rows`` only the ``answered`` ones replace an answer in the file.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with locked(path.parent):
        others = {_key(row): row for row in (_read(path) if path.exists() else [])}
        mine = {_key(row) for row in answered}
        for row in rows:
            other = others.pop(_key(row), None)
            if other is not None and _key(row) not in mine and other["answer"] in _ANSWERS:
                row["answer"] = other["answer"]
        more = [row for row in others.values() if row["answer"] in _ANSWERS]
        others_of = (name for row in [*rows, *more] for name in row)
        names = list(dict.fromkeys([*_COLUMNS, *others_of]))
        if all(row.get("drawn", "") in _FIRST for row in [*rows, *more]):
            names = [name for name in names if name != "drawn"]
        table = [[row.get(name, "") for name in names] for row in [*rows, *more]]
        write_rows(path, "csv", names, table)


def _key(row: Row) -> tuple[str, ...]:
    """Return what distinguishes a question from others."""
    return tuple(row[name] for name in row if name not in ("probability", "drawn", "answer"))


def _read(path: Path) -> list[Row]:
    from skpara.datasets import read_table

    if path.suffix.lower() in (".xlsx", ".parquet"):
        raise ValueError(f"Answers are CSV, not {path.suffix}: save {path} as CSV.")
    table = read_table(path, format="csv")
    header: Sequence[str] = table.header or []
    if not set(_COLUMNS) <= set(header):
        raise ValueError(
            f"{path} must have the columns {', '.join(_COLUMNS)}, as --review writes them."
        )
    rows = [dict(zip(header, row, strict=True)) for row in table.rows]
    for line, row in zip(table.lines, rows, strict=True):
        row["answer"] = row["answer"].strip().lower()[:1]
        if row["answer"] not in (*_ANSWERS, ""):
            raise ValueError(f"{path}, line {line}: the answer must be y, n, u or empty.")
    return rows
