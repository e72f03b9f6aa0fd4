"""Columns that number the rows of each table by themselves, such as row numbers."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from scipy.stats import mannwhitneyu

from skpara._folding import key
from skpara._typing import Floats
from skpara.matching._fields import Column
from skpara.matching._model import first_of_best
from skpara.matching._products import products
from skpara.matching._search import Rows

# A column may number things if at least this share of its cells is different.
_MOSTLY_UNIQUE = 0.9
# A text may name things if at least this share is.
_NAMES_UNIQUE = 0.5
# Fewer rows with the same number do not show whether they are the same thing.
_FEWEST = 15
# More of them add nothing.
_MOST = 300
# Row numbers fill a range of at most this many times as many numbers.
_DENSE = 2
# Without row numbers, at least this share of the rows is different.
_DIFFERENT = 0.5
_UUID = re.compile(r"\s*[0-9a-fA-F]{8}(?:-?[0-9a-fA-F]{4}){3}-?[0-9a-fA-F]{12}\s*")
# Rows whose names are looked up, evenly spread.
_SAMPLE = 1000
# Other columns are alike in these rows if a pair of cells is more similar than a random pair with
# at least this probability.
_CHANCE = 0.6
# Largest p-value of that comparison.
_SIGNIFICANT = 0.01


def unrelated_columns(columns: list[Column], fields: list[list[str]]) -> list[int]:
    """Return the places of columns that number the rows of each table by themselves.

    If a number names a thing, rows with the same one have other cells that are more alike than at
    random, and rows of the same name have numbers that are.
    """
    if len(columns) < 2 or len(fields[0]) < _FEWEST:
        return []
    named = _of_the_same_name(columns, fields)
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
        if len(same[0]) < _FEWEST or all(x is None for x in likeness):
            likeness = [_are_alike(column, cells, *named)]
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


def _is_mostly_unique(cells: Sequence[str], share: float = _MOSTLY_UNIQUE) -> bool:
    filled = list(filter(None, map(key, cells)))
    return bool(filled) and len(set(filled)) >= share * len(filled)


def _of_the_same_name(columns: list[Column], fields: list[list[str]]) -> tuple[Rows, Rows]:
    """Return rows and records that are each other's nearest by the text that names them best."""
    texts = [
        place
        for place, (column, cells) in enumerate(zip(columns, fields, strict=True))
        if column.kind.is_text
        and _is_mostly_unique(cells, _NAMES_UNIQUE)
        and _is_mostly_unique(_of_all(column), _NAMES_UNIQUE)
    ]
    if not texts:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    best = max(texts, key=lambda place: len(set(fields[place])))
    column, cells = columns[best], fields[best]
    sample = np.arange(0, len(cells), -(-len(cells) // _SAMPLE))
    index = column.index
    bag = index.prepare([cells[row] for row in sample.tolist()])
    rows, found = index.candidates(bag, 1, with_vectors=False)
    cosines = products(bag.ngrams, index.rows.ngrams, rows, found)
    by_row, by_text = first_of_best(cosines, rows), np.argsort(found, kind="stable")
    by_text = by_text[first_of_best(cosines[by_text], found[by_text])]
    mutual = np.intersect1d(by_row, by_text)
    mutual = mutual[cosines[mutual] > 0]
    mutual = mutual[:: -(-len(mutual) // _MOST) or 1]
    record_of = np.zeros(len(column.cells), dtype=np.int64)
    record_of[column.places] = np.arange(len(column.places))
    return sample[rows[mutual]], record_of[found[mutual]]


def _with_same_cell(column: Column, cells: list[str]) -> tuple[Rows, Rows]:
    """Return pairs of a row and a record that have the same cell."""
    keys = [key(cell) for cell in cells]
    known = [key(cell) for cell in column.cells]
    records_of = dict(zip(column.places.tolist(), range(len(column.places)), strict=True))
    record_of = {x: records_of[number] for number, x in enumerate(known) if x}
    pairs = [(row, record_of[x]) for row, x in enumerate(keys) if x in record_of]
    pairs = pairs[:: -(-len(pairs) // _MOST)] if pairs else []
    rows, records = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    return rows, records


def _are_alike(column: Column, cells: list[str], rows: Rows, records: Rows) -> bool | None:
    """Return whether the cells of pairs are more alike than those of other pairs of these rows.

    None if there are too few pairs.
    """
    if len(rows) < _FEWEST:
        return None
    own = _without_missing(column.compare(cells, rows, records))
    other = _without_missing(column.compare(cells, rows, np.roll(records, 1)))
    if len(own) < _FEWEST or not len(other):
        return None
    test = mannwhitneyu(own, other, alternative="greater")
    chance = float(test.statistic) / (len(own) * len(other))
    return chance >= _CHANCE and float(test.pvalue) <= _SIGNIFICANT


def _without_missing(similarities: Floats) -> Floats:
    known: Floats = similarities[~np.isnan(similarities)]
    return known
