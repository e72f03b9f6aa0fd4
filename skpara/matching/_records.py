"""The reference of a matcher: its distinct records, indexed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any

import numpy as np
from scipy.special import expit

from skpara._array_files import check_array, check_texts
from skpara._core import offsets_of
from skpara._normal_form import record_key
from skpara._public import set_module
from skpara._typing import Bools, Floats
from skpara.matching._comparison import telling
from skpara.matching._decoys import Taught
from skpara.matching._duplicates import Refuse
from skpara.matching._fields import Column
from skpara.matching._groups import compared_pairs
from skpara.matching._kinds import Kind, as_kind, guessed
from skpara.matching._model import NAMES, SENTENCES
from skpara.matching._search import Rows, join_pairs
from skpara.matching._strategies import RECORDS, STRATEGIES
from skpara.matching._tables import known
from skpara.matching._texts import TextIndex, shallow_copy
from skpara.matching._unrelated import unrelated_columns

# Weights are learned again when a table has this many times the rows they were learned from.
_GROWTH = 1.2
# Below this number of rows, they always are, as it takes a few hundredths of a second.
_FEW_ROWS = 200
# Titles up to this length, in words, are compared by their words.
_LONGEST_TITLE = 25
# Two columns are merged if both are filled in at most this share of the rows of the emptier one.
_BOTH_FILLED = 0.02
# Columns that are filled in no more than this share of all rows are not merged.
_FILLED = 0.05


@set_module("skpara.matching", trusted=True)
class Records:
    """Distinct records, and the rows that have them.

    ``numbers`` are the row numbers, ``cells`` the columns of all rows. Equal records are searched
    once, else a frequent one would hide all others.
    """

    # The number of each distinct record, as soon as rows are added.
    _different: dict[tuple[str, ...], int] = {}

    def __init__(
        self,
        cells: list[list[str]],
        kinds: Sequence[str | Kind],
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
        cells = self.known(cells)
        normal = list(_normal(cells))
        # In the order of their content, so that candidates that are equally good do not depend on
        # the order of rows.
        different = {record: number for number, record in enumerate(sorted(set(normal)))}
        of_rows = np.array([different[record] for record in normal], dtype=np.int64)
        self._group(cells, np.arange(len(normal)) if numbers is None else numbers, of_rows)
        columns = self.cells_of(slice(None))
        self.n_weighed, self.next_number = self.n_rows, int(self.numbers.max(initial=-1)) + 1
        self.merged = merged_columns(columns, self.kinds)
        self.kind = self._text_kind() if kind != RECORDS else kind
        self.index: TextIndex
        self.near: Floats
        self.columns: list[Column] = []
        self.taught: Taught | None = None  # by the call with most rows
        self.strategy = STRATEGIES[self.kind](self)
        self.strategy.learn(columns)

    @classmethod
    def of_candidates(
        cls, index: TextIndex, texts: list[str], near: Floats, encoder: Any
    ) -> Records:
        """Return some of the names of a larger reference, whose weights ``index`` has.

        ``near`` are the scores of neighbours there. The texts are different, in its order.
        """
        new = object.__new__(cls)
        new.encoder, new.kinds, new.merged = encoder, [NAMES], [[0]]
        new.kind = NAMES
        new._group([texts], np.arange(len(texts)), np.arange(len(texts)))
        new.index, new.near, new.columns = index.of_texts(texts), near, []
        new.strategy = STRATEGIES[NAMES](new)
        new.n_weighed = new.next_number = new.n_rows
        new.taught = None
        return new

    def learn_from(self, taught: Taught) -> None:
        """Keep what a call teaches, for calls of fewer rows."""
        if self.taught is None or taught.n_rows >= self.taught.n_rows:
            self.taught = taught

    def _text_kind(self) -> str:
        kind = self.field_kind(self.merged[0])
        return kind if len(self.merged) == 1 and kind in (NAMES, SENTENCES) else RECORDS

    def field_kind(self, numbers: list[int]) -> str | Kind:
        """Return the kind of columns that are compared as one."""
        return self.kinds[numbers[0]] if len(numbers) == 1 else NAMES

    def known(self, cells: list[list[str]]) -> list[list[str]]:
        """Return cells, empty where they say that nothing is known, such as "N/A"."""
        return [known(cells[0])] if len(cells) == 1 and self.kinds != [SENTENCES] else cells

    def fields(self, cells: list[list[str]]) -> list[list[str]]:
        """Return the columns that are compared; those of which only one is ever filled are one."""
        return [self.joined([cells[number] for number in numbers]) for numbers in self.merged]

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return len(self.numbers)

    def _group(self, cells: list[list[str]], numbers: Rows, of_rows: Rows) -> None:
        """Set the rows, with the number of the distinct record of each."""
        self.cells, self.numbers, self.of_rows = cells, numbers, of_rows
        self.rows = np.argsort(of_rows, kind="stable")
        self.starts = offsets_of(np.bincount(of_rows))
        # Of rows that differ in case or marks, one stands for all, whatever their order.
        self.shown = self.rows[self.starts[:-1]]
        for record in np.flatnonzero(np.diff(self.starts) > 1).tolist():
            own = self.rows[self.starts[record] : self.starts[record + 1]].tolist()
            self.shown[record] = min(own, key=lambda row: [column[row] for column in cells])
        self.whole = self.joined(self.cells_of(slice(None)))

    def __getstate__(self) -> dict[str, Any]:
        computed = ("whole", "strategy", "_different", "rows", "starts", "shown")
        state = {name: value for name, value in vars(self).items() if name not in computed}
        return state | {"taught": None if self.taught is None else tuple(self.taught)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self.taught = Taught(*self.taught) if self.taught else None
        n_rows = len(self.numbers)
        check_array("records of rows", self.of_rows, np.int64, (n_rows,), below=n_rows)
        if not np.bincount(self.of_rows).all():
            raise ValueError("a record has no row")
        self._group(self.cells, self.numbers, self.of_rows)
        self.strategy = STRATEGIES[self.kind](self)

    def _check_loaded(self) -> None:
        if self.taught is not None:
            self.taught.check(self.strategy.n_judged)
        self._check_rows()

    def _check_rows(self) -> None:
        n, n_rows = len(self.whole), self.n_rows
        check_texts("indexed records", self.index.rows.texts, n)
        for cells, kind in zip(self.cells, self.kinds, strict=True):
            check_texts(f"cells of the kind {kind}", cells, n_rows)
        if sorted(chain(*self.merged)) != list(range(len(self.kinds))):
            raise ValueError("columns are compared twice or never")
        if self.kind not in (RECORDS, self._text_kind()):
            raise ValueError(f"rows of its columns are not {self.kind!r:.40}")
        is_text = self.kind != RECORDS
        n_columns = 0 if is_text else len(self.merged)
        if len(self.columns) != n_columns:
            raise ValueError("a table has another number of columns")
        if not self.n_weighed >= 0 or not self.next_number > self.numbers.max(initial=-1):
            raise ValueError("a table has a wrong number of rows")
        check_array("the numbers of rows", self.numbers, np.int64, (n_rows,))
        if (np.diff(self.numbers, prepend=-1) < 1).any():
            raise ValueError("the numbers of rows are out of order")
        for column in self.columns:
            check_array("places of cells", column.places, np.int64, (n,))
        indexed = [(x._encode, x.index) for x in self.columns if x.kind.has_meaning]
        for encode, index in [(self.strategy.encode, self.index), *indexed]:
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

    def extended(self, cells: list[list[str]]) -> Records:
        """Return records with more rows; of a few more, weights are not learned anew."""
        numbers = np.append(self.numbers, np.arange(len(cells[0])) + self.next_number)
        joined = [[*old, *new] for old, new in zip(self.cells, cells, strict=True)]
        if len(numbers) <= _FEW_ROWS or len(numbers) > _GROWTH * self.n_weighed:
            new = Records(joined, self.kinds, self.encoder, numbers, self.kind)
            new.taught = self.taught
            return new
        new, n = shallow_copy(self), len(self.whole)
        new.next_number = self.next_number + len(cells[0])
        if len(self._different) != n:  # they are not known, or an extended copy has more
            known = enumerate(_normal(self.cells_of(slice(None))))
            self._different = new._different = {record: number for number, record in known}
        added, found = list[int](), list[int]()
        for row, record in enumerate(_normal(cells)):
            number = new._different.setdefault(record, n + len(added))
            found.append(number)
            if number == n + len(added):
                added.append(row)
        new._group(joined, numbers, np.append(self.of_rows, found))
        columns = [[column[row] for row in added] for column in cells]
        new.strategy = STRATEGIES[self.kind](new)
        units = None if self.index.rows.units is None else new.strategy.encode(new.whole[n:])
        new.index = self.index.extended(new.strategy.indexed(columns), units)
        # A text has no columns.
        fields = zip(self.columns, new.fields(columns), strict=False)
        new.columns = [column.extended(more) for column, more in fields]
        return new

    def without(self, numbers: Rows) -> Records:
        """Return records without some rows."""
        kept = np.flatnonzero(~np.isin(self.numbers, numbers))
        cells = [[column[row] for row in kept.tolist()] for column in self.cells]
        new = Records(cells, self.kinds, self.encoder, self.numbers[kept], self.kind)
        new.next_number = self.next_number  # the number of a dropped row is not used again
        new.taught = None if self.taught is None else self.taught.without_candidates()
        return new

    def unrelated_to(self, cells: list[list[str]]) -> list[int]:
        """Return the columns that number the rows of both tables without regard to each other."""
        if self.kind != RECORDS:
            return []
        fields = unrelated_columns(self.columns, self.fields(cells))
        return sorted(number for field in fields for number in self.merged[field])

    def of_columns(self, kept: list[int]) -> Records:
        """Return records of some of the columns."""
        cells = [self.cells[number] for number in kept]
        kinds = [self.kinds[number] for number in kept]
        return Records(cells, kinds, self.encoder, self.numbers)

    def similar_pairs(self, k: int, refuse: Refuse, verbose: bool = False) -> tuple[Rows, Floats]:
        """Return pairs of rows that may be the same thing, and their probabilities.

        Of equal records, the first row is compared for all; the others are in a pair with it.
        Empty records are in no pair. ``refuse`` returns which pairs of rows are not the same.
        """
        first = self.rows[self.starts[:-1]]

        def refused(pairs: Rows) -> Bools:
            return refuse(np.sort(first[pairs], axis=1))

        within = self.strategy.within(refused, verbose)
        found, odds = compared_pairs(len(self.whole), k, within)
        pairs = np.sort(first[found], axis=1)
        filled = np.array(list(map(bool, self.whole)), dtype=bool)
        kept = filled[found].all(axis=1)
        owners = self.owners()
        equal = np.flatnonzero(owners != np.arange(len(owners)))
        repeats = np.column_stack([owners[equal], equal]), np.ones(len(equal))
        return join_pairs([(pairs[kept], expit(odds[kept])), repeats])

    def cells_of(self, numbers: Rows | slice) -> list[list[str]]:
        """Return the columns of some distinct records."""
        rows = self.shown[numbers].tolist()
        return [[column[row] for row in rows] for column in self.cells]

    def owners(self) -> Rows:
        """Return the first row with the record of each row."""
        is_empty = np.array([not text for text in self.whole], dtype=bool)[self.of_rows]
        first = self.rows[self.starts[:-1]][self.of_rows]
        return np.where(is_empty, np.arange(self.n_rows), first)  # empty ones are of nothing


def declared(kind: str, kinds: dict[Any, str | Kind]) -> dict[Any, str | Kind]:
    """Return the kinds of columns after the kind of rows that somebody declared, or raise."""
    if kind not in (NAMES, SENTENCES):
        return kinds
    given = list(kinds.values())
    if len(given) > 1 or given[0] not in ("guess", "text", kind):
        raise ValueError(
            f"kind={kind!r} is for one column of text, but the columns to compare are of the "
            f"kinds {', '.join(map(str, given))}. Pass one as on, or kind='records'."
        )
    return dict.fromkeys(kinds, kind)


def by_content(
    columns: list[list[str]], kinds: Sequence[str | Kind], names: Sequence[str]
) -> list[int]:
    """Return an order of columns which depends on nothing but their content.

    The most informative column is the first, as in most tables.
    """
    keys = []
    for kind, cells, name in zip(kinds, columns, names, strict=True):
        distinct = list(dict.fromkeys(cells))
        filled = sum(map(bool, cells)) / max(len(cells), 1)
        value = telling(as_kind(guessed(kind, distinct)), distinct, len(cells), filled)
        keys.append((-value, sorted(cells), name))
    return sorted(range(len(columns)), key=keys.__getitem__)


def _normal(cells: list[list[str]]) -> Iterator[tuple[str, ...]]:
    """Yield what equal rows have in common."""
    return zip(*(map(record_key, column) for column in cells), strict=True)


def is_short(cells: Sequence[str]) -> bool:
    """Return whether most texts are short enough for their words to be compared one by one."""
    return float(np.median([len(cell.split()) for cell in cells if cell] or [0])) <= _LONGEST_TITLE


def merged_columns(columns: list[list[str]], kinds: Sequence[str | Kind]) -> list[list[int]]:
    """Return groups of columns; texts of which hardly ever two are filled are one group."""
    groups: list[list[int]] = []
    filled: list[Bools] = []
    for number, (cells, kind) in enumerate(zip(columns, kinds, strict=True)):
        mine = np.fromiter(map(bool, cells), dtype=bool, count=len(cells))
        for group, others in zip(groups, filled, strict=True):
            fewer = min(mine.sum(), others.sum())
            are_texts = as_kind(kind).is_text and as_kind(kinds[group[0]]).is_text
            never_both = (mine & others).sum() <= _BOTH_FILLED * fewer
            if are_texts and never_both and fewer > _FILLED * len(cells):
                group.append(number)
                others |= mine
                break
        else:
            groups.append([number])
            filled.append(mine)
    return groups
