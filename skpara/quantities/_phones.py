"""Phone numbers."""

from __future__ import annotations

import re
from functools import lru_cache

from skpara._normal_form import KEPT, NOT_PLAIN, POINT_ZERO, fold

# Digits of a number of North America with its country code.
_WITH_ONE = 11
# Digits of a number with "00" before, at least.
_WITH_ZEROS = 12
# Digits in three or more groups that are neither a date nor a number. Groups with only spaces
# between are of 3, 3 and 4 digits. A mark is looked for no further than a number may reach: in a
# cell of spaces, every place would look to the end.
PHONE = re.compile(
    r"(?<![\w./-])(?=[\d ]{0,35}[+()./-]|\d{3} \d{3} \d{4}\b)(?!\d{4}([-./])\d\d?\1\d\d?(?!\d))"
    r"(?!\d{1,3}(?:\.\d{3})+(?:,\d+)?(?![\d.]))"
    r"\+?(?:\d{1,3}[ .-])?\(?\d{2,4}\)?(?:[ ./-]{1,2}\d{2,4}){2,4}(?![\w/-])"
)
_EXTENSION = re.compile(r"(?:extension|ext|x)\.?\s*\d+\s*$")
_PHONE_WORD = re.compile(r"\b(?:tel|phone|fax|mobile|cell)\b\.?:?")


@lru_cache(KEPT)
def digits(text: str) -> str:
    """Return the digits of a phone number, without the country code of North America.

    "+1 (404) 555-0123 ext. 5" is "4045550123". A text with other letters has none.
    """
    folded = _EXTENSION.sub("", _PHONE_WORD.sub("", POINT_ZERO.sub("", fold(text))))
    plain = NOT_PLAIN.sub("", folded)
    if not plain.isdecimal():
        return ""
    if len(plain) >= _WITH_ZEROS:
        plain = plain.removeprefix("00")
    return plain.removeprefix("1") if len(plain) == _WITH_ONE else plain


def with_plain_phones(text: str) -> str:
    """Return a text whose phone numbers have digits only."""
    return PHONE.sub(lambda match: digits(match[0]), text)
