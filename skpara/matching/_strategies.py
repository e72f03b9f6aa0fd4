"""The three ways to compare rows: as sentences, as names, and as records column by column.

Each proposes candidates for queries, scores them, and calibrates the scores of a call to log odds.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from skpara._public import set_module
from skpara._typing import Bools, Floats, Vectors
from skpara.matching._comparison import N_JUDGED, RecordComparison
from skpara.matching._decoys import ROWS_ALONE, Taught, call_log_odds
from skpara.matching._duplicates import NamesWithin, Refuse
from skpara.matching._fields import Column, grouped
from skpara.matching._groups import Within
from skpara.matching._kinds import Text, as_kind
from skpara.matching._model import (
    NAMES,
    SENTENCES,
    TableModel,
    first_of_best,
    leads,
    neighbourhood,
    packaged,
    packaged_records,
    parts_of_rows,
    rarity,
)
from skpara.matching._search import Rows, chunks, encode_units, exact_cosines
from skpara.matching._texts import FEATURES, Bag, TextIndex, normalize, signs
from skpara.matching._words import word_evidence

if TYPE_CHECKING:
    from skpara.matching._records import Records

RECORDS = "records"
# Indexed texts whose neighbours are looked up; their mean does not change with more of them.
N_NEIGHBOURS = 1000
# Above this number, the vectors of names propose no candidates: comparing all takes milliseconds.
MANY_ROWS = 20_000
# Pairs that are compared at a time; their features take 10 MB.
_PAIRS_AT_ONCE = 2**15
# Pairs within one table that are compared at a time: 30 MB.
_PAIRS = 2**17
# Candidates of neighbours, each text itself among them.
NEAREST = 4
# Records of several columns are searched by the first words of each cell: a long one would
# outweigh the others.
_INDEXED_WORDS = 32
# Log odds of equal texts at least: .99995.
_EQUAL = 10.0


class Queries(NamedTuple):
    """Rows to find candidates for."""

    cells: list[list[str]]  # a list for each column
    whole: list[str]  # the rows as texts
    bag: Bag  # as the index reads them


@set_module("skpara.matching")
class Scored(NamedTuple):
    """Pairs of a query and a distinct record of the reference, ordered by query."""

    rows: Rows
    columns: Rows
    scores: Floats  # log odds for classifiers, else on a scale of their own
    cells: list[list[str]]  # of the queries, a list for each column
    # What the table and answers give new weights: always for several columns.
    features: Floats | None = None
    # Log odds that were computed for the whole call: for several columns.
    log_odds: Floats | None = None
    taught: Taught | None = None  # by the call, for calls with few rows

    def chosen(self, pairs: Rows) -> Scored:
        """Return some of the pairs."""
        features, log_odds = (None if x is None else x[pairs] for x in self[4:6])
        rows, columns, scores = self.rows[pairs], self.columns[pairs], self.scores[pairs]
        return Scored(rows, columns, scores, self.cells, features, log_odds)

    @classmethod
    def joined(cls, parts: Sequence[Scored], cells: list[list[str]]) -> Scored:
        """Join the pairs of several groups of queries, ordered by query."""
        of_parts = zip(*(part[:3] for part in parts), strict=True)
        rows, columns, scores = (np.concatenate(x) for x in of_parts)
        order = np.argsort(rows, kind="stable")
        known = [part.features for part in parts if part.features is not None]
        features = np.concatenate(known)[order] if len(known) == len(parts) else None
        return cls(rows[order], columns[order], scores[order], cells, features)


class Strategy(ABC):
    """A way to compare rows with the distinct records of a table."""

    has_vectors = True  # whether vectors of meaning propose candidates

    def __init__(self, table: Records) -> None:
        self.table = table

    @abstractmethod
    def encode(self, texts: list[str]) -> Vectors | None:
        """Return vectors of texts."""

    @abstractmethod
    def compare(self, queries: Queries, rows: Rows, columns: Rows) -> Scored:
        """Return pairs of a query, in order, and a record, with their scores."""

    def score(self, queries: Queries, rows: Rows, columns: Rows) -> Floats:
        """Return the scores of pairs."""
        return self.compare(queries, rows, columns).scores

    @abstractmethod
    def alone(self, scored: Scored) -> Floats:
        """Return the log odds of pairs, without evidence from the tables of a call."""

    def calibrate(self, scored: Scored) -> Floats:
        """Return log odds: of a call if they were computed, else of each row alone."""
        return self.alone(scored) if scored.log_odds is None else scored.log_odds

    def of_call(self, scored: Scored) -> Scored:
        """Return pairs with log odds estimated from their tables, and what the call teaches."""
        rows, columns, scores, _, features = scored[:5]
        if features is None or self.table.kind not in ROWS_ALONE:
            return scored
        log_odds, taught = call_log_odds(
            scores,
            lambda: self.alone(scored),
            features,
            rows,
            columns,
            self.table.taught,
            ROWS_ALONE[self.table.kind],
        )
        are_equal = self._are_equal(scored.cells, rows, columns)
        log_odds = _surer(log_odds, are_equal)
        return scored._replace(log_odds=log_odds, taught=taught)

    @abstractmethod
    def _are_equal(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Bools:
        """Return which pairs of a query and a record say the same."""

    @abstractmethod
    def judged(self, queries: Queries, rows: Rows, columns: Rows) -> Floats:
        """Return what the weights that people's answers teach are of."""

    @property
    @abstractmethod
    def n_judged(self) -> int:
        """The number of these."""

    @abstractmethod
    def closeness(self, queries: Queries, rows: Rows, columns: Rows, sample: Rows) -> Floats:
        """Return how close records are to their nearest neighbours, which are not matches."""

    @abstractmethod
    def within(self, refuse: Refuse, verbose: bool) -> Within:
        """Return the records of the table, to be compared with each other."""

    def indexed(self, columns: list[list[str]]) -> list[str]:
        """Return rows as the texts that are searched."""
        return self.table.joined(columns)

    def learn(self, columns: list[list[str]]) -> None:
        """Index the distinct records, whose columns these are."""
        table = self.table
        units = self.encode(table.whole) if self.has_vectors else None
        table.index = TextIndex(self.indexed(columns), units)
        rng = np.random.default_rng(0)  # the same rows give the same result
        n = len(table.whole)
        sample = np.sort(rng.choice(n, min(n, N_NEIGHBOURS), replace=False))
        queries, rows, others = self.nearest(sample, NEAREST)
        if queries.bag.units is None:
            queries = queries._replace(bag=queries.bag._replace(units=self.encode(queries.whole)))
        table.near = self.closeness(queries, rows, others, sample)

    def prepare(self, cells: list[list[str]]) -> Queries:
        """Prepare queries to be compared."""
        whole = self.table.joined(cells)
        bag = self.table.index.prepare(self.indexed(cells), self.encode(whole))
        return Queries(cells, whole, bag)

    def candidates(self, queries: Queries, k: int) -> tuple[Rows, Rows]:
        """Propose records for queries: pairs of both, in order."""
        return self.table.index.candidates(queries.bag, k, self.has_vectors)

    def nearest(self, numbers: Rows, k: int) -> tuple[Queries, Rows, Rows]:
        """Return some of the records as queries, and pairs with the others nearest to each."""
        table = self.table
        cells = table.cells_of(numbers)
        queries = Queries(cells, table.joined(cells), table.index.rows.part(numbers))
        rows, columns = self.candidates(queries, k)
        others = numbers[rows] != columns
        return queries, rows[others], columns[others]


class Texts(Strategy):
    """One column of text."""

    reads_words = True

    @property
    def model(self) -> TableModel:
        """The packaged numbers."""
        return packaged(self.table.kind)

    def encode(self, texts: list[str]) -> Vectors:
        """Return vectors of texts."""
        return encode_units(self.table.encoder, texts, are_names=self.reads_words)

    def closeness(self, queries: Queries, rows: Rows, columns: Rows, sample: Rows) -> Floats:
        """Summarise the scores of nearest neighbours."""
        return neighbourhood(self.score(queries, rows, columns), rows)

    def compare(self, queries: Queries, rows: Rows, columns: Rows) -> Scored:
        """Return pairs with their scores, on a scale of their own; names with features, too."""
        parts = [(np.empty(0), np.empty((0, len(FEATURES))))]
        for part in parts_of_rows(rows, _PAIRS_AT_ONCE):
            texts = self.table.index.text_numbers(columns[part])
            features = self.judged(queries, rows[part], columns[part])
            scores = self.model.score(features, rows[part], texts)
            parts.append((scores, features if self.reads_words else features[:0]))
        scores, features = map(np.concatenate, zip(*parts, strict=True))
        kept = features if self.reads_words else None
        return Scored(rows, columns, scores, queries.cells, kept)

    def judged(self, queries: Queries, rows: Rows, columns: Rows) -> Floats:
        """Return the features of pairs."""
        table, bag = self.table, queries.bag
        features = table.index.compare(bag, rows, columns, self.reads_words)
        # Vectors of a million names take a gigabyte; computing the vectors of one query's
        # candidates takes a tenth of a millisecond.
        if table.index.rows.units is None and bag.units is not None:
            texts, place = np.unique(columns, return_inverse=True)
            others = self.encode([table.whole[text] for text in texts.tolist()])
            meaning = exact_cosines(bag.units, others, rows, place)
            features[:, FEATURES.index("meaning")] = meaning
        return features

    @property
    def n_judged(self) -> int:
        """The number of features."""
        return len(FEATURES)

    def alone(self, scored: Scored) -> Floats:
        """Return log odds in the context of the other pairs; equal texts are sure."""
        rows, columns, scores = scored[:3]
        index, words = self.table.index, None
        if self.reads_words:
            whole = self.table.joined(scored.cells)
            words = word_evidence(index, whole, rows, columns, scores)
        texts = index.text_numbers(columns)
        logits = self.model.logits(scores, rows, self.table.near, words, texts)
        return _surer(logits, self._are_equal(scored.cells, rows, columns))

    def within(self, refuse: Refuse, verbose: bool) -> Within:
        """Return the names, to be compared with each other."""
        table = self.table

        def vectors(numbers: Rows) -> Vectors:
            return self.encode([table.whole[number] for number in numbers.tolist()])

        return NamesWithin(table.index, self.has_vectors, vectors, refuse, verbose)

    def _are_equal(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Bools:
        """Return which pairs say the same letter by letter, and with the same signs."""
        texts = self.table.joined(cells)
        normal = {row: normalize(texts[row]) for row in np.unique(rows).tolist()}
        pairs = enumerate(zip(rows.tolist(), columns.tolist(), strict=True))
        indexed, equal = self.table.index.rows.texts, np.zeros(len(rows), dtype=bool)
        for pair, (row, column) in pairs:
            if normal[row] == indexed[column]:
                equal[pair] = signs(texts[row]) == signs(self.table.whole[column])
        return equal


class Names(Texts):
    """Names, whose words are compared one by one."""

    @property
    def has_vectors(self) -> bool:  # type: ignore[override]
        """Whether vectors are kept."""
        return len(self.table.whole) <= MANY_ROWS


class Sentences(Texts):
    """Sentences, compared by meaning and spelling."""

    reads_words = False


class Fields(Strategy):
    """Columns that are compared one by one, each by its kind."""

    @property
    def has_vectors(self) -> bool:  # type: ignore[override]
        """Whether vectors are kept."""
        return SENTENCES in self.table.kinds

    @cached_property
    def comparison(self) -> RecordComparison:
        """The comparison of records, made when it is needed."""
        table = self.table
        return RecordComparison(table.columns, table.index, table.whole, table.near)

    def encode(self, texts: list[str]) -> Vectors | None:
        """Return vectors of texts, if sentences are among the columns."""
        return encode_units(self.table.encoder, texts) if self.has_vectors else None

    def indexed(self, columns: list[list[str]]) -> list[str]:
        """Return rows by the normal forms of their cells, without what is long."""
        table = self.table
        column_of = {
            number: column
            for column, numbers in zip(table.columns, table.merged, strict=True)
            for number in numbers
        }
        normal = [
            [_beginning(form) for form in column_of[number].read(cells).forms.tolist()]
            for number, cells in enumerate(columns)
        ]
        return table.joined(normal)

    def learn(self, columns: list[list[str]]) -> None:
        """Index the distinct records, and each column."""
        table = self.table
        table.columns = [
            Column(table.field_kind(numbers), column, table.encoder)
            for numbers, column in zip(table.merged, table.fields(columns), strict=True)
        ]
        super().learn(columns)

    def candidates(self, queries: Queries, k: int) -> tuple[Rows, Rows]:
        """Propose records: among those only that have what must be the same."""
        table = self.table
        same = [n for n, kind in enumerate(table.kinds) if as_kind(kind).must_agree]
        if not same:
            return super().candidates(queries, k)
        pairs = [np.empty((0, 2), dtype=np.int64)]
        normal = (map(as_kind(table.kinds[n]).normal, queries.cells[n]) for n in same)
        wanted = zip(*normal, strict=True)
        for values, rows in grouped(list(wanted)).items():
            columns = np.arange(len(table.whole))
            for n, value in zip(same, values, strict=True):
                column = table.columns[table.merged.index([n])]
                groups, nothing = column.groups, np.empty(0, dtype=np.int64)
                if value:  # an empty cell may stand for any
                    known = [groups.get(x, nothing) for x in (value, "")]
                    columns = np.intersect1d(columns, np.concatenate(known), assume_unique=True)
            part = table.index.part(columns)
            i, j = part.candidates(queries.bag.part(rows), k, self.has_vectors)
            pairs.append(np.column_stack([rows[i], columns[j]]))
        found = np.concatenate(pairs)
        first, second = found[np.lexsort(found.T[::-1])].T
        return first, second

    def described(
        self, queries: Queries, rows: Rows, columns: Rows, own: Rows | None = None
    ) -> tuple[Floats, Floats]:
        """Return features of pairs, and what the table reweighs, see ``RecordComparison``.

        ``own`` are the records that the queries are, if any.
        """
        fields = self.table.fields(queries.cells)
        compare = self.comparison.compare
        return compare(queries.bag, fields, queries.whole, rows, columns, own)

    def judged(self, queries: Queries, rows: Rows, columns: Rows) -> Floats:
        """Return some features, and the similarities of columns."""
        return self.described(queries, rows, columns)[1]

    @property
    def n_judged(self) -> int:
        """The number of these features, and of columns."""
        return N_JUDGED + len(self.table.merged)

    def compare(self, queries: Queries, rows: Rows, columns: Rows) -> Scored:
        """Return pairs with their scores, and with what the table gives new weights."""
        features, judged = self.described(queries, rows, columns)
        scores = packaged_records(one_table=False).scores(features)
        return Scored(rows, columns, scores, queries.cells, judged)

    def alone(self, scored: Scored) -> Floats:
        """Return the log odds of pairs, each query alone."""
        model = packaged_records(one_table=False)
        return model.logits(scored.scores, leads(scored.scores, scored.rows))

    def log_odds(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Floats:
        """Return the log odds of pairs of a query and a record, each query alone."""
        return self.alone(self.compare(self.prepare(cells), rows, columns))

    def _are_equal(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Bools:
        """Return which pairs of a query and a record say the same in all columns."""
        are_equal = np.array([any(row) for row in zip(*cells, strict=True)], dtype=bool)[rows]
        for column, mine in zip(self.table.columns, self.table.fields(cells), strict=True):
            are_equal[are_equal] = column.are_equal(mine, rows[are_equal], columns[are_equal])
        return are_equal

    def within(self, refuse: Refuse, verbose: bool) -> Within:
        """Return the records, to be compared with each other."""
        return FieldsWithin(self, refuse)

    def contributions(self, scored: Scored, pairs: Rows) -> tuple[Floats, Floats, Floats]:
        """Return what each column, and the rest of the record, adds to the log odds of pairs.

        A column adds what is lost if the query's cell is empty. Returns the log odds of any
        candidate in the tables of the call, the similarities of columns and whole records, and
        what they add to these log odds, arrays of shape (n_pairs, n_columns + 1).
        """
        rows, columns, _, cells = scored[:4]
        queries, place = np.unique(rows[pairs], return_inverse=True)
        of_queries = np.flatnonzero(np.isin(rows, queries))
        chosen = np.searchsorted(of_queries, pairs)
        mine = [[column[row] for row in queries.tolist()] for column in cells]
        rows, columns = np.searchsorted(queries, rows[of_queries]), columns[of_queries]
        score = self.log_odds(mine, rows, columns)[chosen]
        added = []
        for number in range(len(mine)):
            without = [[""] * len(queries) if i == number else x for i, x in enumerate(mine)]
            added.append(score - self.log_odds(without, rows, columns)[chosen])
        prior = packaged_records(one_table=False).prior
        rest = score - prior - np.sum(added, axis=0)
        # The tables of the call make all candidates more or less probable.
        priors = prior + self.calibrate(scored)[pairs] - score
        similarities = self._similarities(self.prepare(mine), place, columns[chosen])
        merged = self.table.merged
        field_of = {x: field for field, numbers in enumerate(merged) for x in numbers}
        order = [*(field_of[number] for number in range(len(mine))), len(merged)]
        return priors, similarities[:, order], np.column_stack([*added, rest])

    def closeness(self, queries: Queries, rows: Rows, columns: Rows, sample: Rows) -> Floats:
        """Return the similarities of pairs that are each other's nearest, as matches are."""
        similarities = self._similarities(queries, rows, columns)
        best = first_of_best(similarities[:, -1], rows)
        nearest = dict(zip(sample[rows[best]].tolist(), columns[best].tolist(), strict=True))
        mutual = [nearest.get(other, row) == row for row, other in nearest.items()]
        return similarities[best[np.array(mutual, dtype=bool)]]

    def _similarities(self, queries: Queries, rows: Rows, columns: Rows) -> Floats:
        """Return the similarities of the columns of pairs, and of whole records."""
        table = self.table
        whole = Text().of_features(table.index.compare(queries.bag, rows, columns))
        parts = zip(table.columns, table.fields(queries.cells), strict=True)
        return np.column_stack([*(x.compare(part, rows, columns) for x, part in parts), whole])


class FieldsWithin:
    """The records of one table, see :class:`~skpara.matching._groups.Within`."""

    def __init__(self, strategy: Fields, refuse: Refuse) -> None:
        self.strategy, self.refused = strategy, refuse
        self._scores, self._features = np.empty(0), np.empty((0, 0))

    def propose(self, numbers: Rows, k: int) -> tuple[Rows, Rows]:
        """Propose the nearest neighbours of some records."""
        _, rows, columns = self.strategy.nearest(numbers, k)
        self.strategy.comparison.learn_nearest(numbers[rows], columns)
        return numbers[rows], columns

    def compare(self, rows: Rows, columns: Rows) -> None:
        """Compare pairs in both directions, whose scores differ by up to .5."""
        both = np.stack([np.append(rows, columns), np.append(columns, rows)])
        order = np.lexsort(both[::-1])
        rows, columns = both[:, order]
        model = packaged_records(one_table=True)
        parts = [(np.empty(0), np.empty((0, N_JUDGED + len(self.strategy.table.merged))))]
        for part in chunks(len(order), _PAIRS):
            numbers, places = np.unique(rows[part], return_inverse=True)
            queries = self.strategy.prepare(self.strategy.table.cells_of(numbers))
            features, judged = self.strategy.described(queries, places, columns[part], numbers)
            scores = np.minimum(model.scores(features), self.strategy.comparison.most(features))
            parts.append((scores, judged))
        back = np.argsort(order)
        means = []
        for x in zip(*parts, strict=True):
            forward, backward = np.split(np.concatenate(x)[back], 2)
            means.append((forward + backward) / 2)
        self._scores = np.append(self._scores, means[0])
        self._features = np.vstack([self._features.reshape(-1, means[1].shape[1]), means[1]])

    def log_odds(self, pairs: Rows) -> Floats:
        """Return the log odds that pairs are of the same thing."""
        scores = self._scores
        best = np.full(len(self.strategy.table.whole), -np.inf)
        for side in pairs.T:
            np.maximum.at(best, side, scores)
        return packaged_records(one_table=True).logits(scores, rarity(scores, best))


STRATEGIES: dict[str, type[Strategy]] = {
    SENTENCES: Sentences,
    NAMES: Names,
    RECORDS: Fields,
}


def _surer(log_odds: Floats, are_equal: Bools) -> Floats:
    """Return log odds, of equal rows above those of rows that are equal but for signs."""
    return np.where(are_equal, np.maximum(log_odds, 0) + _EQUAL, log_odds)


def _beginning(cell: str) -> str:
    return " ".join(cell.split(None, _INDEXED_WORDS)[:_INDEXED_WORDS])
