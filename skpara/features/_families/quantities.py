"""Agreement of quantities, percentages, sums of money and dates."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Sequence, Set
from typing import NamedTuple

import numpy as np

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._families.vocabulary import VOCABULARY
from skpara.features._kernels import f_score

_NUMBER_WORDS = {word: n for n, word in enumerate(VOCABULARY["numbers"])}
_TENS = {word: 10 * n for n, word in enumerate(VOCABULARY["tens"], 2)}
_SCALES: dict[str, float] = VOCABULARY["scales"]
CURRENCIES: dict[str, str] = {
    sign: currency for currency, signs in VOCABULARY["currencies"].items() for sign in signs
}
_PERCENT = frozenset(["%", "percent", "pct", "pc"])
MONTHS = {name: n for n, names in enumerate(VOCABULARY["months"], 1) for name in names}
# Also everyday words: taken as months only next to a number.
_AMBIGUOUS_MONTHS = frozenset(["march", "may", "mar", "jun", "sept", "sep", "dec"])
DAYS = {name: n for n, names in enumerate(VOCABULARY["days"]) for name in names}
_AMBIGUOUS_DAYS = frozenset(["mon", "tue", "wed", "thu", "fri"])
AMBIGUOUS = _AMBIGUOUS_MONTHS | _AMBIGUOUS_DAYS
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]*\.[0-9]+|[0-9]+")
_SCALED = re.compile(r"([0-9.,]*[0-9])(k|m|mn|bn|b|tn)", re.ASCII)
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)")
_ISO_DATE = re.compile(r"\b([12][0-9]{3})-([01]?[0-9])-([0-3]?[0-9])\b")
_SLASHED_DATE = re.compile(r"\b([0-3]?[0-9])/([0-3]?[0-9])/([12][0-9]{3})\b")
# A number in words begins with one of these.
_FIRST_WORDS = frozenset([*_NUMBER_WORDS, *_TENS, "a", "an"])
# A sentence without a digit and without one of these mentions nothing and is not searched. "a" is
# in most sentences but only a number before a scale, as in "a million".
HINTS = (_FIRST_WORDS - {"a", "an"}).union(_SCALES, MONTHS, DAYS, (f"{day}." for day in DAYS))
_PARTS = ("year", "month", "day")
_NOTHING: tuple[Set[object], ...] = (frozenset(), frozenset(), frozenset(), frozenset())
_MAX_DIGITS = 15  # a double is exact so far; longer digits are an identifier, not an amount


class Amount(NamedTuple):
    """A number in a sentence: its value, and where its tokens start and end."""

    value: float
    start: int
    end: int


def amounts(tokens: Sequence[str], places: Iterable[int] | None = None) -> list[Amount]:
    """Find numbers in digits and in words among lower-cased tokens.

    They begin at some ``places``, in ascending order, or anywhere.
    """
    result = []
    end = 0
    for start in range(len(tokens)) if places is None else places:
        if start < end:
            continue
        token = tokens[start]
        if token in _FIRST_WORDS:
            end, value = _in_words(tokens, start)
        elif token[0].isdigit() or token[-1].isdigit():
            end, value = _scaled(tokens, start + 1, _in_digits(token))
        else:
            continue
        if value >= 0:
            result.append(Amount(value, start, end))
    return result


def _in_digits(token: str) -> float:
    """Return the value, or -1 where the token is not a number."""
    scaled = _SCALED.fullmatch(token)
    digits, scale = (scaled[1], _LETTERS[scaled[2]]) if scaled else (token, 1.0)
    if len(digits) > _MAX_DIGITS or not _NUMBER.fullmatch(digits):
        return -1.0
    return float(digits.replace(",", "")) * scale


def _scaled(tokens: Sequence[str], end: int, value: float) -> tuple[int, float]:
    while end < len(tokens) and tokens[end] in _SCALES:
        value *= _SCALES[tokens[end]]
        end += 1
    return end, value


def _in_words(tokens: Sequence[str], start: int) -> tuple[int, float]:
    """Return end and value of a number like "three million two hundred and six"; -1 for none."""
    if tokens[start] in ("a", "an"):
        end, value = _scaled(tokens, start + 1, 1.0)
        return (end, value) if end > start + 1 else (end, -1.0)
    total, part, last = 0.0, 0.0, np.inf
    end = i = start
    while i < len(tokens):
        token = tokens[i]
        # "twenty five" is one number, "five twenty" and "five six" are two.
        if token in _NUMBER_WORDS and last >= (20 if _NUMBER_WORDS[token] < 10 else 100):
            part, last = part + _NUMBER_WORDS[token], 1
        elif token in _TENS and last >= 100:
            part, last = part + _TENS[token], 20
        elif token in _SCALES and end > start:
            if _SCALES[token] <= 100:
                part, last = part * _SCALES[token], 100
            else:
                total, part, last = total + part * _SCALES[token], 0.0, np.inf
        elif token == "and" and end > start and last >= 100:
            i += 1
            continue
        else:
            break
        i += 1
        end = i
    return end, total + part


def money(tokens: Sequence[str], numbers: Sequence[Amount]) -> set[tuple[str, float]]:
    """Select the amounts with a currency before or after them."""
    found = set[tuple[str, float]]()
    for value, start, end in numbers:
        unit = unit_of(tokens, start, end, CURRENCIES)
        if unit:
            found.add((CURRENCIES[unit], value))
    return found


def unit_of(tokens: Sequence[str], start: int, end: int, known: Container[str]) -> str:
    """Return the sign or word beside a number that is known as a unit, or ""."""
    before = tokens[start - 1] if start else ""
    after = tokens[end] if end < len(tokens) else ""
    if not before.isalpha() and before in known:
        return before
    if after in known:
        return after
    if len(before) == 3 and before in known:  # "USD 20"
        return before
    return ""


def percentages(tokens: Sequence[str], numbers: Sequence[Amount]) -> set[float]:
    """Select the amounts that are followed by a word or sign for percent."""
    return {
        value
        for value, _, end in numbers
        if end < len(tokens)
        and (tokens[end] in _PERCENT or tuple(tokens[end : end + 2]) == ("per", "cent"))
    }


def dates(
    text: str, tokens: Sequence[str], places: Iterable[int] | None = None
) -> Iterator[tuple[str, int, int]]:
    """Find days of the week, months, days of months and years, and the positions of their tokens.

    Dates in digits, which tokens cut up, are searched in ``text``: "2012-05-31", "5/31/2012" (the
    month first, unless that is impossible). Their position is -1. The others are found in the
    lower-cased tokens, at some ``places`` or anywhere.
    """
    if "-" in text or "/" in text:
        yield from _dates_in_digits(text)
    for i in range(len(tokens)) if places is None else places:
        token = tokens[i]
        if token[0].isdigit():
            if year := _year(token):
                yield "year", year, i
            continue
        name = token.rstrip(".") if token[-1] == "." else token
        if name not in MONTHS and name not in DAYS:
            continue
        days = [(_day(tokens[k]), k) for k in (i - 1, i + 1) if 0 <= k < len(tokens)]
        beside = [("day", day, k) for day, k in days if day]
        if name in DAYS:
            if name not in _AMBIGUOUS_DAYS or beside or token != name:
                yield "weekday", DAYS[name], i
        elif name not in _AMBIGUOUS_MONTHS or beside or any(map(_year, tokens[i + 1 : i + 4])):
            yield "month", MONTHS[name], i
            yield from beside


def _dates_in_digits(text: str) -> Iterator[tuple[str, int, int]]:
    found = _ISO_DATE.findall(text)
    for first, second, year in _SLASHED_DATE.findall(text):
        found.append((year, second, first) if int(first) > 12 else (year, first, second))
    for date in found:
        yield from ((kind, int(part), -1) for kind, part in zip(_PARTS, date, strict=True))


def _day(token: str) -> int:
    """Return the day of a month that a token stands for, or 0."""
    ordinal = _ORDINAL.fullmatch(token)
    digits = ordinal[1] if ordinal else token
    is_day = len(digits) <= 2 and digits.isascii() and digits.isdecimal() and int(digits) <= 31
    return int(digits) if is_day else 0


def _year(token: str) -> int:
    """Return the year that a token stands for, or 0."""
    is_year = len(token) == 4 and token.isascii() and token.isdecimal()
    return int(token) if is_year and 1500 <= int(token) < 2100 else 0


def compute(batch: PairBatch) -> Floats:
    """Compute F of shared mentions, symmetrically; 1 if there are no mentions.

    quantity_f
        Of the values of numbers, in digits or in words: "two" is 2, "1.5 million" 1,500,000.
    percent_f
        Of percentages.
    money_f
        Of sums of money with their currency.
    date_f
        Of days of the week, months, days of months and years.
    """
    sides = batch.takelab
    have_hints = sides.containing(token in HINTS for token in sides.distinct)
    mentions = [
        _mentions(text, tokens) if has_hint or has_digit else _NOTHING
        for text, tokens, has_hint, has_digit in zip(
            sides.texts, sides.tokens, have_hints, sides.have_digits, strict=True
        )
    ]
    return sides.score(
        lambda first, second: tuple(map(_agreement, first, second)), mentions, _NOTHING
    )


def _agreement(first: Set[object], second: Set[object]) -> float:
    if not first and not second:
        return 1.0
    return f_score(len(first & second), len(first), len(second))


def _mentions(text: str, tokens: Sequence[str]) -> tuple[Set[object], ...]:
    lowered = [token.lower() for token in tokens]
    numbers = amounts(lowered)
    values = {number.value for number in numbers}
    days = {date[:2] for date in dates(text, lowered)}
    return values, percentages(lowered, numbers), money(lowered, numbers), days


FAMILY = Family("quantities", ("quantity_f", "percent_f", "money_f", "date_f"), compute)
