"""Numbers, times, names and quantifiers of a sentence."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skpara.features._families.quantities import AMBIGUOUS, DAYS, HINTS, MONTHS, amounts, dates

_CLASSES = {
    "all": "all every each both entire whole everyone everybody everything always",
    "some": "some several someone somebody something sometimes occasionally",
    "most": "most mostly",
    "many": "many much numerous lots plenty often frequently usually regularly",
    "half": "half",
    "few": "few fewer rarely seldom hardly scarcely",
    "none": "no none neither nobody nothing never",
    "only": "only merely",
}
# Quantifiers of different things are not compared: "always" is no answer to "nobody".
_ABOUT = {
    "person": "everyone everybody someone somebody nobody",
    "thing": "everything something nothing",
    "time": "always sometimes occasionally often frequently usually regularly rarely seldom "
    "hardly scarcely never",
}
_about = {word: about for about, words in _ABOUT.items() for word in words.split()}
QUANTIFIERS = {
    word: (kind, _about.get(word, ""))
    for kind, words in _CLASSES.items()
    for word in words.split()
}
_HALF_DAY = 720  # minutes: "three o'clock" may be 3 am or 3 pm
_SUFFIXES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(am|pm|a\.m\.?|p\.m\.?)?")
_FRACTIONS = {"half": 30, "quarter": 15}
_HALVES = {"morning": 0, "afternoon": 720, "evening": 720}
PERIODS = frozenset("minute hour day week weekend month year decade century season".split())
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "next": 1, "following": 1}
_RANKS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
_COUNTS = {"once": 1.0, "twice": 2.0, "single": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0}
# Times that are one word.
_WORDS: dict[str, list[tuple[str, Any]]] = {
    **{word: [("clock", frozenset([720]))] for word in ("noon", "midday")},
    "midnight": [("clock", frozenset([0]))],
    **{word: [("part of day", word)] for word in ("morning", "afternoon", "evening", "night")},
    **{word: [("part of day", "dawn")] for word in ("dawn", "sunrise")},
    **{word: [("part of day", "dusk")] for word in ("dusk", "sunset")},
    "tonight": [("part of day", "night"), ("relative", ("day", 0))],
    "yesterday": [("relative", ("day", -1))],
    "today": [("relative", ("day", 0))],
    "tomorrow": [("relative", ("day", 1))],
}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
# Words of times, which are compared as times, not as words.
TIME_WORDS = frozenset(
    [*_SUFFIXES, *_WORDS, "o'clock"] + [name for name in (*MONTHS, *DAYS) if name not in AMBIGUOUS]
)
# A sentence without a digit and without one of these has no numbers and no times.
_NUMBER_WORDS = HINTS.union(_WORDS, _SEASONS, _SHIFTS, _RANKS, _COUNTS)
_NO_NAMES = frozenset(["i", *MONTHS, *DAYS])


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared."""

    kind: str
    value: Any
    place: int  # the position of its token; -1 for a date in digits
    noun: int = -1  # the position of the noun that it belongs to


def find_mentions(
    text: str,
    words: Sequence[str],
    cased: Sequence[str],
    tags: Sequence[str],
    nouns: Mapping[int, int],
) -> list[Mention]:
    """Find the mentions of a text with these tokens; ``nouns`` are the nouns they belong to.

    ``words`` are the tokens in lower case.
    """
    mentions = [*_find_names(cased, tags), *_find_quantifiers(words, nouns)]
    if not _NUMBER_WORDS.isdisjoint(words) or any(word[0].isdigit() for word in words):
        found = [Mention(*date) for date in dates(text, words)]
        mentions += found
        known = {date.value for date in found if date.kind in ("day", "year")}
        half = next((_HALVES[word] for word in words if word in _HALVES), None)
        mentions += _find_numbers(words, nouns, half, known)
        mentions += _find_times(words, nouns, half)
    return mentions


def _find_names(cased: Sequence[str], tags: Sequence[str]) -> Iterator[Mention]:
    upper = [i for i, token in enumerate(cased) if token[0].isupper()]
    # In headlines every word may be capitalized.
    is_headline = len(upper) > 3 and 2 * len(upper) > sum(map(str.isalpha, cased))
    for i in upper:
        name = cased[i].lower()
        if name not in _NO_NAMES and (tags[i].startswith("NNP") or (i and not is_headline)):
            yield Mention("name", name, i)


def _find_quantifiers(words: Sequence[str], nouns: Mapping[int, int]) -> Iterator[Mention]:
    for i, word in enumerate(words):
        if word in QUANTIFIERS:
            kind, about = QUANTIFIERS[word]
            is_a_few = word == "few" and i and words[i - 1] == "a"
            yield Mention(f"quantifier {about}", "some" if is_a_few else kind, i, nouns.get(i, -1))


def _find_numbers(
    words: Sequence[str], nouns: Mapping[int, int], half: int | None, known: set[Any]
) -> Iterator[Mention]:
    """Find numbers, and the times of day that numbers are part of."""
    for value, start, end in amounts(words):
        before, after = ("", "", *words)[start : start + 2], [*words[end : end + 1], ""][0]
        if before[0] in _FRACTIONS and before[1] in ("past", "to"):
            fraction = _FRACTIONS[before[0]] if before[1] == "past" else -_FRACTIONS[before[0]]
            yield Mention("clock", _clock(60 * value + fraction, half), start)
        elif after in _SUFFIXES and value < 13:
            # "3.30 pm" has a full stop instead of a colon.
            minutes = 60 * int(value) + round(100 * (value - int(value)))
            yield Mention("clock", _clock(minutes, _SUFFIXES[after]), start)
        elif after == "o'clock":
            yield Mention("clock", _clock(60 * value, half), start)
        elif value not in known:
            noun = next((nouns[k] for k in range(start, end) if k in nouns), -1)
            yield Mention("number", value, start, noun)


def _clock(minutes: float, half: int | None) -> frozenset[float]:
    """Return the minutes since midnight that a time of day may stand for."""
    return frozenset(
        minutes % _HALF_DAY + k for k in ((0, _HALF_DAY) if half is None else (half,))
    )


def _find_times(
    words: Sequence[str], nouns: Mapping[int, int], half: int | None
) -> Iterator[Mention]:
    for i, (word, following) in enumerate(zip(words, [*words[1:], ""], strict=True)):
        period = following.removesuffix("s")
        if word in _WORDS and words[max(0, i - 1)] != "good":  # "good morning"
            yield from (Mention(kind, value, i) for kind, value in _WORDS[word])
        if word[0].isdigit():
            yield from _clock_in_digits(word, following, half, i)
        elif word in _SEASONS and following != "in":  # "a fall in prices"
            yield Mention("season", _SEASONS[word], i)
        elif word in _SHIFTS and period in PERIODS:
            yield Mention("relative", (period, _SHIFTS[word]), i)
        elif word in _RANKS and period not in PERIODS:
            yield Mention("rank", word, i)
        elif word in _COUNTS:
            yield Mention("number", _COUNTS[word], i, nouns.get(i, -1))


def _clock_in_digits(word: str, following: str, half: int | None, i: int) -> Iterator[Mention]:
    """Find a time such as "3pm" or "15:00"."""
    clock = _CLOCK.fullmatch(word)
    if clock and int(clock[1]) < 25 and (clock[3] or ":" in word):
        hours = int(clock[1])
        known = _HALF_DAY if 12 < hours < 24 else _SUFFIXES.get(clock[3] or following, half)
        yield Mention("clock", _clock(60 * hours + int(clock[2] or 0), known), i)
