"""Whether the numbers of two sentences agree."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Set
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.features._family import Family
from skpara.features._scores import f_score

if TYPE_CHECKING:
    from skpara.features._batch import PairBatch

_NUMBER = re.compile(r"[,./-]*[0-9][0-9,./-]*")
# A double holds no more decimals than these, so rounding to more changes nothing.
_MAX_DECIMALS = 1074


def numbers(tokens: Iterable[str]) -> set[str]:
    """Distinct tokens of digits, commas, full stops, slashes and hyphens, with a digit.

    Examples
    --------
    >>> from skpara.features.families._numbers import numbers
    >>> sorted(numbers(["In", "2012", "1,500.50", "of", "42nd", "...", "2012"]))
    ['1,500.50', '2012']
    """
    return {token for token in tokens if not token.isalpha() and _NUMBER.fullmatch(token)}


def same_number(first: str, second: str) -> bool:
    """Whether two number tokens mean the same, one perhaps rounded.

    Parameters
    ----------
    first, second : str
        Tokens as :func:`numbers` gives them.

    Examples
    --------
    >>> from skpara.features.families._numbers import same_number
    >>> same_number("1,000", "1000"), same_number("3.14", "3.1"), same_number("3.14", "3.2")
    (True, True, False)
    """
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
    # Digits behind the point: "3." has none, as "3" has none.
    decimals = [len(text.partition(".")[2]) for text in texts]
    if all(decimals) and whole_a != whole_b:
        return False
    if not all(decimals) and whole_a == whole_b:
        return True
    places = min(*decimals, _MAX_DECIMALS)
    return _rounded(a, places) == _rounded(b, places)


def _rounded(value: float, places: int) -> int:
    """``value`` in units of the last place, half away from zero; exact."""
    size = math.floor(abs(Fraction(value)) * 10**places + Fraction(1, 2))
    return size if value >= 0 else -size


def number_features(first: Set[str], second: Set[str]) -> tuple[float, float, float]:
    """Agreement of the numbers of two sentences.

    Parameters
    ----------
    first, second : set of str
        As :func:`numbers` gives them.

    Returns
    -------
    number_len : float
        ln(1 + distinct numbers of the first + distinct numbers of the second).
    number_f : float
        F of matched / distinct of the first, matched / distinct of the second; 1 where there is
        no number at all. *matched* counts the numbers of the first that have a partner in the
        second. **Directional**: swapping the sentences can change it, and where two numbers
        share one partner it can exceed 1 (it stays below 2).
    number_subset : float
        1 where there is a number and *matched* equals the distinct count of a side, else 0.
        **Directional**, as it rests on *matched*.

    References
    ----------
    Frane Šarić, Goran Glavaš, Mladen Karan, Jan Šnajder and Bojana Dalbelo Bašić.
    "TakeLab: Systems for Measuring Semantic Text Similarity", SemEval 2012.

    Examples
    --------
    >>> from skpara.features.families._numbers import number_features
    >>> number_features({"3", "5"}, {"3"})
    (1.3862943611198906, 0.6666666666666666, 1.0)
    """
    if not first and not second:
        return 0.0, 1.0, 0.0
    matched = sum(a in second or any(same_number(a, b) for b in second) for a in first)
    f = f_score(matched, len(first), len(second))
    subset = matched in (len(first), len(second))
    return math.log(1 + len(first) + len(second)), f, float(subset)


def compute(batch: PairBatch) -> NDArray[np.float64]:
    """The features of a batch of pairs."""
    sides = batch.takelab
    named = [
        numbers(tokens) if some else frozenset()
        for tokens, some in zip(sides.tokens, sides.have_digits, strict=True)
    ]
    return sides.score(number_features, named)


FAMILY = Family("numbers", ("number_len", "number_f", "number_subset"), compute)
