"""Composed characters (NFC), so that both forms of an accented letter are the same text."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

# Marks on one letter, or in a text, up to which the result is exactly NFC. Marks are sorted, in
# time that grows with the square of their number; text that people read has less than ten.
_MOST_MARKS = 256
_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
_SEPARATOR = "\u034f"  # the combining grapheme joiner, as in Unicode's stream-safe format (UAX 15)


def compose(text: str) -> str:
    """Return the text in NFC; longer runs of combining marks are separated first."""
    if text.isascii():
        return text
    if len(text) > _MOST_MARKS:
        marks = "".join(filter(_is_mark, set(_NOT_ASCII.findall(text))))
        if marks:
            run = f"([{re.escape(marks)}]{{{_MOST_MARKS}}})(?=[{re.escape(marks)}])"
            text = re.sub(run, rf"\1{_SEPARATOR}", text)
    return unicodedata.normalize("NFC", text)


def without_accents(text: str) -> str:
    """Return the text with compatible characters (NFKD) and without combining marks."""
    if text.isascii():
        return text
    return _NOT_ASCII.sub(lambda match: _without_accent(match[0]), text)


@lru_cache(2**14)
def _without_accent(character: str) -> str:
    decomposed = unicodedata.normalize("NFKD", character)
    return "".join(c for c in decomposed if not unicodedata.combining(c))


def _is_mark(character: str) -> bool:
    # Some characters are no marks but decompose to them, such as U+0F73.
    return unicodedata.combining(unicodedata.normalize("NFD", character)[0]) > 0
