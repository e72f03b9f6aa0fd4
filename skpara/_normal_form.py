"""The normal form of text: what looks the same is the same.

Letters and their marks are composed (NFC), characters that are not seen are dropped, and other
shapes of letters, digits and marks, such as full width ones and ligatures, become the usual ones.
What means something else stays: 10², ½, ① and symbols.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Marks on one letter, or in a text, up to which the result is exactly NFC. Marks are sorted, in
# time that grows with the square of their number; text that people read has less than ten.
_MOST_MARKS = 256
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SEPARATOR = "\u034f"  # the combining grapheme joiner, as in Unicode's stream-safe format (UAX 15)
# Soft hyphens, marks of direction, variants of a symbol, the mark at the start of a file, and what
# has no width. Joiners mean something within Arabic and Indic words.
INVISIBLE = (
    "[\u00ad\u034f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
    "|(?<![\u0600-\u1aff])[\u200c\u200d]"
)
_INVISIBLE = re.compile(INVISIBLE)
# Blocks of compatible characters (NFKC) that differ from others in shape alone: units in one
# square, ligatures, shapes within a word, full and half width, and letters of formulas.
_SHAPED = re.compile(
    "[\u3371-\u33df\ufb00-\ufdfc\ufe50-\ufefc\uff01-\uffee\U0001d400-\U0001d7ff]+"
)


def compose(text: str) -> str:
    """Return the normal form of a text; long runs of combining marks are separated."""
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", text)
    text = _SHAPED.sub(lambda match: unicodedata.normalize("NFKC", match[0]), text)
    if len(text) > _MOST_MARKS:
        marks = "".join(filter(_is_mark, set(_NOT_ASCII.findall(text))))
        if marks:
            run = f"([{re.escape(marks)}]{{{_MOST_MARKS}}})(?=[{re.escape(marks)}])"
            text = re.sub(run, rf"\1{_SEPARATOR}", text)
    return unicodedata.normalize("NFC", text)


def without_accents(text: str) -> str:
    """Return the text with compatible characters (NFKD), without marks and joiners of letters."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: _without_accent(match[0]), text)


@lru_cache(2**14)
def _without_accent(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character)
    return "".join(
        c for c in decomposed if not unicodedata.combining(c) and unicodedata.category(c) != "Cf"
    )


def _is_mark(character: str) -> bool:
    # Some characters are not marks but decompose to them, such as U+0F73.
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0


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
