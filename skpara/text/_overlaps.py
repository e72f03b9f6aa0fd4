"""Which n-grams the two sides of many pairs share, counted by sorting numbers."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

T = TypeVar("T", bound=Hashable)
_NONE = np.empty(0, dtype=np.intp)
_LARGEST = 2**61  # of a key, which has one bit more for the side


class Sides(NamedTuple):
    """The items of one side of each pair, one after the other."""

    ids: NDArray[np.int64]  # shape (n_items,), 0 or more
    lengths: NDArray[np.int64]  # shape (n_pairs,)

    @classmethod
    def of(cls, texts: Sequence[str]) -> Sides:
        """From one text a pair, whose characters are the items."""
        lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        return cls(code_points("".join(texts)).astype(np.int64), lengths)

    def only(self, kept: NDArray[np.bool_]) -> Sides:
        """Without the items whose ids are not to be kept."""
        keep = kept[self.ids]
        owners = np.repeat(np.arange(len(self.lengths)), self.lengths)
        return Sides(self.ids[keep], np.bincount(owners[keep], minlength=len(self.lengths)))


def encode(lists: Iterable[Iterable[T]]) -> tuple[list[T], list[str]]:
    """Distinct items, and each list as a text whose characters are the items' numbers.

    Examples
    --------
    >>> from skpara.text._overlaps import encode
    >>> distinct, (first, second) = encode([["a", "b"], ["b", "b"]])
    >>> distinct, [ord(character) for character in second]
    (['a', 'b'], [1, 1])
    """
    index: dict[T, str] = {}
    codes = [
        "".join([index.get(item) or index.setdefault(item, chr(len(index))) for item in items])
        for items in lists
    ]
    return list(index), codes


def code_points(text: str) -> NDArray[np.uint32]:
    """The characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


class Overlap(NamedTuple):
    """The distinct n-grams of each pair, for one n."""

    pair: NDArray[np.int64]  # shape (n_ngrams,), sorted: whose it is
    left: NDArray[np.int64]  # how often it stands on the left side
    right: NDArray[np.int64]
    prefix: NDArray[np.intp]  # which of the Overlap before it begins with
    n_left: NDArray[np.int64]  # shape (n_pairs,): n-grams of the left side
    n_right: NDArray[np.int64]
    # N-grams of both sides, each as often as on the side where it is rarer.
    shared: NDArray[np.float64]

    def swapped(self) -> Overlap:
        """The same with the sides changed."""
        return self._replace(
            left=self.right, right=self.left, n_left=self.n_right, n_right=self.n_left
        )


def overlaps(
    left: Sides, right: Sides, longest: int, *, prefixes: bool = False
) -> Iterator[Overlap]:
    """Count the n-grams of each pair, for n = 1, 2 and so on.

    An n-gram is a number whose digits are its items, behind the number of the pair. Equal n-grams
    stand together when sorted.

    Parameters
    ----------
    left, right : Sides
    longest : int
    prefixes : bool, default=False
        Whether to find the prefix of each n-gram.

    Yields
    ------
    Overlap
        ``longest`` times.

    Examples
    --------
    >>> from skpara.text._overlaps import Sides, overlaps
    >>> left, right = Sides.of(["abab", ""]), Sides.of(["cab", "d"])
    >>> [o.shared.tolist() for o in overlaps(left, right, 2)]
    [[2.0, 0.0], [1.0, 0.0]]
    """
    n_pairs = len(left.lengths)
    lengths = np.concatenate([left.lengths, right.lengths])
    pair = np.repeat(np.tile(np.arange(n_pairs), 2), lengths)
    side = np.repeat(np.repeat([0, 1], n_pairs), lengths)
    # How many items follow in the same sentence, itself included.
    room = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(pair))
    digits, base = _numbered(np.concatenate([left.ids, right.ids]))
    keys, before = pair, np.arange(n_pairs)
    for n in range(1, longest + 1):
        if len(before) and int(before[-1]) > _LARGEST // base:
            # Too many digits: number the n-grams so far from 0. Those at the end of a sentence
            # are too short for any n to come, whatever their number.
            keys = np.searchsorted(before, keys)
            before = np.arange(len(before))
        keys = keys[: len(keys) - (n > 1)] * base + digits[n - 1 :]
        fits = room[: len(keys)] >= n
        found = keys[fits] * 2
        found += side[: len(keys)][fits]
        found.sort()
        grams = found >> 1
        new = np.ones(len(grams), dtype=bool)
        np.not_equal(grams[1:], grams[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        counts = np.diff(starts, append=len(grams))
        on_right = np.add.reduceat(found & 1, starts) if len(starts) else counts
        on_left = counts - on_right
        sizes = np.maximum(lengths - n + 1, 0)
        n_left, n_right = sizes[:n_pairs], sizes[n_pairs:]
        # Sorted n-grams stand pair after pair.
        owner = np.repeat(np.arange(n_pairs), n_left + n_right)[starts]
        runs = grams[starts]
        fewer = np.minimum(on_left, on_right)
        yield Overlap(
            owner,
            on_left,
            on_right,
            np.searchsorted(before, runs // base) if prefixes and n > 1 else _NONE,
            n_left,
            n_right,
            np.bincount(owner, fewer, minlength=n_pairs).astype(np.float64),
        )
        before = runs


def _numbered(ids: NDArray[np.int64]) -> tuple[NDArray[np.int64], int]:
    """The ids numbered from 0, and how many there are."""
    distinct = np.unique(ids)
    numbers = np.zeros(int(distinct.max(initial=0)) + 1, dtype=np.int64)
    numbers[distinct] = np.arange(len(distinct))
    return numbers[ids], max(1, len(distinct))


def shared_counts(
    left: Sides, right: Sides, n_ids: int
) -> tuple[sparse.csr_matrix, sparse.csr_matrix, sparse.csr_matrix]:
    """How often each item stands on the left, on the right, and on both.

    Each of shape (n_pairs, n_ids); an item that stands twice on both sides is shared twice.
    """
    sides = []
    for ids, lengths in (left, right):
        ends = np.append(0, np.cumsum(lengths))
        side = sparse.csr_matrix((np.ones(len(ids)), ids, ends), shape=(len(lengths), n_ids))
        side.sum_duplicates()
        sides.append(side)
    return sides[0], sides[1], sides[0].minimum(sides[1]).tocsr()
