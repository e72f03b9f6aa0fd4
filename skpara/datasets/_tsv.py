r"""Read tab-separated text as the STS organisers write it.

The files are not CSV: a ``"`` is an ordinary character, rows end at ``\n`` alone (sentences may
hold rarer Unicode line separators), and a ``\r`` before it or a byte-order mark is dropped.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "as_lines",
    "parse_score",
    "read_lines",
    "read_rows",
    "read_scored_pairs",
    "read_scores",
]

_SHOWN = 60  # characters of a bad line that an error shows


def read_lines(path: Path) -> list[str]:
    """Lines of a UTF-8 file without their ends; the last line may lack its end."""
    return as_lines(path.read_bytes(), path)


def as_lines(raw: bytes, path: Path) -> list[str]:
    """Lines of UTF-8 text; errors name `path`."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise ValueError(f"{path}, line {line}: not valid UTF-8 ({error.reason})") from None
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def read_rows(path: Path, n_columns: int) -> list[list[str]]:
    """Rows of at least `n_columns` cells; a shorter row is an error that names it."""
    rows = [line.split("\t") for line in read_lines(path)]
    for number, row in enumerate(rows, start=1):
        if len(row) < n_columns:
            shown = "\t".join(row)[:_SHOWN]
            raise ValueError(
                f"{path}, line {number}: {n_columns} tab-separated columns are needed, "
                f"found {len(row)}: {shown!r}"
            )
    return rows


def parse_score(text: str, path: Path, line: int) -> float:
    """Finite number in `text`; anything else is an error that names file and line."""
    try:
        score = float(text)
    except ValueError:
        score = float("nan")
    if not np.isfinite(score):
        raise ValueError(f"{path}, line {line}: the score {text[:_SHOWN]!r} is not a number")
    return score


def read_scores(path: Path) -> NDArray[np.float64]:
    """One score a line; a blank line, a pair that was not scored, becomes NaN."""
    return np.array(
        [
            parse_score(line, path, number) if line.strip() else np.nan
            for number, line in enumerate(read_lines(path), start=1)
        ],
        dtype=np.float64,
    )


def read_scored_pairs(
    input_path: Path, gold_path: Path
) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Pairs of an ``STS.input`` file with the scores of its ``STS.gs`` file, row for row."""
    pairs = [(row[0], row[1]) for row in read_rows(input_path, 2)]
    scores = read_scores(gold_path)
    if len(pairs) != len(scores):
        raise ValueError(
            f"{input_path} has {len(pairs)} lines, but {gold_path} has {len(scores)}: "
            "every pair needs one line of gold, blank where it was not scored"
        )
    return pairs, scores
