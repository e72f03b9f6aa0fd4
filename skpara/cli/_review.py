"""Questions about pairs in the terminal; the answers are a table that others can fill in."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from skpara.cli._options import positive_int
from skpara.cli._tables import write_rows

_COLUMNS = ["sentence1", "sentence2", "probability", "answer"]
_ANSWERS = ("y", "n", "u")
_ROUND = 10  # questions after which probabilities are learned anew
_HELP = "y: the same, n: different, u: unsure, b: back to the last one, q: stop and write results"


def add_review_options(parser: argparse.ArgumentParser) -> None:
    """Add ``--review`` and ``--answers``."""
    parser.add_argument(
        "--review",
        type=positive_int,
        metavar="N",
        help="ask about N pairs, those whose answers teach most, and learn from the answers. They "
        "are stored one by one; the same command continues after a stop. Without a terminal, the "
        "questions are written for somebody to fill in",
    )
    parser.add_argument(
        "--answers",
        type=Path,
        metavar="FILE",
        help="CSV of questions and answers (y, n, u for unsure, or empty) to learn from and, with "
        "--review, to add to (default with --review: FILE.answers.csv)",
    )


def review(estimator: Any, arguments: argparse.Namespace, table: str) -> None:
    """Learn from the answers in the file, and ask for more of them."""
    if arguments.review is None and arguments.answers is None:
        return
    path = arguments.answers or Path("answers.csv" if table == "-" else f"{table}.answers.csv")
    rows = _read(path) if path.exists() or not arguments.review else []
    estimator.review(_ROUND)  # the pairs that it draws first depend on no answer
    _judge(estimator, rows)
    if arguments.review:
        _ask(estimator, rows, arguments.review, path)
    n, precision, recall, _, measured, _ = estimator.estimate()
    text = f"{n} pairs match"
    if precision == precision:  # NaN before answers
        text += f"; expected precision {precision:.2f}, recall {recall:.2f}"
    if measured is not None:
        text += f"; measured precision {measured.low:.2f} to {measured.high:.2f}"
    print(f"{text}. Answers: {path}", file=sys.stderr)


def _ask(estimator: Any, rows: list[list[str]], n: int, path: Path) -> None:
    """Ask for ``n`` more answers, and write each."""
    rows.sort(key=lambda row: row[3] not in _ANSWERS)  # open questions come last
    place = first = sum(row[3] in _ANSWERS for row in rows)
    has_terminal = sys.stdin is not None and sys.stdin.isatty()
    while place < first + n:
        if place == len(rows):
            _judge(estimator, rows)
            new = estimator.review(min(_ROUND, first + n - place) if has_terminal else n)
            rows += [[x["sentence1"], x["sentence2"], f"{x['probability']:.2f}", ""] for x in new]
            write_rows(path, "csv", _COLUMNS, rows)
        if not has_terminal:
            print(f"Fill in the column `answer` of {path} with y, n or u.", file=sys.stderr)
        if not has_terminal or place == len(rows):
            break
        row = rows[place]
        print(f"\n{place - first + 1} of {n} ({row[2]})\n  {row[0]}\n  {row[1]}", file=sys.stderr)
        print("The same? y/n/u/b/q: ", end="", file=sys.stderr, flush=True)
        answer = (sys.stdin.readline() or "q").strip().lower()[:1]
        if answer == "q":
            break
        if answer in _ANSWERS:
            row[3] = answer
            write_rows(path, "csv", _COLUMNS, rows)
        elif answer != "b":
            print(_HELP, file=sys.stderr)
        place += 1 if answer in _ANSWERS else -1 if answer == "b" and place else 0
    _judge(estimator, rows)


def _judge(estimator: Any, rows: list[list[str]]) -> None:
    answered = [row for row in rows if row[3] in _ANSWERS]
    if answered:
        estimator.judge([tuple(row[:2]) for row in answered], [row[3] for row in answered])


def _read(path: Path) -> list[list[str]]:
    from skpara.datasets import read_table

    table = read_table(path, format="csv")
    if table.header != _COLUMNS:
        raise ValueError(f"{path} must have the columns {', '.join(_COLUMNS)}.")
    for line, row in zip(table.lines, table.rows, strict=True):
        row[3] = row[3].strip().lower()[:1]
        if row[3] not in (*_ANSWERS, ""):
            raise ValueError(f"{path}, line {line}: the answer must be y, n, u or empty.")
    return table.rows
