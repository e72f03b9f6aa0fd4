"""Model numbers and other codes in texts."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import combinations

from skpara._normal_form import KEPT, fold
from skpara.quantities import PHONE, YEAR_FIRST, digits, is_size

# Digits alone are a code if there are at least this many; fewer are a number.
_LONG = 5
# Parts of a code with hyphens are joined in all ways up to this number of parts.
_MOST_PARTS = 6
# Shorter parts are not codes of their own.
_SHORTEST_PART = 4
_TOKEN = re.compile(r"[^\W_]+(?:[-/._][^\W_]+)*")
_SEPARATOR = re.compile(r"[-/._]")
# "12-inch" and "3-way": a number and a word.
_COUNTED = re.compile(r"\d+[^\W\d_]{3,}")


@lru_cache(KEPT)
def codes(text: str) -> frozenset[str]:
    """Return the model numbers and other codes of a text, without hyphens, slashes and points.

    A code has letters and digits, or many digits. "DSC-W120/B" is also "DSCW120" and "W120/B".
    """
    folded = fold(text)
    found = {digits(match[0]) for match in PHONE.finditer(folded)}
    for token in filter(_may_be_code, _TOKEN.findall(PHONE.sub(" ", folded))):
        parts = _SEPARATOR.split(token)[:_MOST_PARTS]
        found.add("".join(parts))
        joined = ("".join(parts[i:j]) for i, j in combinations(range(len(parts) + 1), 2))
        found.update(x for x in joined if len(x) >= _SHORTEST_PART and not x.isdigit())
    return frozenset(filter(_is_code, found))


def _may_be_code(token: str) -> bool:
    if not any(map(str.isdigit, token)):
        return False
    is_number = token.replace(".", "").isdigit() and "." in token
    return not (is_size(token) or is_number or YEAR_FIRST.fullmatch(token))


def _is_code(text: str) -> bool:
    n_digits = sum(map(str.isdigit, text))
    if n_digits == len(text):
        return n_digits >= _LONG
    return n_digits > 0 and not _COUNTED.fullmatch(text) and not is_size(text)
