"""Matching with a reference of names that is too large for one index.

The names are indexed in parts, with the weights of all. What the parts propose for some queries is
scored and decided as a :class:`TableMatcher` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from sklearn.base import clone

from skpara._typing import Floats
from skpara.matching._answers import Judgments
from skpara.matching._decisions import Decisions
from skpara.matching._guard import OF_NAMES, Guard
from skpara.matching._matcher import TableMatcher
from skpara.matching._model import neighbourhood
from skpara.matching._records import Records
from skpara.matching._search import Rows, best_of_each_row
from skpara.matching._strategies import N_NEIGHBOURS
from skpara.matching._texts import TextIndex


class Proposals(NamedTuple):
    """Pairs of a query and a name that one way to search proposes."""

    rows: Rows
    names: Rows  # numbers in the whole reference
    products: Floats

    @classmethod
    def best(cls, parts: Sequence[Proposals], k: int) -> Proposals:
        """Return the k most similar names of each query, of what parts of the names propose."""
        rows, names, products = map(np.concatenate, zip(*parts, strict=True))
        best = best_of_each_row(rows, names, products, k)
        return cls(rows[best], names[best], products[best])


def checked_matcher(matcher: TableMatcher) -> TableMatcher:
    """Return a clone of a matcher whose parameters suit a large reference, or raise."""
    given = {"model": matcher.model, "top_k": matcher.top_k, "one_to_one": matcher.one_to_one}
    for name, only in {"model": None, "top_k": 1, "one_to_one": False}.items():
        if given[name] != only:
            raise ValueError(
                f"{name}={given[name]!r:.60} needs all candidates in memory. Leave it out, or use "
                "TableMatcher."
            )
    new: TableMatcher = clone(matcher)
    new._validate_params()
    new._lowest()  # checks the threshold
    return new


def sample_of_neighbours(n_names: int) -> Rows:
    """Return the names whose nearest neighbours show how close all are to each other."""
    rng = np.random.default_rng(0)
    return np.sort(rng.choice(n_names, min(n_names, N_NEIGHBOURS), replace=False))


def proposed_pairs(ways: Sequence[Proposals]) -> tuple[Rows, Rows]:
    """Return the pairs that any way to search proposes, in order, each once."""
    rows, names = (np.concatenate(x) for x in list(zip(*ways, strict=True))[:2])
    order = np.lexsort((names, rows))
    rows, names = rows[order], names[order]
    is_new = (np.diff(rows, prepend=-1) != 0) | (np.diff(names, prepend=-1) != 0)
    return rows[is_new], names[is_new]


def near_neighbours(
    matcher: TableMatcher,
    index: TextIndex,
    texts: list[str],
    pairs: tuple[Rows, Rows],
    names: list[str],
) -> Floats:
    """Return how close the names of a sample are to their nearest neighbours among ``names``."""
    records = Records.of_candidates(index, names, np.zeros(2), matcher.encoder)
    strategy = records.strategy
    return neighbourhood(strategy.score(strategy.prepare([texts]), *pairs), pairs[0])


def decided(
    matcher: TableMatcher,
    index: TextIndex,
    near: Floats,
    queries: list[str],
    pairs: tuple[Rows, Rows],
    names: list[str],
) -> tuple[Rows, Rows, Floats]:
    """Return the matches of queries: their rows, the columns of ``names``, and probabilities.

    ``pairs`` are the rows of queries, in order, and the columns of their candidates.
    """
    records = Records.of_candidates(index, names, near, matcher.encoder)
    strategy = records.strategy
    scored = strategy.of_call(strategy.compare(strategy.prepare([queries]), *pairs))
    guard = Guard(OF_NAMES if matcher.guard == "auto" else matcher.guard)
    decisions = Decisions(
        records, Judgments(), guard, matcher._lowest(), precision=matcher.precision
    )
    scored, values, best, _ = decisions.decide(scored)
    return scored.rows[best], scored.columns[best], values[best]
