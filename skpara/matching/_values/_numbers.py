"""Numbers in cells and texts, and quantities with their units."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from skpara.matching._values._folding import KEPT, compact, fold
from skpara.matching._values._phones import PHONE
from skpara.matching._values._units import DIGITS, ENDINGS, LEXICON, MONEY, UNIT, UNITS

# Numbers beyond are this one, so that their differences are finite.
_LARGEST = 1e300
# Sums of quantities in different units differ in the last digits.
_SIGNIFICANT_DIGITS = 9
_SCALES = LEXICON["scales"]
_SCALES_OF_MONEY = _SCALES | LEXICON["scales of money"]
_FRACTION = r"(?:\d+[ -])?\d+/\d+"
# A number of a text, with its unit. What is part of a code, a date, a phone number or a longer
# number is none.
_NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_][-./:])(?<!\d[,\u00a0\u202f])(?!(?<=\d')\d{3}(?!\d))"
    r"(?P<sign>(?<![^\s(])[-+])?(?P<money>[$€£¥₹])?\s?"
    rf"(?P<number>{_FRACTION}|{DIGITS})(?![-./:]\d)(?P<by>(?:\s?[x×]\s?{DIGITS})*)"
    rf"(?P<space>[\s-]?)(?P<unit>{UNIT})?"
)
_PACK_OF = re.compile(r"(?<!\d[ -])\b(?:pack|set|box|case) of (\d+)\b")
# The two numbers of "5-10 kg", but not of codes and dates.
_RANGE = re.compile(r"(?<![\w./-])(\d+)-(\d+)(?![./-]?\d)")
# "5 in stock" is no length, but "5 in x 7 in" is.
_NO_INCH = re.compile(r"[\s-]*(?!(?:x|by)\b)[^\W_]")
_BETWEEN_PARTS = re.compile(r"[\s.]*(?:and )?")
_DIGITS_OF_LIST = re.compile(DIGITS)
_GROUPED = re.compile(r"\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:([.,])\d+)?")
_SIMPLE = re.compile(r"(?:\d*[.,])?\d+")
_CELL = re.compile(
    rf"(?P<before>[#~$€£¥₹]|[a-z]{{2}}\$|[a-z]{{3}}(?=[\s\d-]))?\s*(?:(?P<sign>[-+])\s*)?"
    rf"(?:[$€£¥₹]\s*)?(?P<number>\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?|{DIGITS})"
    rf"(?:e(?P<exponent>[-+]?\d{{1,4}}))?\s*(?P<after>.*)",
    re.DOTALL,
)
_IN_WORDS = LEXICON["words"]
# Words that are no number in most texts, though they may be one in a cell.
_MOSTLY_NO_NUMBER = ("one", "second")
# "I", "V" and "X" are mostly something else.
_WORDS_IN_TEXT = {
    word: value
    for word, value in (_IN_WORDS | LEXICON["roman"]).items()
    if word not in _MOSTLY_NO_NUMBER
}
# "****" and "★★★☆☆"
_STARS = re.compile(r"([*★]+)☆*")
# "0:20" is 20 minutes.
_CLOCK = re.compile(r"(\d{1,3}):([0-5]\d)(?::([0-5]\d))?")
# Words and marks of a size that say which side is meant, or of what.
_SIDES = frozenset(LEXICON["sides"])
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


def _only_amount(folded: str) -> _Amount | None:
    """Return the number with a unit that a cell is, None if it has more or none."""
    amounts = _amounts(folded)
    if len(amounts) == 1 and not compact(folded[: amounts[0].start] + folded[amounts[0].end :]):
        return amounts[0]
    return None


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
    ordinal, and may be written in words up to twelve. "1.234,50" is 1234.5, and "1,234" 1234.
    """
    folded = _prepared(text).strip()
    stars = _STARS.fullmatch(folded)
    if stars or folded in _IN_WORDS:
        return Number(float(len(stars[1]) if stars else _IN_WORDS[folded]))
    if match := _CLOCK.fullmatch(folded):
        hours, minutes, seconds = (int(part or 0) for part in match.groups())
        return Number(60 * hours + minutes + seconds / 60, "time", 60.0)
    if amount := _only_amount(folded):
        return Number(amount.size / amount.unit, _of_cell(amount.measure), amount.unit)
    match = _CELL.fullmatch(folded)
    if not match:
        return Number(np.nan)
    before, after = match["before"] or "", match["after"].strip(" .*★")
    known = after in UNITS or after in ENDINGS or after in _SCALES or not after
    if not known or (len(before) == 3 and before not in UNITS):
        return Number(np.nan)
    value = _value(match["number"]) * _SCALES.get(after, 1)
    if match["exponent"]:
        value = float(f"{value!r}e{match['exponent']}")
    value = min(value, _LARGEST) if not np.isnan(value) else value
    measure, unit = UNITS.get(before, UNITS.get(after, ("", 1.0)))
    return Number(-value if match["sign"] == "-" else value, _of_cell(measure), unit)


def _of_cell(measure: str) -> str:
    return "money" if measure in MONEY else measure


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


def _value(written: str) -> float:
    """Return the value of digits with marks between, NaN if they are no number."""
    grouped = _GROUPED.fullmatch(written)
    if grouped and grouped[1] != grouped[2]:
        n_marks = written.count(grouped[1])
        # "1.234" has three decimals, and so has "0,123".
        if grouped[2] or n_marks > 1 or not (grouped[1] == "." or written.startswith("0")):
            plain = written.replace(grouped[1], "")
            return float(plain.replace(grouped[2], ".") if grouped[2] else plain)
    if _SIMPLE.fullmatch(written):
        return float(written.replace(",", "."))
    return np.nan


def _fraction(written: str) -> float:
    """Return the value of "1 1/2", or of a number without a fraction."""
    if "/" not in written:
        return _value(written)
    *whole, parts = re.split("[ -]", written)
    above, below = map(float, parts.split("/"))
    return sum(map(float, whole)) + (above / below if below else np.nan)


class _Found(NamedTuple):
    """Numbers of a text that have one unit, as in "10 x 20 cm", and where they are."""

    values: list[float]
    unit: tuple[str, float] | None  # what it measures, and its size
    start: int
    end: int


def _find_numbers(folded: str) -> list[_Found]:
    """Return the numbers of a text, but not those that are parts of codes."""
    found = []
    for match in _NUMBER.finditer(folded):
        unit, word = _unit_of(match), match["unit"] or ""
        scale = 1.0
        if match["money"]:
            unit, scale = UNITS[match["money"]], _SCALES_OF_MONEY.get(word, 1.0)
        elif unit is None:
            scale = _SCALES.get(word, 1.0)
        has_word = scale != 1 or (unit is not None and not match["money"])
        end = match.end("unit" if has_word else "by")
        if unit is None and end < len(folded) and (folded[end].isalnum() or folded[end] == "_"):
            continue  # "120" of "120b"
        values = [_fraction(match["number"])]
        values += [_value(x) for x in _DIGITS_OF_LIST.findall(match["by"])]
        if match["sign"] == "-":
            values[0] = -values[0]
        values = [x * scale for x in values if not np.isnan(x)]
        found.append(_Found(values, unit, match.start(), end))
    return found


def _unit_of(match: re.Match[str]) -> tuple[str, float] | None:
    """Return what the unit behind a number measures and its size, None if there is none."""
    written = match["unit"] or ""
    name = re.sub(r"[\s.]", "", written)
    known, text, end = UNITS.get(name), match.string, match.end("unit")
    if known is None:
        return None
    if name[0].isalpha():
        is_whole = match["space"] and match["number"].isdigit()
        is_inch = not (name == "in" and is_whole and _NO_INCH.match(text, end))
        is_other = text[end : end + 1].isdigit() or not is_inch
    else:
        is_other = text[end : end + 1].isalpha()  # "80's"
    return None if is_other else known


@lru_cache(KEPT)
def _amounts(folded: str) -> tuple[_Amount, ...]:
    """Return the numbers with units; those of one measure that follow each other are one."""
    amounts: list[_Amount] = []
    for values, known, start, end in _find_numbers(folded):
        if known is None:
            continue
        measure, unit = known
        last = amounts[-1] if amounts else None
        if (
            last
            and last.measure == measure
            and last.unit > unit
            and len(values) == 1
            and _BETWEEN_PARTS.fullmatch(folded[last.end : start])
        ):
            size = last.size + values[0] * unit
            amounts[-1] = _Amount(measure, size, unit, last.start, end)
        else:
            amounts += [_Amount(measure, value * unit, unit, start, end) for value in values]
    return tuple(amounts)


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
    """Return the numbers without a unit in a text: digits, ordinals, small ones in words."""
    folded = _prepared(text)
    found = {x for values, unit, *_ in _find_numbers(folded) if unit is None for x in values}
    found.update(float(digits) for digits in _ORDINAL.findall(folded))
    words = _WORD.findall(folded)
    found.update(_WORDS_IN_TEXT[word] for word in words if word in _WORDS_IN_TEXT)
    return frozenset(found)
