"""The pairs of records of one table that are compared: neighbours, and all pairs within groups.

A record is compared with its nearest neighbours, and with more of them where all are probably the
same thing. Then groups are formed, and what was not compared within a group is compared, until
the groups stay as they are. So a group may be larger than the number of neighbours, and holds only
what was compared.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from skpara._typing import Bools, Floats
from skpara._warnings import warn
from skpara.matching._clusters import average_merges, connected
from skpara.matching._search import Rows

# A record whose neighbours are probably all the same gets this many times more,
_MORE = 4
# up to so many.
_MOST_NEIGHBOURS = 160
# Within a group, a record is compared with so many others at most, drawn evenly; the mean of more
# pairs is hardly another one.
_MOST_WITHIN = 128
# Groups change in few rounds.
_ROUNDS = 8


class Found(NamedTuple):
    """Pairs of distinct records in both directions, ordered, each once."""

    rows: Rows
    columns: Rows
    values: Floats  # what was compared, a row for each pair


# Proposes the k nearest neighbours of some records; compares pairs; returns the log odds of each
# pair in one direction or both.
Propose = Callable[[Rows, int], tuple[Rows, Rows]]
Compare = Callable[[Rows, Rows], Floats]
LogOdds = Callable[[Found], tuple[Rows, Floats]]
# Tells which pairs are not the same thing, however probable.
Refuse = Callable[[Rows], Bools]


def compared_pairs(
    n: int, k: int, propose: Propose, compare: Compare, log_odds: LogOdds, refuse: Refuse
) -> tuple[Rows, Floats]:
    """Return pairs of ``n`` distinct records, the lower number first, and their log odds."""
    rows, columns = propose(np.arange(n), k)
    found = _joined(None, n, rows, columns, compare)
    pairs, odds = log_odds(found)
    full = np.arange(n)
    while len(full) and k < min(n - 1, _MOST_NEIGHBOURS):
        likely = _without_refused(pairs, odds, refuse) >= 0
        probable = np.bincount(pairs[likely].ravel(), minlength=n)
        full = full[probable[full] >= k]
        k *= _MORE
        if len(full):
            rows, columns = propose(full, min(k, _MOST_NEIGHBOURS))
            found = _joined(found, n, rows, columns, compare)
            pairs, odds = log_odds(found)
    if len(full) and n - 1 > _MOST_NEIGHBOURS:
        warn(
            f"{len(full)} records are probably the same as each of the {_MOST_NEIGHBOURS} records "
            "that they were compared with. They may be the same as others, too: look at their "
            "groups, and compare more columns if they differ."
        )
    for _ in range(_ROUNDS):
        groups = connected(average_merges(pairs, _without_refused(pairs, odds, refuse)), n)
        rows, columns = _within(groups, found.rows * n + found.columns)
        if not len(rows):
            break
        found = _joined(found, n, rows, columns, compare)
        pairs, odds = log_odds(found)
    return pairs, odds


def _without_refused(pairs: Rows, odds: Floats, refuse: Refuse) -> Floats:
    """Return the log odds of pairs, infinitely low ones for those that are refused.

    Else rows such as "Item No. 7" would be one large group, whose pairs are all compared.
    """
    odds, likely = odds.copy(), np.flatnonzero(odds >= 0)
    odds[likely[refuse(pairs[likely])]] = -np.inf
    return odds


def _joined(found: Found | None, n: int, rows: Rows, columns: Rows, compare: Compare) -> Found:
    """Add pairs, in both directions; what was compared before is kept."""
    keys = np.unique(np.concatenate([rows * n + columns, columns * n + rows]))
    if found is not None:
        keys = np.setdiff1d(keys, found.rows * n + found.columns, assume_unique=True)
    rows, columns = np.divmod(keys, max(n, 1))
    values = compare(rows, columns)
    if found is not None:
        rows, columns = np.append(found.rows, rows), np.append(found.columns, columns)
        values = np.append(found.values, values, axis=0)
    order = np.lexsort((columns, rows))
    return Found(rows[order], columns[order], values[order])


def _within(groups: Rows, known: Rows) -> tuple[Rows, Rows]:
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
    keys = np.setdiff1d(rows * n + columns, known)
    rows, columns = np.divmod(keys, max(n, 1))
    return rows, columns
