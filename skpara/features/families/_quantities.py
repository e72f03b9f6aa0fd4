"""Whether two sentences name the same amounts, percentages, sums of money and dates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import f_score

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_UNITS = {
    word: value
    for value, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
        "fifteen sixteen seventeen eighteen nineteen".split()
    )
}
_TENS = {
    word: 10 * (i + 2)
    for i, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split())
}
_SCALES = {
    **{"hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12},
    **{"dozen": 12.0, "mn": 1e6, "bn": 1e9, "tn": 1e12},
}
_CURRENCIES = {
    **dict.fromkeys(("$", "us$", "usd", "dollar", "dollars"), "dollar"),
    **dict.fromkeys(("€", "eur", "euro", "euros"), "euro"),
    **dict.fromkeys(("£", "gbp", "pound", "pounds", "sterling"), "pound"),
    **dict.fromkeys(("¥", "jpy", "yen"), "yen"),
    **dict.fromkeys(("₹", "rs", "inr", "rupee", "rupees"), "rupee"),
    **dict.fromkeys(("cny", "yuan", "renminbi"), "yuan"),
    **dict.fromkeys(("chf", "franc", "francs"), "franc"),
    **dict.fromkeys(("rub", "rouble", "roubles", "ruble", "rubles"), "rouble"),
    **dict.fromkeys(("¢", "cent", "cents"), "cent"),
}
_PERCENT = frozenset(["%", "percent", "pct", "pc"])
_MONTHS = {
    name: month
    for month, names in enumerate(
        (
            *("january jan", "february feb", "march mar", "april apr", "may", "june jun"),
            *("july jul", "august aug", "september sept sep", "october oct", "november nov"),
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
# Also words of everyday: months only beside a number.
_DOUBTFUL = frozenset(["march", "may", "mar", "jun", "sept", "sep", "dec"])
_DAYS = {
    name: day
    for day, names in enumerate(
        (
            *("monday mon", "tuesday tue tues", "wednesday wed", "thursday thu thur thurs"),
            *("friday fri", "saturday", "sunday"),
        )
    )
    for name in names.split()
}
_DOUBTFUL_DAYS = frozenset(["mon", "tue", "wed", "thu", "fri"])
_NUMBER = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]*\.?[0-9]+")
_SCALED = re.compile(r"([0-9.,]*[0-9])(k|m|mn|bn|b|tn)", re.ASCII)
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "b": 1e9, "bn": 1e9, "tn": 1e12}
_ORDINAL = re.compile(r"([0-9]{1,2})(?:st|nd|rd|th)")
_ISO_DATE = re.compile(r"\b([12][0-9]{3})-([01]?[0-9])-([0-3]?[0-9])\b")
_SLASHED_DATE = re.compile(r"\b([0-3]?[0-9])/([0-3]?[0-9])/([12][0-9]{3})\b")
_WORDS = frozenset([*_UNITS, *_TENS, "a", "an"])  # that a number can begin with
# Without a digit and without one of these, nothing is named.
_TELLING = frozenset([*_WORDS, *_MONTHS, *_DAYS, *(f"{d}." for d in _DAYS)])
_NOTHING: tuple[Set[object], ...] = (frozenset(), frozenset(), frozenset(), frozenset())
_MAX_DIGITS = 15  # beyond, digits are a name rather than an amount


class Amount(NamedTuple):
    """A number in a sentence: its value, and the tokens that it takes."""

    value: float
    start: int
    end: int


def amounts(tokens: Sequence[str]) -> list[Amount]:
    """Numbers in digits and in words, in order.

    Parameters
    ----------
    tokens : sequence of str
        Lower-cased.

    Examples
    --------
    >>> from skpara.features.families._quantities import amounts
    >>> tokens = "twenty five of 1.5 million , two hundred and six".split()
    >>> [amount.value for amount in amounts(tokens)]
    [25.0, 1500000.0, 206.0]
    """
    found = []
    end = 0
    for start, token in enumerate(tokens):
        if start < end:
            continue
        if token in _WORDS:
            end, value = _in_words(tokens, start)
        elif token[0].isdigit() or token[-1].isdigit():
            end, value = _scaled(tokens, start + 1, _in_digits(token))
        else:
            continue
        if value >= 0:
            found.append(Amount(value, start, end))
    return found


def _in_digits(token: str) -> float:
    """The value, or -1 where the token is something else."""
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
    """The end and value of a number like "three million two hundred and six"; -1 for none."""
    if tokens[start] in ("a", "an"):
        end, value = _scaled(tokens, start + 1, 1.0)
        return (end, value) if end > start + 1 else (end, -1.0)
    total, part, last = 0.0, 0.0, np.inf
    end = i = start
    while i < len(tokens):
        token = tokens[i]
        # "twenty five" is one number, "five twenty" and "five six" are two.
        if token in _UNITS and last >= (20 if _UNITS[token] < 10 else 100):
            part, last = part + _UNITS[token], 1
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


def money(tokens: Sequence[str], found: Sequence[Amount]) -> set[tuple[str, float]]:
    """Amounts with a currency before or after them.

    Examples
    --------
    >>> from skpara.features.families._quantities import amounts, money
    >>> tokens = "$ 3 million and 20 euros".split()
    >>> sorted(money(tokens, amounts(tokens)))
    [('dollar', 3000000.0), ('euro', 20.0)]
    """
    sums = set()
    for value, start, end in found:
        before = tokens[start - 1] if start else ""
        after = tokens[end] if end < len(tokens) else ""
        if before in _CURRENCIES and not before.isalpha():
            sums.add((_CURRENCIES[before], value))
        elif after in _CURRENCIES:
            sums.add((_CURRENCIES[after], value))
        elif before in _CURRENCIES and len(before) == 3:  # "USD 20"
            sums.add((_CURRENCIES[before], value))
    return sums


def percentages(tokens: Sequence[str], found: Sequence[Amount]) -> set[float]:
    """Amounts that are followed by a word or sign for percent."""
    return {
        value
        for value, _, end in found
        if end < len(tokens)
        and (tokens[end] in _PERCENT or tuple(tokens[end : end + 2]) == ("per", "cent"))
    }


def dates(text: str, tokens: Sequence[str]) -> set[tuple[str, int]]:
    """Days of the week, months, days of months and years.

    Parameters
    ----------
    text : str
        For dates in digits, which tokens cut up: "2012-05-31", "5/31/2012" (the month first,
        unless that cannot be).
    tokens : sequence of str
        Lower-cased.

    Examples
    --------
    >>> from skpara.features.families._quantities import dates
    >>> sorted(dates("", "on Tuesday , May 31st , 2012".lower().split()))
    [('day', 31), ('month', 5), ('weekday', 1), ('year', 2012)]
    >>> sorted(dates("by 2012-05-31", []))
    [('day', 31), ('month', 5), ('year', 2012)]
    """
    found = set(_dates_in_digits(text)) if "-" in text or "/" in text else set()
    for i, token in enumerate(tokens):
        if token[0].isdigit():
            if year := _year(token):
                found.add(("year", year))
            continue
        name = token.rstrip(".")
        if name not in _MONTHS and name not in _DAYS:
            continue
        beside = {_day(tokens[k]) for k in (i - 1, i + 1) if 0 <= k < len(tokens)} - {0}
        if name in _DAYS:
            if name not in _DOUBTFUL_DAYS or beside or token != name:
                found.add(("weekday", _DAYS[name]))
        elif name not in _DOUBTFUL or beside or any(map(_year, tokens[i + 1 : i + 4])):
            found.add(("month", _MONTHS[name]))
            found |= {("day", day) for day in beside}
    return found


def _dates_in_digits(text: str) -> Iterator[tuple[str, int]]:
    for year, month, day in _ISO_DATE.findall(text):
        yield from (("year", int(year)), ("month", int(month)), ("day", int(day)))
    for first, second, year in _SLASHED_DATE.findall(text):
        month, day = (second, first) if int(first) > 12 else (first, second)
        yield from (("year", int(year)), ("month", int(month)), ("day", int(day)))


def _day(token: str) -> int:
    """The day of a month that a token names, or 0."""
    ordinal = _ORDINAL.fullmatch(token)
    digits = ordinal[1] if ordinal else token
    is_day = len(digits) <= 2 and digits.isascii() and digits.isdecimal() and int(digits) <= 31
    return int(digits) if is_day else 0


def _year(token: str) -> int:
    """The year that a token names, or 0."""
    is_year = len(token) == 4 and token.isascii() and token.isdecimal()
    return int(token) if is_year and 1500 <= int(token) < 2100 else 0


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs.

    Each is F of what both sides name / what each names, in [0, 1]; 1 where neither names any.

    quantity_f
        Of the values of numbers, in digits or in words: "two" is 2, "1.5 million" 1,500,000.
    percent_f
        Of percentages.
    money_f
        Of sums of money with their currency.
    date_f
        Of days of the week, months, days of months and years.

    All are symmetric.
    """
    sides = batch.takelab
    texts = batch.sentences + [""] * (len(sides.tokens) - len(batch.sentences))
    for (a, b), i, j in zip(sides.pairs, batch.left.tolist(), batch.right.tolist(), strict=True):
        texts[a], texts[b] = batch.sentences[i], batch.sentences[j]
    have_words = sides.having(token in _TELLING for token in sides.distinct)
    named = [
        _named(text, tokens) if in_words or in_digits else _NOTHING
        for text, tokens, in_words, in_digits in zip(
            texts, sides.tokens, have_words, sides.have_digits, strict=True
        )
    ]
    return sides.score(lambda first, second: tuple(map(_agreement, first, second)), named)


def _agreement(first: Set[object], second: Set[object]) -> float:
    if not first and not second:
        return 1.0
    return f_score(len(first & second), len(first), len(second))


def _named(text: str, tokens: Sequence[str]) -> tuple[Set[object], ...]:
    lowered = [token.lower() for token in tokens]
    found = amounts(lowered)
    return (
        {amount.value for amount in found},
        percentages(lowered, found),
        money(lowered, found),
        dates(text, lowered),
    )


FAMILY = Family("quantities", ("quantity_f", "percent_f", "money_f", "date_f"), compute)
