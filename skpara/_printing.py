"""Text that a terminal may be sent."""

from __future__ import annotations


def printable(text: str, allowed: str = "") -> str:
    """Return text with escapes for what a terminal would obey or hide, such as control characters.

    Cells and names come from strangers: their characters could change colours, titles and the
    clipboard, delete what is shown, or show it in another direction.
    """
    return "".join(
        c if c.isprintable() or c in allowed else c.encode("unicode_escape").decode() for c in text
    )
