"""Dates in all common forms, also those of which no day is known, as spans of days."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import pairwise

import numpy as np

from skpara._typing import Floats
from skpara.matching._values._folding import KEPT, key

# Two digits of a year up to this number are of this century: dates are mostly of the past.
_LAST_YEAR = 30
# Years of dates: from the first one, before the other.
_FIRST_YEAR = 1000
_END_OF_YEARS = 2200
_EPOCH = date(1970, 1, 1).toordinal()
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# No digit is before or after a date, with a mark between or without.
_BEFORE = r"(?<!\d)(?<!\d[-/.])"
_AFTER = r"(?!\d|[-/.]\d)"
YEAR_FIRST = re.compile(rf"{_BEFORE}(\d{{4}})\s?([-/.])\s?(\d{{1,2}})\s?\2\s?(\d{{1,2}}){_AFTER}")
_YEAR_LAST = re.compile(
    rf"{_BEFORE}(\d{{1,2}})\s?([-/.])\s?(\d{{1,2}})\s?\2\s?(\d{{4}}|\d{{2}}){_AFTER}"
)
_DAY = r"(?<!\d)(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
_MONTH_THEN_YEAR = re.compile(
    rf"(?:{_DAY.format('day')}[\s.-]*(?:of\s)?)?\b(?P<month>{_MONTH})\b[\s.,-]*"
    rf"(?:{_DAY.format('later')}[\s.,-]+)?'?(?P<year>\d{{4}}|\d{{2}})(?!\d)"
)
_YEAR_THEN_MONTH = re.compile(
    rf"(?<!\d)(?P<year>\d{{4}})[\s.,-]+(?P<month>{_MONTH})\b"
    rf"(?:[\s.,-]*{_DAY.format('day')}(?!\d))?"
)
_EIGHT_DIGITS = re.compile(r"\d{8}")
_YEAR_AND_MONTH = re.compile(
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})|(?P<month>\d{1,2})[-/.](?P<year>\d{4})"
)
# From one date to another: "1880-1885", "12 May 1999 to 3 June 1999".
_BETWEEN = re.compile(r" (?:-|to|until|bis) |(?<=\d{4})\s?[-/]\s?(?=\d{4}(?!\d))")
_SHORT_RANGE = re.compile(r"(\d\d)(\d\d)\s?[-/]\s?(\d\d)")  # "1880-85"
_VAGUE = re.compile(
    r"(?P<about>(?:circa|about|around|ca?(?![^\W\d_]))\.?\s*)?(?:(?P<part>early|mid|late)[\s-]*)?"
    r"(?:(?P<century>\d{1,2})(?:st|nd|rd|th|\.)\s*(?:century|cent\b|c\b|jh\b)"
    r"|(?P<decade>\d{3}0)'?s|(?P<year>\d{4})(?:\.0)?)"
)
# What "c." adds on both sides of a year, in years.
_ABOUT = 5
# The parts of a century or decade, in thirds.
_PARTS = {"early": (0, 1), "mid": (1, 2), "late": (2, 3), None: (0, 3)}

# The first and the last day, counted from 1970-01-01.
Span = tuple[float, float]
_NO_SPAN: Span = (np.nan, np.nan)


def days(cells: Sequence[str]) -> Floats:
    """Return the first and the last day of the dates of a column, read in two ways.

    Of an array of shape (n_cells, 2, 2), the first reading has the day before the month, the
    second the month before the day. They are the same if only one is possible, or if other cells
    of the column show the order. Days are counted from 1970-01-01, and NaN where there is no date.
    """
    found: Floats = np.array(list(map(_dates, cells)), dtype=np.float64).reshape(-1, 2, 2)
    unread = np.isnan(found[:, :, 0])
    n_day_first, n_month_first = (unread[:, ::-1] & ~unread).sum(axis=0)
    if n_day_first != n_month_first:
        # What is impossible in the order of the column keeps its only reading.
        order = int(n_month_first > n_day_first)
        found = np.where(unread[:, [[order]]], found, found[:, [order]])
    return np.where(np.isnan(found), found[:, ::-1], found)


@lru_cache(KEPT)
def _dates(text: str) -> tuple[Span, Span]:
    """Return the first and last day of a date with the day first, and with the month first."""
    folded = key(text)
    if not any(map(str.isdigit, folded)):
        return _NO_SPAN, _NO_SPAN
    ends = _BETWEEN.split(folded)
    if len(ends) == 2:
        first, last = map(_dates, ends)
        spans = [(a[0], b[1]) for a, b in zip(first, last, strict=True)]
        if any(start <= end for start, end in spans):
            return spans[0], spans[1]
    if _EIGHT_DIGITS.fullmatch(folded):
        is_year_first = not np.isnan(_span(folded[:4], folded[4:6], folded[6:])[0])
        borders = (4, 6) if is_year_first else (2, 4)
        folded = "-".join(folded[i:j] for i, j in pairwise((0, *borders, 8)))
    if match := _YEAR_LAST.search(folded):
        first_number, _, second, year = match.groups()
        return _span(year, second, first_number), _span(year, first_number, second)
    match = YEAR_FIRST.search(folded)
    span = _span(match[1], match[3], match[4]) if match else _named_span(folded)
    return span, span


def _named_span(folded: str) -> Span:
    """Return the days of "12 March 1980", and of what has no day: a month, a year, a century."""
    match = _YEAR_THEN_MONTH.search(folded) or _MONTH_THEN_YEAR.search(folded)
    if match:
        found = match.groupdict()
        day_of_month = found["day"] or found.get("later")
        if not day_of_month and len(found["year"]) < 4:
            return _NO_SPAN
        place = _MONTHS.index(found["month"][:3]) + 1
        return _span(found["year"], str(place), day_of_month)
    folded = folded.strip(" .,;()[]?")
    if match := _YEAR_AND_MONTH.fullmatch(folded):
        span = _span(match["y"] or match["year"], match["m"] or match["month"])
        if not np.isnan(span[0]):
            return span
    if match := _SHORT_RANGE.fullmatch(folded):
        first, last = match[1] + match[2], match[1] + match[3]
        return _years(int(first), int(last) + 1) if first < last else _NO_SPAN
    match = _VAGUE.fullmatch(folded)
    if not match:
        return _NO_SPAN
    if match["century"]:
        start, n = 100 * int(match["century"]) - 99, 100
    else:
        start, n = int(match["decade"] or match["year"]), 10 if match["decade"] else 1
    first_third, last_third = _PARTS[match["part"]]
    about = _ABOUT if match["about"] and n == 1 else 0
    return _years(start + n * first_third // 3 - about, start + n * last_third // 3 + about)


def _span(year: str, month: str, day_of_month: str | None = None) -> Span:
    """Return the days of a date, or of a whole month."""
    y, m = int(year), int(month)
    if len(year) == 2:
        y += 2000 if y <= _LAST_YEAR else 1900
    if not _FIRST_YEAR <= y < _END_OF_YEARS:
        return _NO_SPAN
    try:
        start = date(y, m, int(day_of_month or 1)).toordinal() - _EPOCH
    except ValueError:
        return _NO_SPAN
    return float(start), float(start if day_of_month else start + monthrange(y, m)[1] - 1)


def _years(start: int, end: int) -> Span:
    """Return the days from one year to before another."""
    if not (end >= _FIRST_YEAR and 0 < start < end <= _END_OF_YEARS):
        return _NO_SPAN
    first, after = (date(year, 1, 1).toordinal() - _EPOCH for year in (start, end))
    return float(first), float(after - 1)


def iso_form(span: Sequence[float]) -> str:
    """Return a date as in ISO 8601, no more of it than is known."""
    start, end = (date.fromordinal(int(x) + _EPOCH).isoformat() for x in span)
    shared = [a for a, b in zip(start.split("-"), end.split("-"), strict=True) if a == b]
    return "-".join(shared if start[:4] == end[:4] else [start[:4], end[:4]])
