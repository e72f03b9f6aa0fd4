"""Dates in all common forms, as days."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from functools import lru_cache

import numpy as np

from skpara._typing import Floats
from skpara.matching._values._folding import fold
from skpara.matching._values._phones import KEPT

# Two digits of a year up to this number are of this century: dates are mostly of the past.
_LAST_YEAR = 30
# Years of dates: from the first one, before the other.
_FIRST_YEAR = 1000
_END_OF_YEARS = 2200
# The day that stands for a year, as month and day, and for a month.
_MIDDLE_OF_YEAR = ("7", "2")
_MIDDLE_OF_MONTH = "16"
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
_YEAR_AND_MONTH = re.compile(r"(\d{4})[-/.](\d{1,2})|(\d{1,2})[-/.](\d{4})|(\d{4})")


def day(text: str) -> float:
    """Return the days from 1970-01-01 to the date of a cell, NaN if it is none.

    Of 3/4/2024 the month is first, of 3.4.2024 the day; in a column, :func:`days` decides by all
    cells. A month or year without a day is its middle.
    """
    day_first, month_first, mark = _dates(text)
    return day_first if mark == "." or np.isnan(month_first) else month_first


def days(cells: Sequence[str]) -> Floats:
    """Return the days from 1970-01-01 of each cell of a column, read in two ways.

    The first number has the day before the month, the second the month before the day. They are
    the same if only one is possible, or if other cells of the column show the order.
    """
    read = [_dates(cell)[:2] for cell in cells]
    found: Floats = np.array(read, dtype=np.float64).reshape(-1, 2)
    is_only = np.isnan(found[:, ::-1]) & ~np.isnan(found)  # the other reading is impossible
    n_day_first, n_month_first = is_only.sum(axis=0)
    if n_day_first != n_month_first:
        # What is impossible in the order of the column keeps its only reading.
        ordered = found[:, [int(n_month_first > n_day_first)]]
        found = np.where(np.isnan(ordered), found, ordered)
    return np.where(np.isnan(found), found[:, ::-1], found)


@lru_cache(KEPT)
def _dates(text: str) -> tuple[float, float, str]:
    """Return the date with the day first, and with the month first, and the mark between."""
    folded = fold(text)
    if not any(map(str.isdigit, folded)):
        return np.nan, np.nan, ""
    if match := YEAR_FIRST.search(folded):
        value = _days_of(match[1], match[3], match[4])
        return value, value, "-"
    if match := _YEAR_LAST.search(folded):
        first, mark, second, year = match.groups()
        return _days_of(year, second, first), _days_of(year, first, second), mark
    if _EIGHT_DIGITS.fullmatch(folded):
        value = _days_of(folded[:4], folded[4:6], folded[6:])
        if not np.isnan(value):
            return value, value, ""
        first, second, year = folded[:2], folded[2:4], folded[4:]
        return _days_of(year, second, first), _days_of(year, first, second), ""
    value = _named_day(folded)
    return value, value, ""


def _named_day(folded: str) -> float:
    """Return the day of "12 March 1980"; of months and years the middle."""
    match = _YEAR_THEN_MONTH.search(folded) or _MONTH_THEN_YEAR.search(folded)
    if match:
        found = match.groupdict()
        day_of_month = found["day"] or found.get("later")
        if not day_of_month and len(found["year"]) < 4:
            return np.nan
        place = _MONTHS.index(found["month"][:3]) + 1
        return _days_of(found["year"], str(place), day_of_month or _MIDDLE_OF_MONTH)
    match = _YEAR_AND_MONTH.fullmatch(folded.strip(" .,;()"))
    if not match:
        return np.nan
    year_first, month, month_first, year_last, year = match.groups()
    if year:
        return _days_of(year, *_MIDDLE_OF_YEAR)
    return _days_of(year_first or year_last, month or month_first, _MIDDLE_OF_MONTH)


def _days_of(year: str, month: str, day_of_month: str) -> float:
    y = int(year)
    if len(year) == 2:
        y += 2000 if y <= _LAST_YEAR else 1900
    if not _FIRST_YEAR <= y < _END_OF_YEARS:
        return np.nan
    try:
        return float(date(y, int(month), int(day_of_month)).toordinal() - _EPOCH)
    except ValueError:
        return np.nan


def in_digits(cells: Sequence[str], days_of_cells: Floats) -> list[str]:
    """Return dates as they are in ISO 8601, and what is no date as it is."""
    return [
        cell if np.isnan(value) else date.fromordinal(int(value) + _EPOCH).isoformat()
        for cell, value in zip(cells, days_of_cells[:, 0].tolist(), strict=True)
    ]
