"""Warnings point at the line of the user's code that they are about."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path

# Between the user's line and the place that warns stand this package and what wraps its methods.
_PASSED_OVER = ("skpara", "sklearn", "joblib")
_HERE = str(Path(__file__).parent)


def warn(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning in the name of the nearest caller outside the package and scikit-learn.

    Parameters
    ----------
    message : str
        What happened, and what to do.
    category : type of Warning, default=UserWarning
    """
    level, frame = 1, sys._getframe()
    while frame.f_back is not None:
        name = frame.f_globals.get("__name__", "").partition(".")[0]
        if name not in _PASSED_OVER and not frame.f_code.co_filename.startswith(_HERE):
            break
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)
