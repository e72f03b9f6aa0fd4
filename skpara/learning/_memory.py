"""Sentence vectors in the current state, with smaller batches where memory runs out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skpara._warnings import warn
from skpara.learning._device import Compute
from skpara.networks import SentenceModule
from skpara.text import TokenIds

T = TypeVar("T")

TakeRows = Callable[[NDArray[np.int64]], Tensor]

# Sentences encoded at a time. They are sorted by length, so that a recurrent network makes as few
# steps as it can; larger batches gain nothing on a CPU and cost memory.
_BATCH = 512
# Samples put through a head at a time: the two vectors of each pair and the hidden layer take
# about 50 MB.
_HEAD_BATCH = 8192


def try_in_memory(compute: Callable[[], T], *, last: bool) -> T | None:
    """Call ``compute``; return None where the GPU is out of memory.

    With ``last``, where nothing smaller can be tried, the error is raised.
    """
    try:
        return compute()
    except RuntimeError as error:
        _reraise_unless_smaller(error, last)
    # Only outside the handler are the error and the tensors of its frames released.
    _empty_cache()
    return None


class BatchSize:
    """A batch size that is halved, for good, when a batch does not fit into memory."""

    def __init__(self, size: int, unit: str) -> None:
        self.size, self._unit = size, unit

    @classmethod
    def of_sentences(cls) -> BatchSize:
        """Return the number of sentences to encode at a time."""
        return cls(_BATCH, "sentences")

    @classmethod
    def of_samples(cls) -> BatchSize:
        """Return the number of samples to put through a head at a time."""
        return cls(_HEAD_BATCH, "samples")

    def run(self, n_rows: int, compute: Callable[[slice], None]) -> None:
        """Call ``compute`` with consecutive slices that cover all rows."""
        initial, start = self.size, 0
        while start < n_rows:
            size = min(self.size, n_rows - start)
            try:
                compute(slice(start, start + size))
                start += size
                continue
            except RuntimeError as error:
                _reraise_unless_smaller(error, last=size == 1)
            _empty_cache()
            self.size = max(1, size // 2)
        if self.size < initial:
            warn(
                f"Out of memory on the GPU with {initial} {self._unit} at a time; continued with "
                f"{self.size}. The results are the same.",
            )


def _reraise_unless_smaller(error: RuntimeError, last: bool) -> None:
    """Raise the error again, unless it is of memory and the batch can be made smaller."""
    # CUDA has a class of its own for it. MPS has not: "MPS backend out of memory".
    if not isinstance(error, torch.OutOfMemoryError) and "out of memory" not in str(error).lower():
        raise error
    if last:
        error.add_note("The batch cannot be made smaller: lower batch_size, or use the CPU.")
        raise error


def _empty_cache() -> None:
    torch.cuda.empty_cache()  # does nothing where CUDA is not in use
    if torch.backends.mps.is_available():
        torch.mps.empty_cache()


@torch.no_grad()
def apply_head(module: Any, vectors: Tensor, device: str, batch_size: BatchSize) -> Tensor:
    """Compute a wrapper module's outputs from the vectors of its sentences, on the CPU.

    Encoding is separate from this, so that sentences of similar length are encoded together.
    """
    sides = vectors.tensor_split(module.n_inputs)
    outputs: list[Tensor] = []

    def compute(rows: slice) -> None:
        outputs.append(module.outputs(*(side[rows].to(device) for side in sides)).cpu())

    if len(vectors) == 0:  # only the module knows the number of columns of an empty result
        compute(slice(0, 0))
    batch_size.run(len(sides[0]), compute)
    return torch.cat(outputs)


@torch.no_grad()
def encode(
    module: SentenceModule,
    take_rows: TakeRows,
    sentences: TokenIds,
    compute: Compute,
    batch_size: BatchSize,
    output_device: str,
) -> Tensor:
    """Encode sentences, shape (n_sentences, n_dims_out), float32.

    Parameters
    ----------
    module : SentenceModule
        On the device of ``compute``.
    take_rows : callable
        Returns the vectors of ids, on the same device.
    sentences : TokenIds
    compute : Compute
    batch_size : BatchSize
    output_device : str
        Where the result is put.
    """
    order = np.argsort(sentences.lengths, kind="stable")
    vectors = torch.empty(len(order), module.n_dims_out, device=output_device)

    def encode_batch(block: slice) -> None:
        positions = order[block]
        batch = sentences.take(positions)
        unique, local = np.unique(batch.ids, return_inverse=True)
        ids, offsets = compute.tensors(local.astype(np.int64), batch.offsets[:-1])
        outputs = compute.run(module, take_rows(unique.astype(np.int64)), ids, offsets)
        vectors[torch.from_numpy(positions).to(output_device)] = outputs.to(output_device)

    batch_size.run(len(order), encode_batch)
    return vectors
