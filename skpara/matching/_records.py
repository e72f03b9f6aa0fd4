"""The reference of a matcher: its distinct records, indexed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import expit

from skpara._array_files import check_array, check_texts
from skpara._public import set_module
from skpara._typing import Floats, Vectors
from skpara.matching._duplicates import names_log_odds, of_both_directions
from skpara.matching._fields import Column, guessed, learned_evidence, text_similarity
from skpara.matching._groups import Found, compared_pairs
from skpara.matching._model import NAMES, SENTENCES, first_of_best, neighbourhood, packaged
from skpara.matching._search import Rows, encode_units, exact_cosines, join_pairs
from skpara.matching._texts import FEATURES, Bag, TextIndex, shallow_copy
from skpara.matching._words import word_evidence

# Indexed texts whose neighbours are looked up; their mean does not change with more of them.
_N_NEIGHBOURS = 1000
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
_NEAREST = 4


@set_module("skpara.matching", trusted=True)
class Records:
    """Distinct records, and the rows that have them.

    ``numbers`` are the row numbers, ``cells`` the columns of all rows. Equal records are searched
    once, else a frequent one would hide all others.
    """

    def __init__(
        self, cells: list[list[str]], kinds: Sequence[str], encoder: Any, numbers: Any = None
    ) -> None:
        self.encoder = encoder
        self.kinds = [guessed(k, column) for k, column in zip(kinds, cells, strict=True)]
        columns = self._set_rows(cells, np.arange(len(cells[0])) if numbers is None else numbers)
        self.n_weighed, self.next_number = self.n_rows, int(self.numbers.max(initial=-1)) + 1
        self.is_text = len(cells) == 1 and self.kinds[0] in (NAMES, SENTENCES)
        # Vectors of a million names take a gigabyte; computing the vectors of one query's
        # candidates takes a tenth of a millisecond.
        is_large = self.kinds == [NAMES] and len(self.whole) > _MANY_ROWS
        self.index = TextIndex(self.whole, None if is_large else self._units(self.whole))
        self.columns: list[Column] = []
        if not self.is_text:
            kinds_of = zip(self.kinds, columns, strict=True)
            self.columns = [Column(kind, column, encoder) for kind, column in kinds_of]
        self.near = self._neighbours(columns)

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
        return {name: value for name, value in vars(self).items() if name != "whole"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        numbers = state["numbers"]  # files of earlier versions lack what follows from them
        added = {"n_weighed": len(numbers), "next_number": int(numbers.max(initial=-1)) + 1}
        vars(self).update(added | state)
        self.whole = self.joined(self._distinct())

    def _check_loaded(self) -> None:
        n, n_rows = len(self.whole), len(self.rows)
        check_texts("indexed records", self.index.rows.texts, n)
        for cells, kind in zip(self.cells, self.kinds, strict=True):
            check_texts(f"cells of the kind {kind}", cells, n_rows)
        is_text = self.kinds in ([NAMES], [SENTENCES])
        n_columns = 0 if is_text else len(self.cells)
        if (self.is_text, self.n_rows, len(self.columns)) != (is_text, n_rows, n_columns):
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
        size = (2,) if is_text else (None, n_columns + 1)
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
            return Records(joined, self.kinds, self.encoder, numbers)
        new, n = shallow_copy(self), len(self.whole)
        columns, new.next_number = new._set_rows(joined, numbers), self.next_number + len(cells[0])
        units = None if self.index.rows.units is None else self._units(new.whole[n:])
        new.index = self.index.extended(new.whole[n:], units)
        # A text has no columns.
        new.columns = [x.extended(c[n:]) for x, c in zip(self.columns, columns, strict=False)]
        return new

    def without(self, numbers: Rows) -> Records:
        """Return records without some rows."""
        kept = np.flatnonzero(~np.isin(self.numbers, numbers))
        cells = [[column[row] for row in kept.tolist()] for column in self.cells]
        new = Records(cells, self.kinds, self.encoder, self.numbers[kept])
        new.next_number = self.next_number  # the number of a dropped row is not used again
        return new

    def _units(self, texts: list[str]) -> Vectors | None:
        if self.is_text or SENTENCES in self.kinds:
            return encode_units(self.encoder, texts, are_names=SENTENCES not in self.kinds)
        return None

    def score(
        self, cells: list[list[str]], n_candidates: int
    ) -> tuple[Rows, Rows, Floats, Floats | None]:
        """Return pairs of a query and a record, in order, their scores, and similarities.

        Only several columns have similarities; ``learned_evidence`` makes scores of them.
        """
        texts = self.joined(cells)
        bag = self.index.prepare(texts, self._units(texts))
        rows, columns = self.index.candidates(bag, n_candidates, self._with_vectors())
        similarities, scores = self._compare(bag, cells, rows, columns)
        return rows, columns, scores, similarities

    def similarities(self, cells: list[list[str]], rows: Rows, columns: Rows) -> Any:
        """Return the similarities of the columns of pairs of a query and a record."""
        return self._compare(self.index.prepare(self.joined(cells)), cells, rows, columns)[0]

    def similar_pairs(self, k: int) -> tuple[Rows, Floats]:
        """Return pairs of rows that may be the same thing, and their probabilities.

        Of equal records, the first row is compared for all; the others are in a pair with it.
        Empty records are in no pair.
        """
        first, n = self.rows[self.starts[:-1]], len(self.whole)
        found, odds = compared_pairs(n, k, self._proposed, self._compared, self._log_odds)
        pairs = np.sort(first[found], axis=1)
        filled = np.array(list(map(bool, self.whole)), dtype=bool)
        kept = filled[found].all(axis=1)
        owners = self.owners()
        equal = np.flatnonzero(owners != np.arange(len(owners)))
        repeats = np.column_stack([owners[equal], equal]), np.ones(len(equal))
        return join_pairs([(pairs[kept], expit(odds[kept])), repeats])

    def _proposed(self, numbers: Rows, k: int) -> tuple[Rows, Rows]:
        """Propose the nearest distinct records of some of them."""
        _, rows, columns = self.index.neighbours(numbers, k, self._with_vectors())
        return numbers[rows], columns

    def _compared(self, rows: Rows, columns: Rows) -> Floats:
        """Compare pairs of distinct records, some at a time."""
        size = len(FEATURES) if self.is_text else len(self.columns) + 1
        values = np.empty((len(rows), size), dtype=np.float32 if self.is_text else np.float64)
        distinct = self._distinct()
        for start in range(0, len(rows), _PAIRS):
            part = slice(start, start + _PAIRS)
            numbers, places = np.unique(rows[part], return_inverse=True)
            cells = [[column[row] for row in numbers.tolist()] for column in distinct]
            whole = self.joined(cells)
            bag = self.index.prepare(whole, self._units(whole))
            if self.is_text:
                values[part] = self._features(bag, places, columns[part])
            else:
                values[part] = self._compare(bag, cells, places, columns[part])[0]
        return values

    def _log_odds(self, found: Found) -> tuple[Rows, Floats]:
        """Return pairs of distinct records, and the log odds that they are of the same thing."""
        if self.is_text:
            return names_log_odds(self.index, found)
        evidence = learned_evidence(
            found.values, found.rows, found.columns, learned=found.is_neighbour
        )
        return of_both_directions(found, evidence.sum(axis=1), np.maximum)

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
        if not self.is_text:
            return scores
        words = None
        if self.kinds[0] == NAMES:
            words = word_evidence(self.index, cells[0], rows, columns, scores)
        return packaged(self.kinds[0]).logits(scores, rows, self.near, words)

    def _with_vectors(self) -> bool:
        return SENTENCES in self.kinds or len(self.whole) <= _MANY_ROWS

    def _compare(
        self, bag: Bag, cells: list[list[str]], rows: Rows, columns: Rows
    ) -> tuple[Floats | None, Floats]:
        """Return the similarities of the columns of records, or the scores of texts."""
        if not self.is_text:
            whole = text_similarity(self.index, bag, rows, columns, NAMES)
            parts = [c.compare(x, rows, columns) for c, x in zip(self.columns, cells, strict=True)]
            return np.column_stack([*parts, whole]), whole
        scores = np.empty(len(rows))
        kind = self.kinds[0]
        borders = np.searchsorted(rows, np.arange(0, len(bag.texts) + _QUERIES, _QUERIES))
        for part in map(slice, borders[:-1].tolist(), borders[1:].tolist()):
            features = self._features(bag, rows[part], columns[part])
            scores[part] = packaged(kind).score(features, rows[part])
        return None, scores

    def _features(self, bag: Bag, rows: Rows, columns: Rows) -> Floats:
        """Return the features of pairs of a text and a record of one column of text."""
        features = self.index.compare(bag, rows, columns, self.kinds[0] == NAMES)
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
        sample = np.sort(rng.choice(n, min(n, _N_NEIGHBOURS), replace=False))
        bag, rows, others = self.index.neighbours(sample, _NEAREST, self._with_vectors())
        if bag.units is None:
            bag = bag._replace(units=self._units([self.whole[row] for row in sample.tolist()]))
        cells = [[column[row] for row in sample.tolist()] for column in columns]
        similarities, scores = self._compare(bag, cells, rows, others)
        if similarities is None:
            return neighbourhood(scores, rows)
        # Pairs of rows that are each other's nearest, as matches are.
        best = first_of_best(scores, rows)
        nearest = dict(zip(sample[rows[best]].tolist(), others[best].tolist(), strict=True))
        mutual = [nearest.get(other, row) == row for row, other in nearest.items()]
        return similarities[best[np.array(mutual, dtype=bool)]]
