"""Numbers in digits, and the units behind them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from typing import NamedTuple

import numpy as np

from skpara.quantities._lexicon import DIGITS, SCALES_OF_LETTERS, UNIT

# Letters and words for thousands behind a number without a currency: "5 m" are metres.
SCALES = {"k": 1e3, "thousand": 1e3, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_SCALES_OF_MONEY = SCALES | SCALES_OF_LETTERS
_FRACTION = r"(?:\d+[ -])?\d+/\d+"
# A number of a text, with its unit. What is part of a code, a date, a phone number or a longer
# number is none.
_NUMBER = re.compile(
    r"(?<![^\W_])(?<![^\W_][-./:])(?<!\d[,\u00a0\u202f])(?!(?<=\d')\d{3}(?!\d))"
    r"(?P<sign>(?<![^\s(])[-+])?(?P<money>[$€£¥₹])?\s?"
    rf"(?P<number>{_FRACTION}|{DIGITS})(?![-./:]\d)(?P<by>(?:\s?[x×]\s?{DIGITS})*)"
    rf"(?P<space>[\s-]?)(?P<unit>{UNIT})?"
)
# "5 in stock" is not a length, but "5 in x 7 in" is.
_NO_INCH = re.compile(r"[\s-]*(?!(?:x|by)\b)[^\W_]")
_BETWEEN_UNITS = re.compile(r"[\s.]")
_DIGITS_OF_LIST = re.compile(DIGITS)
_GROUPED = re.compile(r"\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:([.,])\d+)?")
_SIMPLE = re.compile(r"(?:\d*[.,])?\d+")


class Numbers(NamedTuple):
    """Numbers of a text that have one unit, as in "10 x 20 cm", and where they are."""

    values: list[float]
    unit: str  # "" for none
    starts: list[int]  # of each number
    start: int
    end: int


def find_numbers(text: str, units: Container[str]) -> Iterator[Numbers]:
    """Find the numbers of a folded text, but not those that are parts of codes.

    ``units`` are the known ones.
    """
    for match in _NUMBER.finditer(text):
        word = match["unit"] or ""
        unit = match["money"] or _unit_of(match, units)
        scale = (_SCALES_OF_MONEY if match["money"] else {} if unit else SCALES).get(word, 1.0)
        has_word = scale != 1 or (unit and not match["money"])
        end = match.end("unit" if has_word else "by")
        if not unit and end < len(text) and (text[end].isalnum() or text[end] == "_"):
            continue  # "120" of "120b"
        sign = -1 if match["sign"] == "-" else 1
        places = [(sign * _fraction(match["number"]), match.start("number"))]
        for more in _DIGITS_OF_LIST.finditer(text, *match.span("by")):
            places.append((value_of(more[0]), more.start()))
        read = [(value * scale, start) for value, start in places if not np.isnan(value)]
        values, starts = [x for x, _ in read], [x for _, x in read]
        yield Numbers(values, unit, starts, match.start(), end)


def _unit_of(match: re.Match[str], units: Container[str]) -> str:
    """Return the unit behind a number, "" if there is none."""
    name = _BETWEEN_UNITS.sub("", match["unit"] or "")
    text, end = match.string, match.end("unit")
    if not name or name not in units:
        return ""
    if name[0].isalpha():
        is_whole = match["space"] and match["number"].isdigit()
        is_inch = not (name == "in" and is_whole and _NO_INCH.match(text, end))
        is_other = text[end : end + 1].isdigit() or not is_inch
    else:
        is_other = text[end : end + 1].isalpha()  # "80's"
    return "" if is_other else name


def value_of(written: str) -> float:
    """Return the value of digits with marks between, NaN if they are not a number."""
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
        return value_of(written)
    *whole, parts = re.split("[ -]", written)
    above, below = map(float, parts.split("/"))
    return sum(map(float, whole)) + (above / below if below else np.nan)
