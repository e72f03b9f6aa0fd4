"""The hash table in which compiled functions look words up."""

from __future__ import annotations

from collections.abc import Iterable
from operator import methodcaller

import numpy as np
from numpy.typing import NDArray

from skpara._core import text_kernels
from skpara._core._ragged import offsets_of


def word_index(words: Iterable[str]) -> tuple[NDArray[np.uint64], bytes]:
    """Return the slots of a hash table of distinct words, and their bytes."""
    packed = [*map(methodcaller("encode", "utf-8", "surrogatepass"), words)]
    ends = offsets_of([*map(len, packed)])[1:]
    # A slot takes 24 bytes, and at least half of them stay empty. Compiled functions load eight
    # bytes of a word at a time.
    slots = np.zeros((2 << len(packed).bit_length(), 3), dtype=np.uint64)
    text = b"".join(packed) + bytes(8)
    text_kernels.fill_index(slots, text, ends)
    return slots, text
