"""Sorted words in one array of bytes, which can be memory-mapped and needs no other index."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np

from skpara._core import Integers, text_kernels

# Words per block, as in text_kernels.c: the first is found by bisection, the others are read.
_BLOCK = 16
_ENTRY = re.compile(rb"[\0-\x1f][^\0-\x1f]*")


class WordTable:
    """Positions of sorted words.

    Each is packed as a byte below 32, the number of bytes that it shares with the word before, and
    the other bytes. The first word of each block of 16 shares none.
    """

    # A dict takes a hundred bytes per word, and the time to build it: for 150,000 words .1 s.
    def __init__(self, packed: Any) -> None:
        starts = np.flatnonzero(packed < 32)
        self._n_words = len(starts)
        begins = starts[::_BLOCK]
        padded = np.append(packed, np.zeros(8, dtype=np.uint8))
        first = padded[begins[:, None] + np.arange(1, 9)]
        first[np.logical_or.accumulate(first < 32, axis=1)] = 0
        # Beginnings of the blocks' first words, as numbers that are in the order of the words.
        keys = first.view(">u8").astype(np.uint64).ravel()
        self.arrays = packed, np.append(begins, len(packed)), keys

    def __len__(self) -> int:
        return self._n_words

    def __iter__(self) -> Iterator[str]:
        word = b""
        for entry in _ENTRY.findall(self.arrays[0].tobytes()):
            word = word[: entry[0]] + entry[1:]
            yield word.decode("utf8", "surrogatepass")

    def find(self, words: list[str]) -> Integers:
        """Return the position of each word; -1 of one that is not there."""
        rows = np.empty(len(words), dtype=np.int64)
        text_kernels.find_words(*self.arrays, words, rows)
        return rows
