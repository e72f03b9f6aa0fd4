"""Which n-grams the two sides of many pairs share, counted by sorting numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara._public import set_module
from skpara._typing import Floats
from skpara.text._code_points import items_to_end, renumber

# Largest key: it is doubled to hold the side as its last bit and must stay below 2**63.
_LARGEST = 2**61


@set_module("skpara.text")
class Sides(NamedTuple):
    """The items of one side of each pair, as concatenated ids that are not negative.

    ``lengths`` says how many of the items each pair has.
    """

    ids: NDArray[np.int64]
    lengths: NDArray[np.int64]

    @classmethod
    def number(
        cls, left: Iterable[Iterable[Hashable]], right: Iterable[Iterable[Hashable]]
    ) -> tuple[Sides, Sides]:
        """Number the distinct items of both sides, given as a list of items for each pair."""
        numbers: defaultdict[Hashable, int] = defaultdict(count().__next__)
        sides = []
        for lists in (left, right):
            ids = [[numbers[item] for item in items] for items in lists]
            lengths = np.fromiter(map(len, ids), dtype=np.int64)
            sides.append(cls(np.array([i for own in ids for i in own], dtype=np.int64), lengths))
        return sides[0], sides[1]


@set_module("skpara.text")
class Overlap(NamedTuple):
    """How many n-grams the sides of each pair share, for one n.

    An n-gram of both sides counts as often as on the side where it is rarer.
    """

    n_left: NDArray[np.int64]
    n_right: NDArray[np.int64]
    shared: Floats


def overlaps(left: Sides, right: Sides, longest: int) -> Iterator[Overlap]:
    """Count the n-grams that the sides of each pair share, for n = 1, 2, ..., ``longest``."""
    # An n-gram is packed into one integer whose digits are the pair and the items. Sorting the
    # integers brings equal n-grams together, several times faster than counting in dicts.
    n_pairs = len(left.lengths)
    lengths = np.concatenate([left.lengths, right.lengths])
    pair = np.repeat(np.tile(np.arange(n_pairs), 2), lengths)
    side = np.repeat(np.repeat([0, 1], n_pairs), lengths)
    remaining = items_to_end(lengths)
    digits, base = renumber(np.concatenate([left.ids, right.ids]))
    keys = pair
    for n in range(1, longest + 1):
        if int(keys.max(initial=0)) > _LARGEST // base:
            # The next digit would overflow: number the n-grams so far from 0.
            keys = np.unique(keys, return_inverse=True)[1]
        keys = keys[: len(keys) - (n > 1)] * base + digits[n - 1 :]
        fits = remaining[: len(keys)] >= n
        # The last bit is the side: one sort brings both sides together and keeps them apart.
        occurrences = keys[fits] * 2
        occurrences += side[: len(keys)][fits]
        occurrences.sort()
        grams = occurrences >> 1
        new = np.ones(len(grams), dtype=bool)
        np.not_equal(grams[1:], grams[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        counts = np.diff(starts, append=len(grams))
        on_right = np.add.reduceat(occurrences & 1, starts) if len(starts) else counts
        on_left = counts - on_right
        sizes = np.maximum(lengths - n + 1, 0)
        n_left, n_right = sizes[:n_pairs], sizes[n_pairs:]
        # The pair is the first digit, so the sorted n-grams are grouped by pair.
        owner = np.repeat(np.arange(n_pairs), n_left + n_right)[starts]
        fewer = np.minimum(on_left, on_right)
        shared = np.bincount(owner, fewer, minlength=n_pairs).astype(np.float64)
        yield Overlap(n_left, n_right, shared)
