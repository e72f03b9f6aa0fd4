"""Which n-grams the two sides of many pairs share, counted by sorting numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

_LARGEST = 2**61  # of a key, which has one bit more for the side


class Sides(NamedTuple):
    """The items of one side of each pair, one after the other."""

    ids: NDArray[np.int64]  # shape (n_items,), 0 or more
    lengths: NDArray[np.int64]  # shape (n_pairs,)

    @classmethod
    def of(cls, sequences: Sequence[NDArray[np.integer]]) -> Sides:
        """From one array of ids a pair."""
        ids = np.concatenate(sequences) if len(sequences) else np.empty(0)
        lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
        return cls(ids.astype(np.int64), lengths)


class Overlap(NamedTuple):
    """The distinct n-grams of each pair, for one n."""

    pair: NDArray[np.int64]  # shape (n_ngrams,), sorted: whose it is
    left: NDArray[np.int64]  # how often it stands on the left side
    right: NDArray[np.int64]
    prefix: NDArray[np.intp]  # which of the Overlap before it begins with; for n = 1, zeros
    n_left: NDArray[np.int64]  # shape (n_pairs,): n-grams of the left side
    n_right: NDArray[np.int64]

    @property
    def shared(self) -> NDArray[np.float64]:
        """N-grams of both sides, each as often as on the side where it is rarer."""
        fewer = np.minimum(self.left, self.right)
        return np.bincount(self.pair, fewer, minlength=len(self.n_left))

    def swapped(self) -> Overlap:
        """The same with the sides changed."""
        return Overlap(self.pair, self.right, self.left, self.prefix, self.n_right, self.n_left)


def overlaps(left: Sides, right: Sides, longest: int) -> Iterator[Overlap]:
    """Count the n-grams of each pair, for n = 1, 2 and so on.

    An n-gram is a number whose digits are the ids of its items, numbered anew within the pair so
    that it stays small, behind the number of the pair. Equal n-grams stand together when sorted.

    Parameters
    ----------
    left, right : Sides
    longest : int

    Yields
    ------
    Overlap
        ``longest`` times.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.features._overlaps import Sides, overlaps
    >>> left, right = Sides.of([np.array([7, 8, 7])]), Sides.of([np.array([7, 8, 9])])
    >>> [o.shared.tolist() for o in overlaps(left, right, 2)]
    [[2.0], [1.0]]
    """
    n_pairs = len(left.lengths)
    lengths = np.concatenate([left.lengths, right.lengths])
    owners = np.tile(np.arange(n_pairs), 2)
    pair = np.repeat(owners, lengths)
    side = np.repeat(np.repeat([0, 1], n_pairs), lengths)
    # How many items follow in the same sentence, itself included.
    room = np.repeat(np.cumsum(lengths), lengths) - np.arange(len(pair))
    digits, base = _numbered(pair, np.concatenate([left.ids, right.ids]), n_pairs)
    keys, before = pair, np.arange(n_pairs)
    owner_of, n_digits = np.arange(n_pairs), 0
    for n in range(1, longest + 1):
        if len(before) and int(before.max()) > _LARGEST // base:
            # Too many digits: number the n-grams so far from 0. Those at the end of a sentence
            # are too short for any n to come, whatever their number.
            owner_of = owner_of[before // base**n_digits]
            keys = np.searchsorted(before, keys)
            before, n_digits = np.arange(len(before)), 0
        keys = keys[: len(keys) - (n > 1)] * base + digits[n - 1 :]
        n_digits += 1
        fits = room[: len(keys)] >= n
        found = np.sort(2 * keys[fits] + side[: len(keys)][fits])
        grams = found >> 1
        starts = np.flatnonzero(np.diff(grams, prepend=-1))
        runs = grams[starts]
        counts = np.diff(np.append(starts, len(grams)))
        on_right = np.add.reduceat(found & 1, starts) if len(starts) else counts
        sizes = np.maximum(lengths - n + 1, 0)
        yield Overlap(
            owner_of[runs // base**n_digits],
            counts - on_right,
            on_right,
            np.searchsorted(before, runs // base) if n > 1 else np.zeros(len(runs), np.intp),
            sizes[:n_pairs],
            sizes[n_pairs:],
        )
        before = runs


def _numbered(
    pair: NDArray[np.int64], ids: NDArray[np.int64], n_pairs: int
) -> tuple[NDArray[np.int64], int]:
    """Ids numbered from 0 within each pair, and how many numbers that takes."""
    if len(ids) == 0:
        return ids, 1
    top = int(ids.max()) + 1
    distinct, places = np.unique(pair * top + ids, return_inverse=True)
    first = np.searchsorted(distinct, np.arange(n_pairs) * top)
    digits = places - first[pair]
    return digits, int(digits.max()) + 1
