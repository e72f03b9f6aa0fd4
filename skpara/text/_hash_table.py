"""A hash table that NumPy fills and searches, thousands of keys at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

# Odd 64-bit constants whose bits look random, as multiplicative hashing needs.
_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F], dtype=np.uint64)


class HashTable:
    """Map keys of one or two 64-bit integers to their position, by open addressing.

    Keys are compared exactly, so no key is taken for another one. They are distinct, except that
    a key of zeros is not stored.
    """

    def __init__(self, *keys: NDArray[np.uint64]) -> None:
        n_keys = len(keys[0])
        # At most a quarter of the slots is taken, so that nearly every search ends at once.
        n_bits = max(4, int(4 * n_keys + 1).bit_length())
        self._shift = np.uint64(64 - n_bits)
        # An empty slot holds -1 and so points at this last key: looking it up needs no test.
        self._keys = [np.append(part, np.uint64(0)) for part in keys]
        # The slots behind the last let a search step over the end without a test.
        self._slots = np.full((1 << n_bits) + n_keys + 1, -1, dtype=np.int32)
        numbers = np.flatnonzero(np.logical_or.reduce(keys)).astype(np.int32)
        slots = self._slot(*(part[numbers] for part in keys))
        while len(numbers):
            # Of the keys that want the same free slot the first gets it; the rest step on.
            _, first = np.unique(slots, return_index=True)
            first = first[self._slots[slots[first]] < 0]
            self._slots[slots[first]] = numbers[first]
            numbers, slots = np.delete(numbers, first), np.delete(slots, first) + 1

    def _slot(
        self, low: NDArray[np.uint64], high: NDArray[np.uint64] | None = None
    ) -> NDArray[np.int64]:
        # In place, as each temporary array costs about as much as the arithmetic.
        mixed = low * _MULTIPLIERS[0]
        if high is not None:
            mixed ^= high * _MULTIPLIERS[1]
        # A product's upper bits depend on all bits of the key: fold them into the lower ones.
        mixed ^= mixed >> np.uint64(29)
        mixed *= _MULTIPLIERS[1]
        mixed >>= self._shift
        return mixed.view(np.int64)

    def find(self, *keys: NDArray[np.uint64]) -> NDArray[np.int32]:
        """Return the positions of keys, -1 for a key that the table does not hold."""
        slots = self._slot(*keys)
        # take is faster than indexing.
        positions = self._slots.take(slots)
        taken = np.flatnonzero(self._differ(positions, *keys))
        taken = taken[positions[taken] >= 0]
        while len(taken):  # another key has the slot: step on to the key or to an empty slot
            slots[taken] += 1
            positions[taken] = self._slots[slots[taken]]
            differ = self._differ(positions[taken], *(part[taken] for part in keys))
            taken = taken[differ & (positions[taken] >= 0)]
        return positions

    def _differ(
        self, positions: NDArray[np.int32], *keys: NDArray[np.uint64]
    ) -> NDArray[np.bool_]:
        differ: NDArray[np.bool_] = self._keys[0].take(positions) != keys[0]
        for stored, part in zip(self._keys[1:], keys[1:], strict=True):
            differ |= stored.take(positions) != part
        return differ
