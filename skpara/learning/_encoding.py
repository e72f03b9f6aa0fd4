"""Sentence vectors from a network as it stands, in blocks of like lengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skpara.learning._compute import Compute
from skpara.learning._memory import Blocks
from skpara.networks import SentenceModule
from skpara.text import TokenIds

TakeRows = Callable[[NDArray[np.int64]], Tensor]


def sentence_blocks() -> Blocks:
    """As many sentences as are encoded at a time."""
    return Blocks(512, "sentences")


@torch.no_grad()
def encode(
    module: SentenceModule,
    take_rows: TakeRows,
    sentences: TokenIds,
    compute: Compute,
    blocks: Blocks,
    to: str,
) -> Tensor:
    """Vectors of sentences, shape (n_sentences, n_dims_out), float32.

    Parameters
    ----------
    module : SentenceModule
        On the device of ``compute``.
    take_rows : callable
        The vectors of the given ids, on the same device.
    sentences : TokenIds
    compute : Compute
    blocks : Blocks
        Remembers how many sentences there was memory for.
    to : str
        The device for the result.
    """
    order = np.argsort(sentences.lengths, kind="stable")
    vectors = torch.empty(len(order), module.n_dims_out, device=to)

    def one_block(block: slice) -> None:
        some = order[block]
        batch = sentences.take(some)
        used, local = np.unique(batch.ids, return_inverse=True)
        parts = (local.astype(np.int64), batch.offsets[:-1])
        ids, offsets = (torch.from_numpy(np.array(part)).to(compute.device) for part in parts)
        found = compute.run(module, take_rows(used.astype(np.int64)), ids, offsets)
        vectors[torch.from_numpy(some).to(to)] = found.to(to)

    blocks.run(len(order), one_block)
    return vectors
