"""Memory of this machine."""

from __future__ import annotations

import os


def total_memory() -> int | None:
    """Return the bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None
