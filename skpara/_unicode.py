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
