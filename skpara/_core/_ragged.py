"""Lists of different lengths in two arrays, and the arithmetic of their positions."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from skpara._core import list_kernels
from skpara._typing import Bools, Floats

T = TypeVar("T")
Integers: TypeAlias = NDArray[np.int64]

# Lists whose items are sorted at a time. To sort all at once takes more time, and the most memory
# of all training.
_LISTS_AT_ONCE = 1024


def offsets_of(lengths: Sequence[int] | NDArray[Any]) -> Integers:
    """Return where lists of these lengths begin if they are concatenated, and where the last ends.

    Parameters
    ----------
    lengths : sequence of int, shape (n_lists,)
        The number of items of each list.

    Returns
    -------
    ndarray of int64, shape (n_lists + 1,)
        List ``k`` has the items from ``offsets[k]`` to ``offsets[k + 1]``.
    """
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.add.accumulate(lengths, dtype=np.int64, out=offsets[1:])
    return offsets


def ranges(starts: NDArray[Any], lengths: NDArray[Any]) -> Integers:
    """Concatenate the ranges of integers from ``starts[k]`` to ``starts[k] + lengths[k]``."""
    offsets = offsets_of(lengths)
    return np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)


def distinct(numbers: NDArray[Any]) -> Integers:
    """Return the different integers of an array in ascending order, as ``np.unique`` does."""
    # np.unique looks integers up in a hash table, which takes 60 times as long as sorting for a
    # million different ones (NumPy 2.4).
    ascending = np.sort(numbers, axis=None)
    return ascending[np.append(True, ascending[1:] != ascending[:-1])[: len(ascending)]]


@dataclass(frozen=True)
class Ragged:
    """Lists of ids, one behind the other in one array.

    Parameters
    ----------
    ids : ndarray of int, shape (n_items,)
        The items of all lists: tokens, for example, by their position in a vocabulary.
    offsets : ndarray of int64, shape (n_lists + 1,)
        List ``k`` is ``ids[offsets[k]:offsets[k + 1]]``. The first list begins at 0, and the last
        one ends with the items.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara._core import Ragged
    >>> lists = Ragged(np.array([7, 8, 9]), np.array([0, 2, 2, 3]))  # [7, 8], [] and [9]
    >>> lists.lengths.tolist(), lists.owners.tolist(), lists.positions.tolist()
    ([2, 0, 1], [0, 0, 2], [0, 1, 0])
    >>> lists.take(np.array([2, 0])).ids.tolist()
    [9, 7, 8]
    """

    ids: NDArray[Any]
    offsets: NDArray[Any]

    @classmethod
    def of(
        cls, lists: list[list[T]], numbers: dict[T, int] | None = None
    ) -> tuple[list[T], Ragged]:
        """Number the distinct items in order of appearance, after some; also return all."""
        if numbers is None:
            numbers = {}
        offsets = offsets_of([len(items) for items in lists])
        ids = np.empty(offsets[-1], dtype=np.int64)
        list_kernels.number(lists, numbers, ids)
        return list(numbers), cls(ids, offsets)

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> Integers:
        """The number of items of each list."""
        return self.offsets[1:] - self.offsets[:-1]

    @property
    def owners(self) -> Integers:
        """The list of each item."""
        offsets = self.offsets
        return np.arange(len(offsets) - 1).repeat(offsets[1:] - offsets[:-1])

    @property
    def positions(self) -> Integers:
        """The position of each item in its list."""
        return np.arange(len(self.ids)) - self.offsets[:-1].repeat(self.lengths)

    def with_ids(self, ids: NDArray[Any]) -> Ragged:
        """Return lists of the same lengths with other items."""
        return Ragged(ids, self.offsets)

    def only(self, mask: Bools, numbers: NDArray[Any] | None = None) -> Ragged:
        """Keep the items whose ids a mask of shape (n_ids,) marks; renumber them."""
        return self.where(mask[self.ids], numbers)

    def where(self, keep: Bools, numbers: NDArray[Any] | None = None) -> Ragged:
        """Keep the items that a mask of shape (n_items,) marks; renumber them."""
        ids = self.ids[keep]
        if numbers is not None:
            ids = numbers[ids]
        return Ragged(ids, offsets_of(keep)[self.offsets])

    def head(self, most: int | None) -> Ragged:
        """Keep the first items of each list; ``None`` keeps all."""
        if most is None or (lengths := self.lengths).max(initial=0) <= most:
            return self
        return Ragged(self.ids[self.positions < most], offsets_of(np.minimum(lengths, most)))

    def distinct(self) -> Ragged:
        """Keep only the first of equal ids in each list."""
        is_first = np.zeros(len(self.ids), dtype=bool)
        for start in range(0, len(self), _LISTS_AT_ONCE):
            part = self.offsets[start : start + _LISTS_AT_ONCE + 1]
            begin, end = part[0], part[-1]
            owners = np.arange(len(part) - 1).repeat(np.diff(part))
            keys = (owners << 32) + self.ids[begin:end]
            is_first[begin + np.unique(keys, return_index=True)[1]] = True
        return self.where(is_first)

    def append(self, other: Ragged) -> Ragged:
        """Return these lists and the lists of another object."""
        offsets = np.append(self.offsets, other.offsets[1:] + self.offsets[-1])
        return Ragged(np.append(self.ids, other.ids), offsets)

    def places(self, rows: NDArray[Any]) -> Integers:
        """Return where in ``ids`` the items of some lists are."""
        starts = self.offsets[rows]
        return ranges(starts, self.offsets[rows + 1] - starts)

    def take(self, rows: NDArray[Any]) -> Ragged:
        """Return some lists, in the order of their positions ``rows``."""
        # Not the lengths of all lists, of which there may be many more.
        starts = self.offsets[rows]
        lengths = self.offsets[rows + 1] - starts
        offsets = offsets_of(lengths)
        places = np.arange(offsets[-1]) + np.repeat(starts - offsets[:-1], lengths)
        return Ragged(self.ids[places], offsets)

    def between(self, first: int, last: int) -> Ragged:
        """Return the lists from ``first`` to ``last``, which is not one of them."""
        begin, end = self.offsets[first], self.offsets[last]
        return Ragged(self.ids[begin:end], self.offsets[first : last + 1] - begin)

    def sums(self, weights: ArrayLike) -> Floats:
        """Sum the weights, of shape (n_ids,), of the items of each list."""
        values = np.asarray(weights, dtype=np.float64)[self.ids]
        return np.bincount(self.owners, values, len(self.offsets) - 1).astype(np.float64)

    def pairs(
        self, sides: tuple[Integers, Integers]
    ) -> Iterator[tuple[int, list[int], list[int]]]:
        """Yield the number of each pair and its two lists."""
        ids, ends = self.ids.tolist(), self.offsets.tolist()
        left, right = sides
        for p, (a, b) in enumerate(zip(left.tolist(), right.tolist(), strict=True)):
            yield p, ids[ends[a] : ends[a + 1]], ids[ends[b] : ends[b + 1]]
