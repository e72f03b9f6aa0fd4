"""Units of measure, and what they are in a base unit."""

from __future__ import annotations

import re

from skpara.features import MEASURES

# Units that a table of articles has, besides those that sentences have.
_MORE_UNITS: dict[str, dict[str, float]] = {
    "length": {"in": 25.4, '"': 25.4, "''": 25.4, "'": 304.8, "mtr": 1000, "yds": 914.4},
    "weight": {"gm": 1000, "gr": 1000, "lbs": 453592, "kgs": 1e6, "ounces": 28349.5},
    "volume": {
        "fl oz": 30, "dl": 100, "ltr": 1000, "lt": 1000, "gal": 3840, "qt": 960, "pt": 480,
    },
    "time": {"ms": 0.001, "secs": 1, "mins": 60, "hrs": 3600, "yr": 31104000, "yrs": 31104000},
    "data": {"kib": 1, "mib": 1e3, "gib": 1e6, "tib": 1e9, "gig": 1e6},
    "frequency": {"hz": 1, "khz": 1e3, "mhz": 1e6, "ghz": 1e9},
    "voltage": {"mv": 0.001, "v": 1, "volt": 1, "volts": 1, "vdc": 1, "vac": 1, "kv": 1000},
    "charge": {"mah": 1, "ah": 1000},
    "pixels": {"mp": 1, "megapixel": 1, "megapixels": 1, "mpix": 1},
    "speed": {"mbps": 1, "gbps": 1000},
    "turns": {"rpm": 1},
    "resolution": {"dpi": 1},
    "pieces": {
        "pack": 1, "packs": 1, "pk": 1, "ct": 1, "count": 1, "cnt": 1, "pc": 1, "pcs": 1,
        "piece": 1, "pieces": 1, "ea": 1, "set": 1, "doz": 12, "dozen": 12,
    },
    "pages": {"pp": 1, "page": 1, "pages": 1, "pgs": 1},
    "degrees": {"°": 1, "degree": 1, "degrees": 1, "deg": 1},
    "celsius": {"°c": 1},
    "fahrenheit": {"°f": 1},
    "dollar": {"$": 1}, "euro": {"€": 1}, "pound": {"£": 1}, "yen": {"¥": 1}, "rupee": {"₹": 1},
}  # fmt: skip
# "80s" are years, and "ms" no metres.
_NO_UNITS = re.compile("s|.s")


def _known_units() -> dict[str, tuple[str, float]]:
    """Return the measure and the size of each unit."""
    units = {
        name: next(iter(measures.items()))
        for name, measures in MEASURES.items()
        if not _NO_UNITS.fullmatch(name)
    }
    for measure, more in _MORE_UNITS.items():
        units |= {name: (measure, size) for name, size in more.items()}
    return units


UNITS = _known_units()
DIGITS = r"(?:\d+(?:[.,\u00a0\u202f]\d+|'\d{3}(?!\d))*|\.\d+)"
UNIT = r"(?:fl\.?\s?oz|°\s?[cf]\b|[^\W\d_]+|''|[\"'°%$€£¥₹])"
ENDINGS = frozenset(["st", "nd", "rd", "th"])
_SIZE = re.compile(rf"{DIGITS}-?({UNIT})")


def is_size(text: str) -> bool:
    """Return whether a text is a number with its unit or ending: "500ml", "1st", "80s"."""
    size = _SIZE.fullmatch(text)
    return size is not None and (size[1] in UNITS or size[1] in ENDINGS or size[1] == "s")
