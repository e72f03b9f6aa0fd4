"""Sentences in the order in which a recurrent network reads them, without padding."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Packed(NamedTuple):
    """All first words, then all second words, and so on; sentences longest first.

    Attributes
    ----------
    words : Tensor of shape (n_tokens, n_dims)
    sizes : list of int, length of the longest sentence
        How many sentences have a first word, a second word, and so on.
    sentences : Tensor of int64, shape (n_tokens,)
        For each word its sentence, counted longest first.
    before : Tensor of int64, shape (n_tokens - n_sentences,)
        For each word that is not a first one, the word before it.
    last : Tensor of int64, shape (n_sentences,)
        The last word of each sentence, in the given order.
    back : Tensor of int64, shape (n_sentences,)
        Where each sentence, in the given order, is among the longest first.
    """

    words: Tensor
    sizes: list[int]
    sentences: Tensor
    before: Tensor
    last: Tensor
    back: Tensor


def pack(
    rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor, *, backwards: bool = False
) -> Packed:
    """Pack non-empty sentences; ``rows``, ``ids`` and ``offsets`` as networks take them."""
    order = torch.argsort(lengths, descending=True, stable=True)
    back = torch.argsort(order)
    # At step t every sentence of more than t words is read.
    sizes = (len(lengths) - torch.cumsum(torch.bincount(lengths), 0))[:-1]
    starts = torch.cumsum(sizes, 0) - sizes
    steps = torch.repeat_interleave(torch.arange(len(sizes), device=sizes.device), sizes)
    places = torch.arange(len(steps), device=steps.device)
    sentences = places - starts[steps]
    position = lengths[order][sentences] - 1 - steps if backwards else steps
    words = rows.index_select(0, ids[offsets[order][sentences] + position])
    later = steps[len(lengths) :]
    before = starts[later - 1] + sentences[len(lengths) :]
    last = starts[lengths - 1] + back
    return Packed(words, sizes.tolist(), sentences, before, last, back)
