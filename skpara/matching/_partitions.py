"""The search for similar pairs in parts, for more sentences than one machine holds."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skpara._public import set_module
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


@set_module("skpara.matching")
class PartitionedSearch:
    """Similar pairs among partitions: each is split by cells, and each group of cells compared.

    :func:`skpara.dask.similar_pairs` runs it on a cluster.

    Parameters
    ----------
    sample : ndarray of shape (n_rows, n_dims), float32
        Vectors of length 1, drawn from all partitions.
    n_rows : int
        Number of all rows.
    n_groups : int
        In how many groups the cells are compared.
    lowest : float
        Lowest cosine of a pair.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.matching import PartitionedSearch
    >>> units = np.float32([[1, 0], [0, 1], [0.6, 0.8], [1, 0]])
    >>> search = PartitionedSearch(units, n_rows=4, n_groups=1, lowest=0.7)
    >>> pieces = [search.split(np.arange(4), units)[0]]
    >>> search.compare(pieces)[0].tolist()
    [[0, 3], [1, 2]]
    """

    def __init__(self, sample: Vectors, n_rows: int, n_groups: int, lowest: float) -> None:
        rows = np.flatnonzero(sample.any(axis=1))
        # Where all sentences are empty, one cell will do, too.
        self.cells = Cells.learn(sample, rows, lowest, n_rows if len(rows) else 0)
        self.n_groups, self.lowest = n_groups, lowest

    def split(self, numbers: Rows, units: Vectors) -> list[Piece]:
        """Split the rows of a partition by group; a row may be in several.

        Parameters
        ----------
        numbers : ndarray of shape (n_rows,), int64
            Numbers of the rows among all rows.
        units : ndarray of shape (n_rows, n_dims), float32
            Their vectors, of length 1 or 0.

        Returns
        -------
        list of Piece, length n_groups
            The rows of each group.
        """
        has_words = units.any(axis=1)
        numbers, units = numbers[has_words], units[has_words]
        own, looked_up, cells = self.cells.assign(units)
        pieces = []
        for group in range(self.n_groups):
            in_group = cells % self.n_groups == group
            # The own cell is among those that a row is looked up in.
            rows, place = np.unique(looked_up[in_group], return_inverse=True)
            own_cells = np.where(own[rows] % self.n_groups == group, own[rows], -1)
            pieces.append(Piece(numbers[rows], units[rows], own_cells, place, cells[in_group]))
        return pieces

    def compare(self, pieces: list[Piece]) -> tuple[Rows, Floats]:
        """Find the pairs of one group.

        Parameters
        ----------
        pieces : list of Piece
            The pieces of all partitions for this group.

        Returns
        -------
        pairs : ndarray of shape (n_pairs, 2), int64
            Numbers of rows. Another group may find the same pairs.
        cosines : ndarray of shape (n_pairs,), float64
            Their cosines.
        """
        order = np.argsort(np.concatenate([piece.numbers for piece in pieces]), kind="stable")
        numbers = np.concatenate([piece.numbers for piece in pieces])[order]
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
