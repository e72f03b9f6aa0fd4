"""How two institutions write the same value: dates, amounts, codes, names, lists and free text.

A writer turns a value into the text of a cell. An institution keeps to one writer for a column;
``made_up_joins.py`` gives two institutions two of a list. Values are what a writer's list says:
dates are ``datetime.date``, names and terms are tuples of the ways in which they are said.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from datetime import date
from typing import Any

from made_up_names import Draw, read_words

Writer = Callable[[Draw, Any], str]
Term = tuple[str, ...]  # ways in which one thing is said, the usual one first
MONTHS = (
    "January February March April May June July August September October November December".split()
)
ROMAN = "I II III IV V VI VII VIII IX X XI XII".split()


WORDS = read_words("join_words.txt")


# Terms that two vocabularies name differently


def said(way: int) -> Writer:
    """Return a writer that names a term in one way, or in the last that there is."""
    return lambda draw, term: term[min(way, len(term) - 1)]


def said_anyhow(draw: Draw, term: Term) -> str:
    """Name a term in any way: no vocabulary is kept to."""
    return draw.pick(term)


def said_shortest(draw: Draw, term: Term) -> str:
    """Name a term in its shortest way."""
    return min(term, key=len)


def said_plainly(draw: Draw, value: Any) -> str:
    """Write a value as it is."""
    return str(value)


TERMS = [said(0), said(0), said(1), said(2), said_shortest, said_anyhow]
PLAIN = [said_plainly]


def joined(separator: str, way: int, *, shuffled: bool = False, least: float = 1.0) -> Writer:
    """Return a writer of a list of terms, perhaps in any order and not all of them."""

    def write(draw: Draw, terms: Sequence[Term]) -> str:
        items = draw.shuffled(terms) if shuffled else terms
        n_kept = max(2, math.ceil(len(items) * (least + draw.random() * (1 - least))))
        return separator.join(said(way)(draw, term) for term in items[:n_kept])

    return write


LISTS = [
    joined(", ", 0),
    joined("; ", 1, shuffled=True),
    joined(" / ", 0, shuffled=True, least=0.7),
    joined(", ", 1, least=0.6),
    joined(" + ", 2, shuffled=True),
    joined("|", 0, shuffled=True, least=0.8),
]


def reworded(least: float, openings: Sequence[str], ends: Sequence[str]) -> Writer:
    """Return a writer of clauses as running text, in any order and any words."""

    def write(draw: Draw, clauses: Sequence[Term]) -> str:
        kept = draw.shuffled(clauses)
        kept = kept[: max(1, round(len(kept) * (least + draw.random() * (1 - least))))]
        joint = draw.pick([". ", ", ", "; ", " and ", " – "])
        parts = [draw.pick(clause) for clause in kept]
        if joint == ". ":
            parts = [part[0].upper() + part[1:] for part in parts]
        return draw.pick(openings) + joint.join(parts) + draw.pick(ends)

    return write


TEXTS = [
    reworded(1, [""], [".", ""]),
    reworded(0.6, ["", "", "Note: ", "In short: "], [".", "", " (see below)", "!"]),
    reworded(0.4, [""], ["", "...", " etc."]),
]


# Dates and years


def by_pattern(pattern: str) -> Writer:
    """Return a writer of dates of parts d, dd, m, mm, mon, month, yy, yyyy."""

    def write(draw: Draw, day: date) -> str:
        month = MONTHS[day.month - 1]
        return pattern.format(
            d=day.day,
            dd=f"{day.day:02}",
            m=day.month,
            mm=f"{day.month:02}",
            mon=month[:3],
            month=month,
            yy=f"{day.year % 100:02}",
            yyyy=day.year,
            rom=ROMAN[day.month - 1],
        )

    return write


DATES = [
    by_pattern(pattern)
    for pattern in (
        "{yyyy}-{mm}-{dd}",
        "{yyyy}-{mm}-{dd}",
        "{dd}.{mm}.{yyyy}",
        "{d}.{m}.{yyyy}",
        "{dd}/{mm}/{yyyy}",
        "{d} {month} {yyyy}",
        "{d} {mon} {yyyy}",
        "{month} {d}, {yyyy}",
        "{yyyy}{mm}{dd}",
        "{dd}-{mon}-{yy}",
        "{d}.{m}.{yy}",
        "{yyyy}/{m}/{d}",
    )
]
# Not where a date is all that tells: the month may come first, or is missing.
LOOSE_DATES = [
    *DATES,
    *map(
        by_pattern, ["{mm}/{dd}/{yyyy}", "{m}/{d}/{yy}", "{mon} {yyyy}", "{yyyy}", "{mm}/{yyyy}"]
    ),
    by_pattern("{d}.{rom}.{yyyy}"),
]


def ordinal(number: int) -> str:
    """Return "1st", "2nd", "3rd", "4th", ..."""
    teens = 10 <= number % 100 <= 20
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def century(draw: Draw, year: int) -> str:
    """Write a year as its century."""
    number, part = (year - 1) // 100 + 1, (year - 1) % 100
    third = "early " if part < 34 else "mid-" if part < 67 else "late "
    return f"{third}{ordinal(number)} century"


def about(draw: Draw, year: int) -> str:
    """Write a year rounded to five."""
    return f"{draw.pick(['c. ', 'ca. ', 'about ', '~'])}{5 * round(year / 5)}"


def span(draw: Draw, year: int) -> str:
    """Write a year as a range around it."""
    first = 10 * ((year - draw.integer(0, 5)) // 10)
    return draw.pick([f"{first}–{first + 20}", f"{first}-{first + 20}", f"{first}/{first + 20}"])


YEARS = [said_plainly, said_plainly, lambda draw, year: f"'{year % 100:02}"]
VAGUE_YEARS = [
    said_plainly,
    about,
    span,
    century,
    lambda draw, year: f"{ordinal((year - 1) // 100 + 1)} c.",
    lambda draw, year: f"{year // 10 * 10}s",
    lambda draw, year: f"{(year - 1) // 100 + 1}. Jh.",
]


def clock(pattern: str) -> Writer:
    """Return a writer of minutes, of which those above the hours are ``rest``."""
    return lambda draw, minutes: pattern.format(all=minutes, h=minutes // 60, rest=minutes % 60)


MINUTES = [
    clock("{all}"),
    clock("{all} min"),
    clock("{h}:{rest:02}"),
    clock("{h} h {rest} min"),
    clock("{h}h{rest:02}"),
    clock("PT{h}H{rest}M"),
    clock("{all}'"),
    clock("{h:02}:{rest:02}:00"),
]


# Amounts


def grouped(number: float, digits: int, marks: str) -> str:
    """Return a number with the marks of thousands and decimals: ",." or ".,", "  " for none."""
    thousands, decimal = marks
    text = f"{number:,.{digits}f}"
    return text.translate({ord(","): thousands.strip("_"), ord("."): decimal})


def measure(factor: float, unit: str, digits: int = 0, marks: str = "_.") -> Writer:
    """Return a writer of an amount in a unit, of which the value times ``factor`` are so many."""
    return lambda draw, value: grouped(value * factor, digits, marks) + unit


BODY_WEIGHTS = [
    measure(1, " kg"),
    measure(1, ""),
    measure(2.20462, " lb"),
    measure(1, " kg", 1, "_,"),
    measure(2.20462, " lbs", 1),
    measure(1, "kg", 1),
]
KILOGRAMS = [
    measure(1, " kg", 1),
    measure(1, "", 2),
    measure(2.20462, " lb", 1),
    measure(1, "kg", 1),
    measure(1, " kg", 2, "_,"),
    measure(1000, " g"),
    measure(2.20462, " lbs", 2),
]
SQUARE_METRES = [
    measure(1, " m²"),
    measure(1, ""),
    measure(1, " sqm"),
    measure(10.7639, " sq ft"),
    measure(10.7639, " sq. ft.", 0, ",."),
    measure(10.7639, "", 0),
    measure(1, " m2", 1, "_,"),
]
METRES = [
    measure(1, " m"),
    measure(3.28084, " ft"),
    measure(1, ""),
    measure(1, " m", 0, ".,"),
    measure(3.28084, " feet", 0, ",."),
    measure(1, " m a.s.l."),
]


def feet_and_inches(draw: Draw, centimetres: float) -> str:
    """Write the height of a person in feet and inches."""
    inches = round(centimetres / 2.54)
    return f"{inches // 12}'{inches % 12}\""


HEIGHTS = [
    measure(1, " cm"),
    measure(1, ""),
    measure(0.01, " m", 2),
    measure(0.01, "", 2, "_,"),
    feet_and_inches,
]


def money(mark: str, rate: float = 1.0, digits: int = 2, marks: str = ",.") -> Writer:
    """Return a writer of euros in a currency. ``mark`` has a # where the number is."""
    return lambda draw, value: mark.replace("#", grouped(value * rate, digits, marks))


MONEY = [
    money("#", marks="_."),
    money("#", digits=0, marks="_."),
    money("€#"),
    money("# €", marks=".,"),
    money("EUR #", marks="_."),
    money("# EUR", digits=0, marks=".,"),
    money("€ #,-", digits=0, marks=".,"),
    money("£#", 0.86),
    money("GBP #", 0.86, marks="_."),
    money("$#", 1.09),
    money("USD #", 1.09, 0),
    money("# zł", 4.31, marks="_,"),
    money("CHF #.–", 0.96, 0, "'."),
    money("# Kč", 25.1, 0, "__"),
]
# Of one currency: where an amount is what tells.
LEDGER_MONEY = [
    money("#", marks="_."),
    money("#"),
    money("#", marks=".,"),
    money("# EUR", marks=".,"),
    money("€#"),
    money("#", marks="_,"),
    lambda draw, value: grouped(abs(value), 2, ",."),
    lambda draw, value: f"({abs(value):,.2f})" if value < 0 else f"{value:,.2f}",
    lambda draw, value: f"{abs(value):.2f}{'-' if value < 0 else '+'}",
    lambda draw, value: f"{grouped(abs(value), 2, '.,')} {'S' if value < 0 else 'H'}",
]


def sizes(scale: float, pattern: str, digits: int) -> Writer:
    """Return a writer of (height, width) in centimetres."""
    return lambda draw, size: pattern.format(
        *(f"{side * scale:.{digits}f}" for side in size),
    )


SIZES = [
    sizes(1, "{0} x {1} cm", 1),
    sizes(10, "{0} × {1} mm", 0),
    sizes(10, "{0} mm x {1} mm", 0),
    sizes(1, "H {0} cm, W {1} cm", 1),
    sizes(1, "{1} x {0} cm (w x h)", 1),
    sizes(1 / 2.54, '{0}" x {1}"', 1),
    sizes(1 / 2.54, "{0} by {1} in.", 1),
    sizes(1, "{0}x{1}", 1),
    sizes(1, "height: {0}; width: {1}", 1),
    sizes(10, "{1}x{0}", 0),
]


# Codes


def bare(draw: Draw, code: str) -> str:
    """Write a code without hyphens and blanks."""
    return "".join(sign for sign in code if sign.isalnum())


def in_groups(size: int, mark: str) -> Writer:
    """Return a writer of a code in groups of signs."""

    def write(draw: Draw, code: str) -> str:
        signs = bare(draw, code)
        return mark.join(signs[i : i + size] for i in range(0, len(signs), size))

    return write


def with_prefix(prefix: str) -> Writer:
    """Return a writer that puts something before a code."""
    return lambda draw, code: prefix + code


def misread(draw: Draw, code: str) -> str:
    """Write a code with a letter for a digit, as a scanner does."""
    wrong = {"0": "O", "1": "I", "5": "S", "8": "B"}
    return "".join(wrong[sign] if sign in wrong and draw.chance(0.4) else sign for sign in code)


def without_zeros(draw: Draw, code: str) -> str:
    """Write a code as a spreadsheet does: leading zeros are gone."""
    return code.lstrip("0") or "0"


CODES = [
    said_plainly,
    said_plainly,
    bare,
    in_groups(3, " "),
    in_groups(4, "-"),
    misread,
    lambda draw, code: code.lower(),
    lambda draw, code: misread(draw, bare(draw, code)),
    lambda draw, code: code.replace("-", "/"),
    lambda draw, code: code.replace("-", " "),
]
NUMBERS_WITH_ZEROS = [
    said_plainly,
    without_zeros,
    with_prefix("No. "),
    with_prefix("#"),
    with_prefix("P"),
    lambda draw, code: without_zeros(draw, code) + ".0",
]


def phone(pattern: str, blanks: bool = True) -> Writer:
    """Return a writer of (country, area, number)."""

    def write(draw: Draw, value: tuple[str, str, str]) -> str:
        country, area, number = value
        half = len(number) // 2
        parts = f"{number[:half]} {number[half:]}" if blanks else number
        return pattern.format(country=country, area=area, number=parts)

    return write


PHONES = [
    phone("+{country} {area} {number}"),
    phone("0{area} {number}"),
    phone("0{area}/{number}", False),
    phone("(0{area}) {number}"),
    phone("00{country}{area}{number}", False),
    phone("+{country} (0){area}-{number}", False),
    phone("{area}{number}", False),
]


# Names of persons: (given names, surname)


def name(pattern: str, way: int = 0) -> Writer:
    """Return a writer of names of parts given, g (its initial), last and LAST."""

    def write(draw: Draw, person: tuple[Term, str]) -> str:
        given, last = person[0][min(way, len(person[0]) - 1)], person[1]
        initials = ".".join(part[0].upper() for part in given.replace("-", " ").split())
        return pattern.format(given=given, g=initials, last=last, LAST=last.upper())

    return write


FULL_NAMES = [
    name("{given} {last}"),
    name("{given} {last}"),
    name("{last}, {given}"),
    name("{LAST} {given}"),
    name("{last} {given}"),
    name("{given} {LAST}"),
    name("{given} {last}", 1),
    name("{last}, {given}", 1),
]
SHORT_NAMES = [name("{g}. {last}"), name("{last}, {g}."), name("{LAST} {g}"), name("{last} {g}.")]
NAMES = [*FULL_NAMES, *FULL_NAMES, *SHORT_NAMES]
TITLED_NAMES = [
    *NAMES,
    name("Dr {given} {last}"),
    name("Prof. {g}. {last}"),
    name("Mx {last}, {g}"),
]

CYRILLIC = dict(
    zip(
        "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
        "a b v g d e e zh z i y k l m n o p r s t u f kh ts ch sh shch  y  e yu ya".split(" "),
        strict=True,
    )
)
# What other schemes write: English of passports, German, French, scholars', Polish.
SCHEMES: list[dict[str, str]] = [
    {},
    {"ё": "yo", "й": "i", "ы": "i", "х": "h", "ю": "iu", "я": "ia"},
    dict(zip("вжзйхцчшщыюяё", "w sch s j ch z tsch sch schtsch y ju ja jo".split(), strict=True)),
    dict(zip("жуйцчшщюяхэё", "j ou i ts tch ch chtch iou ia kh e io".split(), strict=True)),
    dict(zip("жйхцчшщюяёьы", "ž j ch c č š šč ju ja ë ' y".split(), strict=True)),
    dict(zip("вжйхцчшщюяёьы", "w ż j ch c cz sz szcz ju ja jo ' y".split(), strict=True)),
]


def latin(text: str, scheme: int) -> str:
    """Return a Cyrillic name in Latin letters. Endings as newspapers have them."""
    letters = CYRILLIC | SCHEMES[scheme]
    written = "".join(letters.get(sign.lower(), sign) for sign in text)
    return written[:1].upper() + written[1:]


SPELT_OUT = str.maketrans(
    {
        "ä": "ae",
        "ö": "oe",
        "ü": "ue",
        "ß": "ss",
        "å": "aa",
        "ø": "oe",
        "æ": "ae",
        "þ": "th",
        "ð": "d",
        "đ": "dj",
        "ł": "l",
        "ı": "i",
        "Ä": "Ae",
        "Ö": "Oe",
        "Ü": "Ue",
        "Å": "Aa",
        "Ø": "Oe",
        "Æ": "Ae",
        "Þ": "Th",
        "Đ": "Dj",
        "Ł": "L",
        "œ": "oe",
        "–": "-",
        "×": "x",
        "²": "2",
        "é": "e",
        "’": "'",
    }
)
BARE_LETTERS = str.maketrans("ßøæœþðđłıØÆÞĐŁ×²–", "soaotddliOATDLx2-")


def without_marks(text: str) -> str:
    """Return a text without accents: "Jürgen Åkesson" as "Jurgen Akesson"."""
    decomposed = unicodedata.normalize("NFD", text)
    kept = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return kept.translate(BARE_LETTERS)


def spelt_out(text: str) -> str:
    """Return a text without accents: "Jürgen Åkesson" as "Juergen Aakesson"."""
    return without_marks(text.translate(SPELT_OUT))


def read_wrongly(text: str) -> str:
    """Return a text as a program shows it that takes UTF-8 for Latin-1."""
    return text.encode().decode("cp1252", "replace").replace("\ufffd", "?")


# How an institution treats letters, in all its columns.
LETTERS: list[Callable[[str], str]] = [
    str,
    str,
    str,
    str,
    str,
    without_marks,
    without_marks,
    spelt_out,
    str.upper,
    str.lower,
    lambda text: without_marks(text).upper(),
    read_wrongly,
]


# Errors

NEIGHBOURS = {
    "a": "sq",
    "b": "vn",
    "c": "xv",
    "d": "sf",
    "e": "wr",
    "f": "dg",
    "g": "fh",
    "h": "gj",
    "i": "uo",
    "j": "hk",
    "k": "jl",
    "l": "kö",
    "m": "n",
    "n": "bm",
    "o": "ip",
    "p": "o",
    "q": "wa",
    "r": "et",
    "s": "ad",
    "t": "rz",
    "u": "zi",
    "v": "cb",
    "w": "qe",
    "x": "yc",
    "y": "xt",
    "z": "tu",
}
SCANNED = [("rn", "m"), ("m", "rn"), ("cl", "d"), ("li", "h"), ("e", "c"), ("h", "b"), ("ri", "n")]


def with_slip(draw: Draw, text: str) -> str:
    """Return a text with an error in a long word: short ones and numbers may be what tells."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not places:
        return text
    place = draw.pick(places)
    word = words[place]
    i = draw.integer(1, len(word) - 2)
    before, letter, after = word[:i], word[i], word[i + 1 :]
    struck = draw.pick(NEIGHBOURS.get(letter.lower(), "x"))
    scanned = [pair for pair in SCANNED if pair[0] in word[1:]]
    words[place] = draw.pick(
        [
            before + after,
            before + letter + letter + after,
            before + after[0] + letter + after[1:],
            before + (struck.upper() if letter.isupper() else struck) + after,
            word[:1] + word[1:].replace(*draw.pick(scanned), 1) if scanned else before + after,
        ]
    )
    return " ".join(words)


def with_short_words(draw: Draw, text: str) -> str:
    """Return a text of which one long word is cut, as in a form that is too small."""
    words = text.split(" ")
    places = [i for i, word in enumerate(words) if len(word) > 6 and word.isalpha()]
    if places:
        place = draw.pick(places)
        words[place] = words[place][: draw.integer(4, 5)] + "."
    return " ".join(words)
