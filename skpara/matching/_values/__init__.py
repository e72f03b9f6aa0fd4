"""Readers of cells: numbers, quantities, codes, phone numbers and dates.

Each takes one text, and keeps what it says, as texts are compared several times.
"""

from skpara.matching._values._codes import codes
from skpara.matching._values._dates import days, iso_form
from skpara.matching._values._folding import (
    PLACEHOLDER,
    compact,
    fold,
    is_placeholder,
    key,
    record_key,
)
from skpara.matching._values._numbers import measured, number, numbers, quantities, sides
from skpara.matching._values._phones import digits, with_plain_phones
from skpara.matching._values._units import MEASURES_OF_CELLS

__all__ = [
    "MEASURES_OF_CELLS",
    "PLACEHOLDER",
    "codes",
    "compact",
    "days",
    "digits",
    "fold",
    "is_placeholder",
    "iso_form",
    "key",
    "measured",
    "number",
    "numbers",
    "quantities",
    "record_key",
    "sides",
    "with_plain_phones",
]
