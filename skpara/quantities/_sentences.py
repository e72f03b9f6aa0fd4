"""Quantities of sentences: numbers, codes, dates, times and ranks, in digits and in words.

Numbers in words become digits first. Then the forms of ``units.json`` take dates and times, and
what they leave are numbers with their units, and codes.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

from skpara.quantities._lexicon import (
    ADVERBS,
    CURRENCIES,
    DAYS,
    FRACTIONS_OF_HOURS,
    HALVES_OF_DAY,
    LEXICON,
    MEASURES,
    MONTHS,
    PERIODS,
    PLAIN_DATES,
    SCALES_OF_LETTERS,
    SEASONS,
    SHIFTS,
    TIMES,
    any_of,
)
from skpara.quantities._numbers import Numbers, find_numbers, value_of
from skpara.quantities._words import in_digits

# Minutes: "three o'clock" may be 3 am or 3 pm.
_HALF_DAY = 720
_MOST_HOURS = 24
_MOST_MONTHS = 12
_MOST_DAYS = 31
# "'99" is 1999, and "'15" 2015.
_FIRST_OF_CENTURY = 30
# Sizes that differ in further digits are equal: they are in other units.
_SIGNIFICANT_DIGITS = 9
# Frequencies that differ by less are equal.
_AS_OFTEN = 1.1
# A double is exact so far; larger numbers are an identifier, not an amount.
_EXACT = 1e15
# Texts whose quantities are kept, as several features read them.
_KEPT = 2**13
_PLAIN_QUOTES = str.maketrans({"’": "'", "´": "'", "−": "-", "–": "-"})
# What a currency may be in front of a number.
_SHORT_CURRENCIES = any_of(name for name in CURRENCIES if len(name) < 4)
_CURRENCY_BEFORE = re.compile(rf"(?<!\w)({_SHORT_CURRENCIES})\.?\s?$")
_LONGEST_CURRENCY = 6
_CURRENCY_AFTER = re.compile(rf"\s({any_of(CURRENCIES)})\b")
# The two numbers of "5-10 kg", but not of codes and dates.
_RANGE = re.compile(r"(?<![\w./-])(\d+)-(?=\d+(?![./-]?\d))")
_CODE = re.compile(r"(?<![^\W_])[^\W\d_]*\d[^\W_]*(?:[.,:][^\W\d_]*\d[^\W_]*)*")
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"\(([a-z])\)")
_PARTS_OF_DAY = ("morning", "afternoon", "evening")
_WORD = re.compile(r"[^\W\d_]+")


class Meaning(NamedTuple):
    """One of the things that a quantity may say, in units that different words share."""

    kind: str
    value: Any


class Quantity(NamedTuple):
    """A quantity of a text: its kind and value, where it is, and what it may mean.

    The place is that of its number, which signs may precede. ``says`` is what it says, and
    ``written`` as what a number alone may stand for it: "2 km" says 2,000 m and may be written
    as 2, 3:30 pm as 3.3, and 50 % as 0.5.
    """

    kind: str
    value: Any
    place: int
    start: int
    end: int
    says: frozenset[Meaning]
    written: frozenset[Meaning] = frozenset()


def agree(first: Any, second: Any) -> bool:
    """Return whether what two quantities say may be the same in other words."""
    return not (
        first.says.isdisjoint(second.says)
        and first.says.isdisjoint(second.written)
        and first.written.isdisjoint(second.says)
    )


# What the groups of a form have in a text, "" for none.
_Parts = Mapping[str, str]
_Found = Iterator[tuple[str, Any]]


def _read_date(parts: _Parts) -> _Found:
    first, second = parts["first"], parts["second"]
    day = int(parts["day"] or 0)
    month = MONTHS.get(parts["month"]) or int(parts["month"] or 0)
    if first and max(int(first), int(second)) <= _MOST_MONTHS:
        # "5/6/2012" may be of May or of June.
        yield from ((kind, frozenset([int(first), int(second)])) for kind in ("month", "day"))
    elif first:
        day, month = sorted((int(first), int(second)), reverse=True)
    if month:
        yield "month", month
    if day:
        yield "day", day
    if year := int(parts["year"] or 0):
        short = 1900 if year >= _FIRST_OF_CENTURY else 2000
        yield "year", year + short if len(parts["year"]) == 2 else year
    if parts["weekday"]:
        yield "weekday", DAYS[parts["weekday"]]


def _read_decade(parts: _Parts) -> _Found:
    yield "decade", parts["decade"]


def _read_clock(parts: _Parts) -> _Found:
    hour = int(parts["hour"])
    if hour > _MOST_HOURS:
        return
    half = HALVES_OF_DAY.get(parts["half"].replace(".", "") or parts["part of day"])
    if not parts["half"] and parts["hour"][0] == "0":  # "06:15" is not "6:15"
        half = half or 0
    if _MOST_HOURS // 2 < hour < _MOST_HOURS:
        half = _HALF_DAY
    fraction = FRACTIONS_OF_HOURS.get(parts["fraction"], 0)
    plus = -fraction if parts["side"] == "to" else fraction
    minutes = 60 * hour + int(parts["minute"] or 0) + plus
    halves = (0, _HALF_DAY) if half is None else (half,)
    yield "clock", frozenset(minutes % _HALF_DAY + start for start in halves)


def _read_word(parts: _Parts) -> _Found:
    for kind, values in TIMES.get(parts["word"], {}).items():
        yield kind, frozenset(values)
    if parts["season"]:
        yield "season", SEASONS[parts["season"]]
    if parts["shift"]:
        yield "relative", f"{parts['period']} {SHIFTS[parts['shift']]}"


def _read_frequency(parts: _Parts) -> _Found:
    """Read how often something happens in a year."""
    n_periods = 2 if parts["other"] else float(parts["each"] or 1)
    per_year = PERIODS[parts["period"]] if parts["period"] else ADVERBS[parts["adverb"]]
    if n_periods:
        yield "frequency", float(parts["times"] or 1) * per_year / n_periods


def _read_rank(parts: _Parts) -> _Found:
    yield "number rank", int(parts["rank"])


def _read_ohms(parts: _Parts) -> _Found:
    scale = SCALES_OF_LETTERS.get(parts["mark"], 1)
    yield "resistance", float(f"{parts['whole']}.{parts['part']}") * scale


_READERS: dict[str, Callable[[_Parts], _Found]] = {
    "date": _read_date,
    "decade": _read_decade,
    "clock": _read_clock,
    "word": _read_word,
    "frequency": _read_frequency,
    "rank": _read_rank,
    "resistance": _read_ohms,
}
_ALTERNATIVES = {
    "month": (MONTHS, "month"),
    "plain month": (PLAIN_DATES & MONTHS.keys(), "month"),
    "weekday": (DAYS, "weekday"),
    "plain weekday": (PLAIN_DATES & DAYS.keys(), "weekday"),
    "time word": (TIMES, "word"),
    "season": (SEASONS, "season"),
    "shift": (SHIFTS, "shift"),
    "period": (PERIODS, "period"),
    "shifted": (PLAIN_DATES | (PERIODS.keys() - {"night"}), "period"),
    "adverb": (ADVERBS, "adverb"),
    "fraction": (FRACTIONS_OF_HOURS, "fraction"),
}
_UNITS = any_of(unit for unit in MEASURES if unit.isalpha() and unit != "in")
_INSERTED = {
    "unit": rf"(?:{_UNITS})",
    "day": r"(?<![\w.,:/-])(?P<day>[0-3]?\d)(?:st|nd|rd|th)?(?![\w:/-]|[.,]\d)",
    "year": r"(?P<year>(?:1[5-9]|20)\d\d)",
    "hour": r"(?<![\w.,:/-])(?P<hour>[0-2]?\d)(?!\d)",
}


# The groups of forms where a kind of quantity is, if they have another name.
_GROUPS = {
    **dict.fromkeys(("clock", "part of day", "relative"), "word"),
    "number rank": "rank",
    "frequency": "period",
}


# Sets of words: a text with some form has a word of each of some sets. Bit 0 stands for a digit,
# bit 1 for one beside a mark, and bit i + 1 for the i-th set.
_DIGIT = 1
_MARKED = 2
_DIGIT_AND_MARK = re.compile(r"\d[-/.:]\d|'\d")
_NEEDED: list[frozenset[str]] = []


class _Form:
    """A form of ``units.json``: its pattern, and the bits of what a text with it has.

    A pattern takes a millisecond to compile: it waits for the first text that may have the form.
    """

    def __init__(self, row: dict[str, Any]) -> None:
        self.read = _READERS[row["kind"]]
        self.is_kept: bool = row.get("keep", False)
        self.needs = 0
        self._pattern = re.sub(r"\{([a-z][a-z ]*)\}", self._part, row["pattern"])
        self.needs = self.needs or _DIGIT
        if row.get("marked"):
            self.needs |= _MARKED
        if "words" in row:
            self._need(row["words"])

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The compiled pattern."""
        return re.compile(self._pattern)

    def _part(self, match: re.Match[str]) -> str:
        name = match[1]
        if name in _INSERTED:
            return _INSERTED[name]
        words, group = _ALTERNATIVES[name]
        self._need(words)
        return rf"\b(?P<{group}>{any_of(words)})"

    def _need(self, words: Iterable[str]) -> None:
        _NEEDED.append(frozenset(words))
        self.needs |= _MARKED << len(_NEEDED)


_PLACE = attrgetter("place")
_FORMS = [_Form(row) for row in LEXICON["forms"]]
_BITS = defaultdict[str, int](int)
for _i, _words in enumerate(_NEEDED, 1):
    for _word in _words:
        _BITS[_word] |= _MARKED << _i
        _BITS[f"{_word}s"] |= _MARKED << _i


@lru_cache(_KEPT)
def read(text: str) -> tuple[Quantity, ...]:
    """Read the quantities of a text, in their order."""
    lowered = text.lower()
    if len(lowered) != len(text):
        lowered = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    plain = in_digits(lowered.translate(_PLAIN_QUOTES).replace("$us", "us$"))
    found = sorted(_find(_RANGE.sub(r"\1 ", plain.text)), key=_PLACE)
    before = plain.before
    return tuple(
        Quantity(kind, value, before(place), before(start), before(end - 1, is_end=True), *said)
        for kind, value, place, start, end, *said in found
    )


def _find(text: str) -> Iterator[Quantity]:
    has_digit = any(map(str.isdigit, text))
    taken = bytearray(len(text))
    yield from _find_forms(text, taken, has_digit=has_digit)
    if has_digit:
        yield from _find_numbers(text, taken)


def _find_forms(text: str, taken: bytearray, *, has_digit: bool) -> Iterator[Quantity]:
    """Find dates and times, and mark what they take of a text."""
    lacks = ~(_DIGIT * has_digit | _MARKED * bool(_DIGIT_AND_MARK.search(text)))
    words = _WORD.findall(text)
    for word in words:
        lacks &= ~_BITS.get(word, 0)
    for form in _FORMS:
        if form.needs & lacks:
            continue
        for match in form.pattern.finditer(text):
            parts = defaultdict(str, {k: part for k, part in match.groupdict().items() if part})
            start, end = min(map(match.start, parts)), match.end()
            if any(taken[start:end]):
                continue
            parts["part of day"] = _find_part_of_day(words)
            values = list(form.read(parts))
            if values and not form.is_kept:
                taken[start:end] = b"1" * (end - start)
            for kind, value in values:
                group = _GROUPS.get(kind, kind)
                place = match.start(group) if group in match.re.groupindex else start
                place = max(place, start)
                says, written = _meanings(kind, value)
                kind = kind.replace("resistance", "number")
                yield Quantity(kind, value, place, start, end, says, written)


def _find_part_of_day(words: Sequence[str]) -> str:
    return next((part for part in _PARTS_OF_DAY if part in words or f"{part}s" in words), "")


def _find_numbers(text: str, taken: bytearray) -> Iterator[Quantity]:
    """Find numbers and codes where nothing is taken."""
    for match in _LETTER.finditer(text):
        yield _plain_number(match[1], match.start(1), match.end(1))
    for found in find_numbers(text, MEASURES):
        read_to = 0
        for value, place in zip(found.values, found.starts, strict=True):
            if not taken[place] and abs(value) < _EXACT:
                yield _number(text, abs(value), place, found)
                read_to = found.end
        taken[found.start : read_to] = b"1" * max(0, read_to - found.start)
    # Each code has the beginning of some digits.
    if all(taken[match.start()] for match in _DIGITS.finditer(text)):
        return
    for match in _CODE.finditer(text):
        if not any(taken[slice(*match.span())]):
            value = value_of(match[0])
            code = "".join(filter(str.isalnum, match[0]))
            yield _plain_number(value if value < _EXACT else code, *match.span())


def _plain_number(value: float | str, start: int, end: int) -> Quantity:
    return Quantity("number", value, start, start, end, frozenset([Meaning("number", value)]))


def _number(text: str, value: float, place: int, found: Numbers) -> Quantity:
    unit, end = found.unit, found.end
    start = place - len(text[found.start : place].lstrip(" +-"))
    before = _CURRENCY_BEFORE.search(text, max(0, start - _LONGEST_CURRENCY), start)
    after = _CURRENCY_AFTER.match(text, end)
    if after and unit in SCALES_OF_LETTERS:  # "2.1 m dollars"
        value, unit, end = value * SCALES_OF_LETTERS[unit], after[1], after.end()
    elif before and not unit:
        unit, start = before[1], before.start()
    if not unit:
        return _plain_number(value, start, end)
    says = {Meaning(measure, _rounded(value * size)) for measure, size in MEASURES[unit].items()}
    numbers = [value]
    if text[end - len(unit) - 1 : end - len(unit)].isdigit():  # "5m" may be five million
        numbers.append(value * SCALES_OF_LETTERS.get(unit, 1))
    if "share" in MEASURES[unit]:
        numbers.append(_rounded(value / 100))
    written = frozenset(Meaning("number", number) for number in numbers)
    return Quantity("number", value, place, start, end, frozenset(says), written)


def _rounded(value: float) -> float:
    return float(f"{value:.{_SIGNIFICANT_DIGITS}g}")


def _meanings(kind: str, value: Any) -> tuple[frozenset[Meaning], frozenset[Meaning]]:
    """Return what a quantity other than a plain number says, and in what forms."""
    says = {Meaning(kind, v) for v in (value if isinstance(value, frozenset) else [value])}
    written = set[Meaning]()
    if kind == "clock":
        for hour, minute in (divmod(minutes, 60) for minutes in value):
            for h in (hour, hour % 12 or 12):
                written.add(Meaning("number", round(h + minute / 100, 2)))
    elif kind == "year":
        written.add(Meaning("number", float(value)))
    elif kind == "day":  # "May 3rd" is the 3rd
        written = {Meaning("number rank", day) for _, day in says}
    elif kind == "decade":
        says = {Meaning(kind, value[-2:])}
        if len(value) > 2:  # "1970's election" is of a year
            says.add(Meaning("year", int(value)))
    elif kind == "frequency" and not value:
        says = {Meaning(kind, -math.inf)}
    elif kind == "frequency":  # "four times a month" is about "weekly"
        steps = math.log(value, _AS_OFTEN)
        says = {Meaning(kind, math.floor(steps)), Meaning(kind, math.ceil(steps))}
    return frozenset(says), frozenset(written)
