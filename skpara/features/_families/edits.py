"""Edits from one sentence to another: replaced words, and words that changed places."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property

from rapidfuzz.distance import Levenshtein

# Words of a phrase, and words from one to the other phrase, that may be exchanged.
_LONGEST_PHRASE, _LONGEST = 4, 40


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
        counts: defaultdict[str, int] = defaultdict(int)
        for sign, words in zip((1, -1), self._rest, strict=True):
            for word in words:
                counts[word] += sign
        return sum(map(abs, counts.values()))

    def replaced(self) -> list[tuple[int, int]]:
        """Return the positions of words of the first list and of those in their place."""
        first, second = self._rest
        # There may be several lists of edits. The same one is found in either order.
        swap = (len(first), first) > (len(second), second)
        edits = Levenshtein.editops(*((second, first) if swap else (first, second)))
        found = [(edit.src_pos, edit.dest_pos) for edit in edits if edit.tag == "replace"]
        k = self._start
        return [(b + k, a + k) if swap else (a + k, b + k) for a, b in found]

    def exchanged(self) -> Iterator[tuple[list[int], list[int], list[int], list[int]]]:
        """Find two exchanged phrases.

        Yields the positions in the first list of one phrase, of what is between, and of the other
        phrase, and the positions of both in the second list.
        """
        (x, y), n = self._rest, len(self._rest[0])
        if len(y) == n <= _LONGEST and sorted(x) == sorted(y):
            lengths = range(1, min(n - 1, _LONGEST_PHRASE) + 1)
            ends = [n - q for q in lengths if y[:q] == x[n - q :]]
            for p, r in ((p, r) for r in ends for p in lengths if p < r):
                if y[n - p :] == x[:p] and y[n - r : n - p] == x[p:r]:
                    k = range(self._start, self._start + n)
                    yield [*k[:p]], [*k[p:r]], [*k[r:]], [*k[: n - r], *k[n - p :]]
                    return
