"""Sentence vectors from a network as it stands, in blocks of like lengths."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from skpara.networks import SentenceModule
from skpara.text import TokenIds

_BLOCK = 512  # sentences

TakeRows = Callable[[NDArray[np.int64]], Tensor]


@torch.no_grad()
def encode(
    module: SentenceModule, take_rows: TakeRows, sentences: TokenIds, device: str
) -> Tensor:
    """Vectors of sentences, shape (n_sentences, n_dims_out).

    Parameters
    ----------
    module : SentenceModule
        On ``device``.
    take_rows : callable
        The vectors of the given ids, on ``device``.
    sentences : TokenIds
    device : str
    """
    order = np.argsort(sentences.lengths, kind="stable")
    vectors = torch.empty(len(order), module.n_dims_out, device=device)
    for start in range(0, len(order), _BLOCK):
        some = order[start : start + _BLOCK]
        batch = sentences.take(some)
        used, local = np.unique(batch.ids, return_inverse=True)
        parts = (local.astype(np.int64), batch.offsets[:-1], some)
        ids, offsets, places = (torch.from_numpy(np.array(part)).to(device) for part in parts)
        vectors[places] = module(take_rows(used.astype(np.int64)), ids, offsets)
    return vectors
