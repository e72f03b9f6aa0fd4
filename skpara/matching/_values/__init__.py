"""Readers of cells: numbers, quantities, codes, phone numbers and dates.

Each takes one text, and keeps what it says, as texts are compared several times.
"""

from skpara.matching._values._codes import codes
from skpara.matching._values._dates import day, days
from skpara.matching._values._folding import PLACEHOLDER, compact, fold, is_placeholder, key
from skpara.matching._values._numbers import (
    CellUnit,
    in_unit,
    number,
    numbers,
    quantities,
    unit_of,
)
from skpara.matching._values._phones import digits, with_plain_phones
from skpara.matching._values._similarity import date_similarity, normal_forms, similarity

__all__ = [
    "PLACEHOLDER",
    "CellUnit",
    "codes",
    "compact",
    "date_similarity",
    "day",
    "days",
    "digits",
    "fold",
    "in_unit",
    "is_placeholder",
    "key",
    "normal_forms",
    "number",
    "numbers",
    "quantities",
    "similarity",
    "unit_of",
    "with_plain_phones",
]
