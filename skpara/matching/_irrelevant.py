"""Columns that do not tell which rows are the same thing, such as row numbers."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import mannwhitneyu

from skpara._typing import Floats
from skpara._warnings import warn
from skpara.matching._model import first_of_best
from skpara.matching._records import Records
from skpara.matching._search import Rows
from skpara.matching._strategies import Fields, Scored

# Rows that are looked at, drawn at random, and pairs at random for each.
_ROWS = 300
_AT_RANDOM = 5
# Fewer pairs do not show whether the cells of a column are alike.
_FEWEST = 15
# Chance that a pair is more alike than one at random: a column that has less in the best pairs
# is looked at again in pairs that match without it.
_DOUBTFUL = 0.7
# A larger p-value says that the cells are no more alike than at random.
_SIGNIFICANT = 0.01
# A column is named if without it so many times as many rows match.
_MORE = 1.2


class Irrelevant(NamedTuple):
    """Columns that are compared as one, and the shares of rows that match with and without."""

    numbers: list[int]
    matched: float
    without: float


# Of the columns of some rows, and of pairs of a row and a record.
LogOdds = Callable[[list[list[str]], Rows, Rows], Floats]


def warn_between(names: Sequence[Any], records: Records, scored: Scored) -> None:
    """Warn of columns that keep queries from matching, and tell nothing."""
    rows, columns, _, cells = scored[:4]
    assert isinstance(records.strategy, Fields)
    queries = _drawn(np.unique(rows))
    sampled = np.flatnonzero(np.isin(rows, queries))
    rows, columns = np.searchsorted(queries, rows[sampled]), columns[sampled]
    cells = [[column[row] for row in queries.tolist()] for column in cells]
    for found in _irrelevant(records, cells, rows, columns, records.strategy.log_odds):
        _warn(names, found, "match")


def warn_within(names: Sequence[Any], records: Records, n_candidates: int) -> None:
    """Warn of columns that keep duplicates of one table from being found, and tell nothing."""
    numbers = _drawn(np.arange(len(records.whole)))
    assert isinstance(records.strategy, Fields)
    queries, rows, columns = records.strategy.nearest(numbers, n_candidates)
    log_odds = partial(records.strategy.log_odds_within, numbers)
    for found in _irrelevant(records, queries.cells, rows, columns, log_odds):
        _warn(names, found, "have a duplicate")


def _warn(names: Sequence[Any], found: Irrelevant, what: str) -> None:
    column = " and ".join(repr(names[number]) for number in found.numbers)
    warn(
        f"Column {column}: in rows that are alike in the other columns, its cells are no more "
        f"alike than in rows at random. {found.matched:.0%} of the rows {what}; without the "
        f"column, {found.without:.0%} would. If it may differ for the same thing, as row numbers "
        "do, leave it out of on. If not, these rows are different things."
    )


def _drawn(rows: Rows) -> Rows:
    return np.sort(np.random.default_rng(0).permutation(rows)[:_ROWS])


def _irrelevant(
    records: Records, cells: list[list[str]], rows: Rows, columns: Rows, log_odds: LogOdds
) -> Iterator[Irrelevant]:
    """Yield columns without which more rows match, though no more alike there than at random."""
    rng, n = np.random.default_rng(0), len(cells[0])
    if n < _FEWEST:
        return
    logits = log_odds(cells, rows, columns)
    best = first_of_best(logits, rows)
    matched = np.count_nonzero(logits[best] > 0) / n
    fields = records.fields(cells)
    for field, numbers in enumerate(records.merged):
        chance, _ = _likeness(records, fields, field, rows[best], columns[best], rng)
        if chance >= _DOUBTFUL:
            continue
        emptied = [[""] * n if i in numbers else column for i, column in enumerate(cells)]
        logits = log_odds(emptied, rows, columns)
        pairs = first_of_best(logits, rows)
        pairs = pairs[logits[pairs] > 0]
        without = len(pairs) / n
        if without < _MORE * matched:
            continue
        chance, p_value = _likeness(records, fields, field, rows[pairs], columns[pairs], rng)
        if chance < _DOUBTFUL and p_value > _SIGNIFICANT:
            yield Irrelevant(numbers, matched, without)


def _likeness(
    records: Records,
    fields: list[list[str]],
    field: int,
    rows: Rows,
    columns: Rows,
    rng: np.random.Generator,
) -> tuple[float, float]:
    """Return the chance that cells of these pairs are more alike than at random, and a p-value.

    Of columns that must be the same, and of few pairs, the chance is 1.
    """
    column = records.columns[field]
    random = rng.integers(len(records.whole), size=_AT_RANDOM * len(rows))
    alike = column.compare(fields[field], rows, columns)
    at_random = column.compare(fields[field], np.repeat(rows, _AT_RANDOM), random)
    alike, at_random = alike[~np.isnan(alike)], at_random[~np.isnan(at_random)]
    if column.kind == "same" or len(alike) < _FEWEST or not len(at_random):
        return 1.0, 0.0
    test = mannwhitneyu(alike, at_random, alternative="greater")
    return float(test.statistic / (len(alike) * len(at_random))), float(test.pvalue)
