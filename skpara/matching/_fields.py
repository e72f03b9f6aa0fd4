"""Columns of records: their kinds, and the similarity of their cells.

Each column has a kind, and with it a similarity between 0 and 1; a missing cell has none.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from skpara._array_files import check_array, check_texts
from skpara._public import set_module
from skpara._typing import Floats
from skpara.matching._model import NAMES, SENTENCES
from skpara.matching._search import Rows, encode_units
from skpara.matching._texts import FEATURES, TextIndex, shallow_copy
from skpara.matching._values import date_similarity, days, key, similarity

TEXTS = ("text", NAMES, SENTENCES)
KINDS = (*TEXTS, "exact", "same", "number", "date", "code")
# Weights of meaning and spelling in the similarity of sentences; as in the packaged numbers.
_MEANING = 0.9
_SPELLING = 0.1


@set_module("skpara.matching", trusted=True)
class Column:
    """Cells of one kind, and their similarity with others."""

    def __init__(self, kind: str, cells: Sequence[str], encoder: Any) -> None:
        self.kind, self.encoder = kind, encoder
        self.cells, self.places = _distinct(cells)
        if kind in (NAMES, SENTENCES):
            self.index = TextIndex(self.cells, self._encode(self.cells))
        self._read()

    def extended(self, cells: Sequence[str]) -> Column:
        """Return a column of more cells."""
        new, n = shallow_copy(self), len(self.cells)
        new.cells, places = _distinct([*self.cells, *cells])
        new.places = np.append(self.places, places[n:])
        if self.kind in (NAMES, SENTENCES):
            new.index = self.index.extended(new.cells[n:], self._encode(new.cells[n:]))
        new._read()
        return new

    def _read(self) -> None:
        """Read what all cells together tell, which is not saved."""
        if self.kind == "date":
            self.days = days(self.cells)
        if self.kind == "same":
            self.groups = grouped([key(self.cells[place]) for place in self.places.tolist()])

    def __getstate__(self) -> dict[str, Any]:
        read = ("days", "groups")
        return {name: value for name, value in vars(self).items() if name not in read}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._read()

    def _check_loaded(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"the kind of a column is {self.kind!r:.40}")
        check_texts("the cells of a column", self.cells)
        check_array("places of cells", self.places, np.int64, (None,), below=len(self.cells))
        if self.kind in (NAMES, SENTENCES):
            check_texts("indexed cells", self.index.rows.texts, len(self.cells))

    def _encode(self, cells: list[str]) -> Any:
        return encode_units(self.encoder, cells) if self.kind == SENTENCES else None

    def of_rows(self, rows: Rows) -> list[str]:
        """Return the cells of rows."""
        return [self.cells[place] for place in self.places[rows].tolist()]

    def compare(self, cells: Sequence[str], rows: Rows, columns: Rows) -> Floats:
        """Return the similarity of pairs of a given cell and one of these; NaN is missing."""
        return self.compare_with_features(cells, rows, columns)[0]

    def compare_with_features(
        self, cells: Sequence[str], rows: Rows, columns: Rows
    ) -> tuple[Floats, Floats | None]:
        """Return the similarity of pairs, and of texts their features."""
        distinct, places = _distinct(cells)
        n = max(len(self.cells), 1)
        keys, back = np.unique(places[rows] * n + self.places[columns], return_inverse=True)
        i, j = np.divmod(keys, n)
        left, right = ([x[k] for k in y.tolist()] for x, y in ((distinct, i), (self.cells, j)))
        features = None
        if self.kind == "date":
            values = date_similarity(left, right, days(distinct)[i], self.days[j])
        elif self.kind in (NAMES, SENTENCES):
            bag = self.index.prepare(distinct, self._encode(distinct))
            features = self.index.compare(bag, i, j, self.kind == NAMES)
            values = text_similarity(features, self.kind)
            features = features[back]
        else:
            values = similarity(self.kind, left, right)
        missing = [not a or not b for a, b in zip(left, right, strict=True)]
        return np.where(missing, np.nan, values)[back], features


def text_similarity(features: Floats, kind: str) -> Floats:
    """Return the similarity of pairs of texts, between 0 and 1; 1 only if they are equal."""
    f = dict(zip(FEATURES, features.T, strict=True))
    if kind == NAMES:
        values = np.maximum(
            (f["characters"] + f["soft"]) / 2, np.maximum(f["sorted"], f["joined"])
        )
    else:
        values = _MEANING * f["meaning"] + _SPELLING * f["characters"]
    return np.where(f["equal"] == 1, 1.0, values)


def grouped(cells: Sequence[Any]) -> dict[Any, Rows]:
    """Return the places of each different cell, in order."""
    places = defaultdict[Any, list[int]](list)
    for place, cell in enumerate(cells):
        places[cell].append(place)
    return {cell: np.array(found) for cell, found in places.items()}


def _distinct(cells: Sequence[str]) -> tuple[list[str], Rows]:
    numbers: dict[str, int] = {}
    places = np.array([numbers.setdefault(cell, len(numbers)) for cell in cells], dtype=np.int64)
    return list(numbers), places
