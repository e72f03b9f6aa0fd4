"""Cells as they are compared: without what is only a way of writing."""

from __future__ import annotations

import re
from functools import lru_cache

from skpara._unicode import without_accents

_TYPOGRAPHIC = str.maketrans(
    {"’": "'", "‘": "'", "′": "'", "“": '"', "”": '"', "″": '"', "−": "-", "–": "-", "⁄": "/"}
)
# "10²" is not 102, nor "1½" 11/2.
_AFTER_DIGIT = re.compile("(?<=\\d)(?=[²³¹⁰-₉¼-¾⅐-⅞])")
# What a table of floats makes of "1999".
POINT_ZERO = re.compile(r"(?<=^\d{4})\.0$")
NOT_PLAIN = re.compile(r"[\W_]+")
# Texts that say that nothing is known, as programs and people write them. Nan, Nat, Na and Null
# are also names of people.
_PLACEHOLDERS = [
    *("#N/A", "(null)", "<NA>", "N/A", "N.A.", "NA", "NONE", "NULL", "NaN", "None"),
    *("Not applicable", "Not available", "Not known", "TBD", "UNKNOWN", "Unknown", "\\N"),
    *("n.a.", "n/a", "nan", "none", "not applicable", "not available", "not known", "null"),
    *("tbd", "unknown"),
]
_ANY_PLACEHOLDER = "|".join(map(re.escape, _PLACEHOLDERS))
PLACEHOLDER = re.compile(rf"\s*(?:[-–—_?.]+|{_ANY_PLACEHOLDER})\s*")


# Texts whose values are kept, for each reader: about 50 MB.
KEPT = 2**17
# Marks that say nothing: those of sentences, unless they are within a number, or a sign or a point
# in front of one, or feet and inches behind, or the end of a grade or blood group: "A-".
_SAYS_NOTHING = re.compile(
    r"""(?!(?<=\d).\d)(?!(?<![^\W_])[-.]\d)(?!(?<=\d)['"])(?!(?<=[^\W_])-(?!\S))"""
    r"""[-!"'(),.:;?\[\]_{}¡¿«»…。、！？—]"""
)


def fold(text: str) -> str:
    """Return a text in lower case, without accents, with typewriter's quotes and hyphens."""
    text = text.casefold().strip()
    if text.isascii():
        return text
    text = _AFTER_DIGIT.sub(" ", text)
    # Compatible characters have typographic marks, too: ½ is 1⁄2.
    return without_accents(text.translate(_TYPOGRAPHIC)).translate(_TYPOGRAPHIC)


def key(text: str) -> str:
    """Return what two cells have in common that are the same but for case, accents and spaces."""
    return " ".join(fold(text).split())


@lru_cache(KEPT)
def record_key(text: str) -> str:
    """Return what cells of equal records have in common: words, numbers, and signs that say much.

    They may differ in case, accents, spaces, invisible characters, and marks of sentences.
    """
    return " ".join(_SAYS_NOTHING.sub(" ", fold(text)).split()) or key(text)


def is_placeholder(text: str) -> bool:
    """Return whether a cell says that nothing is known."""
    return PLACEHOLDER.fullmatch(text) is not None


def compact(text: str) -> str:
    """Return the letters and digits of a text alone, folded; "1999.0" is 1999."""
    return NOT_PLAIN.sub("", POINT_ZERO.sub("", fold(text)))
