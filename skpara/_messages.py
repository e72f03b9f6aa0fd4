"""Messages: warnings at the caller's line, names that were meant, printable text, interrupts."""

from __future__ import annotations

import json
import sys
import warnings
from collections.abc import Sequence
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from importlib.util import find_spec
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


# Names with less in common are seldom meant: "item" is not "title".
_LEAST_SIMILARITY = 0.75
# What is here under another name than elsewhere, or than in earlier versions: names of the
# package, then commands, options, and values of options.
_OTHER_NAMES = Path(__file__).with_name("other_names.json")


@cache
def _other_names() -> dict[str, list[str]]:
    return json.loads(_OTHER_NAMES.read_text("utf-8"))


def near_name(name: str, known: Sequence[str]) -> str | None:
    """Return the known name that others call so, or one that is spelled alike, or None."""
    others = _other_names()
    for known_name in known:
        if name in others.get(known_name, ()):
            return known_name
    return next(iter(get_close_matches(name, known, 1, _LEAST_SIMILARITY)), None)


def remedy_of_package_name(name: str, known: Sequence[str]) -> str:
    """Return what a name that the package does not have may mean, or ""."""
    if name.startswith("_"):
        return ""
    rooms = [room for room in known if find_spec(f"skpara.{room}")]
    homes = [x for x in rooms if name in getattr(import_module(f"skpara.{x}"), "__all__", ())]
    imports = [f"from skpara.{room} import {name}" for room in homes]
    near = near_name(name, [*(x for x in _other_names() if "(" in x), *known])
    meant = [*imports, near] if near else imports
    return f" Did you mean {' or '.join(meant)}?" if meant else ""


def printable(text: str, allowed: str = "") -> str:
    """Return text with escapes for what a terminal would obey or hide, such as control characters.

    Cells and names come from strangers: their characters could change colours, titles and the
    clipboard, delete what is shown, or show it in another direction.
    """
    return "".join(
        c if c.isprintable() or c in allowed else c.encode("unicode_escape").decode() for c in text
    )


class TrainingInterrupted(KeyboardInterrupt):
    """Raised when training was interrupted, after ``keeper`` has kept what was learned.

    It is an interrupt, so that a pipeline or a grid search that has called ``fit`` ends, too.
    """

    def __init__(self, message: str, keeper: Any = None) -> None:
        super().__init__(message)
        self.keeper = keeper
