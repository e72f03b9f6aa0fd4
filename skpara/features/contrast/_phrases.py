"""Phrases of several words that are listed with a meaning, found in sentences."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Generic, NamedTuple, TypeVar

Meaning = TypeVar("Meaning")


class Phrase(NamedTuple, Generic[Meaning]):
    """A phrase of a sentence: where it starts and ends, and what it means."""

    start: int
    end: int
    meaning: Meaning


class Phrases(Generic[Meaning]):
    """Listed phrases, each with its meaning.

    Attributes
    ----------
    starts : frozenset of str
        The first words of the phrases.
    """

    def __init__(self, meanings: Mapping[str, Meaning]) -> None:
        found: defaultdict[str, list[tuple[list[str], Meaning]]] = defaultdict(list)
        # The longest phrase is tried first.
        for text in sorted(meanings, key=lambda text: -text.count(" ")):
            start, *rest = text.split()
            found[start].append((rest, meanings[text]))
        self._by_start = dict(found)
        self.starts = frozenset(found)

    def match(self, words: Sequence[str], place: int) -> Phrase[Meaning] | None:
        """Return the longest phrase that starts at a position, if one does."""
        for rest, meaning in self._by_start.get(words[place], ()):
            end = place + 1 + len(rest)
            if list(words[place + 1 : end]) == rest:
                return Phrase(place, end, meaning)
        return None
