"""Dates in all common forms, as spans of days, also when the day is not known."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import numpy as np

from skpara._normal_form import KEPT, key
from skpara._typing import Floats

# Two digits of a year up to this number are of this century: dates are mostly of the past.
_LAST_YEAR = 30
_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
# Years of dates are from 1000 to 2199.
_YEAR = r"(?P<year>(?:1\d|2[01])\d\d)"
_SHORT_YEAR = rf"(?:{_YEAR}|(?P<short>\d\d))"
# No digit is before or after a date, with a mark between or without.
_BEFORE = r"(?<!\d)(?<!\d[-/.])"
_AFTER = r"(?!\d|[-/.]\d)"
_DAY = r"(?<!\d)(?P<{}>\d{{1,2}})(?:st|nd|rd|th)?"
YEAR_FIRST = re.compile(
    rf"{_BEFORE}{_YEAR}\s?([-/.])\s?(?P<month>\d{{1,2}})\s?\2\s?(?P<day>\d{{1,2}}){_AFTER}"
)
_DAY_FIRST = re.compile(
    rf"{_BEFORE}(?P<day>\d{{1,2}})\s?([-/.])\s?(?P<month>\d{{1,2}})\s?\2\s?{_SHORT_YEAR}{_AFTER}"
)
# Of "May 12 1999", the day is later.
_FORMS = [
    YEAR_FIRST,
    re.compile(
        rf"(?<!\d){_YEAR}[\s.,-]+(?P<month>{_MONTH})\b(?:[\s.,-]*{_DAY.format('day')}(?!\d))?"
    ),
    re.compile(
        rf"(?:{_DAY.format('day')}[\s.-]*(?:of\s)?)?\b(?P<month>{_MONTH})\b[\s.,-]*"
        rf"(?:{_DAY.format('later')}[\s.,-]+)?'?{_SHORT_YEAR}(?!\d)"
    ),
    re.compile(rf"^{_YEAR}[-/.](?P<month>0?[1-9]|1[0-2])$"),
    re.compile(rf"^(?P<month>\d{{1,2}})[-/.]{_YEAR}$"),
]
_EIGHT_DIGITS = re.compile(r"\d{8}")
# From one date to another: "1880-1885", "12 May 1999 to 3 June 1999".
_BETWEEN = re.compile(r" (?:-|to|until|bis) |(?<=\d{4})\s?[-/]\s?(?=\d{4}(?!\d))")
_SHORT_END = re.compile(r"(?<=^(\d\d)\d\d)[-/](?=(?:1[3-9]|[2-9]\d)$)")  # "1880-85"
_VAGUE = re.compile(
    rf"(?P<about>(?:circa|about|around|ca?(?![^\W\d_]))\.?\s*)?(?:(?P<part>early|mid|late)[\s-]*)?"
    rf"(?:(?P<century>[1-9]|1\d|2[01])(?:st|nd|rd|th|\.)\s*(?:century|cent\b|c\b|jh\b)"
    rf"|(?P<decade>[12]\d\d0)'?s|{_YEAR}(?:\.0)?)"
)
_TIME = re.compile(
    r"(?<![\d:+-])(\d\d?):([0-5]\d)(?::([0-5]\d(?:\.\d{1,9})?))?(?![\d:]) ?(?:([ap])\.?m\b)?"
)
# What "c." adds on both sides of a year, in years.
_ABOUT = 5
# The first and the last third of a part.
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
    folded = _SHORT_END.sub(r"-\1", key(text).strip(" .,;()[]?"))
    if not any(map(str.isdigit, folded)):
        return _NO_SPAN, _NO_SPAN
    ends = _BETWEEN.split(folded)
    if len(ends) == 2:
        first, last = map(_dates, ends)
        spans = [(a[0], b[1]) for a, b in zip(first, last, strict=True)]
        if any(start <= end for start, end in spans):
            return spans[0], spans[1]
    if _EIGHT_DIGITS.fullmatch(folded):
        year_first, year_last = (
            "-".join(folded[a:b] for a, b in pairwise((0, i, j, 8))) for i, j in ((4, 6), (2, 4))
        )
        folded = year_last if np.isnan(_read(year_first)).all() else year_first
    return _read(folded)


@lru_cache(KEPT)
def time_of_day(text: str) -> float:
    """Return the time of a date, in seconds; NaN for none, and for midnight, which dates have."""
    if not (match := _TIME.search(key(text))):
        return np.nan
    hours, minutes, seconds, half = match.groups("")
    hour = int(hours) % 12 + 12 * (half == "p") if half else int(hours)
    return 3600 * hour + 60 * int(minutes) + float(seconds or 0) or np.nan


def _read(folded: str) -> tuple[Span, Span]:
    """Return the spans of a date, or of what has no day: a month, a year, a century."""
    if match := _DAY_FIRST.search(folded):
        found = match.groupdict("")
        year, day = found["year"] or found["short"], found["day"]
        return _span(year, found["month"], day), _span(year, day, found["month"])
    span = _NO_SPAN
    if match := next(filter(None, (form.search(folded) for form in _FORMS)), None):
        found = {"short": "", "day": "", "later": ""} | match.groupdict("")
        day = found["day"] or found["later"]
        if found["year"] or day:
            span = _span(found["year"] or found["short"], found["month"], day)
    elif match := _VAGUE.fullmatch(folded):
        century, decade = match["century"], match["decade"]
        n = 100 if century else 10 if decade else 1
        start = 100 * int(century) - 99 if century else int(decade or match["year"])
        first, last = (n * third // 3 for third in _PARTS[match["part"]])
        about = _ABOUT if match["about"] and n == 1 else 0
        ends = start + first - about, start + last - 1 + about
        span = _span(f"{ends[0]:04}")[0], _span(f"{ends[1]:04}")[1]
    return span, span


def _span(year: str, month: str = "", day: str = "") -> Span:
    """Return the days of a date, or of a month or year."""
    if len(year) == 2:
        year = f"{20 if int(year) <= _LAST_YEAR else 19}{year}"
    if month[:3] in _MONTHS:
        month = str(_MONTHS.index(month[:3]) + 1)
    try:
        first = np.datetime64("-".join([year, *(x.zfill(2) for x in (month, day) if x)]))
    except ValueError:
        return _NO_SPAN
    start, end = (x.astype("M8[D]").astype(float) for x in (first, first + 1))
    return start, end - 1


def iso_form(span: Sequence[float]) -> str:
    """Return a date as in ISO 8601, no more of it than is known."""
    start, end = (str(np.datetime64(int(x), "D")) for x in span)
    shared = [a for a, b in zip(start.split("-"), end.split("-"), strict=True) if a == b]
    return "-".join(shared if start[:4] == end[:4] else [start[:4], end[:4]])
