"""Probabilities of the matches of a call, estimated from its tables without labels.

At most one candidate of a row is right, so the runner-up is certainly wrong: a *decoy*, as in
target-decoy search. How the best scores compare with decoys, how far a candidate leads, and
whether the row is also the candidate's best row, say more than the score alone, whose meaning
depends on the tables. The resulting probabilities teach the weights of the numbers that describe
a pair, held close to the packaged ones; then the facts are computed again from the new scores.

The packaged numbers were learned from many tables from which counterparts had been removed, see
examples/builders/build_call_model.py.

References
----------
J. E. Elias, S. P. Gygi (2007). Target-decoy search strategy for increased confidence in
large-scale protein identifications by mass spectrometry. Nature Methods.

B. Efron (2004). Large-scale simultaneous hypothesis testing: the choice of a null hypothesis.
Journal of the American Statistical Association. (Local false discovery rates.)
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import isotonic_regression
from scipy.special import expit, logit

from skpara._array_files import check_array
from skpara._typing import Floats
from skpara.matching._model import first_of_best, run_starts, runs, weighted
from skpara.matching._search import Rows, best_of_each_row

_NUMBERS = Path(__file__).with_name("call_model.json")
# Scores beyond these are all hopeless, or all certain.
_LOWEST, _HIGHEST = -8.0, 8.0
# Fewer decoys do not show a distribution.
_FEWEST_DECOYS = 5
# Largest log odds from decoys; a few hundred rows do not support more.
_MOST_SURE = 6.0
# Quantiles of decoys below which nearly all best candidates are wrong, too.
_WRONG = np.linspace(0.2, 0.9, 15)
# Places that are spread evenly, whatever their number, are its multiples without the whole part.
_GOLDEN = (np.sqrt(5) - 1) / 2
# Facts about the best candidate of each row.
FACTS = [
    "score",  # as far as the table has taught its weights
    "lead",  # over the row's other candidates
    "lead of row",  # over the other rows of this candidate; negative if one of them is better
    "is mutual",  # no other row is better
    "decoys",  # log odds that the score is none of a decoy,
    "decoys, one spacing",  # of one that is as much better as the third one is worse,
    "decoys, two spacings",
    "decoys of leads",
    "standard score",  # among decoys
    "packaged score",
]
# Rounds in which the table teaches weights.
ROUNDS = 2
# A call with at least this many rows teaches what is used for calls with fewer.
ENOUGH_ROWS = 100
# Without such a call, the packaged model for single rows weighs as much as this many rows of a
# call: on left-out tables, F1 is best with a weight of the call of .75 for 10 records, .9 for 20,
# and .5 for 15 names.
ROWS_ALONE = {"records": 2.5, "names": 15.0}
# Lower log odds of single rows mean nothing in unknown tables.
_LEAST_ALONE = -4.0
# What is kept of a call that teaches: the best candidates of some rows.
_N_BEST, _KEPT_ROWS = 4, 2000
# Added to the spread of decoys, which may all be alike.
_LEAST_SPREAD = 0.3
# Pairs that weights are learned from.
_PAIRS = 20_000
# Penalty of the squares of weights: strong, so that they stay near the packaged ones.
_PENALTY = 50.0
# Steps of Newton until the weights stay the same: six or seven are usual.
_STEPS, _PRECISION = 30, 1e-10
# Numbers of pairs are standardised, and those beyond count as much as this.
_FARTHEST = 4.0
# Probability of candidates that are not the best one, while weights are learned.
_OTHERS = 0.01


class CallModel(NamedTuple):
    """A calibration: facts about best candidates give log odds."""

    weights: Floats
    intercept: float

    def log_odds(self, facts: Floats) -> Floats:
        """Return the log odds of matches."""
        return weighted(facts, self.weights) + self.intercept


@cache
def packaged_calls() -> list[CallModel]:
    """Load the numbers for scores that the table has not taught, has taught once, ..."""
    rounds = json.loads(_NUMBERS.read_text("utf-8"))["rounds"]
    return [CallModel(np.array(x["weights"]), x["intercept"]) for x in rounds]


class Taught(NamedTuple):
    """Weights and scores of a call with many rows, for calls with few."""

    weights: Floats  # of the packaged score, of features, and what is added
    centre: Floats  # of features
    scale: Floats
    rows: Rows  # its best pairs, by rows and candidates,
    columns: Rows
    scores: Floats  # their scores by these weights,
    packaged: Floats  # and by the packaged ones
    n_rows: int
    n_matches: float  # expected

    def score(self, packaged: Floats, features: Floats) -> Floats:
        """Return scores of pairs."""
        return weighted(self.inputs(packaged, features), self.weights[:-1]) + self.weights[-1]

    def inputs(self, packaged: Floats, features: Floats) -> Floats:
        """Return what the weights, but the last one, are of."""
        scaled = np.clip((features - self.centre) / self.scale, -_FARTHEST, _FARTHEST)
        return np.hstack([np.clip(packaged, _LOWEST, _HIGHEST)[:, None] / 2, scaled])

    def without_candidates(self) -> Taught:
        """Return what was taught for a reference in which candidates have other numbers."""
        return self._replace(columns=-1 - np.arange(len(self.columns)))

    def check(self, n_features: int) -> None:
        """Check what a file has."""
        check_array("weights of features", self.weights, np.float64, (n_features + 2,))
        for values in (self.centre, self.scale):
            check_array("means and deviations of features", values, np.float64, (n_features,))
        n = len(self.rows)
        check_array("rows of a call", self.rows, np.int64, (n,))
        check_array("candidates of a call", self.columns, np.int64, (n,))
        for values in (self.scores, self.packaged):
            check_array("scores of a call", values, np.float64, (n,))
        if not n or (np.diff(self.rows) < 0).any() or self.rows[0] < 0 or not self.scale.all():
            raise ValueError("what a call has taught is out of order")


def call_log_odds(
    packaged: Floats,
    alone: Callable[[], Floats],
    features: Floats,
    rows: Rows,
    columns: Rows,
    earlier: Taught | None = None,
    rows_alone: float = ROWS_ALONE["records"],
) -> tuple[Floats, Taught | None]:
    """Return the log odds of all pairs of a call, and what it teaches.

    Parameters
    ----------
    packaged : ndarray of shape (n_pairs,)
        Packaged scores of pairs.
    alone : callable
        Computes the log odds of rows that are asked about alone, which few calls need.
    features : ndarray of shape (n_pairs, n_features)
        What describes a pair, and is given new weights by the table.
    rows, columns : ndarray of shape (n_pairs,)
        Numbers of the rows, in order, and of the candidates, which are records.
    earlier : Taught, default=None
        What a call with many rows has taught, which holds for a call with few.
    rows_alone : float
        Before there was one, the number of rows that ``alone`` counts for.
    """
    if not len(rows):
        return alone(), earlier
    n_rows = len(run_starts(rows))
    if n_rows >= ENOUGH_ROWS or earlier is None:
        taught = _taught(packaged, features, rows, columns)
        scores = taught.score(packaged, features)
        facts, best = call_facts(scores, packaged, rows, columns)
    else:
        taught, scores = earlier, earlier.score(packaged, features)
        all_rows = np.append(earlier.rows, rows + earlier.rows[-1] + 1)
        both = np.append(earlier.scores, scores), np.append(earlier.packaged, packaged)
        facts, best = call_facts(*both, all_rows, np.append(earlier.columns, columns))
        facts, best = facts[-n_rows:], best[-n_rows:] - len(earlier.rows)
    odds = _of_all(
        np.clip(scores, _LOWEST, _HIGHEST), rows, best, packaged_calls()[-1].log_odds(facts)
    )
    if n_rows < ENOUGH_ROWS:
        if earlier is not None:
            return odds, earlier
        if n_rows < _FEWEST_DECOYS:
            return alone(), earlier
        share = n_rows / (n_rows + rows_alone)
        return share * odds + (1 - share) * np.maximum(alone(), _LEAST_ALONE), earlier
    kept = _kept(scores, rows, columns)
    return odds, taught._replace(
        rows=rows[kept],
        columns=columns[kept],
        scores=scores[kept],
        packaged=packaged[kept],
        n_rows=n_rows,
        n_matches=float(expit(odds[best]).sum()),
    )


def _taught(packaged: Floats, features: Floats, rows: Rows, columns: Rows) -> Taught:
    """Return the weights that the table teaches in some rounds."""
    scores = packaged
    for model in packaged_calls()[:-1]:
        facts, best = call_facts(scores, packaged, rows, columns)
        taught = teach(packaged, features, model.log_odds(facts), best)
        scores = taught.score(packaged, features)
    return taught


def teach(packaged: Floats, features: Floats, odds: Floats, best: Rows) -> Taught:
    """Return the weights that the log odds of the best candidates teach."""
    right = np.full(len(packaged), _OTHERS)
    right[best] = np.clip(expit(odds), _OTHERS, 1 - _OTHERS)
    # Evenly by scores, so that the order of rows changes nothing.
    some = np.argsort(packaged, kind="stable")[:: -(-len(packaged) // _PAIRS)]
    nothing = np.empty(0, dtype=np.int64)
    start = Taught(
        np.zeros(0), features.mean(axis=0), features.std(axis=0) + 1e-6,
        nothing, nothing, np.empty(0), np.empty(0), 0, 0.0,
    )  # fmt: skip
    inputs = start.inputs(packaged[some], features[some])
    return start._replace(
        weights=_learned(np.column_stack([inputs, np.ones(len(some))]), right[some])
    )


def _kept(scores: Floats, rows: Rows, columns: Rows) -> Rows:
    """Return places of the best pairs of some rows, in order of rows."""
    best = np.sort(best_of_each_row(rows, columns, scores, _N_BEST))
    number = np.unique(rows[best], return_inverse=True)[1]
    step = -(-(number[-1] + 1) // _KEPT_ROWS)
    return best[number % step == 0]


def _of_all(scores: Floats, rows: Rows, best: Rows, odds: Floats) -> Floats:
    """Return log odds of all pairs: at most one of a row is right."""
    sizes = runs(rows)[1]
    behind = np.repeat(scores[best], sizes) - scores
    of_best = np.repeat(odds, sizes)
    others = np.minimum(of_best, -of_best) - behind
    result: Floats = np.where(behind > 0, others, of_best)
    return result


def call_facts(scores: Floats, packaged: Floats, rows: Rows, columns: Rows) -> tuple[Floats, Rows]:
    """Return facts about the best candidate of each row, and where these pairs are."""
    scores, packaged = (np.clip(x, _LOWEST, _HIGHEST) for x in (scores, packaged))
    best = first_of_best(scores, rows)
    first, second, third = best_of_runs(scores, rows, 3)
    by_candidate = np.argsort(columns, kind="stable")
    of_candidate, next_one = best_of_runs(scores[by_candidate], columns[by_candidate], 2)
    place = np.searchsorted(np.unique(columns), columns[best])
    other = np.where(first < of_candidate[place], of_candidate[place], next_one[place])
    lead, lead_of_row = (
        np.clip(first - np.nan_to_num(x, nan=_LOWEST), _LOWEST, _HIGHEST) for x in (second, other)
    )
    decoys = second[~np.isnan(second)]
    spacings = (second - third)[~np.isnan(third)]
    spread = float(np.std(decoys)) + _LEAST_SPREAD if len(decoys) else 1.0
    usual = float(np.median(decoys)) if len(decoys) else 0.0
    facts = [
        first,
        lead,
        lead_of_row,
        lead_of_row >= 0,
        *(decoy_log_odds(first, _with_spacings(decoys, spacings, n)) for n in range(3)),
        decoy_log_odds(lead, 2 * spacings),
        np.clip((first - usual) / spread, -_FARTHEST, _HIGHEST),
        packaged[best],
    ]
    return np.column_stack(facts), best


def best_of_runs(values: Floats, numbers: Rows, n: int) -> list[Floats]:
    """Return the best, second best, ... of each run of equal numbers; NaN if there is none."""
    order = np.lexsort((-values, numbers))
    ordered, (starts, sizes) = values[order], runs(numbers)
    return [
        np.where(sizes > k, ordered[np.minimum(starts + k, len(ordered) - 1)], np.nan)
        for k in range(n)
    ]


def _with_spacings(decoys: Floats, spacings: Floats, n: int) -> Floats:
    """Return what the best wrong candidates may have: a second best one is a little lower.

    Decoys and spacings are joined as if by chance, but in the same way for any order of rows.
    """
    if not n or not len(spacings):
        return decoys
    drawn = (np.arange(len(decoys)) + 0.5) * _GOLDEN % 1 * len(spacings)
    sums: Floats = np.sort(decoys) + n * np.sort(spacings)[drawn.astype(np.int64)]
    return sums


def decoy_log_odds(values: Floats, decoys: Floats) -> Floats:
    """Return the log odds that values are not decoys.

    The local false discovery rate: the density of decoys, times their share, by the density of
    values, whose ratio falls with the value.
    """
    if len(decoys) < _FEWEST_DECOYS:
        return np.zeros(len(values))
    both = np.concatenate([values, decoys])
    sizes = [len(values), len(decoys)]
    weights = np.repeat(1 / np.array(sizes), sizes)
    different, place = np.unique(both, return_inverse=True)
    weights_of = np.bincount(place, weights)
    of_values = np.bincount(place[: len(values)], weights[: len(values)], len(different))
    share = isotonic_regression(of_values / weights_of, weights=weights_of).x
    share = np.clip(share[place[: len(values)]], 1e-3, 1 - 1e-3)
    cuts = np.quantile(decoys, _WRONG)
    below = (np.searchsorted(np.sort(values), cuts, "right") + 1) / len(values)
    decoys_below = np.searchsorted(np.sort(decoys), cuts, "right") / len(decoys)
    wrong = min(1.0, float((below / np.maximum(decoys_below, 1e-3)).min()))
    right = np.clip(1 - wrong * (1 - share) / share, 1e-3, 1 - 1e-3)
    odds: Floats = np.clip(logit(right), -_MOST_SURE, _MOST_SURE)
    return odds


def _learned(inputs: Floats, right: Floats) -> NDArray[np.float64]:
    """Return the weights of a logistic regression on probabilities; the last one is free."""
    penalties = np.full(inputs.shape[1], _PENALTY)
    penalties[-1] = 0
    weights = np.zeros(inputs.shape[1])
    for _ in range(_STEPS):  # of Newton, which no last digit of the inputs changes
        p = expit(inputs @ weights)
        slope = inputs.T @ (p - right) + penalties * weights
        curvature = (inputs * (p * (1 - p))[:, None]).T @ inputs + np.diag(penalties)
        step = np.linalg.solve(curvature, slope)
        weights = weights - step
        if np.abs(step).max() < _PRECISION:
            break
    return weights
