"""Comparison of records by several columns, whose weights are learned without labels.

Each column has a kind, and with it a similarity between 0 and 1; a missing cell is no evidence.
Similarities become levels. How often each level occurs in pairs that match, m, and in others, u,
is estimated by EM (Fellegi and Sunter 1969, Winkler 1988) on the pairs that are best for each
other; half of u is fixed: pairs that are best for neither side, and nearest neighbours within one
table. EM on all pairs finds other clusters, such as cities.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rapidfuzz import process
from rapidfuzz.distance import OSA
from scipy.special import expit, logit
from sklearn.cluster import KMeans
from sklearn.isotonic import isotonic_regression

from skpara._array_files import check_array, check_texts
from skpara._public import set_module
from skpara._typing import Bools, Floats
from skpara._warnings import warn
from skpara.matching._model import NAMES, SENTENCES, first_of_best, margins
from skpara.matching._search import Rows, encode_units
from skpara.matching._texts import FEATURES, Bag, TextIndex, shallow_copy

TEXTS = ("text", NAMES, SENTENCES)
KINDS = (*TEXTS, "exact", "number", "date", "code")
# Similarities from which on the next level begins.
_LEVELS = np.array([0.4, 0.6, 0.75, 0.88, 0.97])
_N_LEVELS = len(_LEVELS) + 1
_ROUNDS = 3
# Pairs counted in advance, so that a few rows give sensible weights: matches are mostly equal.
_USUAL_MATCH = np.array([0.1, 0.1, 0.2, 0.4, 0.6, 1.6])
_USUAL_OTHER = np.array([1.6, 0.7, 0.3, 0.2, 0.1, 0.1])
# If the median of the log odds of pairs that are best for each other, at least this number, is
# nearer to 0, EM has split one cluster: hardly any record matches, and the usual weights hold.
_APART, _FEW = 4.5, 10
_USUAL_SHARE = 0.01
# A pair that leads the others of its row by more than this, in log odds, is more probably right.
_SURE_LEAD = 5
_PLAIN = re.compile(r"[\W_]+")
# A column is of codes if most cells have more than this share of digits; of sentences if most
# words after the first are in lower case, and there are this many of them, or most cells end in a
# mark.
_DIGITS, _LATER_WORDS = 0.7, 2
# Numbers beyond are this one, so that their differences are finite.
_LARGEST = 1e300
# A difference of more than a year is no similarity of dates.
_DAYS = 365
# Weights of meaning and spelling in the similarity of sentences; as in the packaged numbers.
_MEANING, _SPELLING = 0.9, 0.1


@set_module("skpara.matching", trusted=True)
class Column:
    """Cells of one kind, and their similarity with others."""

    def __init__(self, kind: str, cells: Sequence[str], encoder: Any) -> None:
        self.kind, self.encoder = kind, encoder
        self.cells, self.places = _distinct(cells)
        if kind in (NAMES, SENTENCES):
            self.index = TextIndex(self.cells, self._encode(self.cells))

    def extended(self, cells: Sequence[str]) -> Column:
        """Return a column of more cells."""
        new, n = shallow_copy(self), len(self.cells)
        new.cells, places = _distinct([*self.cells, *cells])
        new.places = np.append(self.places, places[n:])
        if self.kind in (NAMES, SENTENCES):
            new.index = self.index.extended(new.cells[n:], self._encode(new.cells[n:]))
        return new

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)

    def _check_loaded(self) -> None:
        if self.kind not in KINDS:
            raise ValueError(f"the kind of a column is {self.kind!r:.40}")
        check_texts("the cells of a column", self.cells)
        check_array("places of cells", self.places, np.int64, (None,), below=len(self.cells))
        if self.kind in (NAMES, SENTENCES):
            check_texts("indexed cells", self.index.rows.texts, len(self.cells))

    def _encode(self, cells: list[str]) -> Any:
        return encode_units(self.encoder, cells) if self.kind == SENTENCES else None

    def compare(self, cells: Sequence[str], rows: Rows, columns: Rows) -> Floats:
        """Return the similarity of pairs of a given cell and one of these; NaN is missing."""
        distinct, places = _distinct(cells)
        n = max(len(self.cells), 1)
        keys, back = np.unique(places[rows] * n + self.places[columns], return_inverse=True)
        i, j = np.divmod(keys, n)
        left, right = ([x[k] for k in y.tolist()] for x, y in ((distinct, i), (self.cells, j)))
        if self.kind in (NAMES, SENTENCES):
            bag = self.index.prepare(distinct, self._encode(distinct))
            values = text_similarity(self.index, bag, i, j, self.kind)
        else:
            values = _SIMILARITIES[self.kind](left, right)
        missing = [not a or not b for a, b in zip(left, right, strict=True)]
        return np.where(missing, np.nan, values)[back]


def text_similarity(index: TextIndex, bag: Bag, rows: Rows, columns: Rows, kind: str) -> Floats:
    """Return the similarity of pairs of texts, between 0 and 1; 1 only if they are equal."""
    by_words = kind == NAMES
    f = dict(zip(FEATURES, index.compare(bag, rows, columns, by_words).T, strict=True))
    if by_words:
        values = np.maximum(
            (f["characters"] + f["soft"]) / 2, np.maximum(f["sorted"], f["joined"])
        )
    else:
        values = _MEANING * f["meaning"] + _SPELLING * f["characters"]
    return np.where(f["equal"] == 1, 1.0, values)


def guessed(kind: str, cells: Sequence[str]) -> str:
    """Return the kind of a column; "text" and "guess" stand for what its cells look like."""
    filled = [cell for cell in cells if cell]
    if kind == "guess" and filled:
        compact = [_PLAIN.sub("", cell) for cell in filled]
        digits = [sum(map(str.isdigit, x)) > _DIGITS * len(x) for x in compact]
        kind = "code" if np.mean(digits) > 0.5 else kind
    if kind in ("text", "guess"):
        words = [cell.split() for cell in filled]
        later = [word for text in words for word in text[1:]]
        is_long = len(later) >= _LATER_WORDS * len(words)
        lower = np.mean([word[0].islower() for word in later]) if later else 0
        ends = np.mean([cell.rstrip()[-1:] in ".?!" for cell in filled]) if filled else 0
        kind = SENTENCES if lower > 0.5 and (is_long or ends > 0.5) else NAMES
    return kind


def _distinct(cells: Sequence[str]) -> tuple[list[str], Rows]:
    numbers: dict[str, int] = {}
    places = np.array([numbers.setdefault(cell, len(numbers)) for cell in cells], dtype=np.int64)
    return list(numbers), places


def _exact(left: list[str], right: list[str]) -> Floats:
    same = (a.strip().casefold() == b.strip().casefold() for a, b in zip(left, right, strict=True))
    return np.fromiter(same, dtype=np.float64)


def _code(left: list[str], right: list[str]) -> Floats:
    """Share of letters and digits that stay; exchanged neighbours are one change."""
    left, right = ([_PLAIN.sub("", text).lower() for text in texts] for texts in (left, right))
    return process.cpdist(left, right, scorer=OSA.normalized_similarity).astype(np.float64)


def _number(left: list[str], right: list[str]) -> Floats:
    a, b = (np.array([_as_number(text) for text in texts]) for texts in (left, right))
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.finfo(float).tiny)
    return np.clip(1 - np.abs(a - b) / largest, 0, 1)


def _as_number(text: str) -> float:
    try:
        return min(max(float(text.replace(",", "")), -_LARGEST), _LARGEST)
    except ValueError:
        return np.nan


def _date(left: list[str], right: list[str]) -> Floats:
    """Compare as a code, whose digits may be mistyped, and by the days between."""
    days = [np.array([_as_day(text) for text in texts]) for texts in (left, right)]
    near = np.nan_to_num(1 - np.abs(days[0] - days[1]) / _DAYS)
    return np.maximum(_code(left, right), near)


def _as_day(text: str) -> float:
    digits = _PLAIN.sub("", text)[:8]
    try:
        return float(np.datetime64(f"{digits[:4]}-{digits[4:6]}-{digits[6:]}", "D").astype(int))
    except ValueError:
        return np.nan


_SIMILARITIES = {"exact": _exact, "code": _code, "number": _number, "date": _date}


def levels(similarities: Floats) -> NDArray[np.int64]:
    """Return the level of each similarity, -1 where it is missing."""
    return np.where(np.isnan(similarities), -1, np.searchsorted(_LEVELS, similarities, "right"))


def learned_evidence(
    similarities: Floats,
    rows: Rows,
    columns: Rows,
    nearest: Floats | None = None,
    learned: Bools | None = None,
) -> Floats:
    """Return what each column, and before them the prior, adds to the log odds of a match.

    The last column is the whole row, and its lead over the row's other candidates; pairs are in
    the order of ``rows``. ``nearest`` are similarities of rows of one table that are
    each other's nearest, and no matches. Weights are learned from the ``learned`` pairs, or all.
    """
    all_pairs, all_rows = levels(similarities), rows
    if learned is not None:
        similarities, rows, columns = similarities[learned], rows[learned], columns[learned]
    of_pairs, whole = levels(similarities), similarities[:, -1]
    of_rows, of_columns = first_of_best(whole, rows), _best_of_columns(whole, columns)
    both = np.intersect1d(of_rows, of_columns)
    mutual = of_pairs[both]
    neither = np.setdiff1d(np.arange(len(rows)), np.union1d(of_rows, of_columns))
    known = [_shares(of_pairs[neither], np.ones(len(neither)), _USUAL_OTHER)]
    if nearest is not None:
        known.append(_shares(levels(nearest), np.ones(len(nearest)), _USUAL_OTHER))

    def log_ratios(matches: Floats, p_others: Floats) -> Floats:
        others = (np.mean(known, axis=0) + _shares(mutual, p_others, _USUAL_OTHER)) / 2
        # A higher level is never worth less than a lower one: levels that say so are pooled.
        pooled = (
            isotonic_regression(m / u, sample_weight=u)
            for m, u in zip(matches, others, strict=True)
        )
        return np.log(list(pooled))

    p = np.where(_upper_of_two(whole[both]), 0.95, 0.05)
    for _ in range(_ROUNDS):
        ratios = log_ratios(_shares(mutual, p, _USUAL_MATCH), 1 - p)
        prior = logit(np.clip((p.sum() + 0.5) / (len(p) + 1), 0.05, 0.95))
        odds = prior + _evidence(ratios, mutual).sum(axis=1)
        p = expit(odds)
    if len(p) >= _FEW and np.median(np.abs(odds)) < _APART:
        warn(
            "The records do not separate into matches and others: maybe few or none match. Only "
            "those that are nearly equal do; judge some to find more: review, judge or --review."
        )
        usual = np.tile(_USUAL_MATCH / _USUAL_MATCH.sum(), (len(known[0]), 1))
        ratios, prior = log_ratios(usual, np.ones(len(p))), logit(_USUAL_SHARE)
    else:  # pairs that are best for each other are more alike than other matches
        p_all = expit(prior + _evidence(ratios, of_pairs).sum(axis=1))
        ratios = log_ratios(_shares(of_pairs, p_all, _USUAL_MATCH), 1 - p)
    evidence = np.column_stack([np.full(len(all_rows), prior), _evidence(ratios, all_pairs)])
    lead = margins(evidence.sum(axis=1, keepdims=True), all_rows)
    evidence[:, -1:] += np.clip(lead - _SURE_LEAD, 0, _SURE_LEAD)
    return evidence


def _shares(of_pairs: NDArray[np.int64], weights: Floats, usual: Floats) -> Floats:
    """Return how often each level occurs in each column, with some usual pairs added."""
    counts = [
        np.bincount(numbers + 1, weights, minlength=_N_LEVELS + 1)[1:] for numbers in of_pairs.T
    ]
    shares: Floats = np.array(counts) + usual
    return shares / shares.sum(axis=1, keepdims=True)


def _evidence(ratios: Floats, of_pairs: NDArray[np.int64]) -> Floats:
    padded = np.column_stack([ratios, np.zeros(len(ratios))])  # -1, missing, is the last one
    return padded[np.arange(len(ratios)), of_pairs]


def _best_of_columns(scores: Floats, columns: Rows) -> Rows:
    order = np.argsort(columns, kind="stable")
    return order[first_of_best(scores[order], columns[order])]


def _upper_of_two(values: Floats) -> NDArray[np.bool_]:
    """Split values into two groups, and return which are in the upper one."""
    if len(np.unique(values)) < 2:
        return values > 0.5
    ends = np.array([[values.min()], [values.max()]])
    return np.equal(KMeans(2, init=ends).fit_predict(values[:, None]), 1)
