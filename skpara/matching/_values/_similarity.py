"""The similarity of two cells of one kind that is no text."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from rapidfuzz import process
from rapidfuzz.distance import OSA

from skpara._typing import Floats
from skpara.matching._values._dates import days, in_digits
from skpara.matching._values._folding import compact, key
from skpara.matching._values._numbers import number, sorted_quantities
from skpara.matching._values._phones import digits

# A difference of more than a year is no similarity of dates.
_DAYS = 365


def similarity(kind: str, left: Sequence[str], right: Sequence[str]) -> Floats:
    """Return the similarity, between 0 and 1, of pairs of cells that are "exact", "same", ...

    The similarity of numbers is NaN where one cell has none. Dates have
    :func:`date_similarity`.
    """
    return _SIMILARITIES[kind](left, right)


def date_similarity(
    left: Sequence[str], right: Sequence[str], left_days: Floats, right_days: Floats
) -> Floats:
    """Return the similarity of pairs of dates, of which ``days`` are known.

    They are compared by the days between, and as codes, whose digits may be mistyped.
    """
    between = np.abs(left_days[:, :, None] - right_days[:, None, :]).min(axis=(1, 2))
    near = np.nan_to_num(1 - between / _DAYS)
    return np.maximum(_code(in_digits(left, left_days), in_digits(right, right_days)), near)


def normal_forms(kind: str, cells: Sequence[str]) -> list[str]:
    """Return the cells of a column in the one form in which they are searched.

    Dates are as in ISO 8601, phone numbers and codes without marks, and numbers without units.
    """
    if kind == "date":
        return in_digits(cells, days(cells))
    if kind == "code":
        return [digits(cell) or compact(cell) for cell in cells]
    if kind == "number":
        values = [number(cell) for cell in cells]
        pairs = zip(cells, values, strict=True)
        return [cell if np.isnan(value) else f"{value:.10g}" for cell, value in pairs]
    if kind in ("exact", "same"):
        return [key(cell) for cell in cells]
    return list(cells)


def _exact(left: Sequence[str], right: Sequence[str]) -> Floats:
    same = [key(a) == key(b) for a, b in zip(left, right, strict=True)]
    return np.array(same, dtype=np.float64)


def _code(left: Sequence[str], right: Sequence[str]) -> Floats:
    """Share of letters and digits that stay; exchanged neighbours are one change."""
    pairs = [_as_codes(a, b) for a, b in zip(left, right, strict=True)]
    plain = [a for a, _ in pairs], [b for _, b in pairs]
    return process.cpdist(*plain, scorer=OSA.normalized_similarity).astype(np.float64)


def _as_codes(left: str, right: str) -> tuple[str, str]:
    a, b = digits(left), digits(right)
    return (a, b) if a and b else (compact(left), compact(right))


def _number(left: Sequence[str], right: Sequence[str]) -> Floats:
    """One less the relative difference."""
    pairs = [_as_numbers(a, b) for a, b in zip(left, right, strict=True)]
    a, b = np.array(pairs, dtype=np.float64).reshape(-1, 2).T
    largest = np.maximum(np.maximum(np.abs(a), np.abs(b)), np.finfo(float).tiny)
    return np.clip(1 - np.abs(a - b) / largest, 0, 1)


def _as_numbers(left: str, right: str) -> tuple[float, float]:
    """Return the numbers of two cells, in one unit if both have units of one measure."""
    sizes, others = sorted_quantities(left), sorted_quantities(right)
    if len(sizes) == len(others) == 1 and sizes[0][0] == others[0][0]:
        return sizes[0][1], others[0][1]
    return number(left), number(right)


_SIMILARITIES = {"exact": _exact, "same": _exact, "code": _code, "number": _number}
