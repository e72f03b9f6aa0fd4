"""Numbers and codes that a sentence mentions, and the times of day that numbers are part of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from skpara.features._families.quantities import CURRENCIES, Amount, amounts
from skpara.features.contrast._lexicon import HALVES_OF_DAY, SCALES_OF_MONEY, UNITS
from skpara.features.contrast._mentions import MEASURED, Mention, word_at
from skpara.features.contrast._times import is_time_in_digits, minutes_of, numbers_in

_DIGIT = re.compile(r"[0-9]")
# Continental numbers, such as "1.200,00".
_DECIMAL_COMMA = re.compile(r"[0-9]{1,3}(?:\.[0-9]{3})+,[0-9]{1,2}")
_AND_A_HALF = ("and", "a", "half")
# Signs that tokens keep in front of a number; all but the last two are of currencies.
_GLUED_SIGNS = "£€¥₹+−"
# What may stand behind the digits of a number that is no code.
_NO_CODES = UNITS | {""}
# Minutes that two words before an hour add to it.
_FRACTIONS_OF_HOUR = {("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): -15}
# Hours of a time before "pm".
_MOST_HOURS = 12


def find_numbers(
    words: Sequence[str],
    places: Sequence[int],
    half: int | None,
    known: set[Any],
    joined: dict[int, str],
) -> Iterator[Mention]:
    """Find numbers and codes, and the times of day that numbers are part of.

    ``half`` is the half of the day that the sentence names, ``known`` are the days and years that
    are mentioned as dates, and ``joined`` the dates and fractions in digits.
    """
    fractions, taken = _read_joined(joined)
    yield from fractions
    found = [amount for amount in _find_amounts(words, places) if amount.start not in taken]
    for amount in found:
        taken.update(range(amount.start, amount.end))
    yield from _find_letters(words)
    for i in places:
        word = words[i]
        if i in taken or not _DIGIT.search(word):
            continue
        value = _value_with_unit(word)
        if value is not None:
            found.append(Amount(value, i, i + 1))
        elif not is_time_in_digits(word):
            yield Mention("number", "".join(filter(str.isalnum, word)), i)
    for amount in found:
        clock = _read_clock(words, amount, half)
        if clock is not None:
            yield Mention("clock", clock, amount.start)
        elif amount.value not in known:
            yield Mention("number", amount.value, amount.start)


def _read_joined(joined: dict[int, str]) -> tuple[list[Mention], set[int]]:
    """Return the fractions in digits, and the positions of all fractions and dates in digits."""
    fractions = []
    taken = set[int]()
    for i, text in joined.items():
        parts = numbers_in(text)
        is_fraction = len(parts) == 2 and 0 < parts[0] < parts[1]
        if is_fraction:
            fractions.append(Mention("number", parts[0] / parts[1], i))
        if is_fraction or len(parts) == 3:
            taken.update(range(i, i + len(parts)))
    return fractions, taken


def _find_amounts(words: Sequence[str], places: Sequence[int]) -> list[Amount]:
    plain = [
        word.replace(".", "").replace(",", ".")
        if "," in word and _DECIMAL_COMMA.fullmatch(word)
        else word
        for word in words
    ]
    for i in places:
        plain[i] = plain[i].lstrip(_GLUED_SIGNS) or plain[i]  # "£5 million", "+5"
        if _is_scaled_money(words, i):
            plain[i + 1] = SCALES_OF_MONEY[words[i + 1]]
    # "a million" begins in front of a place.
    starts = {*places, *(i - 1 for i in places if i > 0)}
    return [_add_half(amount, words) for amount in amounts(plain, sorted(starts))]


def _add_half(amount: Amount, words: Sequence[str]) -> Amount:
    """Add a half to a number that one follows, as in "two and a half"."""
    end = amount.end + len(_AND_A_HALF)
    if tuple(words[amount.end : end]) != _AND_A_HALF:
        return amount
    return Amount(amount.value + 0.5, amount.start, end)


def _is_scaled_money(words: Sequence[str], i: int) -> bool:
    """Return whether the word behind a number is a scale of money, as in "$2.1 m"."""
    if not words[i][-1].isdigit() or word_at(words, i + 1) not in SCALES_OF_MONEY:
        return False
    is_behind_sign = i > 0 and words[i - 1] in CURRENCIES
    is_before_currency = word_at(words, i + 2) in CURRENCIES
    return words[i][0] in _GLUED_SIGNS[:-2] or is_behind_sign or is_before_currency


def _find_letters(words: Sequence[str]) -> Iterator[Mention]:
    """Find a letter in parentheses, as in "section 12(b)"."""
    if "(" not in words:
        return
    for i, word in enumerate(words):
        if words[i - 1] == "(" and len(word) == 1 and word.isalpha():
            yield Mention("number", word, i)


def _value_with_unit(word: str) -> float | None:
    """Return the value of a number with a sign or a unit, such as "16gb"; None for a code."""
    measured = MEASURED.fullmatch(word)
    if not measured:
        return None
    _, digits, unit = measured.groups()
    if unit not in _NO_CODES:
        return None
    # "5m" are 5 million; "5g" are 5.
    found = amounts([digits + unit, digits])
    return found[0].value if found else None


def _read_clock(words: Sequence[str], amount: Amount, half: int | None) -> frozenset[float] | None:
    """Return the minutes of the time of day that a number is part of, if it is."""
    value, start, end = amount
    before = (words[start - 2] if start > 1 else "", words[start - 1] if start > 0 else "")
    after = word_at(words, end)
    if before in _FRACTIONS_OF_HOUR:
        return minutes_of(60 * value + _FRACTIONS_OF_HOUR[before], half)
    if after in HALVES_OF_DAY and value < _MOST_HOURS + 1:
        # "3.30 pm" has a full stop instead of a colon.
        minutes = 60 * int(value) + round(100 * (value - int(value)))
        return minutes_of(minutes, HALVES_OF_DAY[after])
    if after == "o'clock":
        return minutes_of(60 * value, half)
    return None
