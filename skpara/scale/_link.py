"""Clusters of any number of rows from pairs, a limited number at a time."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from skpara._core import distinct
from skpara._typing import Bools, Floats, Ints
from skpara.matching import complete_merges, connected

if TYPE_CHECKING:
    import pyarrow as pa


class Pairs(NamedTuple):
    """Pairs of rows that are duplicates by their score, and that no guard keeps apart."""

    first: Ints
    second: Ints
    scores: Floats
    are_equal: Bools  # the second row was compared through the first one, and joins its cluster

    @classmethod
    def of(cls, table: pa.Table | pa.RecordBatch) -> Pairs:
        """Return the pairs of a table of what an engine has judged."""
        names = ("first", "second", "score", "repeated")
        return cls(*(table[name].to_numpy(zero_copy_only=False) for name in names))


class Sets:
    """Disjoint sets of the rows from 0 to n, each known by its lowest row."""

    def __init__(self, n: int) -> None:
        self._lower = np.arange(n)

    def join(self, first: Ints, second: Ints) -> None:
        """Join the sets of both rows of pairs."""
        if not len(first):
            return
        roots = np.column_stack([self.roots(first), self.roots(second)])
        rows, places = np.unique(roots, return_inverse=True)
        labels = connected(places.reshape(-1, 2), len(rows))
        # Labels are numbered in the order of their first, lowest, row.
        lowest = rows[np.unique(labels, return_index=True)[1]]
        self._lower[rows] = lowest[labels]

    def roots(self, rows: Ints | None = None) -> Ints:
        """Return the lowest row of the sets of some rows, or of all."""
        roots = self._lower if rows is None else self._lower[rows]
        while True:
            lower = self._lower[roots]
            if np.array_equal(lower, roots):
                return roots
            roots = lower


def linked(
    n: int,
    linkage: str,
    batches: Callable[[], Iterable[Pairs]],
    most_pairs: int,
    ranks: Ints,
) -> Ints:
    """Return the lowest row of the cluster of each row.

    ``batches`` yields the pairs each time it is called; at most ``most_pairs`` are in memory.
    Ties are broken by the ``ranks`` of rows.
    """
    clusters = Sets(n)
    if linkage == "single":
        for pairs in batches():
            clusters.join(pairs.first, pairs.second)
        return clusters.roots()
    chains, n_pairs = Sets(n), 0
    for pairs in batches():
        compared = ~pairs.are_equal
        n_pairs += int(compared.sum())
        chains.join(pairs.first[compared], pairs.second[compared])
        clusters.join(pairs.first[pairs.are_equal], pairs.second[pairs.are_equal])
    chain_of = chains.roots()
    del chains
    n_parts = -(-n_pairs // most_pairs)
    for part in range(n_parts):
        kept = []
        for pairs in batches():
            inside = ~pairs.are_equal & (chain_of[pairs.first] % n_parts == part)
            kept.append(Pairs(*(x[inside] for x in pairs)))
        joined = Pairs(*map(np.concatenate, zip(*kept, strict=True)))
        both = np.column_stack([joined.first, joined.second])
        rows = distinct(both)
        order = np.argsort(ranks[rows])
        places = np.argsort(order)[np.searchsorted(rows, both)]
        clusters.join(*rows[order][complete_merges(places, joined.scores)].T)
    return clusters.roots()
