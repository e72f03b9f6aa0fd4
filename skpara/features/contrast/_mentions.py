"""Mentions of numbers, times, names and quantifiers, and what they mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any, NamedTuple

from skpara.features.contrast._lexicon import BOUNDS, QUANTIFIERS
from skpara.quantities import HINTS, MONTHS, Meaning, read

QUANTIFYING = BOUNDS.keys() | QUANTIFIERS.keys()
# Numbers that may be a year.
_YEARS = frozenset(range(1000, 10_000))
# Characters that the tokenizer may leave out between two tokens.
_MOST_LEFT_OUT = 12


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared.

    It is at some of the tokens, from ``place`` or before to ``end``. What it says may be
    ``written`` in other words.
    """

    kind: str
    value: Any
    place: int
    start: int = -1
    end: int = -1
    says: frozenset[Meaning] = frozenset()
    written: frozenset[Meaning] = frozenset()
    text: str = ""


def may_be_mentioned(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number, a time or a quantifier."""
    return word in QUANTIFYING or is_number_or_time(word)


def is_number_or_time(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number or a time."""
    return word in HINTS or word.rstrip(".") in MONTHS or any(map(str.isdigit, word))


def word_at(words: Sequence[str], i: int) -> str:
    """Return the word at a position, which may be behind the last one: then ""."""
    return words[i] if i < len(words) else ""


def find_quantities(text: str, tokens: Sequence[str]) -> list[Mention]:
    """Find the numbers and times of a text of some tokens."""
    starts = list[int]()
    end = 0
    for token in tokens:
        start = text.find(token, end, end + len(token) + _MOST_LEFT_OUT)
        starts.append(max(start, end))  # else the tokenizer writes it in another way
        end = start + len(token) if start >= 0 else end
    found = []
    for quantity in read(text):
        place, first, last = (
            bisect_right(starts, k) - 1 for k in (quantity.place, quantity.start, quantity.end - 1)
        )
        if quantity.place < end and place >= 0:
            found.append(
                Mention(
                    quantity.kind,
                    quantity.value,
                    place,
                    first,
                    last + 1,
                    quantity.says,
                    quantity.written,
                    text[quantity.start : quantity.end],
                )
            )
    return found


def harmonize_kinds(mentions: list[Mention], others: list[Mention]) -> list[Mention]:
    """Treat a year as a number, and 1 as a quantifier, if the other sentence does."""
    mentioned = {Meaning(other.kind, other.value) for other in others}
    if any(kind == "number" and value in _YEARS for kind, value in mentioned):
        mentions = [m._replace(kind=m.kind.replace("year", "number")) for m in mentions]
    amounts = {value for kind, value in mentioned if kind.startswith("quantifier")}
    if not amounts.isdisjoint(("all", "none")):
        mentions = [
            m._replace(kind="quantifier ") if m.kind == "number" and m.value == 1.0 else m
            for m in mentions
        ]
    return mentions
