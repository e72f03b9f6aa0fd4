"""Words and units that quantities are written with, from ``units.json``.

Each unit and form there has texts that say the same and texts that do not, which a test reads.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

LEXICON: dict[str, Any] = json.loads(Path(__file__).with_name("units.json").read_text("utf-8"))
WORDS: dict[str, Any] = LEXICON["words"]


def _numbered(name: str, first: int) -> dict[str, int]:
    """Return the number of each word of a list; words for the same have one number."""
    groups = ([x] if isinstance(x, str) else x for x in WORDS[name])
    return {word: n for n, group in enumerate(groups, first) for word in group}


CARDINALS = _numbered("cardinals", 0)
ORDINALS = _numbered("ordinals", 0)
TENS = {word: 10 * n for word, n in _numbered("tens", 2).items()}
TENTHS = {word: 10 * n for word, n in _numbered("tenths", 2).items()}
SCALES: dict[str, float] = WORDS["scales"]
# "5 m" are metres, but "$5 m" are millions.
SCALES_OF_LETTERS: dict[str, float] = WORDS["scales of letters"]
COUNTS: dict[str, int] = WORDS["counts"]
SEASONS: dict[str, int] = WORDS["seasons"]
# Words before a period or a date, with the number of periods that they go forward.
SHIFTS: dict[str, int] = WORDS["shifts"]
# How often a year has a period, and how often in a year something happens: "monthly".
PERIODS: dict[str, float] = WORDS["periods"]
ADVERBS: dict[str, float] = WORDS["adverbs"]
# The kinds of time that a word stands for, and its values: several if it may be either.
TIMES: dict[str, dict[str, list[Any]]] = WORDS["times"]
# Minutes that words before an hour add to it, or take away.
FRACTIONS_OF_HOURS: dict[str, int] = WORDS["fractions of hours"]
# Minutes after midnight that these add to a time before noon.
HALVES_OF_DAY = {"am": 0, "morning": 0, "pm": 720, "afternoon": 720, "evening": 720}
MONTHS = _numbered("months", 1)
DAYS = _numbered("weekdays", 0)
# Names of months and days that are also other words.
AMBIGUOUS = frozenset(WORDS["ambiguous"])
PLAIN_DATES = (MONTHS.keys() | DAYS.keys()) - AMBIGUOUS
# A text without a digit and without one of these has no quantity. "a" and "an" are in most texts,
# and only count before another of these, as in "a million".
HINTS = frozenset(["every", "each", "per"]).union(
    *(CARDINALS, ORDINALS, TENS, TENTHS, SCALES, COUNTS, MONTHS, DAYS),
    *(SEASONS, SHIFTS, ADVERBS, TIMES),
)
CURRENCIES = {name: row["measure"] for row in LEXICON["units"] for name in row.get("names", ())}


def _known_measures() -> dict[str, dict[str, float]]:
    measures: dict[str, dict[str, float]] = {}
    for row in LEXICON["units"]:
        words = row.get("words", {})
        plurals = {f"{word}s": size for word, size in words.items() if len(word) > 1}
        named = dict.fromkeys(row.get("names", ()), 1)
        for name, size in {**words, **plurals, **row.get("signs", {}), **named}.items():
            measures.setdefault(name, {})[row["measure"]] = size
    return measures


# What a unit measures, and how many of the smallest unit it is: "2 km" is "2000 m". A pound is a
# weight and a currency.
MEASURES = _known_measures()
DIGITS = r"(?:\d+(?:[.,\u00a0\u202f]\d+|'\d{3}(?!\d))*|\.\d+)"
UNIT = (
    r"(?:fl\.?\s?oz|per\s?cent|sq(?:uare|\.)?\s?[^\W\d_]+|k?m\^?2\b|ft\^?2\b|°\s?[cf]\b|[^\W\d_]+"
    r"|''|[\"'°%$€£¥₹¢])"
)
ENDINGS = frozenset(["st", "nd", "rd", "th"])
_SIZE = re.compile(rf"{DIGITS}-?({UNIT})")
# In a cell, "80s" are years, and "rs" a name.
_NO_UNITS_OF_CELLS = ("s", "rs")
# What each unit of a cell measures, and its size. Of a pound it is the weight.
UNITS = {
    name: next(iter(measures.items()))
    for name, measures in MEASURES.items()
    if name not in _NO_UNITS_OF_CELLS
}
# Amounts in any currency are of one measure, as tables mostly have one, with or without its sign.
MEASURES_OF_CELLS = ["", "money", *dict.fromkeys(measure for measure, _ in UNITS.values())]


def is_size(text: str) -> bool:
    """Return whether a text is a number with its unit or ending: "500ml", "1st", "80s"."""
    size = _SIZE.fullmatch(text)
    return size is not None and (size[1] in UNITS or size[1] in ENDINGS or size[1] == "s")


def any_of(words: Any) -> str:
    """Return a pattern of one of some words, the longest first."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
