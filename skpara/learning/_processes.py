"""Several processes that train one model: shards of a batch, sums over all processes.

The processes form the default group of ``torch.distributed``, where a script has initialized
one. Otherwise there is one process, and nothing here costs anything.

``DistributedDataParallel`` does not fit: the table of vectors is not a module's parameter (a batch
moves few of its rows), and the loss compares all sentences of a batch across processes.
"""

from __future__ import annotations

import os
import sys
import zlib
from typing import TYPE_CHECKING, Any

from numpy.random import Generator

from skpara._core import Ragged

if TYPE_CHECKING:
    from torch import Tensor


# The process that first computed with torch.
_first: list[int] = []


def is_forked() -> bool:
    """Return whether this process was forked from one that has computed with torch.

    The other threads of torch do not survive a fork, and a child that waits for them never ends.
    """
    if not _first:
        _first.append(os.getpid())
    return os.getpid() != _first[0]


def n_processes() -> int:
    """Return the number of processes that train together."""
    group = _group()
    return 1 if group is None else int(group.get_world_size())


def is_main_process() -> bool:
    """Return whether this process is the one that reports progress."""
    return _rank() == 0


def shard(n_rows: int) -> slice:
    """Return the rows of a batch for this process; shards differ by at most one row."""
    n = n_processes()
    rank = _rank()
    return slice(n_rows * rank // n, n_rows * (rank + 1) // n)


def all_reduce(*tensors: Tensor) -> None:
    """Replace tensors of one dtype by their sums over all processes."""
    import torch
    from torch import distributed

    # One message for all of them: the latency of a message outweighs the copies.
    flat = torch.cat([tensor.reshape(-1) for tensor in tensors])
    distributed.all_reduce(flat)
    sums = torch.split(flat, [tensor.numel() for tensor in tensors])
    for tensor, total in zip(tensors, sums, strict=True):
        tensor.copy_(total.view_as(tensor))


def broadcast(*tensors: Tensor) -> None:
    """Replace tensors by the first process's."""
    group = _group()
    if group is not None:
        for tensor in tensors:
            group.broadcast(tensor, 0)


def check_identical(batch: Ragged, rng: Generator, device: str) -> None:
    """Check that all processes see the same batch and the same random numbers."""
    import torch
    from torch import distributed

    random_state = zlib.crc32(repr(rng.bit_generator.state).encode())
    checksum = zlib.crc32(batch.offsets.tobytes(), zlib.crc32(batch.ids.tobytes(), random_state))
    # The largest checksum and minus the smallest: they cancel only where all are equal.
    extremes = torch.tensor([checksum, -checksum], device=device)
    distributed.all_reduce(extremes, distributed.ReduceOp.MAX)
    if int(extremes.sum()):
        raise ValueError(
            "The processes see different data: pass all pairs, the same parameters and the same "
            "integer random_state to each of them. fit shards every batch itself."
        )


def _group() -> Any:
    """Return torch.distributed where a process group was initialized, else None."""
    # A script that has initialized one has imported torch. Importing it here would take longer
    # than a small fit.
    distributed = sys.modules.get("torch.distributed")
    if distributed is None or not distributed.is_available():
        return None
    return distributed if distributed.is_initialized() else None


def _rank() -> int:
    group = _group()
    return 0 if group is None else int(group.get_rank())
