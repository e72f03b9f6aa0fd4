"""Mentions of numbers, times, names and quantifiers, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

from skpara.features._families.quantities import HINTS, MONTHS, unit_of
from skpara.features.contrast._lexicon import (
    BOUNDS,
    COUNTS,
    MEASURES,
    QUANTIFIERS,
    RANKS,
    SEASONS,
    SHARES,
    SHIFTS,
    TIMES,
)

QUANTIFYING = BOUNDS.keys() | QUANTIFIERS.keys()
# A sentence without a digit and without one of these has no numbers and no times. "a" and "an"
# are in most sentences, and only count behind another one of these, as in "twice a week".
_NUMBERS_AND_TIMES = HINTS.union(TIMES, SEASONS, SHIFTS, RANKS, COUNTS, ["every", "per"])
_DIGIT = re.compile(r"[0-9]")
# A number with a sign of a currency and a unit.
MEASURED = re.compile(r"([v€£¥₹]?)([0-9.,]*[0-9])([a-z°]*)")
# Numbers that may be a year.
_YEARS = frozenset(range(1000, 10_000))
# Decimals that tell sizes in the smallest unit apart, and no more than floats have.
_DECIMALS_OF_SIZE = 6


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared."""

    kind: str
    value: Any
    place: int  # the position of its token; -1 for a date in digits


class Meaning(NamedTuple):
    """One of the things that a mention may say, in units that different words share."""

    kind: str
    value: Any


class Meanings(NamedTuple):
    """The things that a mention says, and numbers that may be another way to write it."""

    says: set[Meaning]
    numbers: set[Meaning]

    def agree_with(self, other: Meanings) -> bool:
        """Return whether other meanings may be the same in other words."""
        return not (
            self.says.isdisjoint(other.says)
            and self.says.isdisjoint(other.numbers)
            and self.numbers.isdisjoint(other.says)
        )


def may_be_mentioned(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number, a time or a quantifier."""
    return word in QUANTIFYING or is_number_or_time(word)


def is_number_or_time(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number or a time."""
    is_known = word in _NUMBERS_AND_TIMES or word.rstrip(".") in MONTHS
    return is_known or bool(_DIGIT.search(word))


def word_at(words: Sequence[str], i: int) -> str:
    """Return the word at a position, which may be behind the last one: then ""."""
    return words[i] if i < len(words) else ""


def find_meanings(mention: Mention, words: Sequence[str]) -> Meanings:
    """Return what a mention says, and as what it may be written by a mention of another kind.

    "2 km" says 2,000 m and may be written as 2; 3:30 pm as 3.3 or 15.3, and a half as 0.5.
    """
    kind, value, place = mention
    values = value if isinstance(value, frozenset) else (value,)
    says = {Meaning(kind, v) for v in values}
    numbers = set[float]()
    if kind == "decade" and words[place].isdecimal():  # "1970's election" is of a year
        says.add(Meaning("year", int(words[place])))
    elif kind == "clock":
        for minutes in value:
            hour, minute = divmod(minutes, 60)
            numbers |= {round(h + minute / 100, 2) for h in (hour, hour % 12 or 12)}
    elif kind == "quantifier " and value in SHARES:
        numbers = {SHARES[value]}
    elif kind == "number" and isinstance(value, float):
        measured = _measure(mention, words)
        if measured:
            says = measured
            numbers = {value}
    return Meanings(says, {Meaning("number", number) for number in numbers})


def _measure(mention: Mention, words: Sequence[str]) -> set[Meaning]:
    """Return what a number with a unit measures."""
    word = words[mention.place]
    end = mention.place + 1
    while end < len(words) and words[end] in HINTS:  # "two million dollars"
        end += 1
    match = None if word.isdecimal() else MEASURED.fullmatch(word)
    sign, _, suffix = match.groups() if match else ("", "", "")
    unit = sign if sign in MEASURES else unit_of(words, mention.place, end, MEASURES) or suffix
    return {
        Meaning(measure, round(mention.value * size, _DECIMALS_OF_SIZE))
        for measure, size in MEASURES.get(unit, {}).items()
    }


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
