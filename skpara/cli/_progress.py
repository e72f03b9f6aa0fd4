"""What a command says on standard error while it works."""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["pair_count", "step", "stops_when_interrupted"]


@contextmanager
def step(what: str, *, bars: bool = False) -> Iterator[None]:
    """Say what is being done, and how long it took.

    Parameters
    ----------
    what : str
    bars : bool, default=False
        Whether progress bars come in between; the last line then says again what was done.
    """
    print(f"{what} ...", end="\n" if bars else " ", file=sys.stderr, flush=True)
    started = time.perf_counter()
    try:
        yield
    except BaseException:
        print("failed", file=sys.stderr, flush=True)
        raise
    took = f"{time.perf_counter() - started:.1f} s"
    print(f"{what}: {took}" if bars else took, file=sys.stderr, flush=True)


def pair_count(*, hidden: bool = False) -> Any:
    """A count of pairs and their speed, where standard error is a terminal."""
    from tqdm import tqdm

    return tqdm(unit=" pairs", desc="Scoring", disable=True if hidden else None)


@contextmanager
def stops_when_interrupted() -> Iterator[None]:
    """Ctrl-C ends the training of all parts; an encoder alone would keep what it learned so far.

    Raises
    ------
    KeyboardInterrupt
    """
    told = "Training was interrupted"
    with warnings.catch_warnings():
        warnings.filterwarnings("error", message=told)
        try:
            yield
        except UserWarning as warning:
            if str(warning).startswith(told):
                raise KeyboardInterrupt from None
            raise
