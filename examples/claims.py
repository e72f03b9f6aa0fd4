"""Compare what pages claim with the tables of docs/results.

    python examples/claims.py

A claim names a table and compares cells of it::

    encoders: SICK: average .703 > lstm; Twitter: average > lstm

"In encoders.txt, in the column SICK, the average has .703, more than the LSTM, and in the column
Twitter ...". Table and column are those of the comparison before where they are left out. The
name before the comparison may also be a row, and those compared columns. A figure after a name is
the value of its cell.

``>`` and ``<`` are differences beyond chance: Williams' test in the table has p < .05 or, where a
table has no such test, more than .005, with ranges over several seeds that do not overlap. ``~``
is anything less. If cells of several tables in the file fit, the beginning of a title comes
second::

    spanish: STS Benchmark, Spanish-Spanish: all (1254): fusion > raw cosine

Where a column has no name, the title up to its first comma is its name. A line ``trained: mean r
0.727`` is a cell as well.

docs/results/papers.csv has the claims for rows of docs/papers.rst. Elsewhere, a comment
``.. figures of results: CLAIM`` before a paragraph or table has them, and the text up to the next
heading or comment of this kind must have all its figures. In turn, each figure of three digits
there, such as .703, must be one of the claims, if not of a range in brackets. The last claim may
list figures that no table has, or ``all``, with what they are. Figures of three digits belong on
the pages of results: the guide rounds them and links there::

    not in tables: .778 published, .999 of a script that prints no table
"""

from __future__ import annotations

import csv
import re
import sys
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
P_VALUE = 0.05
TWO_ROUNDINGS = 0.0015  # of two cells with three digits
NO_DIFFERENCE = 0.005  # docs/results/new_text.rst calls a few thousandths random

_WORDS = re.compile(r"\S+(?: \S+)*")  # separated by two blanks or more
_RULE = re.compile(r"-+(?:  -+)*")
_NUMBER = r"[-+]?(?:\d[\d,]*)?\.?\d+"
_CELL = re.compile(rf"({_NUMBER})(?: \(({_NUMBER})-({_NUMBER})\))?")
_WILLIAMS = re.compile(rf"(.+) against (.+): ({_NUMBER}), p = (\S+)")
_SENTENCE = re.compile(rf"(\w+): (\S+(?: \S+)*) ({_NUMBER})")
_OPERATOR = re.compile(r" ([<>~]) ")
_COMMENT = re.compile(r"^\.\. figures of results: (.*(?:\n   .*)*)$", re.MULTILINE)
_NOT_IN_TABLES = "not in tables: "
_RANGE = re.compile(r"\([-.\d]+-[-.\d]+\)")
_FIGURE = re.compile(r"(?<![\w.])\.\d{3}(?!\d)")
_HEADING = re.compile(r"\n[-=~]{4,}\n(?!\S)")
ANSWERS = ("yes", "no", "differs")


class Cell(NamedTuple):
    """A number of a table, with the smallest and largest of several runs."""

    title: str
    row: str
    column: str
    value: float
    low: float
    high: float


class Difference(NamedTuple):
    """Two rows compared by Williams' test."""

    first: str
    second: str
    value: float
    p: float


class Table(NamedTuple):
    """All that a file of docs/results says."""

    cells: list[Cell]
    differences: list[Difference]


def _number(text: str) -> float:
    return float(text.replace(",", ""))


def _is_number(word: re.Match[str]) -> bool:
    return _CELL.fullmatch(word[0]) is not None


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> int:
    return min(first[1], second[1]) - max(first[0], second[0])


@lru_cache
def read_table(text: str) -> Table:
    """Read the cells of a file; columns are those over which a cell stands."""
    cells: list[Cell] = []
    differences: list[Difference] = []
    lines = text.partition("\n\n")[2].split("\n")  # the head has the command, date and so on
    title = ""
    columns: dict[tuple[int, int], str] = {}  # names by place; the first is of the rows' names
    ruled = False  # whether a rule separates names of columns from the rows
    in_head = False
    for above, line, below in zip(["", *lines], lines, [*lines[1:], ""], strict=False):
        if williams := _WILLIAMS.fullmatch(line.strip()):
            first, second, value, p = williams.groups()
            differences.append(Difference(first, second, _number(value), float(p)))
        elif sentence := _SENTENCE.fullmatch(line):
            row, column, number = sentence.groups()
            cells.append(Cell(title, row, column, *[_number(number)] * 3))
        elif _RULE.fullmatch(line):
            places = [match.span() for match in re.finditer("-+", line)]
            columns = {place: above[slice(*place)].strip() for place in places}
            ruled = True
        elif not line or _RULE.fullmatch(below):
            columns = columns if line else {}
            ruled = False
        elif line.startswith(" "):  # names of columns without a rule, in one line or several
            columns = columns if in_head else {(0, 1): ""}
            for word in _WORDS.finditer(line):
                over = [place for place in columns if _overlap(place, word.span()) > 0]
                name = " ".join([*(columns.pop(place) for place in over), word[0]])
                columns[min([word.start(), *(p[0] for p in over)]), word.end()] = name
            in_head = True
            continue
        else:
            words = list(_WORDS.finditer(line))
            if not ruled and len(words) > 1 and not any(map(_is_number, words[1:])):
                columns = {word.span(): word[0] for word in words}
                title = words[0][0]
            elif not columns or len(words) == 1:
                title = line
            for word in words[1:] if columns else ():
                place = max(columns, key=lambda place: _overlap(place, word.span()))
                if cell := _CELL.fullmatch(word[0]):
                    value, low, high = (_number(part or cell[1]) for part in cell.groups())
                    column = columns[place] or title.split(",")[0]
                    cells.append(Cell(title, words[0][0], column, value, low, high))
        in_head = False
    return Table(cells, differences)


def compare(first: Cell, second: Cell, differences: list[Difference]) -> str:
    """Return which of two cells is greater: ``<``, ``>``, or ``~`` for neither."""
    gain = first.value - second.value
    for test in differences:
        if first.column != "ALL" or second.column != "ALL":  # the others were not tested
            break
        pair = (test.first, test.second)
        same = pair == (first.row, second.row) and abs(gain - test.value) < TWO_ROUNDINGS
        turned = pair == (second.row, first.row) and abs(gain + test.value) < TWO_ROUNDINGS
        if same or turned:
            return "~" if test.p >= P_VALUE else ">" if gain > 0 else "<"
    overlap = first.low <= second.high and second.low <= first.high
    if overlap and (first.low < first.high or second.low < second.high):
        return "~"
    if round(abs(gain), 6) <= NO_DIFFERENCE:  # of pairs drawn anew, whatever the seeds
        return "~"
    return ">" if gain > 0 else "<"


def _named(text: str) -> tuple[str, str | None]:
    """Split ``lstm .635`` into the name and the figure, if there is one."""
    if figure := re.fullmatch(rf"(.+) ({_NUMBER})", text):
        return figure[1], figure[2]
    return text, None


def _cell(cells: list[Cell], line: str, name: str) -> Cell:
    """Return the cell of a row and a column, in either order."""
    found = [c for c in cells if {c.row, c.column} == {line, name} and line != name]
    if not found:
        raise ValueError(f"there is no cell of {line!r} and {name!r}")
    if len({(c.value, c.low, c.high) for c in found}) > 1:
        titles = "; ".join(c.title for c in found)
        raise ValueError(f"{line!r} and {name!r} are in several tables: {titles}")
    return found[0]


def check(claim: str, folder: Path = RESULTS) -> list[str]:
    """Return what tables say otherwise."""
    wrong = []
    names: list[str] = []
    line = ""
    for part in claim.partition(_NOT_IN_TABLES)[0].rstrip("; ").split("; "):
        if not part:
            continue
        *start, comparison = part.split(": ")
        # What is not said is that of the part before: the line, or table and title too.
        line = start[-1] if start else line
        names = start[:-1] or names
        if not names:
            wrong.append(f"{part!r} names no table")
            continue
        file = folder / f"{names[0]}.txt"
        if not file.exists():
            wrong.append(f"there is no table {names[0]}")
            continue
        table = read_table(file.read_text("utf8"))
        cells = [c for c in table.cells if c.title.startswith(": ".join(names[1:]))]
        operands = _OPERATOR.split(comparison)
        try:
            compared = []
            for operand in operands[::2]:
                if re.fullmatch(_NUMBER, operand):
                    value = _number(operand)
                    compared.append(Cell("", operand, "", value, value, value))
                    continue
                name, figure = _named(operand)
                try:
                    cell = _cell(cells, line, operand)  # a name may end in a number
                    figure = None
                except ValueError:
                    cell = _cell(cells, line, name)
                compared.append(cell)
                digits = len((figure or "").partition(".")[2])
                if figure and round(cell.value, digits) != round(_number(figure), digits):
                    wrong.append(f"{names[0]} has {cell.value:g} for {line}, {name}, not {figure}")
        except ValueError as error:
            wrong.append(f"{names[0]}: {error}")
            continue
        for first, operator, second in zip(compared, operands[1::2], compared[1:], strict=False):
            answer = compare(first, second, table.differences)
            if answer != operator:
                wrong.append(
                    f"{names[0]}, {line}: {first.row if first.row != line else first.column} "
                    f"{answer} {second.row if second.row != line else second.column}, "
                    f"not {operator}"
                )
    return wrong


def rows_of_papers(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the paper and the cells of each row of the tables of claims in papers.rst."""
    paper = ""
    lines = text.split("\n")
    for line, below in pairwise(lines):
        if re.fullmatch("-{4,}", below):
            paper = line
        if line.startswith('   "'):
            yield paper, next(csv.reader([line.strip()], skipinitialspace=True))


def evidence(folder: Path = RESULTS) -> dict[str, str]:
    """Return the claims for rows of papers.rst, by the first cell of the row."""
    with (folder / "papers.csv").open(encoding="utf8", newline="") as file:
        return {row["in the paper"]: row["in the tables"] for row in csv.DictReader(file)}


def claims_of_page(text: str) -> Iterator[tuple[str, str]]:
    """Yield the claims of each comment of a page, and the text that they are about.

    Text without a comment is yielded with no claims.
    """
    start, claim = 0, ""
    comments = {comment.start(): comment for comment in _COMMENT.finditer(text)}
    headings = {heading.start() for heading in _HEADING.finditer(text)}
    for place in sorted({*comments, *headings, len(text)}):
        yield claim, text[start:place]
        start, claim = place, ""
        if comment := comments.get(place):
            start = comment.end()
            claim = re.sub(r"\s+", " ", comment[1])


def figures(claim: str) -> Iterator[str]:
    """Yield the figures after the names of a claim."""
    for part in claim.partition(_NOT_IN_TABLES)[0].split("; "):
        for operand in _OPERATOR.split(part.rpartition(": ")[2])[::2]:
            figure = _named(operand)[1]
            if figure and "." in figure:
                yield figure


def wrong_figures(claim: str, about: str) -> Iterator[str]:
    """Yield which figures are in the claim or in the text about it, not in both."""
    for figure in figures(claim):
        if not re.search(rf"(?<![\d.]){re.escape(figure)}(?!\d)", about):
            yield f"the text does not have {figure}"
    if f"{_NOT_IN_TABLES}all" in claim:
        return
    claimed = set(_FIGURE.findall(claim))
    for figure in dict.fromkeys(_FIGURE.findall(_RANGE.sub("", about))):
        if figure not in claimed:
            yield f"no claim has {figure}"


def wrong_claims(root: Path = ROOT) -> list[str]:
    """Return what the pages say and the tables deny."""
    folder = root / "docs" / "results"
    wrong = []
    for said, claim in evidence(folder).items():
        wrong += [f"papers.csv, {said!r}: {reason}" for reason in check(claim, folder)]
    for page in sorted((root / "docs").rglob("*.rst")):
        if page.name == "papers.rst":
            continue
        for claim, about in claims_of_page(page.read_text("utf8")):
            reasons = [*check(claim, folder), *wrong_figures(claim, about)]
            wrong += [f"{page.name}: {reason}" for reason in reasons]
    return wrong


def main() -> int:
    """Print the claims that tables deny."""
    wrong = wrong_claims()
    print("\n".join(wrong) or "The tables have all that the pages claim of them.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
