"""The kind of a column, by the look of its cells; capital letters tell nothing."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from skpara.matching._model import NAMES, SENTENCES
from skpara.matching._values import codes, compact, day, digits, number
from skpara.resources import Tagger

# Cells that are read, evenly spread over the different ones: in a tenth of a second.
_MOST_CELLS = 500
# A column is of dates, numbers or codes if at least this share of its cells are: "nearly all".
_NEARLY_ALL = 0.8
# Of numbers, if more than this share is written with a mark or a unit; whole ones are codes.
_WITH_MARKS = 0.05
# Of the letters and digits of a code, if it has spaces.
_MOSTLY_DIGITS = 0.7
# The longest code in characters: more are a text that has no spaces.
_LONGEST_CODE = 40
# A sentence has a finite verb, and at least so many words,
_FINITE = frozenset(["VBZ", "VBD", "VBP", "MD"])
_WITH_VERB = 3
# which with a final mark may be one of these: "Two dogs run on the beach.",
_MAYBE_FINITE = frozenset(["VB", "VBN"])
# or this share of function words, as captions and questions have, and at least so many words,
_FUNCTION = frozenset(
    ["DT", "PDT", "IN", "TO", "PRP", "PRP$", "MD", "CC", "WP", "WP$", "WDT", "WRB", "EX"]
)
_SHARE_OF_FUNCTION = 0.4
_WITH_FUNCTION = 4
# or a final mark and at least so many words in another language: no more than this share of them
# are function words.
_WITH_MARK = 5
_FOREIGN = 0.1
_MOST_WORDS = 40
_TOKEN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?|\d+|[^\w\s]")
# "A. Blum and I. Kant" has neither an article nor a pronoun.
_INITIAL = re.compile(r"\b[^\W\d_]\.")
_MARKS = frozenset(".?!。？！")


def guessed(kind: str, cells: Sequence[str]) -> str:
    """Return the kind of a column; "text" and "guess" stand for what its cells look like."""
    if kind == "guess":
        return reading(cells)[0]
    if kind == "text":
        return _text_reading(_some(cells))[0]
    return kind


def reading(cells: Sequence[str]) -> tuple[str, float]:
    """Return the kind of a column, and the share of its cells that are of this kind.

    The kind is "date", "number", "code", "names" or "sentences". Of the last two, a share near
    0.5 says that it may be the other one.
    """
    some = _some(cells)
    if some:
        shares = {
            "date": np.mean([_is_date(cell) for cell in some]),
            "number": np.mean([not np.isnan(number(cell)) for cell in some]),
            "code": np.mean([_is_code(cell) for cell in some]),
        }
        is_whole = [cell.removesuffix(".0").isdecimal() for cell in some]
        if 1 - np.mean(is_whole) <= _WITH_MARKS:
            del shares["number"]
        for kind, share in shares.items():
            if share >= _NEARLY_ALL:
                return kind, float(share)
    return _text_reading(some)


def _some(cells: Sequence[str]) -> list[str]:
    """Return some of the different cells that are not empty."""
    different = list(filter(None, dict.fromkeys(map(str.strip, cells))))
    places = np.linspace(0, len(different) - 1, min(len(different), _MOST_CELLS))
    return [different[place] for place in places.astype(np.int64).tolist()]


def _is_date(cell: str) -> bool:
    """Whether a cell is a full date; years and whole numbers are rather codes."""
    is_year = len(compact(cell)) <= 4
    return not is_year and not np.isnan(day(cell))


def _is_code(cell: str) -> bool:
    if digits(cell):
        return True
    letters_and_digits = compact(cell)
    if len(letters_and_digits) > _LONGEST_CODE:
        return False
    n_digits = sum(map(str.isdigit, letters_and_digits))
    is_one_word = len(cell.split()) == 1 and letters_and_digits in codes(cell)
    return is_one_word or n_digits > _MOSTLY_DIGITS * len(letters_and_digits)


def _text_reading(cells: Sequence[str]) -> tuple[str, float]:
    tokens = [_TOKEN.findall(_INITIAL.sub("", cell.lower()))[:_MOST_WORDS] for cell in cells]
    tags = Tagger.load().tag(tokens)
    found = [_is_sentence(*x) for x in zip(cells, tokens, tags, strict=True)]
    share = float(np.mean(found)) if found else 0.0
    return (SENTENCES, share) if share >= 0.5 and found else (NAMES, 1 - share)


def _is_sentence(cell: str, tokens: Sequence[str], tags: Sequence[str]) -> bool:
    of_words = [tag for token, tag in zip(tokens, tags, strict=True) if token[0].isalpha()]
    n_words = len(of_words)
    n_function = sum(tag in _FUNCTION for tag in of_words)
    has_mark = cell[-1] in _MARKS
    is_foreign = has_mark and n_function <= _FOREIGN * n_words
    least = _WITH_VERB - has_mark  # "It rains."
    return (
        (n_words >= least and not _FINITE.isdisjoint(of_words))
        or (n_words >= _WITH_FUNCTION and n_function >= _SHARE_OF_FUNCTION * n_words)
        or (n_words >= _WITH_MARK and is_foreign)
        or (n_words >= _WITH_MARK and has_mark and not _MAYBE_FINITE.isdisjoint(of_words))
    )
