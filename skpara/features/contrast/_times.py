"""Dates and times that a sentence mentions."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from skpara.features._families import quantities
from skpara.features._families.quantities import DAYS, MONTHS
from skpara.features.contrast._lexicon import (
    BEFORE_DATES,
    COUNTS,
    HALVES_OF_DAY,
    MEASURES,
    PERIODS,
    PLAIN_DATES,
    RANKS,
    SEASONS,
    SHIFTS,
    TIMES,
)
from skpara.features.contrast._mentions import Mention, word_at

# Minutes: "three o'clock" may be 3 am or 3 pm.
_HALF_DAY = 720
# Words that say which half of the day the times of a sentence are in, with its first minute.
_PARTS_OF_DAY = {"morning": 0, "afternoon": 720, "evening": 720}
_CLOCK = re.compile(r"([0-9]{1,2})(?:[:.]([0-9]{2}))?(am|pm|a\.m\.?|p\.m\.?)?")
# Hours of a clock, with midnight at the end of the day.
_MOST_HOURS = 24
_FIRST_AFTERNOON_HOUR = 13
_MONTHS_OF_YEAR = 12
_RANK = re.compile(r"([0-9]{1,3})(?:st|nd|rd|th)")
_DECADE = re.compile(r"'?(?:[0-9]{2})?([0-9]0)s")
# Words before a rank, as in "twenty first".
_TENS = {"twenty": 20, "thirty": 30}
# Words before a period that make a frequency: "twice a week", "$9 an hour", "per day".
_EACH = frozenset(["a", "an", "each", "every", "per"])
# Words, with the word at hand, in which such a word is searched.
_REACH_OF_EACH = 3
# Dates and fractions in digits, which are cut into several tokens.
_JOINED = re.compile(
    r"(?<![0-9/-])(?:[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}|[0-9]{1,2}/[0-9]{1,2}(?:/[0-9]{4})?)(?![0-9/-])"
)
_DIGITS = re.compile(r"[0-9]+")


def find_joined(text: str, words: Sequence[str]) -> dict[int, str]:
    """Return dates and fractions in digits by the positions of their first tokens."""
    found = dict[int, str]()
    if "/" not in text and "-" not in text:
        return found
    start = 0
    for match in _JOINED.finditer(text):
        parts = _DIGITS.findall(match[0])
        for end in range(start + len(parts), len(words) + 1):
            if list(words[end - len(parts) : end]) == parts:
                found[end - len(parts)] = match[0]
                start = end
                break
    return found


def numbers_in(text: str) -> list[int]:
    """Return the numbers in a date or fraction in digits."""
    return [int(digits) for digits in _DIGITS.findall(text)]


def find_dates(
    text: str, words: Sequence[str], places: Sequence[int], joined: dict[int, str]
) -> Iterator[Mention]:
    """Find days, months and years; ``joined`` are the dates in digits."""
    taken = set[int]()
    for kind, value, i in quantities.dates(text, words, places):
        if i < 0:
            yield _date_in_digits(kind, value, joined)
        elif kind != "year" or word_at(words, i + 1).strip("$") not in MEASURES:  # "2000 m"
            taken.add(i)
            if kind == "year" and is_decade(words, i):
                yield Mention("decade", words[i][-2:], i)
            else:
                yield Mention(kind, value, i)
    for i in places:
        name = words[i].rstrip(".")
        is_ambiguous = name in quantities.AMBIGUOUS and i not in taken
        if is_ambiguous and i > 0 and words[i - 1] in BEFORE_DATES:
            if name in DAYS:
                yield Mention("weekday", DAYS[name], i)
            else:
                yield Mention("month", MONTHS[name], i)


def is_decade(words: Sequence[str], i: int) -> bool:
    """Return whether a year may also be a decade, as in "the 1970's"."""
    return word_at(words, i + 1) == "'s" and words[i].endswith("0")


def _date_in_digits(kind: str, value: int, joined: dict[int, str]) -> Mention:
    """Return a part of a date in digits, with the position where the date begins."""
    place = -1
    parts = [value]
    for start, date in joined.items():
        numbers = numbers_in(date)
        if value in numbers:
            place = start
            parts = numbers
            break
    # "5/6/2012" may be of May or of June.
    if kind != "year" and max(parts[:2]) <= _MONTHS_OF_YEAR:
        return Mention(kind, frozenset(parts[:2]), place)
    return Mention(kind, value, place)


def half_of_day(words: Sequence[str], places: Sequence[int]) -> int | None:
    """Return the first minute of the half of the day that a sentence names, if any."""
    for i in places:
        if words[i] in _PARTS_OF_DAY:
            return _PARTS_OF_DAY[words[i]]
    return None


def minutes_of(minutes: float, half: int | None) -> frozenset[float]:
    """Return the minutes since midnight that a time of day may stand for."""
    halves = (0, _HALF_DAY) if half is None else (half,)
    return frozenset(minutes % _HALF_DAY + start for start in halves)


def is_time_in_digits(word: str) -> bool:
    """Return whether a word is a time of day, a rank or a decade in digits."""
    return bool(_CLOCK.fullmatch(word) or _RANK.fullmatch(word) or _DECADE.fullmatch(word))


def find_times(
    words: Sequence[str], places: Sequence[int], half: int | None, known: set[Any]
) -> Iterator[Mention]:
    """Find times that are no dates, and ranks and counts in words.

    ``half`` is the half of the day that the sentence names, and ``known`` are the days and years
    that are mentioned as dates.
    """
    for i in places:
        word = words[i]
        if word in TIMES and words[max(0, i - 1)] != "good":  # "good morning"
            for time in TIMES[word]:
                yield Mention(time.kind, time.values, i)
        yield from _find_frequencies(words, i)
        if word[0].isalpha():
            yield from _find_in_words(words, i)
        else:
            yield from _find_in_digits(words, i, half, known)


def _find_frequencies(words: Sequence[str], i: int) -> Iterator[Mention]:
    for k, each in enumerate(words[i : i + _REACH_OF_EACH], i + 1):
        if each in _EACH and word_at(words, k) in PERIODS:
            yield Mention("frequency", words[k], k)


def _find_in_words(words: Sequence[str], i: int) -> Iterator[Mention]:
    """Find a season, a time such as "last week", a rank or a count."""
    word = words[i]
    following = word_at(words, i + 1)
    period = following.removesuffix("s")
    if word in SEASONS and following != "in":  # "a fall in prices"
        yield Mention("season", SEASONS[word], i)
    elif word in SHIFTS and (period in PERIODS or following in PLAIN_DATES):
        yield Mention("relative", f"{period} {SHIFTS[word]}", i)
    elif word in RANKS:
        yield Mention("number rank", RANKS[word] + _TENS.get(words[i - 1], 0), i)
    elif word in COUNTS:
        yield Mention("number", COUNTS[word], i)


def _find_in_digits(
    words: Sequence[str], i: int, half: int | None, known: set[Any]
) -> Iterator[Mention]:
    """Find a rank such as "3rd", a decade such as "'80s", or a time of day."""
    word = words[i]
    rank = _RANK.fullmatch(word)
    if rank:
        if int(rank[1]) not in known:
            yield Mention("number rank", int(rank[1]), i)
        return
    decade = _DECADE.fullmatch(word)
    if decade:
        yield Mention("decade", decade[1], i)
    elif word[0].isdigit():
        yield from _find_clock(words, i, half)


def _find_clock(words: Sequence[str], i: int, half: int | None) -> Iterator[Mention]:
    """Find a time such as "3pm" or "15:00"."""
    word = words[i]
    clock = _CLOCK.fullmatch(word)
    if not clock:
        return
    hours = int(clock[1])
    minutes = int(clock[2] or 0)
    suffix = clock[3]
    if hours > _MOST_HOURS or not (suffix or ":" in word):
        return
    if half is None and word[0] == "0":  # "06:15" is not "6:15"
        half = 0
    if _FIRST_AFTERNOON_HOUR <= hours < _MOST_HOURS:
        half = _HALF_DAY
    else:
        half = HALVES_OF_DAY.get(suffix or word_at(words, i + 1), half)
    yield Mention("clock", minutes_of(60 * hours + minutes, half), i)
