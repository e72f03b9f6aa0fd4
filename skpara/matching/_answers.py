"""Answers of people about pairs of rows, and what is learned from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from skpara._public import set_module
from skpara._typing import Floats
from skpara.matching._clusters import connected
from skpara.matching._search import Rows, places_in

# Slope and offset of the log odds before there are answers.
_PRIOR = np.array([1.0, 0.0])
# How strongly the slope and the offset are held there.
_PENALTIES = np.array([4.0, 1.0])
# The same for the weight of a feature, whose prior is 0. On 12 joins of names, ten answers harm
# with 2, and fifty teach less with 30.
_PENALTY_OF_FEATURES = 8.0
# Log odds beyond say no more.
_LARGEST = 10.0
# Features are clipped at this many standard deviations from their mean.
_FARTHEST = 4.0
_LEAST_SLOPE = 0.05  # below 0 it would reverse the order of the pairs
# One answer in twenty is taken to be a slip, so that a wrong one about a sure pair moves little.
_SLIPS = 0.05
# How pairs were chosen to be asked about: from all ranks, near the cut, random matches, and random
# matches for a certificate. The last ones teach nothing: what is measured on answers that it was
# learned from is flattered.
RANKS, DOUBT, MATCHES, EVENLY = "ranks", "doubt", "matches", "evenly"
DRAWS = (RANKS, DOUBT, MATCHES, EVENLY)

Cells = tuple[str, ...]
# The cells of two rows. A single one on both sides is the text of the row, of any columns.
Pair = tuple[Cells, Cells]


class Compared(NamedTuple):
    """Pairs of rows that an estimator compared, with log odds before answers."""

    columns: list[str]  # names of the columns
    left: list[Cells]  # the cells of rows
    right: list[Cells]  # those of the other table; within one table the same list
    pairs: Rows  # shape (n_pairs, 2), places in left and right
    numbers: dict[str, Rows]  # of the two rows of each pair, by the name that they are shown by
    logits: Floats
    features: Floats | None  # numbers that describe each pair, shape (n_pairs, n_features)
    cut: float = 0.0  # lowest log odds of a match
    are_probable: bool = True  # whether log odds mean something before there are answers

    @property
    def is_one_table(self) -> bool:
        """Whether both rows of pairs are of one table, so that their order means nothing."""
        return self.left is self.right

    def keys(self, places: Rows) -> list[Pair]:
        """Return the cells of pairs."""
        pairs = [(self.left[i], self.right[j]) for i, j in self.pairs[places].tolist()]
        return [unordered(pair) for pair in pairs] if self.is_one_table else pairs

    def rows_named(self, place: int) -> str:
        """Name the rows of a pair in a message."""
        parts = (f"{name} {rows[place]}" for name, rows in self.numbers.items())
        return " and ".join(parts)


class Answer(NamedTuple):
    """An answer, with what was known of the pair when it was given."""

    same: bool | None  # None is unsure
    drawn: str = ""  # one of DRAWS, "" for a pair that was not asked about
    logit: float | None = None
    features: tuple[float, ...] | None = None

    @property
    def teaches(self) -> bool:
        """Whether weights are learned from it."""
        return self.same is not None and self.logit is not None and self.drawn != EVENLY


@set_module("skpara.matching")
class Judgments:
    """Answers by the cells of pairs, and the correction of log odds that is learned from them."""

    def __init__(self) -> None:
        self.answers: dict[Pair, Answer] = {}
        self.drawn: dict[Pair, str] = {}  # of pairs that were asked about
        self.version = 0  # number of times that answers came
        self.weights = _PRIOR.copy()  # slope, offset, and the weights of features
        self.centre = self.scale = np.empty(0)  # of the features

    def to_file(self) -> dict[str, Any]:
        """Return what a model file holds."""
        rows = [
            [*map(list, pair), *answer[:3], list(answer.features or ())]
            for pair, answer in self.answers.items()
        ]
        return {
            "rows": rows, "weights": self.weights, "centre": self.centre, "scale": self.scale,
        }  # fmt: skip

    @classmethod
    def from_file(cls, value: Any) -> Judgments:
        """Return the judgments of a model file."""
        new = cls()
        try:
            new._read(value)
            new._check()
        except (TypeError, KeyError, ValueError) as error:
            raise ValueError(f"the answers of a model file are out of order: {error}") from error
        new.version = int(bool(new.answers))
        return new

    def _read(self, value: Any) -> None:
        for left, right, same, drawn, logit, features in value["rows"]:
            answer = Answer(same, drawn, logit, tuple(features) or None)
            self.answers[tuple(left), tuple(right)] = answer
        self.weights, self.centre, self.scale = (
            np.asarray(value[name], dtype=np.float64) for name in ("weights", "centre", "scale")
        )

    def _check(self) -> None:
        for pair, answer in self.answers.items():
            texts_are_text = all(isinstance(cell, str) for cells in pair for cell in cells)
            numbers = [x for x in (answer.logit, *(answer.features or ())) if x is not None]
            if not texts_are_text or answer.same not in (True, False, None):
                raise ValueError("answers must be about cells of text")
            if answer.drawn not in ("", *DRAWS) or not np.isfinite(numbers).all():
                raise ValueError("what is known about answers is not in order")
        n = len(self.centre)
        if len(self.scale) != n or len(self.weights) not in (2, n + 2):
            raise ValueError("the weights learned from answers have another number")
        if not np.isfinite([*self.weights, *self.centre, *self.scale]).all():
            raise ValueError("the weights learned from answers must be finite")

    @property
    def have_taught(self) -> bool:
        """Whether something was learned from answers."""
        return any(answer.teaches for answer in self.answers.values())

    @property
    def need_features(self) -> bool:
        """Whether log odds depend on features."""
        return len(self.weights) > len(_PRIOR)

    def found(self, compared: Compared) -> Rows:
        """Return the number of the answer about each pair, in their order, or -1."""
        return find(compared, {pair: k for k, pair in enumerate(self.answers)})

    def said(self, compared: Compared) -> NDArray[np.int8]:
        """Return 1 where somebody said that a pair is the same, -1 where not, else 0."""
        signs = {True: 1, False: -1, None: 0}
        values = [signs[answer.same] for answer in self.answers.values()]
        return np.array([*values, 0], dtype=np.int8)[self.found(compared)]  # -1 is the last one

    def add(self, answers: dict[Pair, Answer], compared: Compared) -> list[Pair]:
        """Store answers, learn from all that teach, and return those about no compared pair."""
        self.version += 1
        found = find(compared, {pair: k for k, pair in enumerate(answers)})
        places = {k: place for place, k in enumerate(found.tolist())}
        features = compared.features
        for k, (pair, answer) in enumerate(answers.items()):
            old = self.answers.get(pair, Answer(None))
            if (place := places.get(k)) is not None:
                row = None if features is None else tuple(features[place].tolist())
                answer = answer._replace(logit=float(compared.logits[place]), features=row)
                if not np.isfinite(answer.logit or 0):  # equal rows, which teach nothing
                    answer = answer._replace(logit=None)
            # The same pair has other log odds once others have left; what it taught stays.
            if old.logit is not None and (old.features is None) == (answer.features is None):
                answer = answer._replace(logit=old.logit, features=old.features)
            self.answers[pair] = answer
        if features is not None and len(features):
            known = np.ma.masked_invalid(features)
            self.centre, deviations = known.mean(axis=0).filled(0), known.std(axis=0).filled(0)
            self.scale = np.where(deviations > 0, deviations, 1.0)
        self.weights = self._learned(with_features=features is not None)
        return [pair for k, pair in enumerate(answers) if k not in places]

    def _learned(self, with_features: bool) -> Floats:
        """Return the slope, the offset and the weights of features.

        Logistic regression with normal priors, in which each answer may be a slip.
        """
        known = [answer for answer in self.answers.values() if answer.teaches]
        n = len(self.centre) if with_features else 0
        rows = [
            x.features if x.features is not None and len(x.features) == n else [np.nan] * n
            for x in known
        ]
        X = self._inputs(
            np.clip([x.logit for x in known], -_LARGEST, _LARGEST),
            np.array(rows, dtype=np.float64).reshape(len(known), n),
        )
        signs = np.array([1.0 if x.same else -1.0 for x in known])
        prior = np.append(_PRIOR, np.zeros(n))
        penalties = np.append(_PENALTIES, np.full(n, _PENALTY_OF_FEATURES))

        def loss(w: Floats) -> tuple[float, Floats]:
            right = expit(signs * (X @ w))
            p = _SLIPS + (1 - 2 * _SLIPS) * right
            slopes = -(1 - 2 * _SLIPS) * right * (1 - right) * signs / p
            held = penalties * (w - prior)
            return float(-np.log(p).sum() + held @ (w - prior) / 2), slopes @ X + held

        bounds = [(_LEAST_SLOPE, None), *[(None, None)] * (n + 1)]
        fitted: Floats = minimize(loss, prior, jac=True, bounds=bounds).x
        return fitted

    def _inputs(self, logits: Any, features: Floats) -> Floats:
        """Return what the weights are multiplied with."""
        columns = [np.asarray(logits, dtype=np.float64), np.ones(len(features))]
        if features.shape[1]:
            scaled = (features - self.centre) / self.scale
            columns += list(np.clip(np.nan_to_num(scaled, nan=0.0), -_FARTHEST, _FARTHEST).T)
        return np.column_stack(columns)

    def decided(self, compared: Compared, by_hand: bool = True) -> Floats:
        """Return log odds after what was learned, infinite for answered pairs if ``by_hand``."""
        if not self.answers:
            return compared.logits.copy()
        features, weights = compared.features, self.weights
        width = 0 if features is None else features.shape[1]
        if len(weights) != width + 2:  # learned with features of another version, or without
            features = None
            weights = weights if len(weights) == 2 else self._learned(with_features=False)
        none = np.empty((len(compared.logits), 0))
        sure = np.isinf(compared.logits)
        known = np.where(sure, 0, compared.logits)
        logits = self._inputs(known, none if features is None else features) @ weights
        logits[sure] = compared.logits[sure]
        if by_hand:
            said = self.said(compared)
            logits[said == 1], logits[said == -1] = np.inf, -np.inf
        return logits

    def contradictions(self, pairs: Iterable[Pair], compared: Compared) -> list[str]:
        """Say which answers of a table follow from no grouping: a = b and b = c, but not a = c.

        Only those in a group of one of the given pairs are said.
        """
        if not compared.is_one_table:
            return []
        numbers = {cells: k for k, cells in enumerate(dict.fromkeys(chain(*self.answers)))}
        same = [[numbers[a], numbers[b]] for (a, b), x in self.answers.items() if x.same]
        groups = connected(np.array(same, dtype=np.int64).reshape(-1, 2), len(numbers))
        group = dict(zip(numbers, groups.tolist(), strict=True))
        new = {group[pair[0]] for pair in pairs if pair in self.answers}
        rows = {cells: row for row, cells in reversed(list(enumerate(compared.left)))}

        def named(cells: Cells) -> str:
            row = f"row {rows[cells]}, " if cells in rows else ""
            return f"{row}{' '.join(filter(None, cells))!r:.60}"

        return [
            f"{named(pair[0])}, and {named(pair[1])}, are different by one answer, but the same "
            "by others (a = b, b = c)"
            for pair, x in self.answers.items()
            if x.same is False and group[pair[0]] == group[pair[1]] in new
        ]


def unordered(pair: Pair) -> Pair:
    """Return a pair of one table in the order in which it is stored."""
    return min(pair, pair[::-1])


def is_text(pair: Pair, compared: Compared) -> bool:
    """Whether a pair has the texts of rows that have several cells, instead of these cells."""
    return len(compared.columns) > 1 and len(pair[0]) == len(pair[1]) == 1


def find(compared: Compared, wanted: Mapping[Pair, int]) -> Rows:
    """Return the number that each compared pair has among those wanted, or -1.

    Cells are more exact than texts, which several records may have.
    """
    result = np.full(len(compared.pairs), -1)
    for by_text in (True, False):
        some = {x: number for x, number in wanted.items() if is_text(x, compared) == by_text}
        if not some:
            continue
        codes, ids = _codes(compared, by_text)
        numbers: dict[int, int] = {}
        for pair, number in some.items():
            for a, b in (pair, pair[::-1]) if compared.is_one_table else (pair,):
                if a in ids and b in ids:
                    numbers[ids[a] * len(ids) + ids[b]] = number
        keys = sorted(numbers)
        values = np.array([*(numbers[key] for key in keys), -1])
        found = values[places_in(np.array(keys, dtype=np.int64), codes)]
        result = np.where(found < 0, result, found)
    return result


def first_of_equals(compared: Compared, places: Rows) -> Rows:
    """Leave out pairs with the cells of an earlier one."""
    codes, ids = _codes(compared, by_text=False)
    if compared.is_one_table:
        codes = np.minimum(codes, codes % len(ids) * len(ids) + codes // len(ids))
    _, first = np.unique(codes[places], return_index=True)
    return places[np.sort(first)]


def of_rows(pairs: list[Pair], left: Iterable[Cells], right: Iterable[Cells]) -> list[Pair]:
    """Return those pairs, of cells or texts, whose rows are both in a table."""
    known = []
    for rows in map(list, (left, right)):
        known.append({(" ".join(filter(None, cells)),) for cells in rows}.union(rows))
    return [(a, b) for a, b in pairs if a in known[0] and b in known[1]]


def _codes(compared: Compared, by_text: bool) -> tuple[Rows, dict[Cells, int]]:
    """Return a number for the cells, or the texts, of each pair, and the numbers of rows."""
    ids: dict[Cells, int] = {}
    sides = []
    for rows in (compared.left, compared.right):
        of_rows = ((" ".join(filter(None, x)),) for x in rows) if by_text else rows
        found = (ids.setdefault(cells, len(ids)) for cells in of_rows)
        sides.append(np.fromiter(found, dtype=np.int64, count=len(rows)))
    left, right = compared.pairs.T
    return sides[0][left] * len(ids) + sides[1][right], ids
