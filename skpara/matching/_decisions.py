"""Decisions which candidates match, by their scores, answers of people and the guard."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
from scipy.special import expit, logit

from skpara._typing import Floats
from skpara.matching._answers import Compared, Judgments
from skpara.matching._guard import Guard
from skpara.matching._model import n_accepted, place_in_run
from skpara.matching._records import Records
from skpara.matching._scores import score_pairs, scores_are_probabilities
from skpara.matching._search import Rows, best_of_each_row
from skpara.matching._strategies import Scored


class Decided(NamedTuple):
    """Pairs with the decision which of them match."""

    scored: Scored  # the pairs that the guard leaves
    values: Floats  # their probabilities, or scores where a model predicts none
    best: Rows  # places of those that match
    refused: dict[int, str]  # why the guard refused the best candidate of a query


@dataclass
class Decisions:
    """A reference with what decides about matches: parameters of a matcher, and answers."""

    records: Records
    judgments: Judgments
    guard: Guard  # of one call, as it remembers the pairs that it has seen
    lowest: float  # probability or score of a match
    names: list[str] = field(default_factory=lambda: ["text"])  # of the columns
    model: Any = None
    top_k: int | None = 1
    n_candidates: int = 10
    one_to_one: bool = False
    precision: float | None = None

    @property
    def has_probabilities(self) -> bool:
        """Whether the value of a match is a probability."""
        return self.model is None or scores_are_probabilities(self.model)

    def score(self, cells: list[list[str]]) -> Scored:
        """Find the candidates of queries, and score them."""
        n_candidates = max(self.n_candidates, self.top_k or 1)
        scored = self._score(cells, n_candidates)
        while self.top_k is None and n_candidates < len(self.records.whole):
            if self.judgments.need_features:
                scored = self.with_features(scored)
            scored = self.of_call(scored)
            probable = self._values(scored, by_hand=True) >= self.lowest
            counts = np.bincount(scored.rows[probable], minlength=len(cells[0]))
            full = np.flatnonzero(counts >= n_candidates)  # these may match others, too
            if not len(full):
                break
            n_candidates *= 4
            more = self._score([[column[row] for row in full] for column in cells], n_candidates)
            rest = scored.chosen(np.flatnonzero(~np.isin(scored.rows, full)))
            scored = Scored.joined([rest, more._replace(rows=full[more.rows])], cells)
        return scored

    def _score(self, cells: list[list[str]], n_candidates: int) -> Scored:
        strategy = self.records.strategy
        queries = strategy.prepare(cells)
        rows, columns = strategy.candidates(queries, n_candidates)
        if self.model is None:
            return strategy.compare(queries, rows, columns)
        pairs = np.column_stack([rows, columns])
        scores = score_pairs(self.model, cells[0], self.records.whole, pairs)
        return Scored(rows, columns, logit(scores) if self.has_probabilities else scores, cells)

    def with_features(self, scored: Scored) -> Scored:
        """Add what answers are learned from: features that pairs are scored by."""
        if scored.features is not None or self.model is not None:
            return scored
        strategy = self.records.strategy
        queries = strategy.prepare(scored.cells)
        return scored._replace(features=strategy.judged(queries, scored.rows, scored.columns))

    def of_call(self, scored: Scored) -> Scored:
        """Compute the evidence of all pairs of a call."""
        return scored if self.model is not None else self.records.strategy.of_call(scored)

    def logits(self, scored: Scored) -> Floats:
        """Return the log odds of pairs in the context of all; scores that are none."""
        return self.records.strategy.calibrate(scored) if self.model is None else scored.scores

    def compared(self, scored: Scored) -> Compared:
        """Return pairs as answers are about them."""
        found = self.records
        columns, places = np.unique(scored.columns, return_inverse=True)
        first = found.rows[found.starts[columns]]
        return Compared(
            self.names,
            list(zip(*scored.cells, strict=True)),
            [tuple(column[row] for column in found.cells) for row in first.tolist()],
            np.column_stack([scored.rows, places]),
            {"query": scored.rows, "candidate": found.numbers[first][places]},
            self.logits(scored),
            scored.features,
            float(logit(self.lowest)),
        )

    def _values(self, scored: Scored, by_hand: bool) -> Floats:
        """Return the probabilities of pairs; the scores of a model without probabilities."""
        if not self.has_probabilities:
            return scored.scores
        if self.judgments.answers:
            return expit(self.judgments.decided(self.compared(scored), by_hand))
        return expit(self.logits(scored))

    def decide(self, scored: Scored, by_hand: bool = True) -> Decided:
        """Decide which pairs match.

        Only what would match is guarded, which is slow; then what was second has another lead.
        """
        if self.judgments.need_features:
            scored = self.with_features(scored)
        said = np.zeros(len(scored.rows), dtype=np.int8)  # 1 is yes, -1 is no
        if by_hand and self.judgments.answers:
            said = self.judgments.said(self.compared(scored))
        texts, others = self.records.joined(scored.cells), self.records.whole
        refused: dict[int, str] = {}
        taken = np.zeros(len(scored.rows), dtype=bool)  # candidates that another row has
        while True:
            rows, columns = scored.rows, scored.columns
            values = self._values(scored, by_hand)
            likely = np.flatnonzero((values >= self.lowest) & ~taken & (said >= 0))
            best = likely[
                best_of_each_row(rows[likely], columns[likely], values[likely], self.top_k)
            ]
            reasons = self.guard.reasons(texts, others, np.column_stack([rows, columns])[best])
            reasons[said[best] > 0] = ""
            bad = best[reasons != ""]
            for row, reason in zip(rows[bad].tolist(), reasons[reasons != ""], strict=True):
                refused.setdefault(row, reason)
            if len(bad):
                left = np.delete(np.arange(len(rows)), bad)
                scored, taken, said = scored.chosen(left), taken[left], said[left]
                continue
            order = best[np.lexsort((rows[best], -values[best], columns[best]))]
            n_rows = np.diff(self.records.starts)[columns[order]]  # that have one record
            lost = order[place_in_run(columns[order]) >= n_rows]
            if not self.one_to_one or not len(lost):
                break
            taken[lost] = True
        if self.precision is not None:
            order = np.argsort(-values[best], kind="stable")
            best = np.sort(best[order[: n_accepted(values[best][order], self.precision)]])
        return Decided(scored, values, best, refused)

    def spread(self, decided: Decided) -> tuple[Rows, Rows, Rows]:
        """Return matches with all rows that have the matching records, up to ``top_k``.

        A row with exactly the query's cells comes before others that are equal but for case or
        marks. One to one, each pair has one of the rows. The last result is the pair of each
        match.
        """
        scored, values, pairs, _ = decided
        starts, columns = self.records.starts, scored.columns[pairs]
        if self.one_to_one:
            place = np.arange(len(columns))
            same = self._same_rows(scored.cells, scored.rows[pairs], columns)
            within = _one_row_each(columns, same, np.lexsort((scored.rows[pairs], -values[pairs])))
            is_same = np.zeros(len(place), dtype=bool)
        else:
            counts = starts[columns + 1] - starts[columns]
            if self.top_k is not None:  # more would be cut again: equal rows may be many
                counts = np.minimum(counts, min(self.top_k, self.records.n_rows))
            place = np.repeat(np.arange(len(columns)), counts)
            same = self._same_rows(scored.cells, scored.rows[pairs], columns)[place]
            order = place_in_run(place)
            is_same = (order == 0) & (same >= 0)
            within = np.where(is_same, same, order - ((order > 0) & (order <= same)))
        matched = self.records.numbers[self.records.rows[starts[columns[place]] + within]]
        pairs = pairs[place]
        first = np.where(is_same, -1, matched)
        best = best_of_each_row(scored.rows[pairs], first, values[pairs], self.top_k)
        return scored.rows[pairs[best]], matched[best], pairs[best]

    def _same_rows(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Rows:
        """Return which of the rows of its record has the very cells of each query, -1 for none."""
        found = self.records
        first: dict[tuple[int | str, ...], int] = {}
        for record in np.unique(columns).tolist():
            own = found.rows[found.starts[record] : found.starts[record + 1]].tolist()
            for number, row in enumerate(own if len(own) > 1 else ()):
                first.setdefault((record, *(column[row] for column in found.cells)), number)
        pairs = zip(rows.tolist(), columns.tolist(), strict=True)
        keys = ((record, *(column[row] for column in cells)) for row, record in pairs)
        return np.array([first.get(key, -1) for key in keys], dtype=np.int64)


def _one_row_each(columns: Rows, same: Rows, order: Rows) -> Rows:
    """Return which row of its record each match gets: the very same one, or the first left.

    Matches choose in ``order``.
    """
    within = np.full(len(columns), -1, dtype=np.int64)
    taken: set[tuple[int, int]] = set()
    for match in order[same[order] >= 0].tolist():
        row = int(columns[match]), int(same[match])
        if row not in taken:
            taken.add(row)
            within[match] = row[1]
    free: dict[int, int] = {}
    for match in order[within[order] < 0].tolist():
        column = int(columns[match])
        number = free.get(column, 0)
        while (column, number) in taken:
            number += 1
        within[match], free[column] = number, number + 1
    return within
