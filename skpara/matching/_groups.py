"""The pairs of records of one table that are compared: neighbours, and all pairs within groups.

A record is compared with its nearest neighbours, and with more of them where all are probably the
same thing. Then groups are formed, and what was not compared within a group is compared, until
the groups stay as they are. So a group may be larger than the number of neighbours, and holds only
what was compared.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from skpara._core import distinct
from skpara._messages import warn
from skpara._typing import Bools, Floats
from skpara.matching._clusters import average_merges, connected
from skpara.matching._search import Rows

# A record whose neighbours are probably all the same thing gets this many times more neighbours.
_MORE = 4
# Most neighbours of a record.
_MOST_NEIGHBOURS = 160
# Most records, drawn evenly, that a record is compared with inside its group: the mean over more
# pairs would hardly differ.
_MOST_WITHIN = 128
# Groups change in few rounds.
_ROUNDS = 8


class Within(Protocol):
    """Distinct records of one table, and the pairs of them that were compared."""

    def propose(self, numbers: Rows, k: int) -> tuple[Rows, Rows]:
        """Propose the k nearest neighbours of some records."""

    def compare(self, rows: Rows, columns: Rows) -> None:
        """Compare further pairs."""

    def log_odds(self, pairs: Rows) -> Floats:
        """Return the log odds of all pairs, in the order in which they were compared."""

    def refused(self, pairs: Rows) -> Bools:
        """Return which pairs are not the same thing, however probable."""


def compared_pairs(n: int, k: int, within: Within) -> tuple[Rows, Floats]:
    """Return pairs of ``n`` distinct records, the lower number first, and their log odds."""
    pairs = _added(np.empty((0, 2), dtype=np.int64), n, within, *within.propose(np.arange(n), k))
    odds, full = within.log_odds(pairs), np.arange(n)
    while len(full) and k < min(n - 1, _MOST_NEIGHBOURS):
        likely = _without_refused(pairs, odds, within) >= 0
        probable = np.bincount(pairs[likely].ravel(), minlength=n)
        full = full[probable[full] >= k]
        k *= _MORE
        if len(full):
            more = within.propose(full, min(k, _MOST_NEIGHBOURS))
            pairs = _added(pairs, n, within, *more)
            odds = within.log_odds(pairs)
    if len(full) and n - 1 > _MOST_NEIGHBOURS:
        warn(
            f"{len(full)} records are probably the same as each of the {_MOST_NEIGHBOURS} records "
            "that they were compared with. They may be the same as others, too: look at their "
            "groups, and compare more columns if they differ."
        )
    for _ in range(_ROUNDS):
        groups = connected(average_merges(pairs, _without_refused(pairs, odds, within)), n)
        rows, columns = _inside(groups, _keys(pairs, n))
        if not len(rows):
            break
        pairs = _added(pairs, n, within, rows, columns)
        odds = within.log_odds(pairs)
    return pairs, odds


def _without_refused(pairs: Rows, odds: Floats, within: Within) -> Floats:
    """Return the log odds of pairs, infinitely low ones for those that are refused.

    Else rows such as "Item No. 7" would be one large group, whose pairs are all compared.
    """
    odds, likely = odds.copy(), np.flatnonzero(odds >= 0)
    odds[likely[within.refused(pairs[likely])]] = -np.inf
    return odds


def _added(known: Rows, n: int, within: Within, rows: Rows, columns: Rows) -> Rows:
    """Compare pairs that are not known, and add them."""
    keys = distinct(np.minimum(rows, columns) * n + np.maximum(rows, columns))
    keys = np.setdiff1d(keys, _keys(known, n), assume_unique=True)
    new = np.column_stack(np.divmod(keys, max(n, 1)))
    within.compare(*new.T)
    return np.concatenate([known, new])


def _keys(pairs: Rows, n: int) -> Rows:
    keys: Rows = pairs[:, 0] * n + pairs[:, 1]
    return keys


def _inside(groups: Rows, known: Rows) -> tuple[Rows, Rows]:
    """Return the pairs within groups that are not known, at most some for each record."""
    n = len(groups)
    shuffled = np.random.default_rng(0).permutation(n)  # the same rows give the same result
    members = shuffled[np.argsort(groups[shuffled], kind="stable")]
    sizes = np.bincount(groups)[groups[members]]
    starts = np.repeat(np.cumsum(np.bincount(groups)) - np.bincount(groups), np.bincount(groups))
    place = np.arange(n) - starts
    parts = [np.empty((0, 2), dtype=np.int64)]
    for step in range(1, _MOST_WITHIN // 2 + 1):  # each with those that follow, in a circle
        chosen = np.flatnonzero(sizes // 2 >= step)
        if not len(chosen):
            break
        others = members[starts[chosen] + (place[chosen] + step) % sizes[chosen]]
        parts.append(np.column_stack([members[chosen], others]))
    rows, columns = np.sort(np.concatenate(parts), axis=1).T
    keys = np.setdiff1d(distinct(rows * n + columns), known, assume_unique=True)
    rows, columns = np.divmod(keys, max(n, 1))
    return rows, columns
