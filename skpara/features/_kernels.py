"""Comparisons of lists of ids, compiled where there was a compiler.

Each function calls its namesake in ``_native.c``. Without the compiled module, slower Python gives
the same bits: it adds numbers in the same order.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, count
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rapidfuzz.distance import LCSseq, Levenshtein

from skpara._compiled import compiled
from skpara._typing import Floats, Vectors
from skpara.text import code_points

T = TypeVar("T", bound=Hashable)
Ids = NDArray[np.int64]
# Positions of the lists on the left and on the right of each pair.
Sides = tuple[Ids, Ids]

_native = compiled("skpara.features._native")
# Words of a sentence that are compared with each word of the other one. The time grows with the
# product, so features that align words ignore the rest of a longer text.
MOST_WORDS = 512
has_terms = _native is not None
# Cells of the pairs that are compared at a time: 8 MB for each array of them.
_CELLS_PER_PART = 1_000_000


@dataclass(frozen=True)
class Lists:
    """Lists of ids that are not negative: list k is ``ids[offsets[k]:offsets[k + 1]]``."""

    ids: Ids
    offsets: Ids

    @classmethod
    def of(cls, lists: Sequence[Sequence[T]]) -> tuple[list[T], Lists]:
        """Number the distinct items in order of appearance; also return them."""
        numbers: defaultdict[T, int] = defaultdict(count().__next__)
        offsets = np.cumsum([0, *map(len, lists)], dtype=np.int64)
        found = map(numbers.__getitem__, chain.from_iterable(lists))
        ids = np.fromiter(found, dtype=np.int64, count=int(offsets[-1]))
        return list(numbers), cls(ids, offsets)

    @property
    def lengths(self) -> Ids:
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def owners(self) -> Ids:
        """The list of each item."""
        return np.arange(len(self.offsets) - 1).repeat(self.lengths)

    def only(self, mask: NDArray[np.bool_], numbers: Ids | None = None) -> Lists:
        """Keep the items whose ids a mask of shape (n_ids,) marks; renumber them."""
        return self.where(mask[self.ids], numbers)

    def where(self, keep: NDArray[np.bool_], numbers: Ids | None = None) -> Lists:
        """Keep the items that a mask of shape (n_items,) marks; renumber them."""
        ids = self.ids[keep]
        ends = np.append(0, keep.cumsum())[self.offsets]
        return Lists(ids if numbers is None else numbers[ids], ends)

    def append(self, other: Lists) -> Lists:
        """Return these lists and the lists of another object."""
        offsets = np.append(self.offsets, other.offsets[1:] + self.offsets[-1])
        return Lists(np.append(self.ids, other.ids), offsets)

    def head(self, most: int) -> Lists:
        """Keep the first items of each list."""
        lengths = self.lengths
        if lengths.max(initial=0) <= most:
            return self
        places = np.arange(len(self.ids)) - self.offsets[:-1].repeat(lengths)
        offsets = np.append(0, np.minimum(lengths, most).cumsum())
        return Lists(self.ids[places < most], offsets)

    def places(self, rows: Ids) -> Ids:
        """Return where in ``ids`` the items of some lists are."""
        lengths = self.lengths[rows]
        starts = self.offsets[rows] - lengths.cumsum() + lengths
        return np.arange(int(lengths.sum()), dtype=np.int64) + starts.repeat(lengths)

    def sums(self, weights: ArrayLike) -> Floats:
        """Sum the weights of the items of each list."""
        values = np.asarray(weights, dtype=np.float64)[self.ids]
        return np.bincount(self.owners, values, len(self.offsets) - 1).astype(np.float64)

    def pairs(self, sides: Sides) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield the number of each pair and its two lists."""
        ids, ends = self.ids.tolist(), self.offsets.tolist()
        for p, (a, b) in enumerate(zip(*map(np.ndarray.tolist, sides), strict=True)):
            yield p, ids[ends[a] : ends[a + 1]], ids[ends[b] : ends[b + 1]]


def distinct(lists: Lists, n_ids: int) -> tuple[Lists, Floats]:
    """Return the distinct items of each list in order of appearance, and their counts."""
    if _native:
        ids, offsets = np.empty_like(lists.ids), np.empty_like(lists.offsets)
        counts = np.empty(len(ids))
        _native.distinct(lists.ids, lists.offsets, n_ids, ids, counts, offsets)
        n_items = offsets[-1]
        return Lists(ids[:n_items], offsets), counts[:n_items]
    every = np.arange(len(lists.offsets) - 1)
    counters = [Counter(items) for _, items, _ in lists.pairs((every, every))]
    items = [item for counter in counters for item in counter]
    offsets = np.cumsum([0, *map(len, counters)])
    times = np.array([n for counter in counters for n in counter.values()], dtype=np.float64)
    return Lists(np.array(items, dtype=np.int64), offsets), times


def shared_ngrams(lists: Lists, sides: Sides, longest: int) -> Ids:
    """Count the n-grams that both sides have, for n = 1, 2, ..., shape (longest, n_pairs).

    An n-gram of both sides counts as often as on the side where it is rarer.
    """
    shared = np.zeros((longest, len(sides[0])), dtype=np.int64)
    if _native:
        _native.shared_ngrams(lists.ids, lists.offsets, *sides, longest, shared)
        return shared
    for p, *both in lists.pairs(sides):
        for n in range(1, longest + 1):
            grams = [Counter(zip(*(ids[k:] for k in range(n)), strict=False)) for ids in both]
            shared[n - 1, p] = (grams[0] & grams[1]).total()
    return shared


def shared_weights(lists: Lists, sides: Sides, weights: Floats) -> Floats:
    """Sum weights of shape (n_rows, n_ids) over the shared items, the left and the right side.

    An item that occurs twice on both sides is shared twice. The sums, of shape
    (3, n_rows, n_pairs), are taken in the order of the items and so do not depend on other pairs.
    """
    n_rows, n_ids = weights.shape
    sums = np.zeros((3, n_rows, len(sides[0])))
    if _native:
        weights = np.ascontiguousarray(weights)
        _native.shared_weights(lists.ids, lists.offsets, *sides, weights, n_ids, sums)
        return sums
    for p, left, right in lists.pairs(sides):
        unmatched = Counter(right)
        shared = []
        for item in left:
            if unmatched[item]:
                unmatched[item] -= 1
                shared.append(item)
        for part, items in enumerate((shared, left, right)):
            sums[part, :, p] = _in_order(weights[:, items])
    return sums


def cosines(lists: Lists, sides: Sides, weights: Floats, damped: bool = True) -> Floats:
    """Compute cosines of weighted counts for weights of (n_rows, n_ids): (n_rows, n_pairs).

    ``damped`` counts are 1 + ln(count). A cosine is 0 where a side has no weight.
    """
    n_rows, n_ids = weights.shape
    dots, squares = np.zeros((n_rows, len(sides[0]))), np.zeros((2, n_rows, len(sides[0])))
    # No count is larger than the items of a pair.
    counts = np.arange(1 + 2 * lists.lengths.max(initial=0), dtype=np.float64)
    if damped:
        counts[1:] = 1 + np.log(counts[1:])
    if _native:
        weights = np.ascontiguousarray(weights)
        _native.weighted_dots(
            *(lists.ids, lists.offsets, *sides, weights, n_ids, counts, dots, squares)
        )
    else:
        for p, *both in lists.pairs(sides):
            left, right = (
                {item: counts[n] * weights[:, item] for item, n in Counter(items).items()}
                for items in both
            )
            for item, values in left.items():
                dots[:, p] += values * right.get(item, 0.0)
            for side, items in enumerate((left, right)):
                for values in items.values():
                    squares[side, :, p] += values * values
    norms = np.sqrt(squares)
    norms = norms[0] * norms[1]
    return np.minimum(np.divide(dots, norms, out=dots, where=norms > 0), 1.0)


# text's CharacterNgrams finds given n-grams, across words; this one numbers all, inside words.
def cut(
    characters: NDArray[np.uint32], offsets: Ids, ends: Ids, sizes: Sequence[int]
) -> tuple[Lists, Ids, Ids]:
    """Number the distinct n-grams of words; list k has the words from ``ends[k - 1]`` on.

    Word i is ``characters[offsets[i]:offsets[i + 1]]`` and ``sizes`` are consecutive. Also returns
    where each n-gram first starts, and its length.
    """
    windows = np.maximum(np.diff(offsets) + 1 - np.array(sizes)[:, None], 0)
    ids, starts, lengths = np.empty((3, int(windows.sum())), dtype=np.int64)
    new_offsets = np.zeros(len(ends) + 1, dtype=np.int64)
    if _native:
        n = _native.cut(
            *(characters, offsets, ends, sizes[0], sizes[-1]),
            *(ids, new_offsets, starts, lengths),
        )
        return Lists(ids, new_offsets), starts[:n], lengths[:n]
    numbers: dict[bytes, int] = {}
    n = total = word = 0
    for k, last in enumerate(ends.tolist()):
        for start, end in zip(offsets[word:last], offsets[word + 1 : last + 1], strict=True):
            for i in range(start, end):
                for size in range(sizes[0], min(sizes[-1], end - i) + 1):
                    number = numbers.setdefault(characters[i : i + size].tobytes(), len(numbers))
                    if number == n:
                        starts[n], lengths[n] = i, size
                        n += 1
                    ids[total] = number
                    total += 1
        word = last
        new_offsets[k + 1] = total
    return Lists(ids, new_offsets), starts[:n], lengths[:n]


@dataclass(frozen=True)
class Terms:
    """The positions of terms, ``characters[starts[k]:starts[k] + lengths[k]]``, by these."""

    characters: NDArray[np.uint32]
    starts: Ids
    lengths: Ids
    slots: NDArray[np.int32]  # a hash table of the positions, -1 where a slot is free

    @classmethod
    def of(cls, lines: str) -> Terms:
        """Index the lines of a text, which are distinct; only where there is a compiled module."""
        characters = code_points(lines + "\n")
        ends = np.flatnonzero(characters == ord("\n"))
        starts = np.append(0, ends[:-1] + 1)
        slots = np.full(2 << (2 * len(ends)).bit_length(), -1, dtype=np.int32)
        _native.index_terms(characters, starts, ends - starts, slots)
        return cls(characters, starts, ends - starts, slots)

    def find(self, characters: NDArray[np.uint32], starts: Ids, lengths: Ids) -> Ids:
        """Return the position of each piece of a text; -1 if it is not a term."""
        numbers = np.empty(len(starts), dtype=np.int64)
        known = self.characters, self.starts, self.lengths, self.slots
        _native.find_terms(*known, characters, starts, lengths, numbers)
        return numbers


def sequences(lists: Lists, sides: Sides) -> Ids:
    """Compare the items in their order, shape (3, n_pairs).

    The rows are the edit distance (Levenshtein), and the lengths of the longest common
    subsequence and of the longest common run.
    """
    result = np.zeros((3, len(sides[0])), dtype=np.int64)
    if _native:
        _native.sequences(lists.ids, lists.offsets, *sides, result)
        return result
    for p, left, right in lists.pairs(sides):
        result[0, p] = Levenshtein.distance(left, right)
        result[1, p] = LCSseq.similarity(left, right)
        runs, other = np.zeros(len(right) + 1, dtype=np.int64), np.array(right)
        for item in left:
            runs[1:] = np.where(other == item, runs[:-1] + 1, 0)
            result[2, p] = max(result[2, p], runs.max())
    return result


def parts(lists: Lists, sides: Sides) -> Iterator[tuple[slice, Sides]]:
    """Split pairs into slices with a bounded number of cells."""
    lengths = lists.lengths
    for rows in runs(lengths[sides[0]] * lengths[sides[1]], _CELLS_PER_PART):
        yield rows, (sides[0][rows], sides[1][rows])


def runs(sizes: Ids, most: int, most_rows: int = 2**62) -> Iterator[slice]:
    """Cut rows into slices whose sizes add up to ``most`` at most, or of a single larger row."""
    ends, start = sizes.cumsum(), 0
    while start < len(ends):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(ends.searchsorted(before + most, side="right")))
        end = min(end, start + most_rows)
        yield slice(start, end)
        start = end


def cells(lists: Lists, sides: Sides) -> tuple[Ids, Ids, Ids]:
    """Return the pair, and the places in ``ids``, of each item on the left with each on the right.

    The cells of a pair are the rows of a table with a row for each item on the left.
    """
    first, second = lists.lengths[sides[0]], lists.lengths[sides[1]]
    sizes = first * second
    pair = np.arange(len(sizes)).repeat(sizes)
    number = np.arange(len(pair)) - (sizes.cumsum() - sizes).repeat(sizes)
    row, column = np.divmod(number, second.repeat(sizes))
    starts = lists.offsets[:-1]
    return pair, starts[sides[0]][pair] + row, starts[sides[1]][pair] + column


def cell_cosines(lists: Lists, sides: Sides, matrix: Vectors, norms: Floats) -> Floats:
    """Compute the cosine, at least 0, of the rows of each cell; ``norms`` are lengths of rows.

    A word equals itself even without a vector.
    """
    lengths = lists.lengths
    result = np.empty(int((lengths[sides[0]] * lengths[sides[1]]).sum()))
    if _native:
        _native.cell_cosines(
            lists.ids, lists.offsets, *sides, matrix, matrix.shape[1], norms, result
        )
        return result
    start, n_eights = 0, matrix.shape[1] // 8
    for _, left, right in lists.pairs(sides):
        columns = matrix[right].T.astype(np.float64)
        for row in matrix[left]:
            products = row[:, None] * columns  # summed as in C, eight sums side by side
            eights = products[: 8 * n_eights].reshape(n_eights, 8, len(right)).sum(axis=0)
            fours = eights[:4] + eights[4:]
            dots = (
                fours[0] + fours[1] + (fours[2] + fours[3]) + products[8 * n_eights :].sum(axis=0)
            )
            result[start : start + len(dots)] = dots
            start += len(dots)
    first, second = (lists.ids[places] for places in cells(lists, sides)[1:])
    cosines = np.clip(ratio(result, norms[first] * norms[second]), 0.0, 1.0)
    return np.where(first == second, 1.0, cosines)


def best_of_cells(
    lists: Lists, sides: Sides, similar: Floats, counts: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Take for each item the most similar one of the other side.

    Returns the means of these similarities over the items of a side, weighted by count times
    weight, and the largest loss: weight times one minus the similarity. Both have the shape
    (2, n_rows, n_pairs) for weights of (n_rows, n_ids), and are 0 where a side is empty.
    """
    means, worst = np.zeros((2, 2, len(weights), len(sides[0])))
    if _native:
        _native.best_of_cells(
            *(lists.ids, lists.offsets, *sides, similar, counts),
            *(np.ascontiguousarray(weights), weights.shape[1], means, worst),
        )
        return means, worst
    start = 0
    for p, *both in lists.pairs(sides):
        table = similar[start : start + len(both[0]) * len(both[1])]
        table = table.reshape(len(both[0]), len(both[1]))
        start += table.size
        for side, (items, rows) in enumerate(zip(both, sides, strict=True)):
            if items:
                best = table.max(axis=1 - side, initial=0.0)
                times = counts[lists.offsets[rows[p]] :][: len(items)] * weights[:, items]
                means[side, :, p] = ratio(_in_order(times * best), _in_order(times))
                worst[side, :, p] = (weights[:, items] * (1 - best)).max(axis=1, initial=0.0)
    return means, worst


def align_cells(
    lists: Lists, sides: Sides, similar: Floats, window: int, neighbor_weight: float
) -> Ids:
    """Align items one to one, the best first; return the numbers of the cells that are aligned.

    The score of a cell is (1 - neighbor_weight) * similarity + neighbor_weight * n, where n is
    the sum of the similarities of ``window`` items before and after both, over 2 * window and at
    most 1. Rounding to 1e-6 makes equally good cells tie whatever the order of summation. Ties
    are resolved in favor of the smallest distance, then of the earliest items, so swapping the
    sides gives the same alignment.
    """
    aligned = np.full(int(lists.lengths[sides[0]].sum()), -1)
    if _native:
        _native.align_cells(
            *(lists.ids, lists.offsets, *sides, similar, window, neighbor_weight, aligned)
        )
        return aligned[aligned >= 0]
    chosen, start = [], 0
    for _, left, right in lists.pairs(sides):
        n, m = len(left), len(right)
        table = similar[start : start + n * m].reshape(n, m)
        near: Any = np.pad(table, window)
        near = sum(near[:, k : k + m] for k in range(2 * window + 1))
        near = sum(near[k : k + n] for k in range(2 * window + 1))
        around = np.clip((near - table) / (2 * window), 0.0, 1.0)
        scores = np.floor(
            1e6 * ((1 - neighbor_weight) * table + neighbor_weight * around) + 0.5
        ).tolist()
        candidates = sorted(
            zip(*map(np.ndarray.tolist, np.nonzero(table)), strict=True),
            key=lambda cell: (-scores[cell[0]][cell[1]], abs(cell[0] - cell[1]), sum(cell)),
        )
        rows, columns = set[int](), set[int]()
        for i, j in candidates:
            if i not in rows and j not in columns:
                rows.add(i)
                columns.add(j)
                chosen.append(start + i * m + j)
        start += n * m
    return np.sort(np.array(chosen, dtype=np.int64))


def vector_cosines(
    lists: Lists, sides: Sides, matrix: Vectors, weights: Floats | None = None
) -> Floats:
    """Compute cosines of combined rows of a matrix, which are 0 where a combination is zero.

    The rows of a list are summed with weights of (n_rows, n_ids), which gives (n_rows, n_pairs)
    cosines. Without weights, they are multiplied element by element, which gives (1, n_pairs).
    """
    n_rows = 1 if weights is None else len(weights)
    result = np.zeros((n_rows, len(sides[0])))
    if _native:
        weights = np.zeros(0) if weights is None else np.ascontiguousarray(weights)
        _native.vector_cosines(
            *(lists.ids, lists.offsets, *sides, matrix, matrix.shape[1]),
            *(weights, len(matrix), result),
        )
        return result
    for p, *both in lists.pairs(sides):
        for k in range(n_rows):
            u, v = (
                _product(matrix[ids])
                if weights is None
                else _in_order(weights[k, ids] * matrix[ids].T.astype(np.float64))
                for ids in both
            )
            dot, *squares = _in_order(np.array([u * v, u * u, v * v])).tolist()
            norms = math.sqrt(squares[0]) * math.sqrt(squares[1])
            result[k, p] = min(max(dot / norms, -1.0), 1.0) if norms else 0.0
    return result


def _in_order(values: Floats) -> Floats:
    """Sum rows from left to right, as the compiled module does and NumPy's own sum does not."""
    return values.cumsum(axis=1)[:, -1:].sum(axis=1)


def _product(rows: Vectors) -> Floats:
    product = np.full(rows.shape[1], float(len(rows) > 0))
    for i, row in enumerate(rows):
        product *= row
        # Products of many numbers leave the range of floats, and a cosine needs no scale.
        if i % 4 == 3:
            product /= np.abs(product).max() or 1.0
    return product


def f_score(shared: float, first: float, second: float) -> float:
    """Return the harmonic mean of shared / first and shared / second; 0 if none is shared."""
    return 2 * shared / (first + second) if shared else 0.0


def harmonic_mean(first: Floats, second: Floats) -> Floats:
    """Return 2ab / (a + b) element by element for non-negative values; 0 where both are 0."""
    return ratio(2 * first * second, first + second)


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Divide element by element; 0 where the denominator is 0."""
    above, below = (np.asarray(values, dtype=np.float64) for values in (numerator, denominator))
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
