"""Numbers, times, names and quantifiers of a sentence."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from typing import Any

from skpara.features.families._quantities import AMBIGUOUS, DAYS, HINTS, MONTHS, amounts, dates

# Classes of quantifiers, and what they quantify: persons, things, times, or a noun ("").
QUANTIFIERS = {
    **dict.fromkeys(("all", "every", "each", "both", "entire", "whole"), ("all", "")),
    **dict.fromkeys(("everyone", "everybody"), ("all", "person")),
    **{"everything": ("all", "thing"), "always": ("all", "time")},
    **dict.fromkeys(("some", "several"), ("some", "")),
    **dict.fromkeys(("someone", "somebody"), ("some", "person")),
    **{"something": ("some", "thing")},
    **dict.fromkeys(("sometimes", "occasionally"), ("some", "time")),
    **dict.fromkeys(("most", "mostly"), ("most", "")),
    **dict.fromkeys(("many", "much", "numerous", "lots", "plenty"), ("many", "")),
    **dict.fromkeys(("often", "frequently", "usually", "regularly"), ("many", "time")),
    **{"few": ("few", ""), "fewer": ("few", ""), "half": ("half", "")},
    **dict.fromkeys(("rarely", "seldom", "hardly", "scarcely"), ("few", "time")),
    **dict.fromkeys(("no", "none", "neither"), ("none", "")),
    **{"nobody": ("none", "person"), "nothing": ("none", "thing"), "never": ("none", "time")},
    **dict.fromkeys(("only", "merely"), ("only", "")),
}
_HALF_DAY = 720  # minutes: "three o'clock" may be 3 am or 3 pm
_SUFFIXES = {"am": 0, "a.m.": 0, "a.m": 0, "pm": 720, "p.m.": 720, "p.m": 720}
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(am|pm|a\.m\.?|p\.m\.?)?")
_FRACTIONS = {"half": 30, "quarter": 15}
_HALVES = {"morning": 0, "afternoon": 720, "evening": 720}
_NAMED_CLOCKS = {"noon": (0, 720), "midday": (0, 720), "midnight": (0, 0)}
_PARTS_OF_DAY = {
    **{part: part for part in ("morning", "afternoon", "evening", "night")},
    **{"tonight": "night", "dawn": "dawn", "sunrise": "dawn", "dusk": "dusk", "sunset": "dusk"},
}
_RELATIVE_DAYS = {"yesterday": -1, "today": 0, "tonight": 0, "tomorrow": 1}
_SEASONS = {"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}
PERIODS = frozenset("minute hour day week weekend month year decade century season".split())
_SHIFTS = {"last": -1, "previous": -1, "this": 0, "next": 1, "following": 1}
_RANKS = {
    word: n
    for n, word in enumerate(
        "first second third fourth fifth sixth seventh eighth ninth tenth".split(), start=1
    )
}
_COUNTS = {"once": 1.0, "twice": 2.0, "single": 1.0, "couple": 2.0, "pair": 2.0, "double": 2.0}
_TIME_WORDS = frozenset(
    [*_NAMED_CLOCKS, *_PARTS_OF_DAY, *_RELATIVE_DAYS, *_SEASONS, *_SHIFTS, *_RANKS, *_COUNTS]
)
# A sentence without a digit and without one of these has no numbers and no times.
_NUMBER_WORDS = HINTS | _TIME_WORDS
# Words of times, which are compared as times, not as words.
TIME_WORDS = frozenset(
    [*_SUFFIXES, *_NAMED_CLOCKS, *_PARTS_OF_DAY, *_RELATIVE_DAYS, "o'clock"]
    + [name for name in (*MONTHS, *DAYS) if name not in AMBIGUOUS]
)
_NO_NAMES = frozenset(["i", *MONTHS, *DAYS])
_NO_TIMES: Mapping[str, Set[Any]] = {}


def find_numbers_and_times(
    text: str, words: Sequence[str], nouns: Mapping[int, int]
) -> tuple[dict[float, int], Mapping[str, Set[Any]]]:
    """Find numbers, with the nouns that they count or -1, and times by their kind.

    ``words`` are the lower-cased tokens of a text, ``nouns`` the nouns to which tokens belong. A
    clock time is minutes from the last noon or midnight, and 0 (am), 720 (pm) or None.
    """
    if _NUMBER_WORDS.isdisjoint(words) and not any(word[0].isdigit() for word in words):
        return {}, _NO_TIMES
    times: defaultdict[str, set[Any]] = defaultdict(set)
    for kind, part in dates(text, words):
        times[kind].add(part)
    half = next((_HALVES[word] for word in words if word in _HALVES), None)
    numbers: dict[float, int] = {}
    for value, start, end in amounts(words):
        before = words[start - 1] if start else ""
        after = words[end] if end < len(words) else ""
        fraction = _FRACTIONS.get(words[start - 2], 0) if start > 1 else 0
        if fraction and before in ("past", "to"):
            minutes = 60 * value + (fraction if before == "past" else -fraction)
            times["clock"].add((minutes % _HALF_DAY, half))
        elif after in _SUFFIXES and value < 13:
            # "3.30 pm" has a full stop instead of a colon.
            minutes = 60.0 * int(value) + round(100 * (value - int(value)))
            times["clock"].add((minutes % _HALF_DAY, _SUFFIXES[after]))
        elif after == "o'clock":
            times["clock"].add((60 * value % _HALF_DAY, half))
        elif value not in times["day"] and value not in times["year"]:
            numbers[value] = next((nouns[k] for k in range(start, end) if k in nouns), -1)
    for i, word in enumerate(words):
        following = words[i + 1] if i + 1 < len(words) else ""
        if word[0].isdigit():
            clock = _CLOCK.fullmatch(word)
            hours = int(clock[1]) if clock else 25
            if clock and hours < 25 and (clock[3] or (clock[2] and ":" in word)):
                suffix = clock[3] or following
                known = _HALF_DAY if 12 < hours < 24 else _SUFFIXES.get(suffix, half)
                times["clock"].add(((60 * hours + int(clock[2] or 0)) % _HALF_DAY, known))
        elif word in _TIME_WORDS:
            period = following.removesuffix("s")
            if word in _NAMED_CLOCKS:
                times["clock"].add(_NAMED_CLOCKS[word])
            elif word in _PARTS_OF_DAY and (not i or words[i - 1] != "good"):
                times["part of day"].add(_PARTS_OF_DAY[word])
            elif word in _SEASONS and following != "in":  # "a fall in prices"
                times["season"].add(_SEASONS[word])
            elif word in _SHIFTS and period in PERIODS:
                times["relative"].add((period, _SHIFTS[word]))
            elif word in _RANKS and period not in PERIODS:
                times["rank"].add(_RANKS[word])
            elif word in _COUNTS:
                numbers[_COUNTS[word]] = nouns.get(i, -1)
            if word in _RELATIVE_DAYS:
                times["relative"].add(("day", _RELATIVE_DAYS[word]))
    return numbers, times


def find_names(tokens: Sequence[str], tags: Sequence[str]) -> dict[int, str]:
    """Find capitalized tokens that are names; return their places and lower-cased forms."""
    upper = [i for i, token in enumerate(tokens) if token[0].isupper()]
    if not upper:
        return {}
    # In headlines every word may be capitalized.
    n_words = sum(token.isalpha() for token in tokens)
    any_word = not (len(upper) > 3 and 2 * len(upper) > n_words)
    return {
        i: tokens[i].lower()
        for i in upper
        if tokens[i].lower() not in _NO_NAMES
        and (tags[i].startswith("NNP") or (i > 0 and any_word))
    }


def find_quantifiers(
    words: Sequence[str], nouns: Mapping[int, int]
) -> list[tuple[tuple[str, str], int]]:
    """Find quantifiers: their class and what they are about, and their noun or -1."""
    if QUANTIFIERS.keys().isdisjoint(words):
        return []
    result = []
    for i, word in enumerate(words):
        if word in QUANTIFIERS:
            kind = QUANTIFIERS[word]
            if word == "few" and i and words[i - 1] == "a":
                kind = QUANTIFIERS["some"]
            result.append((kind, nouns.get(i, -1)))
    return result
