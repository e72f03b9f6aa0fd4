"""Warnings that point at the caller's line outside the package."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Any

# Callers to skip: this package, and packages that call its methods.
_SKIPPED = ("skpara", "sklearn", "joblib")
# `python -m skpara` runs a file of the package under the name __main__.
_FOLDER = str(Path(__file__).parent)


def warn_of_unused(reason: str, **settings: Any) -> None:
    """Warn of parameters that are set, to anything but None or False, and not used."""
    unset = (None, False)
    names = " and ".join(n for n, value in settings.items() if not any(value is u for u in unset))
    if names:
        warn(f"{names}: set, but not used {reason}.")


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning for the nearest caller outside skpara, scikit-learn and joblib."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__", "").partition(".")[0]
        if name not in _SKIPPED and not frame.f_code.co_filename.startswith(_FOLDER):
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
