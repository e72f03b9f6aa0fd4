"""Edits from one sentence to another: replaced words, and words that changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from rapidfuzz.distance import Levenshtein

# Words that may change between two sentences that differ by an exchange of two phrases at most.
_LONGEST = 40


class Edits:
    """The edits from one list of words to another one, as positions in the two lists."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        start, end = 0, 0
        shorter = min(len(first), len(second))
        while start < shorter and first[start] == second[start]:
            start += 1
        while end < shorter - start and first[-1 - end] == second[-1 - end]:
            end += 1
        self._start = start
        self._rest = first[start : len(first) - end], second[start : len(second) - end]

    @cached_property
    def n_changed(self) -> int:
        """The number of words that only one list has."""
        first, second = map(Counter, self._rest)
        return (first - second).total() + (second - first).total()

    def replaced(self) -> list[tuple[range, range]]:
        """Return the positions of words of the first list and of those in their place."""
        k, (first, second) = self._start, self._rest
        # There may be several lists of edits. The same one is found in either order.
        swap = (len(first), first) > (len(second), second)
        edits = Levenshtein.opcodes(second, first) if swap else Levenshtein.opcodes(first, second)
        found = [
            (edit.src_start, edit.src_end, edit.dest_start, edit.dest_end)
            for edit in edits
            if edit.tag == "replace"
        ]
        blocks = [(range(a + k, b + k), range(c + k, d + k)) for a, b, c, d in found]
        return [(b, a) for a, b in blocks] if swap else blocks

    def exchanged(self) -> tuple[range, range, range] | None:
        """Return the positions in the first list of two exchanged phrases and what is between."""
        (x, y), n, k = self._rest, len(self._rest[0]), self._start
        if len(y) != n or not 3 <= n <= _LONGEST or sorted(x) != sorted(y):
            return None
        for q in range(1, n - 1):
            if y[:q] == x[n - q :]:
                for p in range(1, n - q):
                    if y[n - p :] == x[:p] and y[q : n - p] == x[p : n - q]:
                        return range(k, k + p), range(k + p, k + n - q), range(k + n - q, k + n)
        return None
