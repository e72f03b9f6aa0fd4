"""Sentence vectors from a network in its current state."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skpara.learning._device import Compute
from skpara.learning._memory import BatchSize
from skpara.networks import SentenceModule
from skpara.text import TokenIds

TakeRows = Callable[[NDArray[np.int64]], Tensor]

# Sentences encoded at a time. They are sorted by length, so that a recurrent network makes as few
# steps as it can; larger batches gain nothing on a CPU and cost memory.
_BATCH = 512


def encoding_batch_size() -> BatchSize:
    """Return how many sentences are encoded at a time; fewer where memory runs out."""
    return BatchSize(_BATCH, "sentences")


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
