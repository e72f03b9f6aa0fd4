"""Columns of records: their cells, each once, and the similarity of pairs by their kind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from skpara._array_files import check_array, check_texts
from skpara._normal_form import record_key
from skpara._public import set_module
from skpara._typing import Bools, Floats
from skpara.matching._kinds import Cells, Kind, Text, as_kind, saved_kind
from skpara.matching._search import Rows, encode_units
from skpara.matching._texts import TextIndex, shallow_copy


@set_module("skpara.matching", trusted=True)
class Column:
    """Cells of one kind, and their similarity with others."""

    def __init__(self, kind: str | Kind, cells: Sequence[str], encoder: Any) -> None:
        self.kind, self.encoder = as_kind(kind), encoder
        self.cells, self.places = _distinct(cells)
        if self.kind.is_text:
            self.index = TextIndex(self._forms(self.cells), self._encode(self.cells))
        self._read()

    def extended(self, cells: Sequence[str]) -> Column:
        """Return a column of more cells."""
        new, n = shallow_copy(self), len(self.cells)
        new.cells, places = _distinct([*self.cells, *cells])
        new.places = np.append(self.places, places[n:])
        if self.kind.is_text:
            new.index = self.index.extended(
                self._forms(new.cells[n:]), self._encode(new.cells[n:])
            )
        new._read()
        return new

    def _read(self) -> None:
        """Read what all cells show together, which is not saved."""
        self._told = self.kind.told(self.cells)
        self._values, self._filled = self.read(self.cells), _filled(self.cells)
        self.groups: dict[Any, Rows] = {}
        if self.kind.must_agree:
            self.groups = grouped(self._values.forms[self.places].tolist())

    def read(self, cells: Sequence[str]) -> Cells:
        """Return cells in the forms in which they are searched and compared with these."""
        return self.kind.read(cells, self._told)

    def __getstate__(self) -> dict[str, Any]:
        read = ("_told", "_values", "_filled", "groups")
        state = {name: value for name, value in vars(self).items() if name not in read}
        return state | {"kind": saved_kind(self.kind)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state | {"kind": as_kind(state["kind"])})
        self._read()

    def _check_loaded(self) -> None:
        check_texts("the cells of a column", self.cells)
        check_array("places of cells", self.places, np.int64, (None,), below=len(self.cells))
        if as_kind(self.kind).is_text:
            check_texts("indexed cells", self.index.rows.texts, len(self.cells))

    def _forms(self, cells: Sequence[str]) -> list[str]:
        return list(map(self.kind.normal, cells))

    def _encode(self, cells: list[str]) -> Any:
        return encode_units(self.encoder, cells) if self.kind.has_meaning else None

    def of_rows(self, rows: Rows) -> list[str]:
        """Return the cells of rows."""
        return [self.cells[place] for place in self.places[rows].tolist()]

    def are_equal(self, cells: Sequence[str], rows: Rows, columns: Rows) -> Bools:
        """Return which pairs of a given cell and one of these say the same."""
        places, back = np.unique(self.places[columns], return_inverse=True)
        left, right = self.read(cells).forms.tolist(), self._values.forms[places].tolist()
        if self.kind.is_text:
            left, right = ([record_key(text) for text in forms] for forms in (left, right))
        pairs = zip(rows.tolist(), back.tolist(), strict=True)
        return np.array([left[i] == right[j] for i, j in pairs], dtype=bool)

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
        features = None
        if isinstance(self.kind, Text):
            bag = self.index.prepare(self._forms(distinct), self._encode(distinct))
            features = self.index.compare(bag, i, j, not self.kind.has_meaning)
            values, features = self.kind.of_features(features), features[back]
        else:
            values = self.kind.compare(self.read(distinct).take(i), self._values.take(j))
        filled = _filled(distinct)[i] & self._filled[j]
        return np.where(filled, values, np.nan)[back], features


def grouped(cells: Sequence[Any]) -> dict[Any, Rows]:
    """Return the places of each different cell, in order."""
    places = defaultdict[Any, list[int]](list)
    for place, cell in enumerate(cells):
        places[cell].append(place)
    return {cell: np.array(found) for cell, found in places.items()}


def _filled(cells: Sequence[str]) -> Bools:
    return np.array(list(map(bool, cells)), dtype=np.bool_)


def _distinct(cells: Sequence[str]) -> tuple[list[str], Rows]:
    numbers: dict[str, int] = {}
    places = np.array([numbers.setdefault(cell, len(numbers)) for cell in cells], dtype=np.int64)
    return list(numbers), places
