"""Numbers in words, which are written in digits before anything else is read."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import takewhile
from typing import NamedTuple

from skpara.quantities._lexicon import (
    CARDINALS,
    COUNTS,
    MEASURES,
    ORDINALS,
    SCALES,
    TENS,
    TENTHS,
    WORDS,
    any_of,
)


class _Word(NamedTuple):
    """A word of a number: what it does to the number so far, and whether it makes a rank."""

    role: str
    value: float
    is_rank: bool = False


_WORDS = {
    **{word: _Word("part", n) for word, n in WORDS["parts"].items()},
    **{word: _Word("scale", n) for word, n in SCALES.items()},
    **{word: _Word("start", n) for word, n in {**COUNTS, "a": 1, "an": 1}.items()},
    **{word: _Word("start", 0.5) for word in ("half a", "half an")},
    **{word: _Word("ones", n) for word, n in CARDINALS.items()},
    **{word: _Word("ones", n, True) for word, n in ORDINALS.items()},
    **{word: _Word("tens", n) for word, n in TENS.items()},
    **{word: _Word("tens", n, True) for word, n in TENTHS.items()},
    "and a half": _Word("rest", 0.5),
    "and a quarter": _Word("rest", 0.25),
    "and": _Word("and", 0),
}
# Each number in words has one of these; of most texts, a look at their words is enough.
_TELLING = frozenset(max(words.split(), key=len) for words in _WORDS.keys() - {"a", "an", "and"})
_WORD = re.compile(r"[^\W\d_]+")
# A singular part, as in "one third", may also be a rank.
_SINGULAR_PARTS = ("half", "third", "quarter", "fifth", "tenth")
_SCALE = any_of(SCALES)
_DIGITS = r"(?<![\d.,])\d+(?:,\d{3})*(?:\.\d+)?"
# "half an hour", but not "half a pie"
_HALVED = any_of([*SCALES, *(unit for unit in MEASURES if len(unit) > 2)])
_ITEM = (
    rf"half\san?(?=\s(?:{_HALVED})\b)|an?(?=\s(?:{_SCALE})\b)|{_DIGITS}(?=\s?(?:{_SCALE})\b)|"
    + any_of(_WORDS.keys() - {"a", "an", "half a", "half an"})
)
# What may be ahead of such a word is shorter.
_LONGEST_UNIT = 20
# Such words in a row, which may be several numbers.
_RUN = (
    rf"(?<![^\W_])(?<!\d[.,])(?:{_ITEM})(?![^\W_])"
    rf"(?:[\s-]{{1,3}}(?:{_ITEM})(?![^\W_]))*"
)


# Compiled on first use, which takes a fiftieth of a second: many texts have no number in words.
@lru_cache
def _item_pattern() -> re.Pattern[str]:
    return re.compile(_ITEM)


@lru_cache
def _run_pattern() -> re.Pattern[str]:
    return re.compile(_RUN)


# Larger numbers are this one, so that all are finite.
_LARGEST = 1e300
# More digits than a double is exact to would be written with an exponent.
_EXACT = 1e15


class InDigits(NamedTuple):
    """A text with its numbers in digits, and where its pieces begin, before and after."""

    text: str
    starts: list[int]
    starts_before: list[int]
    are_numbers: list[bool]

    def before(self, place: int, *, is_end: bool = False) -> int:
        """Return where a place was, or where its end was.

        Of one within a number, where the number began or ended.
        """
        piece = bisect_right(self.starts, place) - 1
        if self.are_numbers[piece]:
            return self.starts_before[piece + is_end]
        return self.starts_before[piece] + place - self.starts[piece] + is_end


def in_digits(text: str) -> InDigits:
    """Write the numbers of a text in lower case in digits: "two and a half" as "2.5"."""
    pieces: list[str] = []
    found = InDigits("", [], [], [])
    end = length = 0
    if _TELLING.isdisjoint(_WORD.findall(text)):
        return InDigits(text, [0], [0], [False])
    numbers = [number for run in _run_pattern().finditer(text) for number in _numbers_of(run)]
    for start, stop, number in [*numbers, (len(text), len(text), "")]:
        for begin, piece, is_number in ((end, text[end:start], False), (start, number, True)):
            found.starts.append(length)
            found.starts_before.append(begin)
            found.are_numbers.append(is_number)
            pieces.append(piece)
            length += len(piece)
        end = stop
    return found._replace(text="".join(pieces))


def _numbers_of(run: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Yield where each number of some words begins and ends, and its digits."""
    found = _item_pattern().finditer(run.string, run.start(), run.end() + _LONGEST_UNIT)
    items = list(takewhile(lambda item: item.end() <= run.end(), found))
    words = [item[0] for item in items]
    i = last_end = 0
    while i < len(words):
        end, number = _read(words, i)
        begin = items[i].start()
        # "One second", "30-second"
        after_number = 0 < i == last_end or run.string[max(begin - 2, 0) : begin - 1].isdigit()
        is_unit = words[i] == "second" and after_number
        if number and not is_unit:
            yield begin, items[end - 1].end(), number
        last_end = end
        i = max(end, i + 1)


def _read(words: Sequence[str], start: int) -> tuple[int, str]:
    """Return the end and the digits of a number such as "two million and six", "" for none."""
    total = part = 0.0
    room = math.inf  # what follows is smaller: "twenty five" is one number, "five twenty" are two
    end = start
    ending = ""
    for i in range(start, len(words)):
        word = words[i]
        role, value, is_rank = _WORDS.get(word) or _Word("start", float(word.replace(",", "")))
        if role == "and" and end > start and room >= 100:
            continue
        if start < end == i and word in WORDS["parts"] and _is_part(word, total, part):
            part, room, is_rank = part / WORDS["parts"][word], -1.0, False
        elif role in ("ones", "tens") and value < room:
            part, room = part + value, 10 if role == "tens" else 0
        elif role == "scale" and end > start and room >= 0:
            part, room = part * value, 100
            if value > 100:
                total, part, room = total + part, 0.0, math.inf
        elif role == "start" and end == start == i:
            part, room = value, 0
        elif role == "rest" and end > start:
            part, room = part + value, -1.0
        else:
            break
        end = i + 1
        if is_rank:
            ending = "th"
            break
    value = min(total + part, _LARGEST)
    written = f"{value:.15g}" if value < _EXACT else f"{value:.0f}"
    return end, written + ending if end > start else ""


def _is_part(word: str, total: float, part: float) -> bool:
    """Return whether a word such as "thirds" divides the number in front of it."""
    is_one = word in _SINGULAR_PARTS
    return total == 0 and (part == 1 if is_one else 1 < part < WORDS["parts"][word] * 2)
