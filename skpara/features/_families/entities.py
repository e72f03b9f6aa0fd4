"""Agreement of numbers, capitalized words and stock symbols."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence, Set
from typing import NamedTuple

import numpy as np

from skpara._core import Ragged
from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._kernels import Sides, distinct, f_score, shared_ngrams

_NUMBER = re.compile(r"[,./-]*[0-9][0-9,./-]*")
# No double has more decimals, so rounding to more of them changes nothing.
_MAX_DECIMALS = 1074
_NONE: Set[str] = frozenset()


def numbers(tokens: Iterable[str]) -> set[str]:
    """Return the distinct tokens of digits and of commas, full stops, slashes and hyphens."""
    return {token for token in tokens if not token.isalpha() and _NUMBER.fullmatch(token)}


class _Number(NamedTuple):
    """A number token: its value, its whole part and the number of its decimals."""

    value: float
    whole: int
    n_decimals: int

    def rounded(self, places: int) -> tuple[int, int]:
        """Return the whole part and the value in units of the last place.

        The latter is exact; halves are rounded away from zero.
        """
        # "3.9" and "4" may be the same, but "0.9" and "1" are not.
        numerator, denominator = abs(self.value).as_integer_ratio()
        size = (2 * numerator * 10**places + denominator) // (2 * denominator)
        key = self.whole if places else int(self.whole == 0)
        return key, size if self.value >= 0 else -size


def _parsed(token: str) -> _Number | None:
    """Read a number token; "3." has no decimals, like "3"."""
    text = token.replace(",", "")
    try:
        value = float(text)
        return _Number(value, int(value), min(len(text.partition(".")[2]), _MAX_DECIMALS))
    except (ValueError, OverflowError):
        return None


def n_same(first: Set[str], second: Set[str]) -> int:
    """Count the numbers of one sentence that match a number of the other one up to rounding.

    Two numbers are the same if they agree when both are rounded to the decimals of the one that
    has fewer. Without decimals, equal whole parts are enough.
    """
    candidates = [n for n in map(_parsed, first - second) if n]
    others = [n for n in map(_parsed, second) if n]
    # Sets of rounded numbers in place of a comparison of each with each: many numbers take little
    # longer than a few.
    plain = [n for n in others if not n.n_decimals]
    wholes = {n.whole for n in others}, {n.whole for n in plain}
    rounded = {n.rounded(0) for n in others}, {n.rounded(0) for n in plain}
    decimals = {n.n_decimals for n in others} - {0}
    exact = {(n.n_decimals, n.rounded(n.n_decimals)) for n in others if n.n_decimals}
    finer = {
        (places, n.rounded(places))
        for places in {n.n_decimals for n in candidates} - {0}
        for n in others
        if n.n_decimals >= places
    }
    count = len(first & second)
    for n in candidates:
        has_decimals = n.n_decimals > 0
        count += (
            n.whole in wholes[has_decimals]
            or n.rounded(0) in rounded[has_decimals]
            or (has_decimals and (n.n_decimals, n.rounded(n.n_decimals)) in finer)
            or any((d, n.rounded(d)) in exact for d in decimals if d < n.n_decimals)
        )
    return count


def number_features(first: Set[str], second: Set[str]) -> tuple[float, float, float]:
    """Compare the numbers of two sentences, as :func:`numbers` returns them.

    ``matched`` below counts the numbers of the first that have a partner in the second. The last
    two features depend on it and so are directional: swapping the sentences can change them.

    number_len
        ln(1 + distinct numbers of the first + distinct numbers of the second).
    number_f
        F of matched / numbers of the first and matched / numbers of the second; 1 where there is
        no number at all. Above 1, but below 2, where two numbers share one partner.
    number_subset
        1 where there is a number and matched equals the number of numbers of a side, else 0.
    """
    if not first and not second:
        return 0.0, 1.0, 0.0
    matched = n_same(first, second)
    f = f_score(matched, len(first), len(second))
    subset = matched in (len(first), len(second))
    return math.log(1 + len(first) + len(second)), f, float(subset)


def compute_numbers(batch: PairBatch) -> Floats:
    """Compare numbers.

    number_len
        ln(1 + distinct numbers of both sides) [1].
    number_f
        F of matching numbers, rounded or not [1]; 1 without numbers. Up to 2, where two numbers
        share a partner, and not symmetric.
    number_subset
        1 if all numbers of one side match [1]; not symmetric.
    """
    sides = batch.takelab
    values = [
        numbers(tokens) if has_digit else _NONE
        for tokens, has_digit in zip(sides.tokens, sides.have_digits, strict=True)
    ]
    return sides.score(number_features, values, _NONE)


def is_capitalized(token: str) -> bool:
    """Return whether a token starts with a capital and does not end in a full stop."""
    return token[0].isupper() and token[-1] != "."


def is_stock_symbol(token: str) -> bool:
    """Return whether a token is a full stop and capitals, such as ".DJI" (the Dow Jones)."""
    return token[0] == "." and token[1:].isupper()


def agreement(tokens: Ragged, sides: Sides, marks: Sequence[bool]) -> Floats:
    """Compare the distinct marked tokens of two sentences: capitalized ones, or stock symbols.

    Returns ln(1 + number of the first + number of the second), and F of the shared ones, which is
    1 where a side has none. Both are symmetric.
    """
    lists, _ = distinct(tokens.only(np.array(marks, dtype=bool)), len(marks))
    first, second = (lists.lengths[side] for side in sides)
    [f] = shared_ngrams(lists, sides, 1)[1]
    return np.array([np.log(1 + first + second), f]).T


def compute_case(batch: PairBatch) -> Floats:
    """Compare capitalized tokens, except the first of a sentence.

    case_match_len
        ln(1 + capitalized tokens of both sides) [1].
    case_match_f
        F of shared capitalized tokens; 1 if a side has none [1].
    """
    takelab = batch.takelab
    # The first token of a sentence is capitalized whatever it is.
    later = np.ones(len(takelab.cased_ids.ids), dtype=bool)
    later[takelab.cased_ids.offsets[:-1][takelab.cased_ids.lengths > 0]] = False
    marks = list(map(is_capitalized, takelab.cased))
    return agreement(takelab.cased_ids.where(later), takelab.sides, marks)


def compute_stocks(batch: PairBatch) -> Floats:
    """Compare stock symbols, such as ".DJI".

    stocks_match_len
        ln(1 + symbols of both sides) [1].
    stocks_match_f
        F of shared symbols; 1 if a side has none [1].
    """
    takelab = batch.takelab
    return agreement(takelab.cased_ids, takelab.sides, list(map(is_stock_symbol, takelab.cased)))


NUMBERS = Family(
    "numbers",
    ("number_len", "number_f", "number_subset"),
    compute_numbers,
)
CASE = Family(
    "case",
    ("case_match_len", "case_match_f"),
    compute_case,
)
STOCKS = Family(
    "stocks",
    ("stocks_match_len", "stocks_match_f"),
    compute_stocks,
)
