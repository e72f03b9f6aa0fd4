"""Memory: how much there is, and when it is searched for garbage."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import contextmanager


def total_memory() -> int | None:
    """Return the bytes of memory of this machine, None where the system does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return None


@contextmanager
def no_collection() -> Iterator[None]:
    """Turn garbage collection off while many objects are made that stay in use, in no cycles.

    To look through them takes a seventh of the time of a batch of pairs, and half of the time in
    which the tagger's model is read.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
