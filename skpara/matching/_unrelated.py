"""Columns that number the rows of each table by themselves, such as row numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy.stats import mannwhitneyu

from skpara._normal_form import key
from skpara._typing import Floats
from skpara.matching._fields import Column
from skpara.matching._search import Rows

# A column may number things if at least this share of its cells is different.
_MOSTLY_UNIQUE = 0.9
# Fewer rows do not show whether a column numbers them.
_FEWEST = 15
# Fewer rows with the same number do not show whether they are the same thing.
_FEWEST_SAME = 5
# More of them add nothing.
_MOST = 300
# Row numbers fill a range of at most this many times as many numbers.
_DENSE = 2
# Without row numbers, at least this share of the rows is different.
_DIFFERENT = 0.5
_UUID = re.compile(r"\s*[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}\s*")
# Other columns are alike in these rows if a pair of cells is more similar than a random pair with
# at least this probability.
_CHANCE = 0.6
# Largest p-value of that comparison.
_SIGNIFICANT = 0.01


def unrelated_columns(columns: list[Column], fields: list[list[str]]) -> list[int]:
    """Return the places of columns that number the rows of each table by themselves.

    If a number names a thing, it is in both tables, and rows with the same one have other cells
    that are more alike than at random.
    """
    if len(columns) < 2 or len(fields[0]) < _FEWEST:
        return []
    every = zip(columns, fields, strict=True)
    are_unique = [_is_mostly_unique(x) and _is_mostly_unique(_of_all(c)) for c, x in every]
    # Two numberings may agree by the order of rows, so neither confirms the other.
    witnesses = [
        place
        for place, column in enumerate(columns)
        if column.kind.is_text or not are_unique[place]
    ]
    found = []
    for place in np.flatnonzero(are_unique).tolist():
        column, cells = columns[place], fields[place]
        if column.kind.is_text or column.kind.must_agree:
            continue
        same = _with_same_cell(column, cells)
        likeness = [_are_alike(columns[x], fields[x], *same) for x in witnesses]
        if not len(same[0]):  # what is read, such as prices, may be nearly the same
            likeness = [None if column.kind.must_be_read else False]
        if likeness.count(False) and not likeness.count(True):
            found.append(place)
    return found


def numbering_columns(columns: list[list[str]]) -> list[int]:
    """Return the places of columns of one table that number its rows: 1, 2, 3, ..., or UUIDs.

    Episode numbers are different: rows that differ in nothing else are different things.
    """
    if len(columns) < 2:
        return []
    found = [place for place, cells in enumerate(columns) if _is_numbering(cells)]
    others = [cells for place, cells in enumerate(columns) if place not in found]
    n_different = len(set(zip(*others, strict=True)))
    return found if n_different >= _DIFFERENT * len(columns[0]) else []


def _is_numbering(cells: list[str]) -> bool:
    n = len(cells)
    if n < _FEWEST or len(set(cells)) < n:
        return False
    if all(map(_UUID.fullmatch, cells)):
        return True
    if not all(cell.isdecimal() for cell in cells):
        return False
    values = list(map(int, cells))
    return max(values) - min(values) < _DENSE * n


def _of_all(column: Column) -> list[str]:
    return column.of_rows(np.arange(len(column.places)))


def _is_mostly_unique(cells: Sequence[str]) -> bool:
    filled = list(filter(None, map(key, cells)))
    return bool(filled) and len(set(filled)) >= _MOSTLY_UNIQUE * len(filled)


def _with_same_cell(column: Column, cells: list[str]) -> tuple[Rows, Rows]:
    """Return pairs of a row and a record that have the same cell."""
    forms = column.read(_of_all(column)).forms.tolist()
    record_of = {form: record for record, form in enumerate(forms) if form}
    mine = column.read(cells).forms.tolist()
    pairs = [(row, record_of[form]) for row, form in enumerate(mine) if form in record_of]
    pairs = pairs[:: -(-len(pairs) // _MOST)] if pairs else []
    rows, records = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return rows, records


def _are_alike(column: Column, cells: list[str], rows: Rows, records: Rows) -> bool | None:
    """Return whether the cells of pairs are more alike than those of other pairs of these rows.

    None if there are too few pairs.
    """
    own = _without_missing(column.compare(cells, rows, records))
    other = _without_missing(column.compare(cells, rows, np.roll(records, 1)))
    if len(own) < _FEWEST_SAME or not len(other):
        return None
    test = mannwhitneyu(own, other, alternative="greater")
    chance = float(test.statistic) / (len(own) * len(other))
    return chance >= _CHANCE and float(test.pvalue) <= _SIGNIFICANT


def _without_missing(similarities: Floats) -> Floats:
    known: Floats = similarities[~np.isnan(similarities)]
    return known
