"""The packaged numbers: from the features of pairs to scores, and from scores to probabilities.

A linear model scores each pair by its features and by their margins to the row's other candidates.
A second one turns a row's score into a probability. It reads the context too, because the same
score is worth less where the indexed texts are close to each other, or where few rows have a
counterpart: the means of the rows' best scores, and the scores of indexed texts with their nearest
neighbours. Examples/builders/build_table_model.py learns both.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit

from skpara._typing import Floats
from skpara.fusion import TreeEnsemble
from skpara.matching._search import Rows
from skpara.saving import trees_from_numbers

_NUMBERS = Path(__file__).with_name("table_model.json")
_RECORD_NUMBERS = Path(__file__).with_name("record_model.json")
# Log odds of either model beyond, which no table can support.
_MOST_SURE = 12.0
# From this score on, another slope holds.
SURE = 2.0
# Scores below count as much as this one: they are all hopeless.
LOWEST = -12.0
# A lead over the second best that is larger says no more.
_LARGEST_GAP = 8.0
# Nor does one below this score: among a few indexed texts, one that has nothing in common with a
# query may lead.
_NO_LEAD = 0.0
# The summary of a call with few rows is noise: it is drawn towards the usual one as if by this
# number of rows.
_USUAL_ROWS = 10
NAMES, SENTENCES = "names", "sentences"
# Where the weights of the context are in a calibration.
CONTEXT = slice(2, 6)


class RecordModel(NamedTuple):
    """The numbers for records of several columns.

    A pair has the mean score of a linear model and of boosted trees, which is better than either:
    the linear model is surer of tables that are unlike those that were learned from, the trees of
    those that are like them. A calibration turns scores into log odds.
    """

    weights: Floats  # of the features of a pair, see skpara/matching/_comparison.py
    intercept: float
    trees: TreeEnsemble
    calibration: Floats  # weights of the score, of what is above SURE, and of the evidence
    offset: float
    prior: float  # log odds of a match of any candidate

    def scores(self, features: Floats) -> Floats:
        """Return the scores of pairs."""
        linear = weighted(features, self.weights) + self.intercept
        of_trees = self.trees.predict(features)
        mean: Floats = (_bounded(linear) + _bounded(of_trees)) / 2
        return mean

    def logits(self, scores: Floats, evidence: Floats) -> Floats:
        """Return the log odds that pairs match.

        The evidence is the lead of each pair, or for pairs of one table the :func:`rarity` of its
        score.
        """
        parts = np.column_stack([scores, np.maximum(scores - SURE, 0), evidence])
        return weighted(parts, self.calibration) + self.offset


def weighted(values: Floats, weights: Floats) -> Floats:
    """Return the weighted sum of each row.

    Each is summed by itself. A product of matrices sums in another order for another number of
    rows, and candidates that are equal in a large batch would not be in a small one.
    """
    return np.asarray(np.einsum("ij,j->i", np.ascontiguousarray(values), weights))


def rarity(scores: Floats, best: Floats) -> Floats:
    """Return the share of records whose best score with others is as high, as a logarithm.

    If most records have a neighbour like this, such as the members of families, the neighbour is
    not a sign of a duplicate.
    """
    above = len(best) - np.searchsorted(np.sort(best), scores)
    result: Floats = np.log((above + 0.5) / (len(best) + 1))
    return result


def _bounded(scores: Floats) -> Floats:
    return np.clip(scores, -_MOST_SURE, _MOST_SURE)


@cache
def packaged_records(one_table: bool) -> RecordModel:
    """Load the numbers for records of two tables, or for those within one.

    Within one table, a record may have many duplicates, so its candidates are not rivals: the
    model reads no leads or margins, except those that are part of the scores of names.
    """
    numbers = json.loads(_RECORD_NUMBERS.read_text("utf-8"))
    mine = numbers["one table" if one_table else "two tables"]
    weights = np.array(mine["weights"])
    return RecordModel(
        weights,
        mine["intercept"],
        trees_from_numbers(mine["trees"], len(weights)),
        np.array(mine["calibration"]),
        mine["offset"],
        mine["prior"],
    )


class TableModel(NamedTuple):
    """The numbers for one kind of text."""

    weights: Floats  # of the features, and of their margins
    intercept: float
    calibration: Floats  # of the score, the gap, four numbers of the context, and of words
    offset: float
    usual: Floats  # what the summary of a call usually is
    seen: Floats  # the lowest and highest contexts that were learned from

    def score(self, features: Floats, rows: Rows, texts: Rows | None = None) -> Floats:
        """Return the score of each pair; ``rows`` are in order.

        Candidates with the same number in ``texts`` have one text, and no lead over each other.
        """
        n = features.shape[1]
        scores = weighted(features, self.weights[:n]) + self.intercept
        if self.weights[n:].any():
            scores = scores + weighted(margins(features, rows, texts), self.weights[n:])
        return scores

    def logits(
        self,
        scores: Floats,
        rows: Rows,
        neighbours: Floats,
        words: Floats | None = None,
        texts: Rows | None = None,
    ) -> Floats:
        """Return the log odds that pairs are right, in the context of all pairs of a call.

        ``words`` has the evidence of words for each row, in order, and ``texts`` the number of
        each candidate's text.
        """
        gaps = leads(scores, rows, texts)
        scores = np.maximum(scores, LOWEST)
        context = self.context(scores[first_of_best(scores, rows)], neighbours)
        own = weighted(np.column_stack([scores, gaps]), self.calibration[:2])
        if words is not None:
            own += np.repeat(weighted(words, self.calibration[6:]), runs(rows)[1])
        return own + float(context @ self.calibration[CONTEXT]) + self.offset

    def context(self, best: Floats, neighbours: Floats) -> Floats:
        """Return the context of rows with these best scores.

        Beyond what was learned from, it counts as the nearest context that was.
        """
        usual = _USUAL_ROWS / (len(best) + _USUAL_ROWS)
        of_call = (1 - usual) * summary(best) + usual * self.usual if len(best) else self.usual
        return np.clip(np.append(of_call, neighbours), *self.seen)


@cache
def packaged(kind: str) -> TableModel:
    """Load the numbers for "names" or "sentences"."""
    numbers = json.loads(_NUMBERS.read_text("utf-8"))[kind]
    arrays = ("weights", "calibration", "usual", "seen")
    return TableModel(**numbers | {name: np.array(numbers[name]) for name in arrays})


def summary(best: Floats) -> Floats:
    """Summarise the best scores of rows: how many seem right, and their mean."""
    return np.array([expit(best).mean(), best.mean()])


def neighbourhood(scores: Floats, rows: Rows) -> Floats:
    """Summarise how close indexed texts are to their nearest neighbours."""
    if not len(rows):
        return np.full(2, LOWEST)
    best = np.maximum(scores[first_of_best(scores, rows)], LOWEST)
    return np.array([best.mean(), np.quantile(best, 0.9)])


def margins(features: Floats, rows: Rows, texts: Rows | None = None) -> Floats:
    """Return the features less the best ones among the other pairs of the same row.

    Pairs of a row with the same number in ``texts`` count as one pair.
    """
    if not len(rows):
        return features
    if texts is not None:
        order = np.lexsort((texts, rows))
        new = (np.diff(rows[order], prepend=-1) | np.diff(texts[order], prepend=-1)) != 0
        if not new.all():
            starts, one = np.flatnonzero(new), np.empty(len(rows), dtype=np.int64)
            one[order] = np.cumsum(new) - 1
            best = np.maximum.reduceat(features[order], starts)
            others = best - margins(best, rows[order][starts])
            return features - others[one]
    starts, sizes = runs(rows)
    others = np.empty(features.shape, features.dtype)
    for column, values in enumerate(features.T.copy()):  # each in one piece of memory
        first = _first_of_best(values, rows, starts, sizes)
        others[:, column] = np.repeat(values[first], sizes)
        values[first] = LOWEST
        others[first, column] = np.maximum.reduceat(values, starts)
    others[starts[sizes == 1]] = 0
    return features - others


def leads(scores: Floats, rows: Rows, texts: Rows | None = None) -> Floats:
    """Return how much better each score is than the others of its row, 0 if it is not."""
    most = np.clip(scores - _NO_LEAD, 0, _LARGEST_GAP)
    return np.clip(margins(scores[:, None], rows, texts).ravel(), 0, most)


def first_of_best(scores: Floats, rows: Rows) -> Rows:
    """Return where the best pair of each row is; the first one of equals."""
    starts, sizes = runs(rows)
    return _first_of_best(scores, rows, starts, sizes) if len(rows) else starts


def _first_of_best(scores: Floats, rows: Rows, starts: Rows, sizes: Rows) -> Rows:
    best = np.flatnonzero(scores == np.repeat(np.maximum.reduceat(scores, starts), sizes))
    return best[run_starts(rows[best])]


def run_starts(rows: Rows) -> NDArray[np.int64]:
    """Return where each run of equal numbers begins."""
    # np.diff and np.append would take most of the time of small calls.
    is_start = np.ones(len(rows), dtype=np.bool_)
    np.greater(rows[1:], rows[:-1], out=is_start[1:])
    return is_start.nonzero()[0]


def runs(rows: Rows) -> tuple[Rows, Rows]:
    """Return where each run of equal numbers begins, and its length."""
    starts = run_starts(rows)
    ends = np.full_like(starts, len(rows))
    ends[:-1] = starts[1:]
    return starts, ends - starts


def parts_of_rows(rows: Rows, size: int) -> list[slice]:
    """Return parts of about ``size`` pairs; those of a row are in one part."""
    starts = np.append(run_starts(rows), len(rows))
    borders = starts[
        np.unique(
            np.searchsorted(starts, np.arange(0, len(rows) + size, size)).clip(max=len(starts) - 1)
        )
    ]
    return list(map(slice, borders[:-1].tolist(), borders[1:].tolist()))


def place_in_run(rows: Rows) -> Rows:
    """Return the place of each of ascending numbers among the equal ones, from 0."""
    return np.arange(len(rows)) - np.repeat(*runs(rows))


def n_accepted(probabilities: Floats, target: float) -> int:
    """Return how many of descending probabilities have a mean of ``target`` or more."""
    means = np.cumsum(probabilities) / np.arange(1, len(probabilities) + 1)
    return int(np.flatnonzero(np.append(True, means >= target))[-1])
