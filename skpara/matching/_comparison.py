"""Numbers that describe a pair of records, from which the packaged model reads whether it matches.

None depends on the names of columns, or on the other records of a call: they come from the pair,
from the record's other candidates, and from the reference. They are

* similarities of the whole records as texts, and of the cells of the most informative column,
  each also as a margin to the other candidates of the record;
* codes, numbers and quantities in these texts, which are shared or contradict;
* agreements and contradictions of all columns, weighted by how informative a column is: how rarely
  records of the reference agree in it by chance, and how often near neighbours do;
* how many candidates agree in the very same columns, such as a family at one address.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from itertools import chain
from typing import NamedTuple

import numpy as np

from skpara._typing import Bools, Floats
from skpara.matching._codes import codes
from skpara.matching._fields import Column
from skpara.matching._kinds import Kind, ratios
from skpara.matching._model import NAMES, leads, margins, packaged, run_starts, runs
from skpara.matching._products import best_products, products
from skpara.matching._search import Rows
from skpara.matching._texts import FEATURES, REST, Bag, TextIndex
from skpara.quantities import numbers, quantities

# A cell agrees from this similarity on.
_AGREES = 0.97
# A cell contradicts below this similarity.
_CONTRADICTS = 0.5
# Similarities at which the next level begins.
_LEVELS = np.array([0.4, 0.6, 0.75, 0.88, 0.97])
# Shares of the levels in matches, which are mostly equal.
_MATCHES = np.array([0.1, 0.1, 0.2, 0.4, 0.6, 1.6]) / 3
# Pairs of others that are counted in advance, so that a small reference gives sensible shares.
_OTHERS = np.array([1.6, 0.7, 0.3, 0.2, 0.1, 0.1])
# The most informative column has the largest share of different cells, less these penalties.
# A column of long texts: more words than this at the median.
_LONG_TEXT = 20
_PENALTY_OF_LONG_TEXT = 0.3
# A column of single words.
_ONE_WORD = 1.5
_PENALTY_OF_ONE_WORD = 0.15
# A column of anything but text.
_PENALTY_OF_NO_TEXT = 1.0
# Each column before it, as most tables begin with the most informative one.
_PENALTY_OF_PLACE = 0.02
# Information of codes that no record of the reference has.
_RARE_CODE = 6.0
# Shorter codes are parts of others by chance.
_SHORTEST_PART = 4
# Largest ratio of two numbers, such as prices, as a logarithm; beyond it, ratios say no more.
_LARGEST_RATIO = 3.0
_LARGEST_EVIDENCE = 20.0
# The model was trained on tables with up to this many columns: sums over more are scaled down to
# this many.
_MOST_COLUMNS = 12
# A column identifies records if its cells carry this share of the information needed to do so.
_TELLS = 0.5
# Stands for the ratio of numbers where there is none.
_NO_RATIO = -0.1
# Quantile of the similarities of nearest neighbours that shows how similar records may be.
_HIGH = 0.9
# Nearest records of one that are looked up: itself, the record of a query of the table, another.
_N_NEAREST = 3
_CHARACTERS = FEATURES.index("characters")
_SOFT = FEATURES.index("soft")

_OF_SETS = ("found", "contained", "both", "contradict", "partly")
_OF_COLUMNS = (
    "mean", "others mean", "others least", "others most", "others equal", "others differ",
    "filled", "missing", "agreement", "contradiction", "unique contradicts", "exact contradict",
    "exact agree", "rivals", "chance", "neighbours",
)  # fmt: skip
_WITH_MARGINS = ("mean", "agreement", "chance", "neighbours")
RECORD_FEATURES = [
    *(f"{what} {name}{margin}" for what in ("row", "key") for margin in ("", ", margin")
      for name in FEATURES),
    "row score", "row lead", "key score", "key lead", "no key",
    *(f"codes {name}" for name in _OF_SETS), "codes found, margin", "codes contained, margin",
    *(f"numbers {name}" for name in _OF_SETS),
    "quantities equal", "quantities differ", "ratio of numbers", "no numbers",
    *(f"columns {name}" for name in _OF_COLUMNS),
    *(f"columns {name}, margin" for name in _WITH_MARGINS),
    "closer than neighbours", "rank of row", "rank of key",
    "number of columns", "size of reference", "density", "high density", "one table", "words",
    *REST,
]  # fmt: skip

_CHANCE = RECORD_FEATURES.index("columns chance")

# Features to which a table and answers of people give new weights, besides the similarities of
# columns.
_JUDGED = [
    RECORD_FEATURES.index(name)
    for name in (
        "row characters", "row soft", "row soft, margin", "key characters", "key soft",
        "key soft, margin", "key unexplained", "key missing", "key number_unexplained",
        "key number_missing", "codes found", "codes contained", "codes contradict",
        "numbers found", "numbers contained", "numbers contradict", "quantities differ",
        "ratio of numbers", "columns mean", "columns others mean",
    )
]  # fmt: skip

N_JUDGED = len(_JUDGED)


class ColumnFacts(NamedTuple):
    """Facts about the columns of a reference."""

    filled: Floats  # shares of cells that are filled
    unique: Floats  # shares of the filled cells that no other record has
    information: list[Floats]  # of each cell of each column: -log of its share
    chance: Floats  # log odds of a match by levels of similarity, a row for each column:
    neighbours: Floats  # against pairs by chance, and against nearest neighbours
    key: int  # the most informative column of text
    tells: bool  # whether any column identifies records
    words: float  # usual number of words of a record


class RecordComparison:
    """Comparison of records of several columns with those of a reference.

    ``near`` are similarities of nearest neighbours within the reference, a column for each column
    and one for whole records.
    """

    def __init__(
        self, columns: Sequence[Column], index: TextIndex, whole: list[str], near: Floats
    ) -> None:
        self.columns, self.index, self.whole = columns, index, whole
        self.facts = column_facts(columns, whole, near)
        self._code_weights = code_weights(whole)
        of_whole = near[:, -1] if len(near) else np.zeros(1)
        self._density = np.array([of_whole.mean(), np.quantile(of_whole, _HIGH)])
        # For each record that was a candidate: its nearest other record, the cosine of n-grams
        # with it, and the cosine with the next one.
        self._nearest: dict[int, tuple[int, float, float]] = {}

    def compare(
        self,
        bag: Bag,
        cells: list[list[str]],
        whole: list[str],
        rows: Rows,
        columns: Rows,
        own: Rows | None = None,
    ) -> tuple[Floats, Floats]:
        """Return the features of pairs of a query and a record, and what a table reweighs.

        Parameters
        ----------
        bag : Bag
            The queries, prepared by the index.
        cells : list of list of str
            The columns of the queries.
        whole : list of str
            The queries as texts.
        rows, columns : ndarray of shape (n_pairs,)
            Numbers of the queries, in order, and of the records.
        own : ndarray of shape (n_queries,), default=None
            The records that the queries are, if they are of the reference.

        Returns
        -------
        ndarray of shape (n_pairs, n_features)
            See ``RECORD_FEATURES``.
        ndarray of shape (n_pairs, n_judged)
            Some features, and the similarities of columns, where 0.5 is missing.
        """
        features, similarities = self._compare(bag, cells, whole, rows, columns, own)
        filled = np.nan_to_num(similarities, nan=0.5)
        return features, np.column_stack([features[:, _JUDGED], filled])

    def _compare(
        self,
        bag: Bag,
        cells: list[list[str]],
        whole: list[str],
        rows: Rows,
        columns: Rows,
        own: Rows | None,
    ) -> tuple[Floats, Floats]:
        """Return the features of pairs, and the similarities of columns."""
        row, rest = self.index.compare_with_rest(bag, rows, columns)
        compared = [
            column.compare_with_features(part, rows, columns)
            for column, part in zip(self.columns, cells, strict=True)
        ]
        similarities = np.column_stack([values for values, _ in compared])
        left = [whole[x] for x in rows.tolist()]
        right = [self.whole[x] for x in columns.tolist()]
        key = self.facts.key
        of_key = compared[key][1]
        left_key, right_key = left, right
        if of_key is None:  # no column is of text
            of_key = row
        else:
            left_key = [cells[key][x] for x in rows.tolist()]
            right_key = self.columns[key].of_rows(columns)
        of_texts = compared_texts(left, right, self._code_weights)
        places = np.column_stack([column.places[columns] for column in self.columns])
        kinds = [column.kind for column in self.columns]
        of_columns = compared_columns(similarities, places, kinds, self.facts, rows)
        with_margins = [_OF_COLUMNS.index(name) for name in _WITH_MARGINS]
        nearest = self._nearest_cosines(columns, None if own is None else own[rows])
        of_table = [
            min(len(self.columns), _MOST_COLUMNS),
            np.log(max(len(self.whole), 1)),
            *self._density,
            float(own is not None),
            self.facts.words,
        ]
        features = np.column_stack(
            [
                row,
                margins(row, rows),
                of_key,
                margins(of_key, rows),
                *_as_names(row, rows),
                *_as_names(of_key, rows),
                np.isnan(similarities[:, key]),
                of_texts[:, : len(_OF_SETS)],
                margins(of_texts[:, :2], rows),
                compared_numbers(left_key, right_key),
                of_texts[:, len(_OF_SETS) :],
                self._ratios(similarities),
                of_columns,
                margins(of_columns[:, with_margins], rows),
                row[:, _CHARACTERS] - nearest,
                ranks(_text_score(row), rows),
                ranks(_text_score(of_key), rows),
                np.tile(of_table, (len(rows), 1)),
                rest,
            ]
        )
        return features, similarities

    def most(self, features: Floats) -> Floats:
        """Return the largest scores that pairs may have within the reference.

        Where no column identifies records, as in a questionnaire, the words of whole records say
        little; what counts is how many cells agree that would not by chance.
        """
        if self.facts.tells:
            return np.full(len(features), np.inf)
        return features[:, _CHANCE] - np.log(max(len(self.whole), 1))

    def _ratios(self, similarities: Floats) -> Floats:
        """Return the mean ratio of numbers, such as prices, as a logarithm; and where none is."""
        are_amounts = [column.kind.is_amount for column in self.columns]
        found = np.minimum(ratios(similarities[:, are_amounts]), _LARGEST_RATIO)
        n = (~np.isnan(found)).sum(axis=1)
        means = np.nansum(found, axis=1) / np.maximum(n, 1)
        return np.column_stack([np.where(n > 0, means, _NO_RATIO), n == 0])

    def learn_nearest(self, rows: Rows, columns: Rows) -> None:
        """Learn which records are nearest to some, of pairs with all that may be, in order."""
        ngrams = self.index.rows.ngrams
        values = products(ngrams, ngrams, rows, columns)
        order = np.lexsort((columns, -values, rows))
        for start, size in zip(*(x.tolist() for x in runs(rows)), strict=True):
            first = order[start]
            second = float(values[order[start + 1]]) if size > 1 else 0.0
            self._nearest[int(rows[start])] = int(columns[first]), float(values[first]), second

    def _nearest_cosines(self, columns: Rows, own: Rows | None) -> Floats:
        """Return the cosine of n-grams of records with their nearest one, other than ``own``."""
        known = self._nearest
        new = np.array([x for x in np.unique(columns).tolist() if x not in known], dtype=np.int64)
        if len(new):
            ngrams = self.index.rows.ngrams
            found = best_products(ngrams[new], ngrams, self.index.ngrams_of, _N_NEAREST)
            i, j = np.divmod(np.sort(found), len(self.whole))
            others = np.flatnonzero(new[i] != j)
            self.learn_nearest(new[i[others]], j[others])
            known |= dict.fromkeys(set(new.tolist()) - known.keys(), (-1, 0.0, 0.0))
        if own is None:
            return np.array([known[x][1] for x in columns.tolist()])
        pairs = zip(columns.tolist(), own.tolist(), strict=True)
        return np.array([known[x][2 if known[x][0] == mine else 1] for x, mine in pairs])


def _as_names(features: Floats, rows: Rows) -> tuple[Floats, Floats]:
    """Return the scores that pairs have as names, and their leads over other candidates."""
    scores = packaged(NAMES).score(features, rows)
    return scores, leads(scores, rows)


def _text_score(features: Floats) -> Floats:
    return (features[:, _CHARACTERS] + features[:, _SOFT]) / 2


def column_facts(columns: Sequence[Column], whole: Sequence[str], near: Floats) -> ColumnFacts:
    """Return facts about the columns of a reference; ``near`` are similarities of neighbours."""
    filled, unique, information, chance, tells = [], [], [], [], False
    for column in columns:
        counts = np.bincount(column.places, minlength=len(column.cells))
        counts = np.where([bool(cell) for cell in column.cells], counts, 0)
        total = max(counts.sum(), 1)
        filled.append(total / max(len(column.places), 1))
        unique.append((counts == 1).sum() / total)
        information.append(np.log((total + 1) / np.maximum(counts, 1)))
        bits = (counts * information[-1]).sum() / max(len(whole), 1)
        tells |= bits >= _TELLS * np.log(max(len(whole), 1))
        agree = (counts * (counts - 1.0)).sum() / max(total * (total - 1.0), 1)
        # Chance agreement in full; what is nearly equal shares the rest as usual.
        others = _OTHERS / _OTHERS.sum()
        others = others * (1 - agree)
        others[-1] += agree
        chance.append(np.log(_MATCHES / np.maximum(others, 1e-4)))
    of_near = [
        np.bincount(np.searchsorted(_LEVELS, x[~np.isnan(x)], "right"), minlength=len(_OTHERS))
        for x in near[:, : len(columns)].T
    ]
    shares = [(counts + _OTHERS) / (counts + _OTHERS).sum() for counts in of_near]
    words = float(np.median([text.count(" ") + 1 for text in whole] or [0]))
    return ColumnFacts(
        np.array(filled),
        np.array(unique),
        information,
        np.array(chance),
        np.log(_MATCHES / np.array(shares)),
        most_telling(columns, filled),
        bool(tells),
        words,
    )


def most_telling(columns: Sequence[Column], filled: Sequence[float]) -> int:
    """Return the column of text with the most different cells; if possible not of long texts."""
    best, most = 0, -np.inf
    for number_of, (column, share) in enumerate(zip(columns, filled, strict=True)):
        value = telling(column.kind, column.cells, len(column.places), share)
        value -= _PENALTY_OF_PLACE * number_of
        if value > most:
            best, most = number_of, value
    return best


def telling(kind: Kind, cells: Sequence[str], n_records: int, filled: float) -> float:
    """Return how informative a column is, by its different cells and the share that is filled."""
    words = np.median([len(cell.split()) for cell in cells if cell] or [0])
    value = sum(map(bool, cells)) / max(n_records, 1) * filled
    if not kind.is_text:
        return value - _PENALTY_OF_NO_TEXT
    if words > _LONG_TEXT:
        return value - _PENALTY_OF_LONG_TEXT
    return value - _PENALTY_OF_ONE_WORD if words < _ONE_WORD else value


def compared_sets(
    left: Sequence[Set[object]], right: Sequence[Set[object]], weights: dict[object, float] | None
) -> Floats:
    """Compare pairs of sets: the shares of both that are found in the other, and contradictions.

    Returns an array of shape (n_pairs, 5): the share of the left set in the right one and the
    reverse (one half for an empty set), whether both have elements, whether none agrees although
    both have, and whether one is a part of another.
    """
    found = np.zeros((len(left), len(_OF_SETS)))
    found[:, :2] = 0.5
    for pair, (a, b) in enumerate(zip(left, right, strict=True)):
        if not a and not b:
            continue
        common = a & b
        shared = _weight(common, weights)
        if a:
            found[pair, 0] = shared / _weight(a, weights)
        if b:
            found[pair, 1] = shared / _weight(b, weights)
        if a and b:
            found[pair, 2] = 1
            if not common:
                partly = any(_is_part(x, y) for x in a for y in b)
                found[pair, 3:] = not partly, partly
    return found


def _weight(elements: Set[object], weights: dict[object, float] | None) -> float:
    if weights is None:
        return float(len(elements))
    return sum(weights.get(x, _RARE_CODE) for x in elements)


def _is_part(first: object, second: object) -> bool:
    if not isinstance(first, str) or not isinstance(second, str):
        return False
    short, long = sorted((first, second), key=len)
    return len(short) >= _SHORTEST_PART and short in long


def code_weights(whole: Sequence[str]) -> dict[object, float]:
    """Return the weight of each code of a reference, by how many records have it."""
    counts = Counter(chain.from_iterable(map(codes, whole)))
    return {code: float(np.log((len(whole) + 1) / n)) for code, n in counts.items()}


def compared_texts(
    left: Sequence[str], right: Sequence[str], weights: dict[object, float]
) -> Floats:
    """Compare codes and quantities in pairs of texts; see :func:`compared_sets`."""
    of_codes = compared_sets(list(map(codes, left)), list(map(codes, right)), weights)
    of_units = np.zeros((len(left), 2))
    for pair, (a, b) in enumerate(zip(map(quantities, left), map(quantities, right), strict=True)):
        for unit in a.keys() & b.keys():
            of_units[pair, 0 if a[unit] & b[unit] else 1] += 1
    return np.hstack([of_codes, of_units])


def compared_numbers(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Compare the numbers in pairs of texts; see :func:`compared_sets`."""
    return compared_sets(list(map(numbers, left)), list(map(numbers, right)), None)


def compared_columns(
    similarities: Floats, places: Rows, kinds: Sequence[Kind], facts: ColumnFacts, rows: Rows
) -> Floats:
    """Summarise the similarities of columns, NaN where a cell is missing.

    ``places`` are the numbers of the cells of the candidates, in the order of the columns'
    different cells.
    """
    is_filled = ~np.isnan(similarities)
    filled = np.where(is_filled, similarities, 0.0)
    tells = np.column_stack(
        [x[place] for x, place in zip(facts.information, places.T, strict=True)]
    )
    agrees = is_filled & (similarities >= _AGREES)
    contradicts = is_filled & (similarities < _CONTRADICTS)
    usual = np.array([x.mean() if len(x) else 0.0 for x in facts.information])
    n_others = is_filled.sum(axis=1) - is_filled[:, facts.key]
    others = is_filled.copy()
    others[:, facts.key] = False
    has_others = n_others > 0
    mean = (filled * usual * is_filled).sum(axis=1) / np.maximum(
        (usual * is_filled).sum(axis=1), 1e-9
    )
    others_mean = (filled * others).sum(axis=1) / np.maximum(n_others, 1)
    least = np.where(others, filled, 2.0).min(axis=1, initial=2.0)
    most = np.where(others, filled, -1.0).max(axis=1, initial=-1.0)
    exact = np.array([not kind.is_text for kind in kinds])
    part = min(_MOST_COLUMNS / len(kinds), 1.0)
    level = np.where(is_filled, np.searchsorted(_LEVELS, np.nan_to_num(similarities), "right"), -1)
    padded = [np.column_stack([x, np.zeros(len(x))]) for x in (facts.chance, facts.neighbours)]
    by_levels = [x[np.arange(len(x)), level].sum(axis=1) for x in padded]
    return np.column_stack(
        [
            mean,
            np.where(has_others, others_mean, 0.5),
            np.where(has_others, least, 0.5),
            np.where(has_others, most, 0.5),
            part * (agrees & others).sum(axis=1),
            part * (contradicts & others).sum(axis=1),
            part * is_filled.sum(axis=1),
            1 - is_filled.mean(axis=1),
            part * (tells * agrees).sum(axis=1),
            part * (facts.unique * contradicts).sum(axis=1),
            (facts.unique * is_filled * (1 - filled)).max(axis=1, initial=0),
            part * (contradicts & exact).sum(axis=1),
            part * (agrees & exact).sum(axis=1),
            np.log1p(rivals(agrees, rows)),
            *(np.clip(part * x, -_LARGEST_EVIDENCE, _LARGEST_EVIDENCE) for x in by_levels),
        ]
    )


def rivals(agrees: Bools, rows: Rows) -> Floats:
    """Return how many other candidates of a record agree in all columns in which this one does."""
    parts = np.split(agrees, run_starts(rows)[1:])
    counts = [(own[:, None] >= own).all(axis=2).sum(axis=0) - 1 for own in parts]
    return np.concatenate(counts).astype(np.float64)


def ranks(values: Floats, rows: Rows) -> Floats:
    """Return the rank of each pair among those of the same row, from 0, equal ones alike."""
    parts = np.split(values, run_starts(rows)[1:])
    counts = [(own[:, None] < own).sum(axis=1) for own in parts]
    return np.concatenate(counts).astype(np.float64)
