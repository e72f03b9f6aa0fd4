"""Sorted words in one array of bytes, which can be memory-mapped and needs no other index."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import Any

import numpy as np

# Words per block: the first is found by bisection, the others are read. Larger blocks take longer
# to search, smaller ones more memory.
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
        self._n_words, self._text = len(starts), memoryview(packed)
        self._starts = [*starts[::_BLOCK].tolist(), len(packed)]
        ends = [*starts[1::_BLOCK].tolist(), len(packed)]
        self._firsts = [
            self._text[start + 1 : end].tobytes()
            for start, end in zip(self._starts[:-1], ends, strict=False)
        ]

    def __len__(self) -> int:
        return self._n_words

    def __iter__(self) -> Iterator[str]:
        for block in range(len(self._firsts)):
            word = b""
            for entry in _ENTRY.findall(self._block(block)):
                word = word[: entry[0]] + entry[1:]
                yield word.decode("utf8", "surrogatepass")

    def find(self, word: str) -> int:
        """Return the position of a word, or -1."""
        text = word.encode("utf8", "surrogatepass")
        block = bisect_right(self._firsts, text) - 1
        if block >= 0:
            other = b""
            for i, entry in enumerate(_ENTRY.findall(self._block(block))):
                other = other[: entry[0]] + entry[1:]
                if other >= text:
                    return _BLOCK * block + i if other == text else -1
        return -1

    def _block(self, block: int) -> memoryview[int]:
        return self._text[self._starts[block] : self._starts[block + 1]]
