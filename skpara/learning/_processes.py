"""Several processes that train one model: which part of a batch is whose, and sums over all.

Processes are those of ``torch.distributed``'s default group, where a script has made one; without,
there is one process and nothing here costs anything.
"""

from __future__ import annotations

import os
import zlib

import torch
from numpy.random import Generator
from torch import Tensor, distributed

from skpara._warnings import warn
from skpara.text import TokenIds


def n_processes() -> int:
    """How many processes train together."""
    return distributed.get_world_size() if _together() else 1


def is_first() -> bool:
    """Whether this is the one that reports."""
    return not _together() or distributed.get_rank() == 0


def share(n_rows: int) -> slice:
    """The rows of a batch that are this process's: all processes have as many, or one more."""
    n, rank = n_processes(), distributed.get_rank() if _together() else 0
    return slice(n_rows * rank // n, n_rows * (rank + 1) // n)


def add_up(*tensors: Tensor) -> None:
    """Replace the tensors, of one dtype, by their sums over all processes."""
    flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
    distributed.all_reduce(flat)
    sums = torch.split(flat, [tensor.numel() for tensor in tensors])
    for tensor, total in zip(tensors, sums, strict=True):
        tensor.copy_(total.view_as(tensor))


def take_from_first(*tensors: Tensor) -> None:
    """Replace the tensors by those of the first process."""
    if _together():
        for tensor in tensors:
            distributed.broadcast(tensor, 0)


def check_alike(batch: TokenIds, rng: Generator, device: str) -> None:
    """Refuse processes that were given different data or draw different numbers.

    Raises
    ------
    ValueError
        In every one of them.
    """
    drawn = zlib.crc32(repr(rng.bit_generator.state).encode())
    found = zlib.crc32(batch.offsets.tobytes(), zlib.crc32(batch.ids.tobytes(), drawn))
    extremes = torch.tensor([found, -found], device=device)
    distributed.all_reduce(extremes, distributed.ReduceOp.MAX)
    if int(extremes.sum()):
        raise ValueError(
            "The processes were not given the same: each needs all the pairs, the same parameters "
            "and the same integer as random_state. A batch is shared out between them by fit."
        )


def warn_if_alone() -> None:
    """Tell a script under torchrun that did not bring its processes together."""
    if distributed.is_available() and not _together() and distributed.is_torchelastic_launched():
        n = int(os.environ.get("WORLD_SIZE", "1"))
        if n > 1:
            warn(
                f"torchrun started {n} processes, and each trains a model of its own. Call "
                "torch.distributed.init_process_group() before fit for them to train one.",
            )


def _together() -> bool:
    return distributed.is_available() and distributed.is_initialized()
