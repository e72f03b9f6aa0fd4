"""Distributed search for similar pairs."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skpara._typing import Floats, Vectors
from skpara.matching._search import (
    Cells,
    Rows,
    by_cell,
    compare,
    first_equal_rows,
    join_pairs,
)


class Piece(NamedTuple):
    """Rows of one partition that belong to, or are looked up in, cells of one group."""

    numbers: Rows  # of the rows among all sentences
    units: Vectors
    own: Rows  # the cell of each row, -1 if it is in another group
    looked_up: Rows  # positions in this piece, and the cells that they are looked up in
    cells: Rows


class PartitionedSearch:
    """Search for similar pairs in partitions: split each by cells, compare each group of cells.

    ``sample`` are vectors of length 1 drawn from all partitions, which have ``n_rows`` rows.
    """

    def __init__(self, sample: Vectors, n_rows: int, n_groups: int, lowest: float) -> None:
        rows = np.random.default_rng(0).permutation(np.flatnonzero(sample.any(axis=1)))
        self.cells = Cells.learn(sample[rows], n_rows, lowest)
        self.n_groups, self.lowest = n_groups, lowest

    def split(self, numbers: Rows, units: Vectors) -> list[Piece]:
        """Split the rows of a partition, with their numbers among all rows, by group.

        A row may be in several groups. Vectors have length 1 or 0.
        """
        has_words = units.any(axis=1)
        numbers, units = numbers[has_words], units[has_words]
        lookups = self.cells.assign(units)
        own, looked_up, cells = lookups.own, lookups.rows, lookups.cells
        pieces = []
        for group in range(self.n_groups):
            in_group = cells % self.n_groups == group
            # A row is also looked up in its own cell.
            rows, place = np.unique(looked_up[in_group], return_inverse=True)
            own_cells = np.where(own[rows] % self.n_groups == group, own[rows], -1)
            pieces.append(Piece(numbers[rows], units[rows], own_cells, place, cells[in_group]))
        return pieces

    def compare(self, pieces: list[Piece]) -> tuple[Rows, Floats]:
        """Return the pairs and cosines of one group, from its pieces of all partitions.

        Another group may find the same pairs.
        """
        numbers = np.concatenate([piece.numbers for piece in pieces])
        order = np.argsort(numbers, kind="stable")
        numbers = numbers[order]
        units = np.concatenate([piece.units for piece in pieces])[order]
        own = np.concatenate([piece.own for piece in pieces])[order]
        starts = np.cumsum([0, *(len(piece.numbers) for piece in pieces)])
        place = np.empty(len(order), dtype=np.int64)
        place[order] = np.arange(len(order))
        shifted = zip(pieces, starts, strict=False)
        looked_up = place[np.concatenate([piece.looked_up + start for piece, start in shifted])]
        cells = np.concatenate([piece.cells for piece in pieces])
        # As in similar_pairs, rows with equal vectors are compared once. All are in this group.
        owners = first_equal_rows(units)
        is_first = owners == np.arange(len(units))
        equal = np.flatnonzero(~is_first & (own >= 0))
        n_cells = len(self.cells.centres)
        belonging = by_cell(
            own[(own >= 0) & is_first], np.flatnonzero((own >= 0) & is_first), n_cells
        )
        lookups = is_first[looked_up]
        others = by_cell(cells[lookups], looked_up[lookups], n_cells)
        parts = [(np.column_stack([owners[equal], equal]), np.ones(len(equal)))]
        for inside, around in zip(belonging, others, strict=True):
            parts.append(compare(units, inside, around, self.lowest))
        pairs, cosines = join_pairs(parts)
        return numbers[pairs], cosines
