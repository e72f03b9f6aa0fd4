"""Continuing with smaller batches where a GPU runs out of memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import torch

from skpara._warnings import warn

T = TypeVar("T")


def try_in_memory(compute: Callable[[], T], *, last: bool) -> T | None:
    """Call ``compute``; return None where the GPU is out of memory.

    With ``last``, where nothing smaller can be tried, the error is raised.
    """
    try:
        return compute()
    except torch.OutOfMemoryError as error:
        _reraise_if(last, error)
    # Only outside the handler are the error and the tensors of its frames released.
    torch.cuda.empty_cache()
    return None


class BatchSize:
    """A batch size that is halved, for good, when a batch does not fit into memory."""

    def __init__(self, size: int, unit: str) -> None:
        self.size, self._unit = size, unit

    def run(self, n_rows: int, compute: Callable[[slice], None]) -> None:
        """Call ``compute`` with consecutive slices that cover all rows."""
        initial, start = self.size, 0
        while start < n_rows:
            size = min(self.size, n_rows - start)
            try:
                compute(slice(start, start + size))
                start += size
                continue
            except torch.OutOfMemoryError as error:
                _reraise_if(size == 1, error)
            torch.cuda.empty_cache()
            self.size = max(1, size // 2)
        if self.size < initial:
            warn(
                f"Out of memory on the GPU with {initial} {self._unit} at a time; continued with "
                f"{self.size}. The results are the same.",
            )


def _reraise_if(last: bool, error: Exception) -> None:
    if last:
        error.add_note("The batch cannot be made smaller: lower batch_size, or use the CPU.")
        raise error
