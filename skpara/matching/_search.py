"""Search among sentence vectors: the pairs above a cosine, and the nearest vectors.

Products of blocks of rows in single precision find the candidates. These are computed again one by
one in double precision, because products of blocks round differently for blocks of another size:
a result does not depend on the rest of the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy.special import betaincinv
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

from skpara._linalg import row_cosines, unit_rows
from skpara._typing import Floats, Vectors
from skpara._unicode import without_accents
from skpara.encoders import ParagramVectorizer
from skpara.resources import warn_of_text

T = TypeVar("T")
U = TypeVar("U")
Rows = NDArray[np.int64]

# A block of products of this size fits into the second-level cache of a core (2 MB).
_BLOCK_ROWS = 256
_BLOCK_COLUMNS = 2048
# More than the rounding of a product in single precision, less than any difference that matters.
_SLACK = 1e-5
# Up to this number of rows, all are compared with all: it takes a second, and no pair is missed.
_MAX_EXACT = 20_000
# Number of cells: this factor times the square root of the number of rows. Comparing a row with
# the centres of the cells then takes about as long as comparing it with the rows of some cells.
_CELLS = 4.0
# A row is looked up in every cell whose centre is at most this fraction of the distance of two
# vectors at the lowest cosine farther away than the centre of its own cell. With 256 dimensions,
# this finds .997 of the pairs; fewer dimensions need more.
_MARGIN = 0.22
# Rows that are compared with all others to measure the margin. As many other rows measure the
# recall: the rows that set the margin would flatter it.
_N_PROBED = 500
# Fraction of their pairs that must be found.
_RECALL = 0.995
_CONFIDENCE = 0.95
# Different texts with one vector that are compared with all others. Usual are a few, which differ
# in case, punctuation or the order of words.
_MOST_TEXTS = 16
# Vectors are one if they are equal on this grid: the order of words changes the last bits of their
# mean, and coordinates that are rounded to different sides are few.
_GRID = np.float32(2**12)
_PUNCTUATION = " .,;:!?\"'"
# Sentences encoded at a time: about a second of work.
_SENTENCES_PER_CHUNK = 2**14
# Rows looked up at a time: about a second of work, too.
_ROWS_PER_CHUNK = 2**15
# Products of queries and candidates in memory at a time: 64 MB.
_MAX_PRODUCTS = 2**24
# Columns represented by their maximum in the search for the k largest values of a row.
_COLUMNS_PER_MAXIMUM = 64


def encode_units(encoder: Any, sentences: list[str], *, are_names: bool = False) -> Vectors:
    """Encode sentences and scale their vectors to length 1; empty sentences keep zeros.

    Names of any language are compared by their spelling, and give no warning.
    """
    if isinstance(encoder, str) and not are_names:  # the packaged vectors, which are of English
        warn_of_text(sentences)
    vectorizer = ParagramVectorizer(encoder)
    units = np.empty((0, 1), dtype=np.float32)
    # Into one array at once: parts and their concatenation would take twice the memory.
    for start in range(0, len(sentences), _SENTENCES_PER_CHUNK):
        chunk = slice(start, start + _SENTENCES_PER_CHUNK)
        part = unit_rows(vectorizer.transform(sentences[chunk]))
        if start == 0:
            units = np.empty((len(sentences), part.shape[1]), dtype=np.float32)
        units[chunk] = part
    return units


def in_threads(work: Callable[[T], U], items: Iterable[T], n_jobs: int | None) -> Iterator[U]:
    """Yield ``work(item)`` for each item, in order, computed by threads.

    Threads are enough: products of matrices release Python's lock.
    """
    items = list(items)
    n_threads = min(effective_n_jobs(n_jobs), len(items))
    if n_threads <= 1:
        yield from map(work, items)
        return
    with threadpool_limits(1, "blas"):  # each thread computes products of its own
        threads = Parallel(n_jobs=n_threads, require="sharedmem", return_as="generator")
        yield from threads(delayed(work)(item) for item in items)


def similar_pairs(
    units: Vectors, owners: Rows, lowest: float, n_jobs: int | None = None
) -> tuple[Rows, Floats, float]:
    """Find the pairs of rows whose cosine is at least ``lowest``.

    Returns the pairs, the lower number first, in the order of their numbers, their cosines, and a
    lower bound of the fraction of all pairs that was found. ``owners`` comes from
    :class:`Owners`. Rows of zeros are in no pair.
    """
    has_words = units.any(axis=1)
    is_owner = owners == np.arange(len(units))
    distinct = np.flatnonzero(is_owner & has_words)
    recall = 1.0
    if len(distinct) <= _MAX_EXACT:
        starts = range(0, len(distinct), _BLOCK_COLUMNS)
        groups = [(distinct[start : start + _BLOCK_COLUMNS], distinct[start:]) for start in starts]
    else:
        cells = Cells.learn(units, distinct, lowest)
        recall = cells.least_recall(units, distinct, lowest)
        groups = cells.members(units, distinct, n_jobs)
    equal = np.flatnonzero(~is_owner & has_words)
    parts = [(np.column_stack([partners(owners)[equal], equal]), np.ones(len(equal)))]
    parts += in_threads(lambda group: compare(units, *group, lowest), groups, n_jobs)
    return *join_pairs(parts), recall


def compare(units: Vectors, first: Rows, second: Rows, lowest: float) -> tuple[Rows, Floats]:
    """Find the pairs of one of the ``first`` and one of the ``second`` rows above a cosine."""
    pairs, cosines = [np.empty((0, 2), dtype=np.int64)], [np.empty(0)]
    for columns in slices(second, _BLOCK_COLUMNS):
        other = units[columns].T
        for rows in slices(first, _BLOCK_ROWS):
            i, j = np.divmod(np.flatnonzero(units[rows] @ other >= lowest - _SLACK), len(columns))
            candidates = np.column_stack([rows[i], columns[j]])
            candidates = np.sort(candidates[candidates[:, 0] != candidates[:, 1]], axis=1)
            exact = exact_cosines(units, units, *candidates.T)
            pairs.append(candidates[exact >= lowest])
            cosines.append(exact[exact >= lowest])
    return np.concatenate(pairs), np.concatenate(cosines)


def exact_cosines(first: Vectors, second: Vectors, rows: Rows, columns: Rows) -> Floats:
    """Compute the cosine of each pair of a row of ``first`` and a row of ``second`` by itself."""
    cosines = np.empty(len(rows))
    for start in range(0, len(rows), 4096):
        block = slice(start, start + 4096)
        u, v = first[rows[block]].astype(np.float64), second[columns[block]].astype(np.float64)
        cosines[block] = row_cosines(u, v)
    return cosines


def nearest(
    products: Callable[[slice], NDArray[np.float32]],
    shape: tuple[int, int],
    k: int,
    lowest: float = -np.inf,
) -> tuple[Rows, Rows]:
    """Find the k largest values of each row of a product of matrices; return rows and columns.

    ``products`` computes the rows of a slice. Values below ``lowest`` and those that are not
    positive are left out. Values
    that differ from the k-th by rounding only are included: the caller computes the result again
    exactly, and cuts it to k.
    """
    n_rows, n_columns = shape
    size = max(1, _MAX_PRODUCTS // max(n_columns, 1))
    rows, columns = [np.empty(0, dtype=np.int64)], [np.empty(0, dtype=np.int64)]
    for start in range(0, n_rows if n_columns else 0, size):
        values = products(slice(start, start + size))
        least = np.maximum(_kth_largest(values, k), lowest) - _SLACK
        selected = np.flatnonzero((values >= least[:, None]) & (values > _SLACK))
        i, j = np.divmod(selected, n_columns)
        rows.append(i + start)
        columns.append(j)
    return np.concatenate(rows), np.concatenate(columns)


def _kth_largest(values: NDArray[np.float32], k: int) -> NDArray[np.float32]:
    """Return a lower bound of the k-th largest value of each row, usually the value itself."""
    n_rows, n_columns = values.shape
    if n_columns <= k:
        return np.full(n_rows, -np.inf, dtype=np.float32)
    if n_columns >= 8 * k * _COLUMNS_PER_MAXIMUM:
        # The k-th largest maximum of runs of columns is a lower bound, found in a tenth of the
        # time.
        whole = n_columns - n_columns % _COLUMNS_PER_MAXIMUM
        values = values[:, :whole].reshape(n_rows, -1, _COLUMNS_PER_MAXIMUM).max(axis=2)
    return np.partition(values, -k, axis=1)[:, -k]


def best_of_each_row(rows: Rows, columns: Rows, scores: Floats, k: int | None) -> Rows:
    """Return where the k best entries of each row are: by row, then best first, then by column."""
    order = np.lexsort((columns, -scores, rows))
    if k is None:
        return order
    sorted_rows = rows[order]
    rank = np.arange(len(order)) - np.searchsorted(sorted_rows, sorted_rows)
    return order[rank < k]


def first_equal_rows(vectors: Vectors) -> Rows:
    """Return the number of the first row equal to each row."""
    keys = row_keys(vectors)
    _, first, place = np.unique(keys, return_index=True, return_inverse=True)
    return first[place]


class Owners:
    """For each row, the row that it is compared through: itself, or the first one that repeats it.

    A text is compared once, whatever its case, spaces and final punctuation. Different texts with
    one vector are compared like others, as a guard needs it. Of more than ``_MOST_TEXTS``, the
    others are compared with the first one only, else the orders of some words in 50,000 rows would
    be a billion pairs. Their owner is -1 - first.
    """

    def __init__(self) -> None:
        self._sentences: list[str] = []
        self._first: dict[int, int] = {}  # by vector
        self._rows: dict[int, dict[str, int]] = {}  # by vector, if several have it, and text

    def add(self, sentences: list[str], units: Vectors) -> Rows:
        """Add rows and return their owners."""
        keys: list[int] = []
        for start in range(0, len(units), 4096):
            keys += row_keys(np.rint(units[start : start + 4096] * _GRID)).tolist()
        start = len(self._sentences)
        self._sentences += sentences
        owners = np.arange(start, start + len(keys))
        for row, key in enumerate(keys, start):
            first = self._first.setdefault(key, row)
            if first != row:
                rows = self._rows.setdefault(key, {plain(self._sentences[first]): first})
                owner = rows.setdefault(plain(self._sentences[row]), row)
                too_many = owner == row and len(rows) > _MOST_TEXTS
                owners[row - start] = -1 - first if too_many else owner
        return owners


def plain(text: str) -> str:
    """Return a text without case, accents, spaces and final punctuation, which say nothing."""
    return " ".join(without_accents(text.casefold()).split()).strip(_PUNCTUATION)


def partners(owners: Rows) -> Rows:
    """Return the only row that a row is paired with, if it is not its own owner."""
    return np.maximum(owners, -1 - owners)


def row_keys(vectors: Vectors) -> NDArray[np.uint64]:
    """Return a number for each row that only equal rows share.

    A sum of 64-bit products with fixed odd numbers: two of a million different rows have the same
    key with a probability of one in ten million.
    """
    factors = np.random.default_rng(0).integers(2**63, size=vectors.shape[1], dtype=np.uint64)
    factors = factors * np.uint64(2) + np.uint64(1)
    keys = np.empty(len(vectors), dtype=np.uint64)
    for start in range(0, len(vectors), 4096):
        # Adding zero turns -0.0 into 0.0.
        bits = np.ascontiguousarray(vectors[start : start + 4096] + np.float32(0)).view(np.uint32)
        mixed = bits.astype(np.uint64) * factors
        mixed ^= mixed >> np.uint64(29)  # low bits of a product depend on low bits only
        keys[start : start + 4096] = (mixed * factors).sum(axis=1)
    return keys


class Cells:
    """Voronoi cells of the vector space.

    A row belongs to the cell of its nearest centre, and is looked up in all cells whose centre is
    nearly as near, by ``margin``. A pair is found if one row is looked up in the cell of the
    other. The centres are drawn from the rows: k-means would save a tenth of the comparisons, but
    takes longer than it saves.
    """

    def __init__(self, centres: Vectors, margin: float) -> None:
        self.centres, self.margin = centres, margin

    @classmethod
    def learn(cls, units: Vectors, rows: Rows, lowest: float, n_rows: int | None = None) -> Cells:
        """Draw the centres, and measure the margin that finds the pairs of some of the rows.

        ``n_rows`` is the number of all rows if ``rows`` are only a sample of them.
        """
        n_rows = len(rows) if n_rows is None else n_rows
        if n_rows <= _MAX_EXACT:  # one cell for all
            return cls(np.zeros((1, units.shape[1]), dtype=np.float32), 0.0)
        rng = np.random.default_rng(0)  # the same rows give the same result
        n_cells = min(len(rows), int(_CELLS * np.sqrt(n_rows)))
        cells = cls(units[rng.choice(rows, n_cells, replace=False)], 0.0)
        cells.margin = _MARGIN * np.sqrt(2 - 2 * lowest)
        needed, _ = cells._needed(units, _probed(rows)[0], rows, lowest)
        if len(needed):
            # Not less than the fixed margin: with few pairs, the quantile is noisy.
            cells.margin = max(cells.margin, float(np.quantile(needed, _RECALL)) + _SLACK)
        return cells

    def least_recall(self, units: Vectors, rows: Rows, lowest: float) -> float:
        """Measure which fraction of the pairs is found at least, on rows not used before.

        It is the bound of Clopper and Pearson, for Kish's effective number of pairs: pairs of one
        row are found, or missed, together.
        """
        needed, n_pairs = self._needed(units, _probed(rows)[1], rows, lowest)
        found = needed <= self.margin
        if not found.any():
            return 0.0
        n = n_pairs.sum() ** 2 / (n_pairs**2).sum()
        k = n * found.mean()
        return float(betaincinv(k, n - k + 1, 1 - _CONFIDENCE))

    def _needed(
        self, units: Vectors, probed: Rows, rows: Rows, lowest: float
    ) -> tuple[NDArray[np.float32], Rows]:
        """Return the margin that finds each pair of the probed rows, and each row's pairs."""
        pairs, _ = compare(units, probed, rows, lowest)
        first, second = pairs.T
        there, back = self._distances(units, first, second), self._distances(units, second, first)
        probes = np.where(np.isin(first, probed), first, second)
        return np.minimum(there, back), np.unique(probes, return_counts=True)[1]

    def _distances(self, units: Vectors, first: Rows, second: Rows) -> NDArray[np.float32]:
        """Return how much lower the cosine to the other row's centre is than to the own centre."""
        distances = np.empty(len(first), dtype=np.float32)
        for start in range(0, len(first), _BLOCK_ROWS):
            block = slice(start, start + _BLOCK_ROWS)
            to_centres = units[first[block]] @ self.centres.T
            own_of_second = (units[second[block]] @ self.centres.T).argmax(axis=1)
            rows = np.arange(len(to_centres))
            distances[block] = to_centres.max(axis=1) - to_centres[rows, own_of_second]
        return distances

    def assign(self, units: Vectors) -> tuple[Rows, Rows, Rows]:
        """Return the cell of each row, then the rows and the cells of all lookups."""
        nothing = np.empty(0, dtype=np.int32)
        own, rows, cells = [nothing], [nothing], [nothing]
        for start in range(0, len(units), _BLOCK_ROWS):
            to_centres = units[start : start + _BLOCK_ROWS] @ self.centres.T
            nearest = to_centres.max(axis=1, keepdims=True)
            own.append(to_centres.argmax(axis=1).astype(np.int32))
            row, cell = np.divmod(
                np.flatnonzero(to_centres >= nearest - self.margin), len(self.centres)
            )
            rows.append((row + start).astype(np.int32))
            cells.append(cell.astype(np.int32))
        return np.concatenate(own), np.concatenate(rows), np.concatenate(cells)

    def members(self, units: Vectors, rows: Rows, n_jobs: int | None) -> list[tuple[Rows, Rows]]:
        """List the rows that belong to each cell, and the rows that are looked up in it."""

        def assign(start: int) -> tuple[Rows, Rows, Rows]:
            own, looked_up, cells = self.assign(units[rows[start : start + _ROWS_PER_CHUNK]])
            return own, looked_up + start, cells

        parts = in_threads(assign, range(0, len(rows), _ROWS_PER_CHUNK), n_jobs)
        own, looked_up, cells = map(np.concatenate, zip(*parts, strict=True))
        inside = by_cell(own, np.arange(len(own)), len(self.centres))
        around = by_cell(cells, looked_up, len(self.centres))
        return [(rows[own], rows[others]) for own, others in zip(inside, around, strict=True)]


def _probed(rows: Rows) -> tuple[Rows, Rows]:
    """Draw rows, without a row in common, to choose the margin and to measure the recall."""
    drawn = np.random.default_rng(1).permutation(rows)[: 2 * _N_PROBED]
    return np.sort(drawn[::2]), np.sort(drawn[1::2])


def slices(rows: Rows, size: int) -> Iterator[Rows]:
    for start in range(0, len(rows), size):
        yield rows[start : start + size]


def by_cell(cells: Rows, rows: Rows, n_cells: int) -> Iterator[Rows]:
    """Yield the rows of each cell."""
    order = np.argsort(cells, kind="stable")
    borders = np.searchsorted(cells[order], np.arange(n_cells + 1))
    for start, end in pairwise(borders.tolist()):
        yield rows[order[start:end]]


def join_pairs(parts: list[tuple[Rows, Floats]]) -> tuple[Rows, Floats]:
    """Join pairs, each once, ordered by their numbers."""
    pairs = np.concatenate([pairs for pairs, _ in parts])
    cosines = np.concatenate([cosines for _, cosines in parts])
    _, place = np.unique(pair_keys(pairs), return_index=True)
    return pairs[place], cosines[place]


def pair_keys(pairs: Rows) -> Rows:
    """Return a number for each pair of row numbers, in their order."""
    return pairs[:, 0] << 32 | pairs[:, 1]
