"""Columns that number the rows of each table by themselves, such as row numbers."""

from __future__ import annotations

import numpy as np
from scipy.stats import mannwhitneyu

from skpara._typing import Floats
from skpara.matching._fields import Column
from skpara.matching._search import Rows
from skpara.matching._values import key

# A column may number things if at least this share of its cells is different.
_MOSTLY_UNIQUE = 0.9
# Fewer rows with the same number do not show whether they are the same thing.
_FEWEST = 15
# More of them show it no better.
_MOST = 300
# The other columns are alike in these rows if a pair of cells is more alike than one at random
# with this chance,
_CHANCE = 0.6
# and this p-value.
_SIGNIFICANT = 0.01


def unrelated_columns(columns: list[Column], fields: list[list[str]]) -> list[int]:
    """Return the places of columns that number the rows of each table by themselves.

    Rows with the same number are the same thing if a column names things; then their other cells
    are more alike than at random. Where no other column is, equal numbers are chance.
    """
    if len(columns) < 2:
        return []
    found = []
    for place, (column, cells) in enumerate(zip(columns, fields, strict=True)):
        rows, records = _with_same_cell(column, cells)
        others = (x for x in range(len(columns)) if x != place)
        if len(rows) >= _FEWEST and not any(
            _are_alike(columns[x], fields[x], rows, records) for x in others
        ):
            found.append(place)
    return found


def _with_same_cell(column: Column, cells: list[str]) -> tuple[Rows, Rows]:
    """Return pairs of a row and a record that have the same cell, if it is mostly unique."""
    keys = [key(cell) for cell in cells]
    known = [key(cell) for cell in column.cells]
    records_of = dict(zip(column.places.tolist(), range(len(column.places)), strict=True))
    n_filled = [sum(map(bool, cells)), sum(bool(known[x]) for x in column.places.tolist())]
    n_different = [len(set(filter(None, keys))), sum(map(bool, known))]
    if any(n < _MOSTLY_UNIQUE * m or not m for n, m in zip(n_different, n_filled, strict=True)):
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    record_of = {x: records_of[number] for number, x in enumerate(known) if x}
    pairs = [(row, record_of[x]) for row, x in enumerate(keys) if x in record_of]
    pairs = pairs[:: -(-len(pairs) // _MOST)] if pairs else []
    rows, records = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return rows, records


def _are_alike(column: Column, cells: list[str], rows: Rows, records: Rows) -> bool:
    """Return whether the cells of pairs are more alike than those of other pairs of these rows."""
    own = _without_missing(column.compare(cells, rows, records))
    other = _without_missing(column.compare(cells, rows, np.roll(records, 1)))
    if len(own) < _FEWEST or not len(other):
        return False
    test = mannwhitneyu(own, other, alternative="greater")
    chance = float(test.statistic) / (len(own) * len(other))
    return chance >= _CHANCE and float(test.pvalue) <= _SIGNIFICANT


def _without_missing(similarities: Floats) -> Floats:
    known: Floats = similarities[~np.isnan(similarities)]
    return known
