"""Signs of numbers and letters, which tokens lose: "-5", "C++", "C#", "A-"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

# A text with signs has one of these; few texts do, and the search for a piece is fast.
_PIECES = ("-", "+", "#", "−", "inus ")
_SIGNS = re.compile(r"[+#−]|(?<!\w)-[\d$]|[A-Z]-(?!\w)|\b[Mm]inus ")
# "C++" and "C#"; letters, capitalized words and codes with a plus; letters with a minus.
_BEHIND = re.compile(
    r"(?<![\w+#-])"
    r"(?:(?P<language>[A-Za-z])(?P<marks>\+\+|#)"
    r"|(?P<name>[A-Z]{1,2}|[A-Z][a-z]+|(?=\w*[A-Za-z])(?=\w*\d)\w++)(?P<plus>\+)"
    r"|(?P<grade>[A-Z]{1,2})(?P<minus>-)(?!,? (?:and|or|to)\b))"  # not "X- and Y-axis"
    r"(?![\w+#-])"
)
# A number below zero. What is in front tells it from "10-5" and "a pack -5 pieces".
_NEGATIVE = re.compile(r"(?<![^\s(=:,<>])(?:[-−]\$?|[Mm]inus )(?P<number>\d+(?:[.,]\d+)*)")
_OPENING = ("", "(", "=", ":", ",", "<", ">")
_DEGREES = re.compile(r"\s?(?:°|degrees?\b|%|percent\b|points?\b|[CF]\b)")
# Parts of speech in front of a number, not of a dash: "is -5", "to -5".
_IN_FRONT = "bxvpds"
_LEADING_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


class Signed(NamedTuple):
    """A letter or number with a sign: "C#" has the core "c"."""

    core: str
    sign: str
    place: int
    written: str


def may_have_sign(text: str) -> bool:
    """Return whether a text may have a number or letter with a sign."""
    return any(piece in text for piece in _PIECES) and _SIGNS.search(text) is not None


def find_signed(
    text: str, tokens: Sequence[str], cased: Sequence[str], classes: str
) -> list[Signed]:
    """Find the letters and numbers of a sentence that have signs."""
    found = list[Signed]()
    if not may_have_sign(text):
        return found
    for match in _BEHIND.finditer(text):
        core = (match["language"] or match["name"] or match["grade"]).lower()
        sign = match["marks"] or match["plus"] or match["minus"]
        found.append(Signed(core, sign, _find_token(tokens, cased, core, sign), match[0]))
    for match in _NEGATIVE.finditer(text):
        place = _find_number(tokens, match["number"])
        if _is_negative(match, classes[place - 1] if place > 0 else ""):
            found.append(Signed(match["number"], "-", place, match[0]))
    return [signed for signed in found if signed.place >= 0]


def places_by_sign(
    signed: Sequence[Signed], tokens: Sequence[str], classes: str, core: str
) -> dict[str, int]:
    """Return the signs that a letter or number has, "" for none, with their positions."""
    places = {found.sign: found.place for found in signed if found.core == core}
    taken = set(places.values())
    for k, token in enumerate(tokens):
        if k in taken:
            continue
        number = _LEADING_NUMBER.match(token.lstrip("+")) if core[0].isdigit() else None
        is_core = token == core or (number is not None and number[0] == core)
        # "A" is an article unless it names something: "vitamin A".
        is_article = core == "a" and classes[max(0, k - 1)] != "n"
        if is_core and not is_article:
            return {**places, "": k}
    return places


def _find_token(tokens: Sequence[str], cased: Sequence[str], core: str, sign: str) -> int:
    """Return the position of a letter or name with a sign; -1 if there is none.

    Tokens keep a plus, leave a minus out, and have "#" apart.
    """
    if "+" in sign:
        return tokens.index(core + sign) if core + sign in tokens else -1
    for k, token in enumerate(tokens):
        is_apart = sign == "#" and tokens[k + 1 : k + 2] == ["#"]
        if token == core and (is_apart or (sign == "-" and cased[k].isupper())):
            return k
    return -1


def _find_number(tokens: Sequence[str], digits: str) -> int:
    for k, token in enumerate(tokens):
        match = _LEADING_NUMBER.search(token)
        if match and match[0] == digits:
            return k
    return -1


def _is_negative(match: re.Match[str], class_before: str) -> bool:
    """Return whether a dash in front of a number, behind a part of speech, is a sign."""
    before = match.string[: match.start()].rstrip()
    if before[-1:].isdigit():  # "10 minus 5"
        return False
    return (
        before[-1:] in _OPENING
        or _DEGREES.match(match.string, match.end()) is not None
        or (class_before != "" and class_before in _IN_FRONT)
    )
