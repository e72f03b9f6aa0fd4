"""Search among sentence vectors: the pairs above a cosine, and the nearest vectors.

Products of blocks of rows in single precision find the candidates. These are computed again one by
one in double precision, because products of blocks round differently for blocks of another size:
a result does not depend on the rest of the batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from hashlib import md5
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import betaincinv
from sklearn.utils.parallel import Parallel, delayed
from threadpoolctl import threadpool_limits

from skpara._core import distinct, text_kernels
from skpara._linalg import row_cosines, unit_rows
from skpara._normal_form import without_accents
from skpara._typing import Bools, Floats, Vectors
from skpara.encoders import ParagramVectorizer
from skpara.resources import warn_of_text

T = TypeVar("T")
U = TypeVar("U")
Int = TypeVar("Int", bound=np.integer)
Rows = NDArray[np.int64]
Numbers = NDArray[np.integer]

# A block of products of this size fits into the second-level cache of a core (2 MB).
_BLOCK_ROWS = 256
_BLOCK_COLUMNS = 2048
# So do both vectors of this many pairs, in double precision.
_BLOCK_PAIRS = 256
# More than the rounding of a product in single precision, less than any difference that matters.
_SLACK = 1e-5
# Up to this number of rows, all are compared with all: it takes a second, and no pair is missed.
_MAX_EXACT = 20_000
# Number of cells: this factor times the square root of the number of rows. A row is then compared
# with some thousand others, and with fewer centres of cells.
_CELLS = 16.0
# Number of regions: this factor times the square root of the number of cells.
_REGIONS = 1.0
# The margin for regions is this many times wider than for cells.
_WIDER = 2.0
# Cells partition the space of the first principal components: this many hold three quarters of
# the length of vectors, and with more, few further pairs are found.
_CELL_DIMS = 96
# The first dimensions show which pairs may be similar: of a million sentences, one pair in 70 that
# meet in a cell is then computed in all dimensions (with 48 of them, one in 30).
_SHORT_DIMS = 64
# More than the rounding of the square of a length.
_LENGTH_SLACK = 4e-6
# Rounds of k-means that find the regions; more change little.
_ROUNDS = 4
# A row is looked up in every cell whose centre is at most this fraction of the distance of two
# vectors at the lowest cosine farther away than the centre of its own cell: by the first one that
# finds enough pairs of a sample, which may be few. Fewer dimensions need more.
_MARGINS = (0.24, 0.25, 0.26, 0.27, 0.28, 0.29, 0.3, 0.32, 0.35, 0.4, 0.5, 0.6, 0.8, 1.0)
# Rows of the sample, and the share of all rows that are compared with these.
_N_AMONG = 2**15
_SHARE_TRIED = 1 / 128
_FEWEST_TRIED = 2**12
# Rows that are compared with all others to measure the recall. They did not choose the margin,
# else they would flatter it.
_N_PROBED = 500
# Fraction of their pairs that must be found.
_RECALL = 0.99
_CONFIDENCE = 0.95
# Different texts with one vector that are compared with all others. Usual are a few, which differ
# in case, punctuation or the order of words.
MOST_TEXTS_OF_A_VECTOR = 16
# Vectors are one if they are equal on this grid: the order of words changes the last bits of their
# mean, and coordinates that are rounded to different sides are few.
_GRID = np.float32(2**12)
_PUNCTUATION = " .,;:!?\"'"
# Sentences encoded at a time: about a second of work.
_SENTENCES_PER_CHUNK = 2**14
# Vectors scaled at a time: in double precision, they fit into the second-level cache of a core.
_ROWS_PER_SCALING = 2**9
# Rows looked up at a time: their products with centres take some hundred MB at most.
_ROWS_PER_CHUNK = 2**13
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
    for chunk in chunks(len(sentences), _SENTENCES_PER_CHUNK):
        vectors = vectorizer.transform(sentences[chunk])
        if chunk.start == 0:
            units = np.empty((len(sentences), vectors.shape[1]), dtype=np.float32)
        for rows in chunks(len(vectors), _ROWS_PER_SCALING):
            units[chunk][rows] = unit_rows(vectors[rows])
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
    units: Vectors,
    owners: Rows,
    lowest: float,
    n_jobs: int | None = None,
    texts: Sequence[str] | None = None,
) -> tuple[Rows, Floats, float]:
    """Find the pairs of rows whose cosine is at least ``lowest``.

    Returns the pairs, the lower number first, in the order of their numbers, their cosines, and a
    lower bound of the fraction of all pairs that was found. ``owners`` comes from
    :func:`owners_of`. Rows of zeros are in no pair. The ``texts`` of the first rows say from which
    of them cells are learned, see :func:`sampled`; None is from all.
    """
    has_words: Bools = np.asarray(units.any(axis=1))
    is_owner = owners == np.arange(len(units))
    compared = np.flatnonzero(is_owner & has_words)
    recall = 1.0
    n_texts = len(compared) if texts is None else len(set(texts))
    if n_texts <= _MAX_EXACT:
        blocks = chunks(len(compared), _BLOCK_COLUMNS)
        groups = [(compared[x], compared[x.start :]) for x in blocks]
        found = in_threads(lambda group: compare(units, *group, lowest), groups, n_jobs)
    else:
        sample = np.random.default_rng(0).permutation(compared)
        if texts is not None:
            sample = sampled(texts, n_texts)
            sample = sample[has_words[sample]]
        cells = Cells.learn(units[sample[: sample_size(n_texts)]], n_texts, lowest)
        lookups = cells.assign(units, compared, n_jobs)
        short = cells.shortened(units)
        found = in_threads(
            lambda cell: compare_cell(units, compared, lookups, *cell, lowest, short),
            lookups.members(),
            n_jobs,
        )
        probed = sample[len(cells.centres) :][:_N_PROBED]
        recall = _recall_of(lookups, units, compared, probed[is_owner[probed]], lowest, short)
    return *join_pairs([repeats(owners, np.flatnonzero(has_words)), *found]), recall


def _recall_of(
    lookups: Lookups,
    units: Vectors,
    rows: Rows,
    probed: Rows,
    lowest: float,
    short: Vectors | None,
) -> float:
    """Compare some of the rows with all, and return a lower bound of the recall of lookups."""
    pairs, _ = compare(units, np.sort(probed), rows, lowest, short)
    first, second = np.searchsorted(rows, pairs).T
    found = lookups.find(first, second)
    probe = np.searchsorted(np.sort(probed), np.where(np.isin(pairs[:, 0], probed), *pairs.T))
    n_pairs = np.bincount(probe, minlength=len(probed))
    return least_recall(n_pairs, np.bincount(probe, found, len(probed)))


def compare(
    units: Vectors, first: Rows, second: Rows, lowest: float, short: Vectors | None = None
) -> tuple[Rows, Floats]:
    """Find the pairs of one of the ``first`` and one of the ``second`` rows above a cosine.

    They are ordered by their numbers, and each is there once. ``short`` vectors are those of
    :meth:`Cells.shortened`; None takes longer.
    """
    low, high = np.sort(_near(units, first, second, lowest, short), axis=0)
    keys = distinct((low << 32 | high)[low != high])
    candidates = np.column_stack([keys >> 32, keys & 0xFFFFFFFF])
    exact = exact_cosines(units, units, *candidates.T)
    return candidates[exact >= lowest], exact[exact >= lowest]


def _near(units: Vectors, first: Rows, second: Rows, lowest: float, short: Vectors | None) -> Rows:
    """Return the pairs of a first and a second row above a cosine, give or take its rounding."""
    vectors = units if short is None else short
    found = [np.empty((2, 0), dtype=np.int64)]
    for columns in slices(second, _BLOCK_COLUMNS):
        other = vectors[columns].T
        for rows in slices(first, _BLOCK_ROWS):
            products = vectors[rows] @ other
            i, j = np.divmod(np.flatnonzero(products >= lowest - _SLACK), len(columns))
            pairs = np.stack([rows[i], columns[j]])
            if short is not None:
                pairs = pairs[:, _cosines(units, *pairs) >= lowest - _SLACK]
            found.append(pairs)
    return np.concatenate(found, axis=1)


def compare_cell(
    units: Vectors,
    rows: Rows,
    lookups: Lookups,
    inside: Rows,
    around: Numbers,
    lowest: float,
    short: Vectors | None = None,
) -> tuple[Rows, Floats]:
    """Find the pairs of a row of a cell and one that is looked up in it above a cosine.

    ``inside`` and ``around`` are places in ``lookups``, which are of some ``rows``, in order. A
    pair that both of its rows would find is returned in the cell of the earlier one only.
    """
    near = _near(units, rows[inside], rows[around], lowest, short)
    first, second = near[:, near[0] != near[1]]
    i, j = np.searchsorted(rows, first), np.searchsorted(rows, second)
    # Two rows of the cell find each other, so the later one need not.
    is_only, own = i < j, lookups.own[j]
    later = np.flatnonzero(~is_only & (own != lookups.own[i]))
    is_only[later] = ~lookups.contain(i[later], own[later])
    pairs = np.column_stack([first[is_only], second[is_only]])
    exact = exact_cosines(units, units, *pairs.T)
    return np.sort(pairs[exact >= lowest], axis=1), exact[exact >= lowest]


def _cosines(units: Vectors, first: Rows, second: Rows) -> Vectors:
    """Return the cosine of each pair of rows, in single precision."""
    cosines = np.empty(len(first), dtype=np.float32)
    first, second = np.ascontiguousarray(first), np.ascontiguousarray(second)
    text_kernels.dense_products(units, units.shape[1], first, second, cosines)
    return cosines


def exact_cosines(first: Vectors, second: Vectors, rows: Rows, columns: Rows) -> Floats:
    """Compute the cosine of each pair of a row of ``first`` and a row of ``second`` by itself."""
    cosines = np.empty(len(rows))
    for block in chunks(len(rows), _BLOCK_PAIRS):
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
    for block in chunks(n_rows if n_columns else 0, size):
        values = products(block)
        least = np.maximum(kth_largest(values, k), lowest) - _SLACK
        selected = np.flatnonzero((values >= least[:, None]) & (values > _SLACK))
        i, j = np.divmod(selected, n_columns)
        rows.append(i + block.start)
        columns.append(j)
    return np.concatenate(rows), np.concatenate(columns)


def kth_largest(values: NDArray[np.floating], k: int) -> NDArray[np.floating]:
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


def owners_of(texts: Sequence[str], keys: NDArray[np.uint64], known: Rows) -> Rows:
    """Return the row that each row is compared through: itself, or the first one that repeats it.

    A text is compared once, whatever its case, spaces and final punctuation. Different texts with
    one vector are compared like others, as a guard needs it. Of more than some, the others are
    compared with the first one only, else the orders of some words in 50,000 rows would be a
    billion pairs. Their owner is -1 - first.

    ``keys`` are those of :func:`vector_keys`, and ``known`` the owners of the first rows.
    """
    owners = np.append(known, np.arange(len(known), len(keys)))
    rows = np.flatnonzero(np.isin(keys, keys[len(known) :]))  # that new ones may repeat
    _, first, place = np.unique(keys[rows], return_index=True, return_inverse=True)
    firsts = rows[first][place]
    repeats = firsts != rows  # most vectors are of one row
    by_text: dict[int, dict[str, int]] = {}
    for row, start in zip(rows[repeats].tolist(), firsts[repeats].tolist(), strict=True):
        own = by_text.setdefault(start, {plain(texts[start]): start})
        owner = own.setdefault(plain(texts[row]), row)
        too_many = owner == row and len(own) > MOST_TEXTS_OF_A_VECTOR
        owners[row] = -1 - start if too_many else owner
    return owners


def plain(text: str) -> str:
    """Return a text without case, accents, spaces and final punctuation, which say nothing.

    Punctuation alone stays.
    """
    folded = " ".join(without_accents(text.casefold()).split())
    return folded.strip(_PUNCTUATION) or folded


def partners(owners: Rows) -> Rows:
    """Return the only row that a row is paired with, if it is not its own owner."""
    return np.maximum(owners, -1 - owners)


def repeats(owners: Rows, rows: Rows) -> tuple[Rows, Floats]:
    """Return pairs of those rows that are compared through another row, and their cosines."""
    own = rows[owners[rows] != rows]
    return np.column_stack([partners(owners)[own], own]), np.ones(len(own))


def vector_keys(units: Vectors) -> NDArray[np.uint64]:
    """Return a number for each vector that only vectors share that are equal on a grid.

    A sum of 64-bit products with fixed odd numbers: two of a million different ones have the same
    key with a probability of one in ten million.
    """
    factors = np.random.default_rng(0).integers(2**63, size=units.shape[1], dtype=np.uint64)
    factors = factors * np.uint64(2) + np.uint64(1)
    keys = np.empty(len(units), dtype=np.uint64)
    for part in chunks(len(units), 4096):
        # Adding zero turns -0.0 into 0.0.
        bits = (np.rint(units[part] * _GRID) + np.float32(0)).view(np.uint32)
        mixed = bits.astype(np.uint64) * factors
        mixed ^= mixed >> np.uint64(29)  # low bits of a product depend on low bits only
        keys[part] = (mixed * factors).sum(axis=1)
    return keys


def sampled(texts: Sequence[str], n_texts: int) -> Rows:
    """Return the rows that cells are learned from: those with the lowest MD5, in its order.

    They do not depend on the order of the rows, and databases know this function, too: whoever
    does the work, all learn the same cells.
    """
    # Of equal texts, the first row is the last one that is put in.
    first = dict(zip(reversed(texts), range(len(texts))[::-1], strict=True))
    rows = np.fromiter(first.values(), dtype=np.int64, count=len(first))
    encoded = (text.encode("utf8", "surrogatepass") for text in first)
    digests = b"".join(md5(x, usedforsecurity=False).digest()[:8] for x in encoded)
    order = np.argsort(np.frombuffer(digests, dtype=">u8"), kind="stable")
    return rows[order[: sample_size(n_texts)]]


def sample_size(n_texts: int) -> int:
    """Return of how many texts the vectors are needed to learn cells for all."""
    return _n_cells(n_texts) + _N_PROBED + _N_AMONG if n_texts > _MAX_EXACT else 0


def _n_cells(n_texts: int) -> int:
    return int(_CELLS * np.sqrt(n_texts))


class Lookups:
    """The cell of each row, and the cells that it is looked up in, its own among them."""

    def __init__(self, own: Numbers, rows: Numbers, cells: Numbers, n_cells: int) -> None:
        self.own, self.rows, self.cells, self.n_cells = own, rows, cells, n_cells

    @cached_property
    def _keys(self) -> Rows:
        return np.sort(self.rows.astype(np.int64) * self.n_cells + self.cells)

    def contain(self, rows: Numbers, cells: Numbers) -> Bools:
        """Return whether each of the rows is looked up in the cell beside it."""
        keys = rows.astype(np.int64) * self.n_cells + cells
        return places_in(self._keys, keys) >= 0

    def find(self, first: Numbers, second: Numbers) -> Bools:
        """Return which pairs of rows meet in a cell."""
        return self.contain(first, self.own[second]) | self.contain(second, self.own[first])

    def members(self) -> list[tuple[Rows, Numbers]]:
        """List the rows that belong to each cell, and the rows that are looked up in it."""
        inside = by_cell(self.own, np.arange(len(self.own)), self.n_cells)
        around = by_cell(self.cells, self.rows, self.n_cells)
        return list(zip(inside, around, strict=True))


class Cells:
    """Voronoi cells of the vector space, in larger regions.

    A row belongs to the cell of its nearest centre, and is looked up in all cells whose centre is
    nearly as near, by ``margin``. A pair is found if one row is looked up in the cell of the
    other. Centres are sought in regions that are nearly as near as the nearest one, by the same
    margin. The centres are drawn from the rows: k-means would save a tenth of the comparisons, but
    takes longer than it saves. For the regions, which are few, it is worth its time.

    All are in the space of the columns of ``basis``. ``centres`` are ordered by region, and
    ``starts`` says where the centres of each begin.
    """

    def __init__(
        self, basis: Vectors, regions: Vectors, centres: Vectors, starts: Rows, margin: float
    ) -> None:
        self.basis, self.regions, self.centres = basis, regions, centres
        self.starts, self.margin = starts, margin

    @classmethod
    def one(cls, n_dims: int) -> Cells:
        """Return one cell for all rows."""
        origin = np.zeros((1, 1), dtype=np.float32)
        return cls(np.zeros((n_dims, 1), np.float32), origin, origin, np.array([0, 1]), 0.0)

    @classmethod
    def learn(cls, sample: Vectors, n_texts: int, lowest: float) -> Cells:
        """Draw the centres from the first rows, and choose the margin by pairs of the last ones.

        The rows between them are left for :meth:`least_recall`.
        """
        if n_texts <= _MAX_EXACT or len(sample) < 2:
            return cls.one(sample.shape[1])
        n_cells = min(_n_cells(n_texts), len(sample) // 2)
        basis = _principal(sample, _CELL_DIMS)
        centres, others = _directions(sample[:n_cells] @ basis), sample[n_cells + _N_PROBED :]
        regions = _means(centres, max(1, int(_REGIONS * np.sqrt(n_cells))))
        region_of = _nearest(centres, regions)
        order = np.argsort(region_of, kind="stable")
        present, starts = np.unique(region_of[order], return_index=True)
        cells = cls(basis, regions[present], centres[order], np.append(starts, n_cells), 0.0)
        everyone = np.arange(len(others))
        n_tried = max(_FEWEST_TRIED, int(_SHARE_TRIED * n_texts))
        short = cells.shortened(others)
        pairs, cosines = compare(others, everyone[:n_tried], everyone, lowest, short)
        # Equal vectors are always found, and would flatter the others.
        rows, places = np.unique(pairs[cosines < 1 - _SLACK], return_inverse=True)
        first, second = places.reshape(-1, 2).T
        for margin in _MARGINS:
            cells.margin = margin * np.sqrt(2 - 2 * lowest)
            missed = ~cells.assign(others[rows]).find(first, second) if len(rows) else first
            # What chance may add is two standard deviations of a count.
            n_missed = int(missed.sum())
            if n_missed + 2 * np.sqrt(n_missed) <= (1 - _RECALL) * len(first):
                break
        return cells

    def assign(
        self, units: Vectors, chosen: Rows | None = None, n_jobs: int | None = None
    ) -> Lookups:
        """Return the cells of rows, or of some of them; their places are numbered from 0."""
        chosen = np.arange(len(units)) if chosen is None else chosen
        starts = range(0, len(chosen), _ROWS_PER_CHUNK)
        parts = in_threads(
            lambda x: self._assign(units[chosen[x : x + _ROWS_PER_CHUNK]]), starts, n_jobs
        )
        own, rows, cells = [], [], []
        for start, (own_of, rows_of, cells_of) in zip(starts, parts, strict=True):
            own.append(own_of)
            rows.append(rows_of + np.int32(start))
            cells.append(cells_of)
        nothing = np.empty(0, dtype=np.int32)
        return Lookups(
            np.concatenate([nothing, *own]),
            np.concatenate([nothing, *rows]),
            np.concatenate([nothing, *cells]),
            len(self.centres),
        )

    def shortened(self, units: Vectors) -> Vectors | None:
        """Return vectors of a few dimensions, whose products are at least those of the rows.

        They are the first principal components, and the length of the rest: by the inequality of
        Cauchy and Schwarz, the product of both rests is at most that of their lengths. None stands
        for the vectors as they are.
        """
        if self.basis.shape[1] < _SHORT_DIMS:
            return None
        short = np.empty((len(units), _SHORT_DIMS + 1), dtype=np.float32)
        basis = self.basis[:, :_SHORT_DIMS]
        for part in chunks(len(units), _ROWS_PER_CHUNK):
            x = short[part, :_SHORT_DIMS] = units[part] @ basis
            rest = np.maximum(1 - np.einsum("ij,ij->i", x, x), 0)
            short[part, _SHORT_DIMS] = np.sqrt(rest + np.float32(_LENGTH_SLACK))
        return short

    def near(self, units: Vectors, others: Vectors, lowest: float) -> tuple[Rows, Rows]:
        """Return the rows of both whose cosine is at least ``lowest``, give or take its rounding.

        ``others`` are few.
        """
        both = np.concatenate([others, units])
        first, second = np.arange(len(others), len(both)), np.arange(len(others))
        rows, columns = _near(both, first, second, lowest + _SLACK, self.shortened(both))
        order = np.lexsort((columns, rows))
        return rows[order] - len(others), columns[order]

    def _assign(self, units: Vectors) -> tuple[Numbers, Numbers, Numbers]:
        """Return the cell of each row, then the rows and the cells of all lookups, by row."""
        units = _directions(units @ self.basis)
        own = np.zeros(len(units), dtype=np.int32)
        best = np.full(len(units), -np.inf, dtype=np.float32)
        to_regions = units @ self.regions.T
        is_near = to_regions >= to_regions.max(axis=1, keepdims=True) - np.float32(
            _WIDER * self.margin
        )
        near = []
        for region, (start, end) in enumerate(pairwise(self.starts.tolist())):
            rows = np.flatnonzero(is_near[:, region])
            products = units[rows] @ self.centres[start:end].T
            place = products.argmax(axis=1)
            highest = products[np.arange(len(rows)), place]
            is_best = highest > best[rows]
            best[rows[is_best]] = highest[is_best]
            own[rows[is_best]] = start + place[is_best]
            near.append((start, rows, products))
        least = best - np.float32(self.margin)
        rows_of, cells_of = [], []
        for start, rows, products in near:
            row, cell = np.divmod(
                np.flatnonzero(products >= least[rows, None]), max(products.shape[1], 1)
            )
            rows_of.append(rows[row].astype(np.int32))
            cells_of.append((cell + start).astype(np.int32))
        rows, cells = np.concatenate(rows_of), np.concatenate(cells_of)
        order = np.argsort(rows, kind="stable")
        return own, rows[order], cells[order]


def _means(rows: Vectors, n: int) -> Vectors:
    """Return the directions of means of rows, by k-means from the first rows."""
    means = rows[:n].copy()
    for _ in range(_ROUNDS):
        nearest = _nearest(rows, means)
        sums = np.zeros_like(means)
        np.add.at(sums, nearest, rows)
        means = np.where(sums.any(axis=1, keepdims=True), _directions(sums), means)
    return means


def _principal(rows: Vectors, n: int) -> Vectors:
    """Return a basis of the n principal components, of all dimensions if there are no more."""
    _, basis = np.linalg.eigh(rows.T @ rows)
    return np.ascontiguousarray(basis[:, ::-1][:, :n], dtype=np.float32)


def _directions(rows: Vectors) -> Vectors:
    norms = np.sqrt(np.einsum("ij,ij->i", rows, rows))[:, None]
    return np.divide(rows, norms, out=np.zeros_like(rows), where=norms > 0)


def _nearest(rows: Vectors, centres: Vectors) -> Rows:
    parts = [(rows[x] @ centres.T).argmax(axis=1) for x in chunks(len(rows), _BLOCK_COLUMNS)]
    return np.concatenate(parts)


def least_recall(n_pairs: Rows, n_found: Rows) -> float:
    """Return a lower bound of the fraction of pairs that is found, from the pairs of some rows.

    It is the bound of Clopper and Pearson, for Kish's effective number of pairs: pairs of one row
    are found, or missed, together.
    """
    if not n_found.any():
        return 0.0
    n = n_pairs.sum() ** 2 / (n_pairs**2).sum()
    k = n * n_found.sum() / n_pairs.sum()
    return float(betaincinv(k, n - k + 1, 1 - _CONFIDENCE))


def chunks(n: int, size: int) -> Iterator[slice]:
    for start in range(0, n, size):
        yield slice(start, start + size)


def slices(rows: NDArray[Int], size: int) -> Iterator[NDArray[Int]]:
    return (rows[part] for part in chunks(len(rows), size))


def by_cell(cells: Numbers, rows: NDArray[Int], n_cells: int) -> Iterator[NDArray[Int]]:
    """Yield the rows of each cell."""
    # A sparse matrix with a row for each cell: counting is ten times as fast as sorting.
    n = len(cells)
    places = cells, np.arange(n, dtype=np.int32 if n < 2**31 else np.int64)
    table = csr_array((np.ones(n, dtype=np.bool_), places), shape=(n_cells, max(n, 1)))
    for start, end in pairwise(table.indptr.tolist()):
        yield rows[table.indices[start:end]]


def join_pairs(parts: list[tuple[Rows, Floats]]) -> tuple[Rows, Floats]:
    """Join pairs, each once, ordered by their numbers."""
    pairs = np.concatenate([pairs for pairs, _ in parts])
    cosines = np.concatenate([cosines for _, cosines in parts])
    _, place = np.unique(pair_keys(pairs), return_index=True)
    return pairs[place], cosines[place]


def places_in(keys: Rows, sought: Rows) -> Rows:
    """Return where numbers are among others, which are in order, or -1."""
    places = np.searchsorted(keys, sought)
    return np.where(np.append(keys, -1)[places] == sought, places, -1)


def pair_keys(pairs: Rows) -> Rows:
    """Return a number for each pair of row numbers, in their order."""
    return pairs[:, 0] << 32 | pairs[:, 1]
