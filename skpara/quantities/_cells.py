"""Cells that are numbers, quantities or sizes, and the quantities of texts in cells."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from skpara._normal_form import KEPT, compact, fold
from skpara.quantities._lexicon import (
    CARDINALS,
    CURRENCIES,
    DIGITS,
    ENDINGS,
    ORDINALS,
    TENS,
    TENTHS,
    UNITS,
    WORDS,
)
from skpara.quantities._numbers import SCALES, find_numbers, value_of
from skpara.quantities._phones import PHONE

# Numbers beyond are this one, so that their differences are finite.
_LARGEST = 1e300
# Sums of quantities in different units differ in the last digits.
_SIGNIFICANT_DIGITS = 9
_PACK_OF = re.compile(r"(?<!\d[ -])\b(?:pack|set|box|case) of (\d+)\b")
# The two numbers of "5-10 kg", but not of codes and dates.
_RANGE = re.compile(r"(?<![\w./-])(\d+)-(\d+)(?![./-]?\d)")
_BETWEEN_PARTS = re.compile(r"[\s.]*(?:and )?")
_CELL = re.compile(
    rf"(?P<before>[#~$€£¥₹]|[a-z]{{2}}\$|[a-z]{{3}}(?=[\s\d-]))?\s*(?:(?P<sign>[-+])\s*)?"
    rf"(?:[$€£¥₹]\s*)?(?P<number>\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?|{DIGITS})"
    rf"(?:e(?P<exponent>[-+]?\d{{1,4}}))?\s*(?P<after>.*)",
    re.DOTALL,
)
_IN_WORDS = CARDINALS | TENS | ORDINALS | TENTHS
# "One" and "second" are rarely numbers in texts; "I", "V" and "X" are mostly something else.
_WORDS_IN_TEXT = {**_IN_WORDS, **WORDS["roman"]}
for _word in ("one", "second"):
    del _WORDS_IN_TEXT[_word]
# "****" and "★★★☆☆"
_STARS = re.compile(r"([*★]+)☆*")
# "0:20" is 20 minutes.
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
# Words and marks of a size that say which side is meant, or of what.
_SIDES = frozenset(WORDS["sides"])
_WORD = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"(?<![\w.,])(\d+)(?:st|nd|rd|th)\b")


def _prepared(text: str) -> str:
    """Return a text in which numbers are easier to find."""
    without_phones = PHONE.sub(" ", fold(text))
    return _PACK_OF.sub(r"\1 pack", _RANGE.sub(r"\1 to \2", without_phones))


class _Amount(NamedTuple):
    """A number with a unit: what it measures, its size in the base unit, and as written."""

    measure: str
    size: float
    unit: float  # its size in the base unit
    start: int
    end: int


@lru_cache(KEPT)
def _amounts(folded: str) -> tuple[_Amount, ...]:
    """Return the numbers with units; those of one measure that follow each other are one."""
    amounts: list[_Amount] = []
    for values, name, _, start, end in find_numbers(folded, UNITS):
        if not name:
            continue
        measure, unit = UNITS[name]
        last = amounts[-1] if amounts else None
        if (
            last
            and last.measure == measure
            and last.unit > unit
            and len(values) == 1
            and _BETWEEN_PARTS.fullmatch(folded, last.end, start)
        ):
            size = last.size + values[0] * unit
            amounts[-1] = _Amount(measure, size, unit, last.start, end)
        else:
            amounts += [_Amount(measure, value * unit, unit, start, end) for value in values]
    return tuple(amounts)


class Number(NamedTuple):
    """The number that a cell is: NaN if it is none; what it measures, and the size of its unit."""

    value: float
    measure: str = ""
    unit: float = 1.0


def number(text: str) -> float:
    """Return the number that a cell is, NaN if it is none; see :func:`measured`."""
    return measured(text).value


@lru_cache(KEPT)
def measured(text: str) -> Number:
    """Return the number that a cell is, and its unit.

    It may have a currency, a unit ("1 hr 13 min" is 73), a percent sign or the ending of an
    ordinal, and may be a word. "1.234,50" is 1234.5, and "1,234" 1234.
    """
    folded = _prepared(text).strip()
    stars = _STARS.fullmatch(folded)
    if stars or folded in _IN_WORDS:
        return Number(float(len(stars[1]) if stars else _IN_WORDS[folded]))
    if match := _CLOCK.fullmatch(folded):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return Number(60 * hours + minutes + seconds / 60, "time", 60.0)
    amounts = _amounts(folded)
    if len(amounts) == 1 and not compact(folded[: amounts[0].start] + folded[amounts[0].end :]):
        amount = amounts[0]
        return Number(amount.size / amount.unit, _of_cell(amount.measure), amount.unit)
    match = _CELL.fullmatch(folded)
    if not match:
        return Number(np.nan)
    before, after = match["before"] or "", match["after"].strip(" .*★")
    known = after in UNITS or after in ENDINGS or after in SCALES or not after
    if not known or (len(before) == 3 and before not in UNITS):
        return Number(np.nan)
    value = value_of(match["number"]) * SCALES.get(after, 1)
    if match["exponent"]:
        value = float(f"{value!r}e{match['exponent']}")
    value = min(value, _LARGEST) if not np.isnan(value) else value
    measure, unit = UNITS.get(before, UNITS.get(after, ("", 1.0)))
    return Number(-value if match["sign"] == "-" else value, _of_cell(measure), unit)


def _of_cell(measure: str) -> str:
    """Return what a cell measures: any money is one, as tables have one currency or no sign."""
    return "money" if measure in CURRENCIES.values() else measure


@lru_cache(KEPT)
def sides(text: str) -> tuple[float, ...]:
    """Return the lengths of a cell that is a size, in millimetres: "825 x 559 mm"."""
    folded = _prepared(text)
    amounts = _amounts(folded)
    ends = [0, *(end for x in amounts for end in (x.start, x.end)), len(folded)]
    others = " ".join(folded[i:j] for i, j in zip(ends[::2], ends[1::2], strict=True))
    is_size = len(amounts) > 1 and {x.measure for x in amounts} == {"length"}
    is_size = is_size and _SIDES.issuperset(_WORD.findall(others))
    return tuple(x.size for x in amounts) if is_size else ()


@lru_cache(KEPT)
def quantities(text: str) -> dict[str, set[float]]:
    """Return the numbers with units in a text, by what they measure, in one unit each.

    Lengths are in millimetres, weights in milligrams, volumes in millilitres, times in seconds,
    data in kilobytes, power in watts, frequencies in hertz, charges in milliampere hours; prices
    are by their currency, and "pieces" are packs and counts.
    """
    result: defaultdict[str, set[float]] = defaultdict(set)
    for x in _amounts(_prepared(text)):
        result[x.measure].add(float(f"{x.size:.{_SIGNIFICANT_DIGITS}g}"))
    return dict(result)


@lru_cache(KEPT)
def numbers(text: str) -> frozenset[float]:
    """Return the numbers without a unit in a text: digits, ordinals, and words."""
    folded = _prepared(text)
    found = {x for these in find_numbers(folded, UNITS) if not these.unit for x in these.values}
    found.update(float(digits) for digits in _ORDINAL.findall(folded))
    words = _WORD.findall(folded)
    found.update(_WORDS_IN_TEXT[word] for word in words if word in _WORDS_IN_TEXT)
    return frozenset(found)
