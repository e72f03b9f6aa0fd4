"""Comparisons of lists of ids. Most functions call their namesake in ``_core/list_kernels.c``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._core import Integers, Ragged, list_kernels
from skpara._typing import Bools, Floats, Vectors
from skpara.text import code_points

Ids: TypeAlias = Integers
# Positions of the lists on the left and on the right of each pair.
Sides = tuple[Ids, Ids]

# Words of a sentence that are compared with each word of the other one. The time grows with the
# product, so features that align words ignore the rest of a longer text.
MOST_WORDS = 512
# Cells of the pairs that are compared at a time: 8 MB for each array of them.
_CELLS_PER_PART = 1_000_000


def distinct(lists: Ragged, n_ids: int) -> tuple[Ragged, Floats]:
    """Return the distinct items of each list in order of appearance, and their counts."""
    ids = np.empty_like(lists.ids)
    offsets = np.empty_like(lists.offsets)
    counts = np.empty(len(ids))
    list_kernels.distinct(lists.ids, lists.offsets, n_ids, ids, counts, offsets)
    n_items = offsets[-1]
    return Ragged(ids[:n_items], offsets), counts[:n_items]


def shared_ngrams(lists: Ragged, sides: Sides, longest: int) -> tuple[Floats, Floats]:
    """Count the n-grams that both sides have, for n = 1, 2, ..., shape (longest, n_pairs).

    Also returns F of them, of the same shape, 1 where a side has none. An n-gram of both sides
    counts as often as on the side where it is rarer.
    """
    shared = np.empty((2, longest, len(sides[0])))
    list_kernels.shared_ngrams(lists.ids, lists.offsets, *sides, longest, shared)
    return shared[0], shared[1]


def shared_weights(lists: Ragged, sides: Sides, weights: Floats) -> Floats:
    """Sum weights of shape (n_rows, n_ids) over the shared items, the left and the right side.

    An item that occurs twice on both sides is shared twice. The sums, followed by F of the shared
    weights, which is 0 where none is shared, have the shape (4, n_rows, n_pairs). They are taken
    in the order of the items and so do not depend on other pairs.
    """
    n_rows, n_ids = weights.shape
    sums = np.zeros((4, n_rows, len(sides[0])))
    weights = np.ascontiguousarray(weights)
    list_kernels.shared_weights(lists.ids, lists.offsets, *sides, weights, n_ids, sums)
    return sums


def cosines(lists: Ragged, sides: Sides, weights: Floats, damped: bool = True) -> Floats:
    """Compute cosines of weighted counts for weights of (n_rows, n_ids): (n_rows, n_pairs).

    ``damped`` counts are 1 + ln(count). A cosine is 0 where a side has no weight.
    """
    n_rows, n_ids = weights.shape
    result = np.zeros((n_rows, len(sides[0])))
    # No count is larger than the items of a pair.
    n_bits = int(lists.lengths.max(initial=0)).bit_length()
    list_kernels.weighted_cosines(
        lists.ids,
        lists.offsets,
        *sides,
        np.ascontiguousarray(weights),
        n_ids,
        _counts(n_bits, damped),
        result,
    )
    return result


@lru_cache
def _counts(n_bits: int, damped: bool) -> Floats:
    """Return the weight of each count of up to two lists whose lengths have some bits."""
    counts = np.arange(2 << n_bits, dtype=np.float64)
    if damped:
        counts[1:] = 1 + np.log(counts[1:])
    return counts


def missing(lists: Ragged, sides: Sides, marks: Bools, n_ids: int) -> tuple[Ids, Ids]:
    """Return the pair and the place of each marked item on the left that the right side lacks."""
    pair, place = np.empty((2, int(lists.lengths[sides[0]].sum())), dtype=np.int64)
    n = list_kernels.missing(lists.ids, lists.offsets, *sides, marks, n_ids, pair, place)
    return pair[:n], place[:n]


# text's CharacterNgrams finds given n-grams, across words; this one numbers all, inside words.
def cut(
    characters: NDArray[np.uint32], offsets: Ids, ends: Ids, sizes: Sequence[int]
) -> tuple[Ragged, Ids, Ids]:
    """Number the distinct n-grams of words; list k has the words from ``ends[k - 1]`` on.

    Word i is ``characters[offsets[i]:offsets[i + 1]]`` and ``sizes`` are consecutive. Also returns
    where each n-gram first starts, and its length.
    """
    windows = np.maximum(np.diff(offsets) + 1 - np.array(sizes)[:, None], 0)
    ids, starts, lengths = np.empty((3, int(windows.sum())), dtype=np.int64)
    new_offsets = np.zeros(len(ends) + 1, dtype=np.int64)
    n_ngrams = list_kernels.cut(
        characters, offsets, ends, sizes[0], sizes[-1], ids, new_offsets, starts, lengths
    )
    return Ragged(ids, new_offsets), starts[:n_ngrams], lengths[:n_ngrams]


@dataclass(frozen=True)
class Terms:
    """The positions of terms, ``characters[starts[k]:starts[k] + lengths[k]]``, by these."""

    characters: NDArray[np.uint32]
    starts: Ids
    lengths: Ids
    slots: NDArray[np.int32]  # a hash table of the positions, -1 where a slot is free

    @classmethod
    def of(cls, lines: str) -> Terms:
        """Index the lines of a text, which are distinct."""
        characters = code_points(lines + "\n")
        ends = np.flatnonzero(characters == ord("\n"))
        starts = np.append(0, ends[:-1] + 1)  # behind the line break before
        lengths = ends - starts
        slots = np.full(2 << (2 * len(ends)).bit_length(), -1, dtype=np.int32)
        list_kernels.index_terms(characters, starts, lengths, slots)
        return cls(characters, starts, lengths, slots)

    def find(self, characters: NDArray[np.uint32], starts: Ids, lengths: Ids) -> Ids:
        """Return the position of each piece of a text; -1 if it is not a term."""
        numbers = np.empty(len(starts), dtype=np.int64)
        list_kernels.find_terms(
            self.characters,
            self.starts,
            self.lengths,
            self.slots,
            characters,
            starts,
            lengths,
            numbers,
        )
        return numbers


def sequences(lists: Ragged, sides: Sides) -> Ids:
    """Compare the items in their order, shape (3, n_pairs).

    The rows are the edit distance (Levenshtein), and the lengths of the longest common
    subsequence and of the longest common run.
    """
    result = np.zeros((3, len(sides[0])), dtype=np.int64)
    list_kernels.sequences(lists.ids, lists.offsets, *sides, result)
    return result


def parts(lists: Ragged, sides: Sides) -> Iterator[tuple[slice, Sides]]:
    """Split pairs into slices with a bounded number of cells."""
    lengths = lists.lengths
    for rows in runs(lengths[sides[0]] * lengths[sides[1]], _CELLS_PER_PART):
        yield rows, (sides[0][rows], sides[1][rows])


def runs(sizes: Ids, most: int, most_rows: int = 2**62) -> Iterator[slice]:
    """Cut rows into slices whose sizes add up to ``most`` at most, or of a single larger row."""
    ends = sizes.cumsum()
    start = 0
    while start < len(ends):
        before = ends[start - 1] if start else 0
        end = max(start + 1, int(ends.searchsorted(before + most, side="right")))
        end = min(end, start + most_rows)
        yield slice(start, end)
        start = end


def cell_cosines(
    lists: Ragged,
    sides: Sides,
    matrix: Vectors,
    norms: Floats,
    keys: Ids | None = None,
    *,
    least: float = 0.0,
    factor: float = 1.0,
) -> Floats:
    """Compute the cosine, at least 0, of each item on the left with each on the right.

    The cells of a pair are the rows of a table with a row for each item on the left. ``norms`` are
    lengths of rows. A word equals itself even without a vector, and a word that has one of its
    ``keys``, of shape (n_keys, n_ids). Other cosines are multiplied by a factor; those below
    ``least`` are 0.
    """
    lengths = lists.lengths
    result = np.empty(int((lengths[sides[0]] * lengths[sides[1]]).sum()))
    list_kernels.cell_cosines(
        lists.ids,
        lists.offsets,
        *sides,
        matrix,
        matrix.shape[1],
        norms,
        result,
        keys,
        max(1, len(norms)),
        least,
        factor,
    )
    return result


def best_of_cells(
    lists: Ragged, sides: Sides, similar: Floats, counts: Floats, weights: Floats
) -> tuple[Floats, Floats]:
    """Take for each item the most similar one of the other side.

    Returns the means of these similarities over the items of a side, weighted by count times
    weight, and the largest loss: weight times one minus the similarity. Both have the shape
    (2, n_rows, n_pairs) for weights of (n_rows, n_ids), and are 0 where a side is empty.
    """
    means, worst = np.zeros((2, 2, len(weights), len(sides[0])))
    list_kernels.best_of_cells(
        lists.ids,
        lists.offsets,
        *sides,
        similar,
        counts,
        np.ascontiguousarray(weights),
        weights.shape[1],
        means,
        worst,
    )
    return means, worst


def align_cells(
    lists: Ragged, sides: Sides, similar: Floats, window: int, neighbor_weight: float
) -> tuple[Ids, Ids, Ids, Floats]:
    """Align items one to one, the best first.

    Returns the pair of each two aligned items, their positions in ``ids``, and their similarity.

    The score of a cell is (1 - neighbor_weight) * similarity + neighbor_weight * n, where n is
    the sum of the similarities of ``window`` items before and after both, over 2 * window and at
    most 1. Rounding to 1e-6 makes equally good cells tie whatever the order of summation. Ties
    are resolved in favor of the smallest distance, then of the earliest items, so swapping the
    sides gives the same alignment.
    """
    n_left = int(lists.lengths[sides[0]].sum())
    pair, first, second = np.empty((3, n_left), dtype=np.int64)
    similarities = np.empty(n_left)
    n = list_kernels.align_cells(
        lists.ids,
        lists.offsets,
        *sides,
        similar,
        window,
        neighbor_weight,
        pair,
        first,
        second,
        similarities,
    )
    return pair[:n], first[:n], second[:n], similarities[:n]


def vector_cosines(
    lists: Ragged, sides: Sides, matrix: Vectors, weights: Floats | None = None
) -> Floats:
    """Compute cosines of combined rows of a matrix, which are 0 where a combination is zero.

    The rows of a list are summed with weights of (n_rows, n_ids), which gives (n_rows, n_pairs)
    cosines. Without weights, they are multiplied element by element, which gives (1, n_pairs).
    """
    n_rows = 1 if weights is None else len(weights)
    result = np.zeros((n_rows, len(sides[0])))
    list_kernels.vector_cosines(
        lists.ids,
        lists.offsets,
        *sides,
        matrix,
        matrix.shape[1],
        np.zeros(0) if weights is None else np.ascontiguousarray(weights),
        len(matrix),
        result,
    )
    return result


def f_score(shared: float, first: float, second: float) -> float:
    """Return the harmonic mean of shared / first and shared / second; 0 if none is shared."""
    return 2 * shared / (first + second) if shared else 0.0


def harmonic_mean(first: Floats, second: Floats) -> Floats:
    """Return 2ab / (a + b) element by element for non-negative values; 0 where both are 0."""
    return ratio(2 * first * second, first + second)


def are_among(codes: NDArray[np.uint8], letters: str) -> Bools:
    """Return which codes are those of some ASCII letters; for few codes faster than np.isin."""
    table = np.zeros(256, dtype=bool)
    table[np.frombuffer(letters.encode("ascii"), dtype=np.uint8)] = True
    return table[codes]


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Divide element by element; 0 where the denominator is 0."""
    above = np.asarray(numerator, dtype=np.float64)
    below = np.asarray(denominator, dtype=np.float64)
    return np.divide(above, below, out=np.zeros(above.shape), where=below != 0)
