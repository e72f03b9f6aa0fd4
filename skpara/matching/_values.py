"""Numbers, quantities, codes and dates in cells and texts.

Each reader takes one text. What a text says is kept, as texts are compared several times.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from datetime import date
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from skpara._typing import Floats
from skpara._unicode import without_accents
from skpara.features import MEASURES

# Texts whose values are kept, for each reader: about 50 MB.
_KEPT = 2**17
# Numbers beyond are this one, so that their differences are finite.
_LARGEST = 1e300
# Sums of quantities in different units differ in the last digits.
_SIGNIFICANT_DIGITS = 9
# Digits alone are a code if there are as many; fewer are a number.
_LONG = 5
# Parts of a code with hyphens are joined in all ways up to this number of parts.
_MOST_PARTS, _SHORTEST_PART = 6, 4
# Two digits of a year up to this number are of this century: dates are mostly of the past.
_LAST_YEAR = 30
_FIRST_YEAR, _END_OF_YEARS = 1000, 2200
# A difference of more than a year is no similarity of dates.
_DAYS = 365
_MIDDLE_OF_YEAR, _MIDDLE_OF_MONTH = ("7", "2"), "16"
_EPOCH = date(1970, 1, 1).toordinal()
# Digits of a number of North America with its country code, and of one with "00" before.
_WITH_ONE, _WITH_ZEROS = 11, 12

_TYPOGRAPHIC = str.maketrans(
    {"’": "'", "‘": "'", "′": "'", "“": '"', "”": '"', "″": '"', "−": "-", "–": "-", "⁄": "/"}
)

# Units that a table of articles has, besides those that sentences have.
_MORE_UNITS: dict[str, dict[str, float]] = {
    "length": {"in": 25.4, '"': 25.4, "''": 25.4, "'": 304.8, "mtr": 1000, "yds": 914.4},
    "weight": {"gm": 1000, "gr": 1000, "lbs": 453592, "kgs": 1e6, "ounces": 28349.5},
    "volume": {
        "fl oz": 30, "dl": 100, "ltr": 1000, "lt": 1000, "gal": 3840, "qt": 960, "pt": 480,
    },
    "time": {"ms": 0.001, "secs": 1, "mins": 60, "hrs": 3600, "yr": 31104000, "yrs": 31104000},
    "data": {"kib": 1, "mib": 1e3, "gib": 1e6, "tib": 1e9, "gig": 1e6},
    "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "voltage": {"mv": 0.001, "v": 1, "volt": 1, "volts": 1, "vdc": 1, "vac": 1, "kv": 1000},
    "charge": {"mah": 1, "ah": 1000},
    "pixels": {"mp": 1, "megapixel": 1, "megapixels": 1, "mpix": 1},
    "speed": {"mbps": 1, "gbps": 1000},
    "turns": {"rpm": 1},
    "resolution": {"dpi": 1},
    "pieces": {
        "pack": 1, "packs": 1, "pk": 1, "ct": 1, "count": 1, "cnt": 1, "pc": 1, "pcs": 1,
        "piece": 1, "pieces": 1, "ea": 1, "set": 1, "doz": 12, "dozen": 12,
    },
    "pages": {"pp": 1, "page": 1, "pages": 1, "pgs": 1},
    "degrees": {"°": 1, "degree": 1, "degrees": 1, "deg": 1},
    "celsius": {"°c": 1},
    "fahrenheit": {"°f": 1},
    "dollar": {"$": 1}, "euro": {"€": 1}, "pound": {"£": 1}, "yen": {"¥": 1}, "rupee": {"₹": 1},
}  # fmt: skip
# "80s" are years, and "ms" no metres.
_NO_UNITS = re.compile("s|.s")
_SCALES = {"k": 1e3, "thousand": 1e3, "mn": 1e6, "million": 1e6, "bn": 1e9, "billion": 1e9}
_SCALES_OF_MONEY = _SCALES | {"m": 1e6, "b": 1e9}


def _known_units() -> dict[str, tuple[str, float]]:
    """Return the measure and the size of each unit."""
    units = {
        name: next(iter(measures.items()))
        for name, measures in MEASURES.items()
        if not _NO_UNITS.fullmatch(name)
    }
    for measure, more in _MORE_UNITS.items():
        units |= {name: (measure, size) for name, size in more.items()}
    return units


_UNITS = _known_units()
_DIGITS = r"(?:\d+(?:[.,\u00a0\u202f]\d+|'\d{3}(?!\d))*|\.\d+)"
_FRACTION = r"(?:\d+[ -])?\d+/\d+"
_UNIT = r"(?:fl\.?\s?oz|°\s?[cf]\b|[^\W\d_]+|''|[\"'°%$€£¥₹])"
# A number of a text, with its unit. What is part of a code, a date or a phone number is none.
_NUMBER = re.compile(
    rf"(?<![^\W_])(?<![^\W_][-./:])(?P<sign>(?<![^\s(])[-+])?(?P<money>[$€£¥₹])?\s?"
    rf"(?P<number>{_FRACTION}|{_DIGITS})(?![-./:]\d)(?P<by>(?:\s?[x×]\s?{_DIGITS})*)"
    rf"(?P<space>[\s-]?)(?P<unit>{_UNIT})?"
)
# Digits in three groups and more, which are no date and no number. Groups with nothing but spaces
# between are of 3, 3 and 4 digits.
_PHONE = re.compile(
    r"(?<![\w./-])(?=[\d ]*[+()./-]|\d{3} \d{3} \d{4}\b)(?!\d{4}([-./])\d\d?\1\d\d?(?!\d))"
    r"(?!\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d.]))"
    r"\+?(?:\d{1,3}[ .-])?\(?\d{2,4}\)?(?:[ ./-]{1,2}\d{2,4}){2,4}(?![\w/-])"
)
_PACK_OF = re.compile(r"(?<!\d[ -])\b(?:pack|set|box|case) of (\d+)\b")
# The two numbers of "5-10 kg", but not of codes and dates.
_RANGE = re.compile(r"(?<![\w./-])(\d+)-(\d+)(?![./-]?\d)")
# "5 in stock" is no length, but "5 in x 7 in" is.
_NO_INCH = re.compile(r"[\s-]*(?!(?:x|by)\b)[^\W_]")
_BETWEEN_PARTS = re.compile(r"[\s.]*(?:and )?")
_DIGITS_OF_LIST = re.compile(_DIGITS)
_GROUPED = re.compile(r"\d{1,3}(?:([,.' \u00a0\u202f])\d{3})(?:\1\d{3})*(?:([.,])\d+)?")
_SIMPLE = re.compile(r"\d*[.,]?\d+")
_CELL = re.compile(
    rf"(?P<before>[#~$€£¥₹]|[a-z]{{2}}\$|[a-z]{{3}}(?=[\s\d-]))?\s*(?P<sign>[-+]?)\s*"
    rf"(?:[$€£¥₹])?\s*(?P<number>\d{{1,3}}(?: \d{{3}})+(?:[.,]\d+)?|{_DIGITS})"
    rf"(?:e(?P<exponent>[-+]?\d{{1,4}}))?\s*(?P<after>.*)"
)
_ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth"
_CARDINALS = "one two three four five six seven eight nine ten eleven twelve"
_IN_WORDS = {
    word: float(value)
    for words in (_ORDINALS, _CARDINALS)
    for value, word in enumerate(words.split(), 1)
}
# Not "one", "second" and "I", "V", "X", which are mostly something else.
_WORDS_IN_TEXT = {x: value for x, value in _IN_WORDS.items() if x not in ("one", "second")} | {
    numeral: float(value)
    for value, numeral in enumerate("- ii iii iv - vi vii viii ix - - xii xiii xiv".split(), 1)
    if numeral != "-"
}
_WORD = re.compile(r"[^\W\d_]+")
_ORDINAL = re.compile(r"(?<![\w.,])(\d+)(?:st|nd|rd|th)\b")
_ENDINGS = frozenset(["st", "nd", "rd", "th"])

_TOKEN = re.compile(r"[^\W_]+(?:[-/._][^\W_]+)*")
# What a table of floats makes of "1999".
_POINT_ZERO = re.compile(r"(?<=^\d{4})\.0$")
_SEPARATOR = re.compile(r"[-/._]")
_NOT_PLAIN = re.compile(r"[\W_]+")
# "12-inch" and "3-way": a number and a word.
_COUNTED = re.compile(r"\d+[^\W\d_]{3,}")
_SIZE = re.compile(rf"{_DIGITS}-?({_UNIT})")
_EXTENSION = re.compile(r"\s*(?:extension|ext|x)\.?\s*\d+\s*$")
_PHONE_WORD = re.compile(r"\b(?:tel|phone|fax|mobile|cell)\b\.?:?")

# Cells of records that say that nothing is known, as programs and people write them. Nan, Nat, Na
# and Null are also names of people.
_PLACEHOLDERS = frozenset(
    [
        "#N/A", "(null)", "<NA>", "N/A", "N.A.", "NA", "NONE", "NULL", "NaN", "None",
        "Not available", "UNKNOWN", "Unknown", "\\N", "n.a.", "n/a", "nan", "none",
        "not available", "null", "unknown",
    ]
)  # fmt: skip
_ONLY_DASHES = re.compile(r"[-–—_?.]+")

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_MONTH = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
    "sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_BEFORE, _AFTER = r"(?<!\d)(?<!\d[-/.])", r"(?!\d|[-/.]\d)"
_YEAR_FIRST = re.compile(rf"{_BEFORE}(\d{{4}})\s?([-/.])\s?(\d{{1,2}})\s?\2\s?(\d{{1,2}}){_AFTER}")
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


def fold(text: str) -> str:
    """Return a text in lower case, without accents, with typewriter's quotes and hyphens."""
    text = text.casefold().strip()
    if text.isascii():
        return text
    # Compatible characters have typographic marks, too: ½ is 1⁄2.
    return without_accents(text.translate(_TYPOGRAPHIC)).translate(_TYPOGRAPHIC)


def key(text: str) -> str:
    """Return what two cells have in common that are the same but for case, accents and spaces."""
    return " ".join(fold(text).split())


def is_placeholder(text: str) -> bool:
    """Return whether a cell of a record says that nothing is known."""
    return text in _PLACEHOLDERS or _ONLY_DASHES.fullmatch(text) is not None


def compact(text: str) -> str:
    """Return the letters and digits of a text alone, folded; "1999.0" is 1999."""
    return _NOT_PLAIN.sub("", _POINT_ZERO.sub("", fold(text)))


def _prepared(text: str) -> str:
    """Return a text in which numbers are easier to find."""
    without_phones = _PHONE.sub(" ", fold(text))
    return _PACK_OF.sub(r"\1 pack", _RANGE.sub(r"\1 to \2", without_phones))


class _Amount(NamedTuple):
    """A number with a unit: what it measures, its size in the base unit, and as written."""

    measure: str
    size: float
    unit: float  # its size in the base unit
    start: int
    end: int


@lru_cache(_KEPT)
def number(text: str) -> float:
    """Return the number that a cell is, NaN if it is none.

    It may have a currency, a unit ("1 hr 13 min" is 73), a percent sign or the ending of an
    ordinal, and may be written in words up to twelve. "1.234,50" is 1234.5, and "1,234" 1234.
    """
    folded = _prepared(text)
    if folded in _IN_WORDS:
        return _IN_WORDS[folded]
    amounts = _amounts(folded)
    if len(amounts) == 1 and not compact(folded[: amounts[0].start] + folded[amounts[0].end :]):
        return amounts[0].size / amounts[0].unit
    match = _CELL.fullmatch(folded)
    if not match:
        return np.nan
    before, after = match["before"] or "", match["after"].strip(" .")
    known = after in _UNITS or after in _ENDINGS or after in _SCALES or not after
    if not known or (len(before) == 3 and before not in _UNITS):
        return np.nan
    value = _value(match["number"]) * _SCALES.get(after, 1)
    if match["exponent"]:
        value = float(f"{value!r}e{match['exponent']}")
    value = min(value, _LARGEST) if not np.isnan(value) else value
    return -value if match["sign"] == "-" else value


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
            unit, scale = _UNITS[match["money"]], _SCALES_OF_MONEY.get(word, 1.0)
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
    name = re.sub(r"[\s.]", "", written).replace("floz", "fl oz")
    known, rest = _UNITS.get(name), match.string[match.end("unit") :]
    if known is None:
        return None
    if name[0].isalpha():
        is_whole = match["space"] and match["number"].isdigit()
        is_other = rest[:1].isdigit() or (name == "in" and is_whole and _NO_INCH.match(rest))
    else:
        is_other = rest[:1].isalpha()  # "80's"
    return None if is_other else known


@lru_cache(_KEPT)
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


@lru_cache(_KEPT)
def _quantities(text: str) -> tuple[tuple[str, float], ...]:
    found = {
        (x.measure, float(f"{x.size:.{_SIGNIFICANT_DIGITS}g}")) for x in _amounts(_prepared(text))
    }
    return tuple(sorted(found))


def quantities(text: str) -> dict[str, set[float]]:
    """Return the numbers with units in a text, by what they measure, in one unit each.

    Lengths are in millimetres, weights in milligrams, volumes in millilitres, times in seconds,
    data in kilobytes, power in watts, frequencies in hertz, charges in milliampere hours; prices
    are by their currency, and "pieces" are packs and counts.
    """
    result: defaultdict[str, set[float]] = defaultdict(set)
    for measure, size in _quantities(text):
        result[measure].add(size)
    return dict(result)


@lru_cache(_KEPT)
def numbers(text: str) -> frozenset[float]:
    """Return the numbers without a unit in a text: digits, ordinals, small ones in words."""
    folded = _prepared(text)
    found = {x for values, unit, *_ in _find_numbers(folded) if unit is None for x in values}
    found.update(float(digits) for digits in _ORDINAL.findall(folded))
    words = _WORD.findall(folded)
    found.update(_WORDS_IN_TEXT[word] for word in words if word in _WORDS_IN_TEXT)
    return frozenset(found)


@lru_cache(_KEPT)
def codes(text: str) -> frozenset[str]:
    """Return the model numbers and other codes of a text, without hyphens, slashes and points.

    A code has letters and digits, or many digits. "DSC-W120/B" is also "DSCW120" and "W120/B".
    """
    folded = fold(text)
    found = {digits(match[0]) for match in _PHONE.finditer(folded)}
    for token in filter(_may_be_code, _TOKEN.findall(_PHONE.sub(" ", folded))):
        parts = _SEPARATOR.split(token)[:_MOST_PARTS]
        found.add("".join(parts))
        joined = ("".join(parts[i:j]) for i, j in combinations(range(len(parts) + 1), 2))
        found.update(x for x in joined if len(x) >= _SHORTEST_PART and not x.isdigit())
    return frozenset(filter(_is_code, found))


def _may_be_code(token: str) -> bool:
    if not any(map(str.isdigit, token)):
        return False
    is_number = token.replace(".", "").isdigit() and "." in token
    return not (_is_size(token) or is_number or _YEAR_FIRST.fullmatch(token))


def _is_code(text: str) -> bool:
    n_digits = sum(map(str.isdigit, text))
    if n_digits == len(text):
        return n_digits >= _LONG
    return n_digits > 0 and not _COUNTED.fullmatch(text) and not _is_size(text)


def _is_size(text: str) -> bool:
    """Return whether a text is a number with its unit or ending: "500ml", "1st", "80s"."""
    size = _SIZE.fullmatch(text)
    return size is not None and (size[1] in _UNITS or size[1] in _ENDINGS or size[1] == "s")


@lru_cache(_KEPT)
def digits(text: str) -> str:
    """Return the digits of a phone number, without the country code of North America.

    "+1 (404) 555-0123 ext. 5" is "4045550123". A text with other letters has none.
    """
    folded = _EXTENSION.sub("", _PHONE_WORD.sub("", _POINT_ZERO.sub("", fold(text))))
    plain = _NOT_PLAIN.sub("", folded)
    if not plain.isdecimal():
        return ""
    if len(plain) >= _WITH_ZEROS:
        plain = plain.removeprefix("00")
    return plain.removeprefix("1") if len(plain) == _WITH_ONE else plain


def with_plain_phones(text: str) -> str:
    """Return a text whose phone numbers have digits only."""
    return _PHONE.sub(lambda match: digits(match[0]), text)


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


@lru_cache(_KEPT)
def _dates(text: str) -> tuple[float, float, str]:
    """Return the date with the day first, and with the month first, and the mark between."""
    folded = fold(text)
    if not any(map(str.isdigit, folded)):
        return np.nan, np.nan, ""
    if match := _YEAR_FIRST.search(folded):
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


def similarity(kind: str, left: Sequence[str], right: Sequence[str]) -> Floats:
    """Return the similarity, between 0 and 1, of pairs of cells that are "exact", "same", ...

    The similarity of numbers is NaN where one cell has none. Dates have
    :func:`date_similarity`.
    """
    return _SIMILARITIES[kind](left, right)


def date_similarity(
    left: Sequence[str], right: Sequence[str], left_days: Floats, right_days: Floats
) -> Floats:
    """Return the similarity of pairs of dates, of which ``days`` are known.

    They are compared by the days between, and as codes, whose digits may be mistyped.
    """
    between = np.abs(left_days[:, :, None] - right_days[:, None, :]).min(axis=(1, 2))
    near = np.nan_to_num(1 - between / _DAYS)
    return np.maximum(_code(_in_digits(left, left_days), _in_digits(right, right_days)), near)


def _in_digits(cells: Sequence[str], days_of_cells: Floats) -> list[str]:
    """Return dates as they are in ISO 8601, and what is no date as it is."""
    return [
        cell if np.isnan(value) else date.fromordinal(int(value) + _EPOCH).isoformat()
        for cell, value in zip(cells, days_of_cells[:, 0].tolist(), strict=True)
    ]


def normal_forms(kind: str, cells: Sequence[str]) -> list[str]:
    """Return the cells of a column in the one form in which they are searched.

    Dates are as in ISO 8601, phone numbers and codes without marks, and numbers without units.
    """
    if kind == "date":
        return _in_digits(cells, days(cells))
    if kind == "code":
        return [digits(cell) or compact(cell) for cell in cells]
    if kind == "number":
        values = [number(cell) for cell in cells]
        pairs = zip(cells, values, strict=True)
        return [cell if np.isnan(value) else f"{value:.10g}" for cell, value in pairs]
    if kind in ("exact", "same"):
        return [key(cell) for cell in cells]
    return list(cells)


def _exact(left: Sequence[str], right: Sequence[str]) -> Floats:
    same = [key(a) == key(b) for a, b in zip(left, right, strict=True)]
    return np.array(same, dtype=np.float64)


def _code(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Share of letters and digits that stay; exchanged neighbours are one change."""
    pairs = [_as_codes(a, b) for a, b in zip(left, right, strict=True)]
    plain = [a for a, _ in pairs], [b for _, b in pairs]
    return process.cpdist(*plain, scorer=OSA.normalized_similarity).astype(np.float64)


def _as_codes(left: str, right: str) -> tuple[str, str]:
    a, b = digits(left), digits(right)
    return (a, b) if a and b else (compact(left), compact(right))


def _number(left: Sequence[str], right: Sequence[str]) -> Floats:
    """One less the relative difference."""
    pairs = [_as_numbers(a, b) for a, b in zip(left, right, strict=True)]
    a, b = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.finfo(float).tiny)
    return np.clip(1 - np.abs(a - b) / largest, 0, 1)


def _as_numbers(left: str, right: str) -> tuple[float, float]:
    """Return the numbers of two cells, in one unit if both have units of one measure."""
    sizes, others = _quantities(left), _quantities(right)
    if len(sizes) == len(others) == 1 and sizes[0][0] == others[0][0]:
        return sizes[0][1], others[0][1]
    return number(left), number(right)


_SIMILARITIES = {"exact": _exact, "same": _exact, "code": _code, "number": _number}
