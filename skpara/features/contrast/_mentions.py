"""Mentions of numbers, times, names and quantifiers, and what they mean; signs and symbols."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from skpara.features.contrast._lexicon import (
    AFFIRMING_PHRASES,
    BOUNDS,
    FAILURES,
    QUANTIFIERS,
    SHARES,
)
from skpara.quantities import HINTS, MONTHS, Meaning, read

QUANTIFYING = BOUNDS.keys() | QUANTIFIERS.keys()
# Numbers that may be a year.
_YEARS = frozenset(range(1000, 10_000))
# Characters that the tokenizer may leave out between two tokens.
_MOST_LEFT_OUT = 12
# Characters that tokens leave out: powers, primes, arrows, signs of mathematics, ticks, emoji.
_SYMBOLS = (
    "\u00b2\u00b3\u00b9\u2032-\u2034\u2070-\u209f\u2190-\u2211\u2213-\u22ff\u2600-\u27bf"
    "\U0001f1e6-\U0001f1ff\U0001f300-\U0001faff"
)
_SYMBOL = re.compile(f"[{_SYMBOLS}]")
# What a text with signs or symbols has: few texts do.
_OF_SIGNS = re.compile(rf"[+#−{_SYMBOLS}]|(?<!\w)-[\d$]|[A-Z]-(?!\w)|\b[Mm]inus ")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
# A dash that is a sign and not between two words.
_DASH = re.compile(r"(?<![^\s(=:,<>])[-−]\$?$")
_BEFORE_SIGNS = ("", "(", "=", ":", ",", "<", ">")
_DEGREES = re.compile(r"\s?(?:°|degrees?\b|%|percent\b|points?\b|[CF]\b)")
# Parts of speech in front of a number below zero, not of a dash: "is -5", "to -5".
_BEFORE_NUMBERS = "bxvpds"
_SHARP = re.compile(r"#(?!\w)")
# Not "the X- and Y-axis".
_GRADE = re.compile(r"-(?!\w|,? (?:and|or|to)\b)")
# "No more than five" are five at most.
_OTHER_BOUND = {"lower": "upper", "upper": "lower"}
_DENYING = frozenset(["no", "not"])
_CURRENCY_SIGNS = frozenset("$£€")
# Tags of words that "most" makes a superlative of, as in "most beautiful".
_DESCRIBING = frozenset(["JJ", "RB"])
# Tags of words such as "the" or "their" in front of a superlative.
_DETERMINING = frozenset(["DT", "PR", "PO"])


class Mention(NamedTuple):
    """A number, time, name or quantifier. Mentions of the same kind are compared.

    It is at some of the tokens, from ``place`` or before to ``end``. What it says may be
    ``written`` in other words.
    """

    kind: str
    value: Any
    place: int
    start: int = -1
    end: int = -1
    says: frozenset[Meaning] = frozenset()
    written: frozenset[Meaning] = frozenset()
    text: str = ""


def may_be_mentioned(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number, a time or a quantifier."""
    return word in QUANTIFYING or is_number_or_time(word)


def is_number_or_time(word: str) -> bool:
    """Return whether a lower-cased token may be part of a number or a time."""
    return word in HINTS or word.rstrip(".") in MONTHS or any(map(str.isdigit, word))


def word_at(words: Sequence[str], i: int) -> str:
    """Return the word at a position, which may be behind the last one: then ""."""
    return words[i] if i < len(words) else ""


def find_starts(text: str, tokens: Sequence[str]) -> list[int]:
    """Return where each token of a text starts, and behind them where the last one ends."""
    starts = list[int]()
    end = 0
    for token in tokens:
        start = text.find(token, end, end + len(token) + _MOST_LEFT_OUT)
        starts.append(max(start, end))  # else the tokenizer writes it in another way
        end = start + len(token) if start >= 0 else end
    return [*starts, end]


def find_quantities(text: str, starts: Sequence[int]) -> list[Mention]:
    """Find the numbers and times of a text whose tokens start at some characters."""
    found = []
    for quantity in read(text):
        place, first, last = (
            bisect_right(starts, k, hi=len(starts) - 1) - 1
            for k in (quantity.place, quantity.start, quantity.end - 1)
        )
        if quantity.place < starts[-1] and place >= 0:
            found.append(
                Mention(
                    quantity.kind,
                    quantity.value,
                    place,
                    first,
                    last + 1,
                    quantity.says,
                    quantity.written,
                    text[quantity.start : quantity.end],
                )
            )
    return found


class Signed(NamedTuple):
    """A number or word with its sign: "C#". Symbols are signs of nothing."""

    sign: str
    place: int
    written: str


def may_have_sign(text: str) -> bool:
    """Return whether a text may have a symbol, or a number or letter with a sign."""
    return _OF_SIGNS.search(text) is not None


def find_signs(
    text: str, cased: Sequence[str], classes: str, starts: Sequence[int]
) -> dict[str, list[Signed]]:
    """Find the signs, "" for none, of each number and word, and symbols behind the last token."""
    found = defaultdict[str, list[Signed]](list)
    for k, token in enumerate(cased):
        end = starts[k] + len(token)
        bare = token.lstrip("+−")
        number = _NUMBER.match(bare)
        if number:
            sign = "-" if _is_below_zero(text, end - len(bare), end, cased, classes, k) else ""
            found[number[0]].append(Signed(sign, k, sign + bare))
            continue
        core = token.rstrip("+")
        sign = token[len(core) :] if token[0].isupper() or len(core) == 1 else ""
        if len(core) == 1 and _SHARP.match(text, end):
            sign = "#"
        elif core.isupper() and len(core) < 3 and _GRADE.match(text, end):
            sign = "-"
        # "A" is an article unless it names something: "vitamin A".
        if sign or core.lower() != "a" or classes[max(0, k - 1)] == "n":
            found[core.lower()].append(Signed(sign, k, core + sign))
    for i, symbol in enumerate(_SYMBOL.findall(text), len(cased)):
        found[""].append(Signed(symbol, i, symbol))
    return found


def _is_below_zero(
    text: str, start: int, end: int, tokens: Sequence[str], classes: str, k: int
) -> bool:
    """Return whether a sign, and no dash, is in front of the number at a position."""
    if k > 0 and tokens[k - 1].lower() == "minus":
        return k < 2 or not tokens[k - 2][-1].isdigit()  # "10 minus 5"
    before = text[max(0, start - _MOST_LEFT_OUT) : start]
    if not _DASH.search(before):
        return False
    return (
        before.rstrip("-−$").rstrip()[-1:] in _BEFORE_SIGNS
        or _DEGREES.match(text, end) is not None
        or classes[max(0, k - 1)] in _BEFORE_NUMBERS
    )


def harmonize_kinds(mentions: list[Mention], others: list[Mention]) -> list[Mention]:
    """Treat a year as a number, and 1 as a quantifier, if the other sentence does."""
    mentioned = {Meaning(other.kind, other.value) for other in others}
    if any(kind == "number" and value in _YEARS for kind, value in mentioned):
        mentions = [m._replace(kind=m.kind.replace("year", "number")) for m in mentions]
    amounts = {value for kind, value in mentioned if kind.startswith("quantifier")}
    if not amounts.isdisjoint(("all", "none")):
        mentions = [
            m._replace(kind="quantifier ") if m.kind == "number" and m.value == 1.0 else m
            for m in mentions
        ]
    return mentions


def find_quantifiers(
    words: Sequence[str], tags: Sequence[str], places: Sequence[int]
) -> Iterator[Mention]:
    """Find the quantifiers and bounds at some positions of a sentence."""
    for i in places:
        word = words[i]
        if word not in QUANTIFYING:
            continue
        if word in BOUNDS and _is_bound(words, i):
            is_denied = i > 0 and words[i - 1] in _DENYING
            bound = _OTHER_BOUND[BOUNDS[word]] if is_denied else BOUNDS[word]
            yield _quantifier("quantifier bound", bound, i)
        elif word in QUANTIFIERS and not (word == "most" and _is_superlative(words, tags, i)):
            amount = _find_amount(words, i)
            of = "" if word_at(words, i + 1) == "any" else QUANTIFIERS[word].of  # "hardly any"
            if amount:
                yield _quantifier(f"quantifier {of}", amount, i)


def _quantifier(kind: str, value: str, place: int) -> Mention:
    says = {Meaning(kind, value)}
    written = frozenset[Meaning]()
    if kind == "quantifier " and value in SHARES:
        says.add(Meaning("share", 100 * SHARES[value]))
        written = frozenset([Meaning("number", SHARES[value])])
    return Mention(kind, value, place, place, place + 1, frozenset(says), written)


def _find_amount(words: Sequence[str], i: int) -> str:
    """Return the amount of the quantifier at a position, "" if it is none."""
    word = words[i]
    before = words[i - 1] if i > 0 else ""
    affirming = AFFIRMING_PHRASES.match(words, i)
    if affirming is not None:  # "no shortage of" is many, "no doubt" no quantifier
        return affirming.meaning
    if word == "never" and word_at(words, i + 1) in FAILURES:  # "never fails to"
        return "all"
    amount = QUANTIFIERS[word].amount
    is_some = (before, word) == ("a", "few") or (before, amount) == ("not", "all")
    return "some" if is_some else amount


def _is_bound(words: Sequence[str], i: int) -> bool:
    """Return whether a word bounds a number, as in "at least" or "over 50"."""
    if words[i] in ("least", "most"):
        return words[max(0, i - 1)] == "at"
    following = word_at(words, i + 1)
    if following == "than":
        return True
    if i > 1 and words[i - 1] == "or" and _is_number(words[i - 2]):  # "five or more"
        return True
    if words[i] == "up":
        return following == "to" and _is_amount(words, i + 2)
    if words[i] in ("maximum", "minimum") and following == "of":
        return _is_amount(words, i + 2)
    return _is_amount(words, i + 1)


def _is_amount(words: Sequence[str], i: int) -> bool:
    """Return whether a number begins at a position, perhaps with a sign of a currency."""
    is_sign = word_at(words, i) in _CURRENCY_SIGNS
    return _is_number(word_at(words, i + 1 if is_sign else i))


def _is_number(word: str) -> bool:
    return word[:1].isdigit() or word in HINTS


def _is_superlative(words: Sequence[str], tags: Sequence[str], i: int) -> bool:
    """Return whether "most" is the one of "the most useful tips", not of "most plastic bags"."""
    following = word_at(tags, i + 1)
    if following not in _DESCRIBING:
        return False
    is_determined = i > 0 and tags[i - 1] in _DETERMINING
    is_plural = following == "JJ" and word_at(words, i + 2).endswith("s")
    return is_determined or not is_plural
