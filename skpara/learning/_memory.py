"""Going on with less at a time where a GPU is out of memory."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

import torch

from skpara._warnings import warn

T = TypeVar("T")


def attempt(compute: Callable[[], T], *, last: bool) -> T | None:
    """What ``compute`` gives, or None where it found no memory.

    With ``last``, for want of anything smaller to try, the error is passed on.
    """
    try:
        return compute()
    except torch.OutOfMemoryError as error:
        if last:
            error.add_note("Nothing smaller is left to try: lower batch_size, or use the CPU.")
            raise
    # Only here, with the error and the tensors of its frames gone, is there memory to give back.
    torch.cuda.empty_cache()
    return None


class Blocks:
    """Rows a block at a time; a block that finds no memory is halved, and so are all later ones.

    Parameters
    ----------
    size : int
        Rows of a block, to begin with.
    unit : str
        What a row is, for the warning.
    """

    def __init__(self, size: int, unit: str) -> None:
        self.size, self._unit = size, unit

    def run(self, n_rows: int, compute: Callable[[slice], None]) -> None:
        """Call ``compute`` with one slice after another until all rows are done."""

        def done(rows: slice) -> bool:
            compute(rows)
            return True

        first, start = self.size, 0
        while start < n_rows:
            size = min(self.size, n_rows - start)
            rows = slice(start, start + size)
            if attempt(partial(done, rows), last=size == 1):
                start += size
            else:
                self.size = max(1, size // 2)
        if self.size < first:
            warn(
                f"Out of memory on the GPU with {first} {self._unit} at a time; went on with "
                f"{self.size}, and the results are the same.",
            )
