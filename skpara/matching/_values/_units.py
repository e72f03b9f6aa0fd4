"""Units of measure, and what they are in a base unit; and numbers in words."""

from __future__ import annotations

import json
import re
from pathlib import Path

from skpara.features import MEASURES

# Units that a table of articles has besides those that sentences have, and words for numbers.
LEXICON = json.loads((Path(__file__).parent / "units.json").read_text("utf-8"))
# "80s" are years, and "ms" no metres.
_NO_UNITS = re.compile("s|.s")


def _known_units() -> dict[str, tuple[str, float]]:
    """Return the measure and the size of each unit."""
    units = {
        name: next(iter(measures.items()))
        for name, measures in MEASURES.items()
        if not _NO_UNITS.fullmatch(name)
    }
    for measure, more in LEXICON["units"].items():
        units |= {name: (measure, size) for name, size in more.items()}
    return units


UNITS = _known_units()
# Amounts in any currency are of one measure, as tables mostly have one, with or without its sign.
MONEY = frozenset(LEXICON["money"])
MEASURES_OF_CELLS = ["", "money", *dict.fromkeys(measure for measure, _ in UNITS.values())]
DIGITS = r"(?:\d+(?:[.,\u00a0\u202f]\d+|'\d{3}(?!\d))*|\.\d+)"
UNIT = (
    r"(?:fl\.?\s?oz|sq(?:uare|\.)?\s?[^\W\d_]+|k?m\^?2\b|ft\^?2\b|°\s?[cf]\b|[^\W\d_]+|''"
    r"|[\"'°%$€£¥₹])"
)
ENDINGS = frozenset(["st", "nd", "rd", "th"])
_SIZE = re.compile(rf"{DIGITS}-?({UNIT})")


def is_size(text: str) -> bool:
    """Return whether a text is a number with its unit or ending: "500ml", "1st", "80s"."""
    size = _SIZE.fullmatch(text)
    return size is not None and (size[1] in UNITS or size[1] in ENDINGS or size[1] == "s")
