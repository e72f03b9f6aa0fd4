"""Whether the numbers, capitalized words and stock symbols of two sentences agree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence, Set
from fractions import Fraction

from skpara._typing import Floats
from skpara.features._batch import Family, PairBatch
from skpara.features._scores import f_score, set_f_score

_NUMBER = re.compile(r"[,./-]*[0-9][0-9,./-]*")
# No double has more decimals, so rounding to more of them changes nothing.
_MAX_DECIMALS = 1074


def numbers(tokens: Iterable[str]) -> set[str]:
    """Return the distinct tokens of digits and of commas, full stops, slashes and hyphens."""
    return {token for token in tokens if not token.isalpha() and _NUMBER.fullmatch(token)}


def same_number(first: str, second: str) -> bool:
    """Return whether two number tokens mean the same, one of them possibly rounded."""
    if first == second:
        return True
    texts = first.replace(",", ""), second.replace(",", "")
    try:
        a, b = map(float, texts)
        whole_a, whole_b = int(a), int(b)
    except (ValueError, OverflowError):
        return False
    if (whole_a == 0) != (whole_b == 0) or abs(a - b) > 1:
        return False
    # Decimals: "3." has none, like "3".
    decimals = [len(text.partition(".")[2]) for text in texts]
    if all(decimals) and whole_a != whole_b:
        return False
    if not all(decimals) and whole_a == whole_b:
        return True
    places = min(*decimals, _MAX_DECIMALS)
    return _rounded(a, places) == _rounded(b, places)


def _rounded(value: float, places: int) -> int:
    """Return the value in units of the last place, exactly; halves are rounded away from zero."""
    size = math.floor(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    return size if value >= 0 else -size


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
    matched = sum(a in second or any(same_number(a, b) for b in second) for a in first)
    f = f_score(matched, len(first), len(second))
    subset = matched in (len(first), len(second))
    return math.log(1 + len(first) + len(second)), f, float(subset)


def compute_numbers(batch: PairBatch) -> Floats:
    sides = batch.takelab
    values = [
        numbers(tokens) if has_digit else frozenset()
        for tokens, has_digit in zip(sides.tokens, sides.have_digits, strict=True)
    ]
    return sides.score(number_features, values)


def capitalized(tokens: Sequence[str]) -> set[str]:
    """Return the distinct capitalized tokens but the first one and those that end in a stop."""
    return {token for token in tokens[1:] if token[0].isupper() and token[-1] != "."}


def stock_symbols(tokens: Sequence[str]) -> set[str]:
    """Return the distinct tokens of a full stop and capitals, such as ".DJI" (the Dow Jones)."""
    return {token for token in tokens if token[0] == "." and token[1:].isupper()}


def agreement(first: set[str], second: set[str]) -> tuple[float, float]:
    """Compare the capitalized tokens, or the stock symbols, of two sentences.

    Returns ln(1 + number of the first + number of the second), and F of the shared ones, which is
    1 where a side has none. Both are symmetric.
    """
    return math.log(1 + len(first) + len(second)), set_f_score(first, second)


def compute_case(batch: PairBatch) -> Floats:
    return batch.takelab.score(agreement, [capitalized(t) for t in batch.takelab.tokens])


def compute_stocks(batch: PairBatch) -> Floats:
    sides = batch.takelab
    # Few lists have a symbol; the others are not searched.
    candidates = sides.containing(len(t) > 1 and t[0] == "." for t in sides.distinct)
    symbols = [
        stock_symbols(tokens) if candidate else set()
        for tokens, candidate in zip(sides.tokens, candidates, strict=True)
    ]
    return sides.score(agreement, symbols)


NUMBERS = Family("numbers", ("number_len", "number_f", "number_subset"), compute_numbers)
CASE = Family("case", ("case_match_len", "case_match_f"), compute_case)
STOCKS = Family("stocks", ("stocks_match_len", "stocks_match_f"), compute_stocks)
