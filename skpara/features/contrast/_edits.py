"""Words of one sentence in the place of words of another one, and phrases that changed places."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rapidfuzz.distance import Levenshtein, Postfix, Prefix

# Words of a phrase that may be exchanged.
_LONGEST_PHRASE = 4
# Words from the beginning of one phrase to the end of the other.
_LONGEST_EXCHANGE = 40


class Exchange(NamedTuple):
    """Two phrases that changed places, and what is between them, as positions in two lists."""

    before: list[int]
    between: list[int]
    after: list[int]
    exchanged: list[int]  # both phrases in the second list


class Edits:
    """The edits from one list of words to another one, as positions in the two lists."""

    def __init__(self, first: Sequence[str], second: Sequence[str]) -> None:
        start = Prefix.similarity(first, second)
        end = Postfix.similarity(first[start:], second[start:])
        self._start = start
        self._first = first[start : len(first) - end]
        self._second = second[start : len(second) - end]

    def replaced(self) -> list[tuple[int, int]]:
        """Return the positions of words of the first list and of those in their place."""
        first = self._first
        second = self._second
        # There may be several lists of edits. The same one is found in either order.
        is_swapped = (len(first), first) > (len(second), second)
        if is_swapped:
            first, second = second, first
        edits = Levenshtein.editops(first, second)
        found = [
            (edit.src_pos + self._start, edit.dest_pos + self._start)
            for edit in edits
            if edit.tag == "replace"
        ]
        return [(j, i) for i, j in found] if is_swapped else found

    def exchange(self) -> Exchange | None:
        """Return two phrases that changed places, if this is the only edit."""
        first = self._first
        second = self._second
        n = len(first)
        if len(second) != n or n > _LONGEST_EXCHANGE or sorted(first) != sorted(second):
            return None
        lengths = range(1, min(n - 1, _LONGEST_PHRASE) + 1)
        for n_after in lengths:
            if second[:n_after] != first[n - n_after :]:
                continue
            end = n - n_after
            for n_before in lengths:
                is_exchange = (
                    n_before <= end
                    and second[n - n_before :] == first[:n_before]
                    and second[n_after : n - n_before] == first[n_before:end]
                )
                if is_exchange:
                    places = list(range(self._start, self._start + n))
                    return Exchange(
                        before=places[:n_before],
                        between=places[n_before:end],
                        after=places[end:],
                        exchanged=places[:n_after] + places[n - n_before :],
                    )
        return None
