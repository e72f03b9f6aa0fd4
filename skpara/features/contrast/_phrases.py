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

    A phrase is looked up by one of its words: the first one, or else the longest one, which is
    seldom as frequent as the "in" of "in spite of".

    Attributes
    ----------
    keys : frozenset of str
        The words by which phrases are looked up.
    """

    def __init__(self, meanings: Mapping[str, Meaning], *, by_longest: bool = False) -> None:
        found: defaultdict[str, list[tuple[int, list[str], Meaning]]] = defaultdict(list)
        # The longest phrase is tried first.
        for text in sorted(meanings, key=lambda text: -text.count(" ")):
            words = text.split()
            key = max(words, key=len) if by_longest else words[0]
            found[key].append((words.index(key), words, meanings[text]))
        self._by_key = dict(found)
        self.keys = frozenset(found)

    def match(self, words: Sequence[str], place: int) -> Phrase[Meaning] | None:
        """Return the longest phrase whose key is at a position, if there is one."""
        for offset, phrase, meaning in self._by_key.get(words[place], ()):
            start = place - offset
            end = start + len(phrase)
            if start >= 0 and list(words[start:end]) == phrase:
                return Phrase(start, end, meaning)
        return None
