"""The reference of a matcher: its distinct records, indexed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy.special import expit

from skpara._array_files import check_array, check_texts
from skpara._public import set_module
from skpara._typing import Bools, Floats, Vectors
from skpara.matching._comparison import RecordComparison, telling
from skpara.matching._duplicates import NamesWithin, Refuse
from skpara.matching._fields import Column, grouped, text_similarity
from skpara.matching._groups import Within, compared_pairs
from skpara.matching._kinds import guessed
from skpara.matching._model import (
    NAMES,
    SENTENCES,
    RecordModel,
    first_of_best,
    leads,
    neighbourhood,
    packaged,
    packaged_records,
    rarity,
)
from skpara.matching._search import Rows, chunks, encode_units, exact_cosines, join_pairs
from skpara.matching._tables import known
from skpara.matching._texts import FEATURES, Bag, TextIndex, normalize, said, shallow_copy
from skpara.matching._values import CellUnit, in_unit, key, normal_forms, unit_of
from skpara.matching._words import word_evidence

RECORDS = "records"
STRATEGIES = (SENTENCES, NAMES, RECORDS)  # how rows are compared
# Indexed texts whose neighbours are looked up; their mean does not change with more of them.
N_NEIGHBOURS = 1000
# Above this number, the vectors of names propose no candidates: comparing all takes milliseconds.
_MANY_ROWS = 20_000
# Queries whose pairs are compared at a time; their features take 10 MB.
_QUERIES = 2048
# Pairs within one table that are compared at a time: 30 MB.
_PAIRS = 2**17
# Weights are learned again when a table has this many times the rows that they were learned from,
# and always where that takes a few seconds.
_GROWTH = 1.2
# Candidates of neighbours, each text itself among them.
NEAREST = 4
# Records of several columns are searched by the first words of each cell: a long one would
# outweigh the others.
_INDEXED_WORDS = 32
# Titles up to this length, in words, are compared by their words.
_LONGEST_TITLE = 25
# Of two columns one is always empty if both are filled in at most this share of the rows in which
# the emptier one is,
_BOTH_FILLED = 0.02
# which is filled in more than this share of all rows.
_FILLED = 0.05
# Log odds of equal texts at least: .99995.
_EQUAL = 10.0


@set_module("skpara.matching", trusted=True)
class Records:
    """Distinct records, and the rows that have them.

    ``numbers`` are the row numbers, ``cells`` the columns of all rows. Equal records are searched
    once, else a frequent one would hide all others.
    """

    def __init__(
        self,
        cells: list[list[str]],
        kinds: Sequence[str],
        encoder: Any,
        numbers: Any = None,
        kind: str = "auto",
    ) -> None:
        self.encoder = encoder
        self.kinds = [guessed(kind, column) for kind, column in zip(kinds, cells, strict=True)]
        if len(cells) > 1:
            self.kinds = [
                NAMES if kind == SENTENCES != given and is_short(column) else kind
                for kind, given, column in zip(self.kinds, kinds, cells, strict=True)
            ]
        self.units = [
            usual_unit(column) if kind == "number" else None
            for kind, column in zip(self.kinds, cells, strict=True)
        ]
        cells = self.known(cells)
        columns = self._set_rows(cells, np.arange(len(cells[0])) if numbers is None else numbers)
        self.n_weighed, self.next_number = self.n_rows, int(self.numbers.max(initial=-1)) + 1
        self.merged = merged_columns(columns, self.kinds)
        self.kind = self._text_kind() if kind != "records" else kind
        # Vectors of a million names take a gigabyte; computing the vectors of one query's
        # candidates takes a tenth of a millisecond.
        is_large = self.text_kind == NAMES and len(self.whole) > _MANY_ROWS
        units = None if is_large else self._units(self.whole)
        self.index = TextIndex(self._indexed(columns), units)
        self.columns: list[Column] = []
        if self.text_kind is None:
            self.columns = [
                Column(self._kind(numbers_of), column, encoder)
                for numbers_of, column in zip(self.merged, self.fields(columns), strict=True)
            ]
        self.near = self._neighbours(columns)
        self._comparison: RecordComparison | None = None

    @classmethod
    def of_candidates(
        cls, index: TextIndex, texts: list[str], near: Floats, encoder: Any
    ) -> Records:
        """Return some of the names of a larger reference, whose weights ``index`` has.

        ``near`` are the scores of neighbours there. The texts are different, in its order.
        """
        new = object.__new__(cls)
        new.encoder, new.kinds, new.merged = encoder, [NAMES], [[0]]
        new.units, new.kind = [None], NAMES
        new._set_rows([texts], np.arange(len(texts)))
        new.index, new.near, new.columns, new._comparison = index.of_texts(texts), near, [], None
        new.n_weighed = new.next_number = new.n_rows
        return new

    @property
    def text_kind(self) -> str | None:
        """The kind of text if the rows are texts of one column, names or sentences, else None."""
        return None if self.kind == RECORDS else self.kind

    def _text_kind(self) -> str:
        kind = self._kind(self.merged[0])
        return kind if len(self.merged) == 1 and kind in (NAMES, SENTENCES) else RECORDS

    def _kind(self, numbers: list[int]) -> str:
        return self.kinds[numbers[0]] if len(numbers) == 1 else NAMES

    def known(self, cells: list[list[str]]) -> list[list[str]]:
        """Return cells as they are compared.

        They are empty where a name says that nothing is known, such as "N/A", and numbers are in
        the usual unit of their column.
        """
        if self.kinds == [NAMES]:
            return [known(cells[0])]
        return [
            column if unit is None else [in_unit(cell, unit) for cell in column]
            for unit, column in zip(self.units, cells, strict=True)
        ]

    def fields(self, cells: list[list[str]]) -> list[list[str]]:
        """Return the columns that are compared: those of which one is always empty are one."""
        return [self.joined([cells[number] for number in numbers]) for numbers in self.merged]

    def _indexed(self, columns: list[list[str]]) -> list[str]:
        """Return records as texts to search in."""
        if self.text_kind is None:
            columns = [
                [_beginning(cell) for cell in normal_forms(kind, column)]
                for kind, column in zip(self.kinds, columns, strict=True)
            ]
        return self.joined(columns)

    def _set_rows(self, cells: list[list[str]], numbers: Rows) -> list[list[str]]:
        """Set the rows, and return the columns of the distinct records, in order."""
        self.cells, self.numbers, self.n_rows = cells, numbers, len(numbers)
        rows: dict[tuple[str, ...], list[int]] = {}
        for row, record in enumerate(zip(*cells, strict=True)):
            rows.setdefault(record, []).append(row)
        self.rows = np.concatenate([*rows.values(), []]).astype(np.int64)
        self.starts = np.cumsum([0, *map(len, rows.values())])
        columns = [list(column) for column in zip(*rows, strict=True)] or [[] for _ in cells]
        self.whole = self.joined(columns)
        return columns

    def __getstate__(self) -> dict[str, Any]:
        computed = ("whole", "units", "_comparison")
        return {name: value for name, value in vars(self).items() if name not in computed}

    def __setstate__(self, state: dict[str, Any]) -> None:
        numbers = state["numbers"]  # files of earlier versions lack what follows from them
        added = {
            "n_weighed": len(numbers),
            "next_number": int(numbers.max(initial=-1)) + 1,
            "merged": [[number] for number in range(len(state["kinds"]))],
        }
        state.pop("is_text", None)  # of earlier versions
        vars(self).update(added | state)
        self.kind = state.get("kind") or self._text_kind()
        self.whole = self.joined(self._distinct())
        self.units = [
            usual_unit(column) if kind == "number" else None
            for kind, column in zip(self.kinds, self.cells, strict=True)
        ]
        self._comparison = None

    def _check_loaded(self) -> None:
        n, n_rows = len(self.whole), len(self.rows)
        check_texts("indexed records", self.index.rows.texts, n)
        for cells, kind in zip(self.cells, self.kinds, strict=True):
            check_texts(f"cells of the kind {kind}", cells, n_rows)
        if sorted(chain(*self.merged)) != list(range(len(self.kinds))):
            raise ValueError("columns are compared twice or never")
        if self.kind not in (RECORDS, self._text_kind()):
            raise ValueError(f"rows of its columns are no {self.kind!r:.40}")
        n_columns = 0 if self.text_kind else len(self.merged)
        if (self.n_rows, len(self.columns)) != (n_rows, n_columns):
            raise ValueError("a table has columns of another number or size")
        if not self.n_weighed >= 0 or not self.next_number > self.numbers.max(initial=-1):
            raise ValueError("a table has a wrong number of rows")
        check_array("the numbers of rows", self.numbers, np.int64, (n_rows,))
        check_array("the rows of records", self.rows, np.int64, (None,), below=n_rows)
        check_array("borders of records", self.starts, np.int64, (n + 1,), below=n_rows + 1)
        steps = np.append(np.diff(self.numbers, prepend=-1), np.diff(self.starts))
        if (steps < 1).any() or self.starts[[0, -1]].tolist() != [0, n_rows]:
            raise ValueError("the rows of records are out of order")
        for column in self.columns:
            check_array("places of cells", column.places, np.int64, (n,))
        indexed = [(x._encode, x.index) for x in self.columns if x.kind == SENTENCES]
        for encode, index in [(self._units, self.index), *indexed]:
            new, old = encode(["a"]), index.rows.units
            if old is not None and len(old) and (new is None or new.shape[1] != old.shape[1]):
                raise ValueError("vectors of texts have another size than the encoder's")
        size = (2,) if self.text_kind else (None, n_columns + 1)
        check_array("scores of neighbours", np.nan_to_num(self.near), np.float64, size)

    def joined(self, columns: list[list[str]]) -> list[str]:
        """Return each row as one text."""
        if len(columns) == 1:
            return columns[0]
        return [" ".join(filter(None, record)) for record in zip(*columns, strict=True)]

    def _distinct(self) -> list[list[str]]:
        """Return the columns of the distinct records."""
        first = self.rows[self.starts[:-1]].tolist()
        return [[column[row] for row in first] for column in self.cells]

    def extended(self, cells: list[list[str]]) -> Records:
        """Return records with more rows; of a few more, weights are not learned anew."""
        numbers = np.append(self.numbers, np.arange(len(cells[0])) + self.next_number)
        joined = [[*old, *new] for old, new in zip(self.cells, cells, strict=True)]
        if len(numbers) <= _MANY_ROWS or len(numbers) > _GROWTH * self.n_weighed:
            return Records(joined, self.kinds, self.encoder, numbers, self.kind)
        new, n = shallow_copy(self), len(self.whole)
        columns, new.next_number = new._set_rows(joined, numbers), self.next_number + len(cells[0])
        units = None if self.index.rows.units is None else self._units(new.whole[n:])
        new.index = self.index.extended(new._indexed([x[n:] for x in columns]), units)
        # A text has no columns.
        fields = new.fields(columns)
        new.columns = [x.extended(c[n:]) for x, c in zip(self.columns, fields, strict=False)]
        new._comparison = None
        return new

    def without(self, numbers: Rows) -> Records:
        """Return records without some rows."""
        kept = np.flatnonzero(~np.isin(self.numbers, numbers))
        cells = [[column[row] for row in kept.tolist()] for column in self.cells]
        new = Records(cells, self.kinds, self.encoder, self.numbers[kept], self.kind)
        new.next_number = self.next_number  # the number of a dropped row is not used again
        return new

    @property
    def comparison(self) -> RecordComparison:
        """Comparison of records of several columns; computed when it is needed."""
        if self._comparison is None:
            self._comparison = RecordComparison(self.columns, self.index, self.whole, self.near)
        return self._comparison

    def _units(self, texts: list[str]) -> Vectors | None:
        has_sentences = SENTENCES in self.kinds
        if self.text_kind or has_sentences:
            return encode_units(self.encoder, texts, are_names=not has_sentences)
        return None

    def _prepared(self, cells: list[list[str]]) -> Bag:
        return self.index.prepare(self._indexed(cells), self._units(self.joined(cells)))

    def score(self, cells: list[list[str]], n_candidates: int) -> tuple[Rows, Rows, Floats]:
        """Return pairs of a query and a record, in order, and their scores.

        They become log odds by :meth:`logits`.
        """
        bag = self._prepared(cells)
        rows, columns = self._candidates(bag, cells, n_candidates)
        if self.text_kind:
            return rows, columns, self._text_scores(bag, rows, columns)
        return rows, columns, self._model.scores(self._features(bag, cells, rows, columns))

    def features(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Floats:
        """Return the features of pairs of a query and a record of several columns."""
        return self._features(self._prepared(cells), cells, rows, columns)

    def judged_features(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Floats:
        """Return what the weights that people's answers teach are of."""
        bag = self._prepared(cells)
        if self.text_kind:
            return self._text_features(bag, rows, columns)
        whole, fields = self.joined(cells), self.fields(cells)
        return self.comparison.judged(bag, fields, whole, rows, columns)

    def _features(
        self, bag: Bag, cells: list[list[str]], rows: Rows, columns: Rows, own: Rows | None = None
    ) -> Floats:
        whole, fields = self.joined(cells), self.fields(cells)
        return self.comparison.features(bag, fields, whole, rows, columns, own)

    def contributions(
        self, cells: list[list[str]], rows: Rows, columns: Rows, pairs: Rows
    ) -> tuple[float, Floats, Floats]:
        """Return what each column, and the rest of the record, adds to the log odds of pairs.

        A column adds what is lost if the query's cell is empty. Returns the log odds of any
        candidate, the similarities of columns and whole records, and what they add to these log
        odds, arrays of shape (n_pairs, n_columns + 1).
        """
        model = self._model
        queries, place = np.unique(rows[pairs], return_inverse=True)
        of_queries = np.flatnonzero(np.isin(rows, queries))
        chosen = np.searchsorted(of_queries, pairs)
        mine = [[column[row] for row in queries.tolist()] for column in cells]
        rows, columns = np.searchsorted(queries, rows[of_queries]), columns[of_queries]

        def log_odds(cells: list[list[str]]) -> Floats:
            return self.log_odds(cells, rows, columns)[chosen]

        score = log_odds(mine)
        added = []
        for number in range(len(mine)):
            without = [[""] * len(queries) if i == number else x for i, x in enumerate(mine)]
            added.append(score - log_odds(without))
        rest = score - model.prior - np.sum(added, axis=0)
        similarities = self._similarities(
            self._prepared(mine), self.fields(mine), place, columns[chosen]
        )
        field_of = {x: field for field, numbers in enumerate(self.merged) for x in numbers}
        order = [*(field_of[number] for number in range(len(mine))), len(self.merged)]
        return model.prior, similarities[:, order], np.column_stack([*added, rest])

    def _candidates(self, bag: Bag, cells: list[list[str]], k: int) -> tuple[Rows, Rows]:
        """Propose records for queries: among those only that have what must be the same."""
        same = [n for n, kind in enumerate(self.kinds) if kind == "same"]
        if not same:
            return self.index.candidates(bag, k, self._with_vectors())
        pairs = [np.empty((0, 2), dtype=np.int64)]
        wanted = zip(*(map(key, cells[n]) for n in same), strict=True)
        for values, rows in grouped(list(wanted)).items():
            columns = np.arange(len(self.whole))
            for n, value in zip(same, values, strict=True):
                column = self.columns[self.merged.index([n])]
                groups, nothing = column.groups, np.empty(0, dtype=np.int64)
                if value:  # an empty cell may stand for any
                    known = [groups.get(x, nothing) for x in (value, "")]
                    columns = np.intersect1d(columns, np.concatenate(known), assume_unique=True)
            part = self.index.part(columns)
            i, j = part.candidates(bag.part(rows), k, self._with_vectors())
            pairs.append(np.column_stack([rows[i], columns[j]]))
        found = np.concatenate(pairs)
        first, second = found[np.lexsort(found.T[::-1])].T
        return first, second

    def nearest(self, records: Rows, cells: list[list[str]], k: int) -> tuple[Bag, Rows, Rows]:
        """Return the bag of some records, and pairs with the others that are nearest to each."""
        bag = self.index.bag_of(records)
        rows, columns = self._candidates(bag, cells, k)
        others = records[rows] != columns
        return bag, rows[others], columns[others]

    def similar_pairs(self, k: int, refuse: Refuse, verbose: bool = False) -> tuple[Rows, Floats]:
        """Return pairs of rows that may be the same thing, and their probabilities.

        Of equal records, the first row is compared for all; the others are in a pair with it.
        Empty records are in no pair. ``refuse`` tells which pairs of rows are not the same.
        """
        first, n = self.rows[self.starts[:-1]], len(self.whole)

        def refused(pairs: Rows) -> Bools:
            return refuse(np.sort(first[pairs], axis=1))

        within: Within = _RecordsWithin(self, refused)
        if self.text_kind:
            with_vectors = self._with_vectors()
            within = NamesWithin(self.index, with_vectors, self._units_of, refused, verbose)
        found, odds = compared_pairs(n, k, within)
        pairs = np.sort(first[found], axis=1)
        filled = np.array(list(map(bool, self.whole)), dtype=bool)
        kept = filled[found].all(axis=1)
        owners = self.owners()
        equal = np.flatnonzero(owners != np.arange(len(owners)))
        repeats = np.column_stack([owners[equal], equal]), np.ones(len(equal))
        return join_pairs([(pairs[kept], expit(odds[kept])), repeats])

    def cells_of(self, numbers: Rows) -> list[list[str]]:
        """Return the columns of some distinct records."""
        first = self.rows[self.starts[:-1]][numbers].tolist()
        return [[column[row] for row in first] for column in self.cells]

    def _units_of(self, numbers: Rows) -> Vectors:
        """Return the vectors of some distinct records."""
        texts = [self.whole[number] for number in numbers.tolist()]
        return encode_units(self.encoder, texts, are_names=True)

    def owners(self) -> Rows:
        """Return the first row with the record of each row."""
        owners = np.empty(self.n_rows, dtype=np.int64)
        owners[self.rows] = np.repeat(self.rows[self.starts[:-1]], np.diff(self.starts))
        for record in np.flatnonzero([not text for text in self.whole]).tolist():
            empty = self.rows[self.starts[record] : self.starts[record + 1]]
            owners[empty] = empty  # they are of nothing
        return owners

    def logits(self, cells: list[list[str]], rows: Rows, columns: Rows, scores: Floats) -> Floats:
        """Return the log odds of pairs of a query and a record, in the context of the others."""
        if self.text_kind is None:
            return self._model.logits(scores, leads(scores, rows))
        words, texts = None, self.index.text_numbers(columns)
        whole = self.joined(cells)
        if self.text_kind == NAMES:
            words = word_evidence(self.index, whole, rows, columns, scores)
        logits = packaged(self.text_kind).logits(scores, rows, self.near, words, texts)
        equal = self._are_equal(whole, rows, columns)
        return np.where(equal, np.maximum(logits, _EQUAL), logits)

    def log_odds(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Floats:
        """Return the log odds of pairs of a query and a record of several columns."""
        scores = self._model.scores(self.features(cells, rows, columns))
        return self.logits(cells, rows, columns, scores)

    def log_odds_within(
        self, numbers: Rows, cells: list[list[str]], rows: Rows, columns: Rows
    ) -> Floats:
        """Return the log odds that some of the records, with these cells, have duplicates.

        Pairs are of a place in ``numbers``, which draw records at random, and another record.
        """
        model = packaged_records(one_table=True)
        features = self._features(self._prepared(cells), cells, rows, columns, numbers)
        scores = model.scores(features)
        return model.logits(scores, rarity(scores, scores[first_of_best(scores, rows)]))

    @property
    def _model(self) -> RecordModel:
        return packaged_records(one_table=False)

    def _are_equal(self, texts: list[str], rows: Rows, columns: Rows) -> Bools:
        """Return which pairs say the same letter by letter, and with the same signs."""
        normal = {row: normalize(texts[row]) for row in np.unique(rows).tolist()}
        pairs = enumerate(zip(rows.tolist(), columns.tolist(), strict=True))
        indexed, equal = self.index.rows.texts, np.zeros(len(rows), dtype=bool)
        for pair, (row, column) in pairs:
            if normal[row] == indexed[column]:
                equal[pair] = said(texts[row]) == said(self.whole[column])
        return equal

    def _with_vectors(self) -> bool:
        return SENTENCES in self.kinds or len(self.whole) <= _MANY_ROWS

    def _text_scores(self, bag: Bag, rows: Rows, columns: Rows) -> Floats:
        """Return the scores of pairs of texts."""
        scores = np.empty(len(rows))
        kind = self.text_kind
        assert kind is not None
        borders = np.searchsorted(rows, np.arange(0, len(bag.texts) + _QUERIES, _QUERIES))
        for part in map(slice, borders[:-1].tolist(), borders[1:].tolist()):
            texts = self.index.text_numbers(columns[part])
            features = self._text_features(bag, rows[part], columns[part])
            scores[part] = packaged(kind).score(features, rows[part], texts)
        return scores

    def _text_features(self, bag: Bag, rows: Rows, columns: Rows) -> Floats:
        """Return the features of pairs of a text and a record of one column of text."""
        features = self.index.compare(bag, rows, columns, self.text_kind == NAMES)
        if self.index.rows.units is None and bag.units is not None:
            texts, place = np.unique(columns, return_inverse=True)
            candidates = [self.whole[text] for text in texts.tolist()]
            others = encode_units(self.encoder, candidates, are_names=True)
            meaning = exact_cosines(bag.units, others, rows, place)
            features[:, FEATURES.index("meaning")] = meaning
        return features

    def _neighbours(self, columns: list[list[str]]) -> Floats:
        """Compare records with their nearest neighbours, which are no matches."""
        rng = np.random.default_rng(0)  # the same rows give the same result
        n = len(self.whole)
        sample = np.sort(rng.choice(n, min(n, N_NEIGHBOURS), replace=False))
        cells = [[column[row] for row in sample.tolist()] for column in columns]
        bag, rows, others = self.nearest(sample, cells, NEAREST)
        if bag.units is None:
            bag = bag._replace(units=self._units([self.whole[row] for row in sample.tolist()]))
        if self.text_kind:
            return neighbourhood(self._text_scores(bag, rows, others), rows)
        similarities = self._similarities(bag, self.fields(cells), rows, others)
        # Pairs of rows that are each other's nearest, as matches are.
        best = first_of_best(similarities[:, -1], rows)
        nearest = dict(zip(sample[rows[best]].tolist(), others[best].tolist(), strict=True))
        mutual = [nearest.get(other, row) == row for row, other in nearest.items()]
        return similarities[best[np.array(mutual, dtype=bool)]]

    def _similarities(
        self, bag: Bag, fields: list[list[str]], rows: Rows, columns: Rows
    ) -> Floats:
        """Return the similarities of the columns of pairs, and of whole records."""
        whole = text_similarity(self.index.compare(bag, rows, columns), NAMES)
        parts = zip(self.columns, fields, strict=True)
        return np.column_stack([*(x.compare(part, rows, columns) for x, part in parts), whole])


def declared(kind: str, kinds: dict[Any, str]) -> dict[Any, str]:
    """Return the kinds of columns after the kind of rows that somebody declared, or raise."""
    if kind not in (NAMES, SENTENCES):
        return kinds
    given = list(kinds.values())
    if len(given) > 1 or given[0] not in ("guess", "text", kind):
        raise ValueError(
            f"kind={kind!r} is for one column of text, but the columns to compare are of the "
            f"kinds {', '.join(given)}. Pass one as on, or kind='records'."
        )
    return dict.fromkeys(kinds, kind)


def by_content(
    columns: list[list[str]], kinds: Sequence[str], names: Sequence[str]
) -> tuple[list[int], Rows]:
    """Return an order of columns, and one of rows, which depend on nothing but their content.

    The column that tells most is the first one, as in most tables. Of equal rows, the first one
    stays the first one.
    """
    keys = []
    for kind, cells, name in zip(kinds, columns, names, strict=True):
        in_order = sorted(cells)
        distinct = list(dict.fromkeys(in_order))
        filled = sum(map(bool, cells)) / max(len(cells), 1)
        value = telling(guessed(kind, distinct), distinct, len(cells), filled)
        keys.append((-value, in_order, name))
    order = sorted(range(len(columns)), key=keys.__getitem__)
    rows = list(zip(*(columns[number] for number in order), strict=True))
    return order, np.array(sorted(range(len(rows)), key=rows.__getitem__), dtype=np.int64)


class _RecordsWithin:
    """The records of one table, see :class:`~skpara.matching._groups.Within`."""

    def __init__(self, records: Records, refuse: Refuse) -> None:
        self.records, self.refused = records, refuse
        self._scores = np.empty(0)

    def propose(self, numbers: Rows, k: int) -> tuple[Rows, Rows]:
        """Propose the nearest neighbours of some records."""
        records = self.records
        _, rows, columns = records.nearest(numbers, records.cells_of(numbers), k)
        records.comparison.learn_nearest(numbers[rows], columns)
        return numbers[rows], columns

    def compare(self, rows: Rows, columns: Rows) -> None:
        """Compare pairs in both directions, whose scores differ by up to .5."""
        both = np.stack([np.append(rows, columns), np.append(columns, rows)])
        order = np.lexsort(both[::-1])
        rows, columns = both[:, order]
        scores = np.empty(len(order))
        for part in chunks(len(order), _PAIRS):
            numbers, places = np.unique(rows[part], return_inverse=True)
            cells = self.records.cells_of(numbers)
            bag = self.records._prepared(cells)
            features = self.records._features(bag, cells, places, columns[part], numbers)
            scores[order[part]] = packaged_records(one_table=True).scores(features)
        forward, backward = scores.reshape(2, -1)
        self._scores = np.append(self._scores, (forward + backward) / 2)

    def log_odds(self, pairs: Rows) -> Floats:
        """Return the log odds that pairs are of the same thing."""
        scores = self._scores
        best = np.full(len(self.records.whole), scores.min(initial=0))
        for side in pairs.T:
            np.maximum.at(best, side, scores)
        model = packaged_records(one_table=True)
        return model.logits(scores, rarity(scores, best))


def is_short(cells: Sequence[str]) -> bool:
    """Return whether most texts are short enough for their words to be compared one by one."""
    return float(np.median([len(cell.split()) for cell in cells if cell] or [0])) <= _LONGEST_TITLE


def _beginning(cell: str) -> str:
    words = cell.split(None, _INDEXED_WORDS)
    return cell if len(words) <= _INDEXED_WORDS else " ".join(words[:_INDEXED_WORDS])


def usual_unit(cells: Sequence[str]) -> CellUnit | None:
    """Return the most frequent unit of the cells of a column, None if none has one."""
    counts = Counter(unit for cell in cells if (unit := unit_of(cell)) is not None)
    return counts.most_common(1)[0][0] if counts else None


def merged_columns(columns: list[list[str]], kinds: Sequence[str]) -> list[list[int]]:
    """Return groups of columns: texts of which nearly always all but one are empty are one."""
    groups: list[list[int]] = []
    filled: list[Bools] = []
    for number, (cells, kind) in enumerate(zip(columns, kinds, strict=True)):
        mine = np.fromiter(map(bool, cells), dtype=bool, count=len(cells))
        for group, others in zip(groups, filled, strict=True):
            fewer = min(mine.sum(), others.sum())
            are_texts = {kind, kinds[group[0]]} <= {NAMES, SENTENCES}
            never_both = (mine & others).sum() <= _BOTH_FILLED * fewer
            if are_texts and never_both and fewer > _FILLED * len(cells):
                group.append(number)
                others |= mine
                break
        else:
            groups.append([number])
            filled.append(mine)
    return groups
