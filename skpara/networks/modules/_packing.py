"""Sentences in the order in which a recurrent network reads them, without padding."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor


class Packed(NamedTuple):
    """All first words, then all second words, and so on; in each step the longest sentence first.

    The layout follows ``torch.nn.utils.rnn.PackedSequence``: the sentences of step t + 1 are
    the first ones of step t, so a step reads its previous states as a slice, without an index.

    Attributes
    ----------
    words : Tensor of shape (n_tokens, n_dims)
        The word vectors in packed order.
    sizes : list of int, as long as the longest sentence
        Number of sentences that have a first word, a second word, and so on.
    sentences : Tensor of int64, shape (n_tokens,)
        For each word the rank of its sentence, 0 for the longest.
    previous : Tensor of int64, shape (n_tokens - n_sentences,)
        For each word after the first step the index of the word before it.
    last : Tensor of int64, shape (n_sentences,)
        Index of the last word of each sentence, in the original order.
    ranks : Tensor of int64, shape (n_sentences,)
        Rank of each sentence by length, in the original order.
    """

    words: Tensor
    sizes: list[int]
    sentences: Tensor
    previous: Tensor
    last: Tensor
    ranks: Tensor


def pack(
    rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor, *, backwards: bool = False
) -> Packed:
    """Pack non-empty sentences; for the tensors see ``SentenceModule.sentence_vectors``."""
    # Stable, so that the result does not depend on the device.
    order = torch.argsort(lengths, descending=True, stable=True)
    ranks = torch.argsort(order)
    # Step t reads every sentence of more than t words.
    sizes = (len(lengths) - torch.cumsum(torch.bincount(lengths), 0))[:-1]
    starts = torch.cumsum(sizes, 0) - sizes
    steps = torch.repeat_interleave(torch.arange(len(sizes), device=sizes.device), sizes)
    sentences = torch.arange(len(steps), device=steps.device) - starts[steps]
    positions = lengths[order][sentences] - 1 - steps if backwards else steps
    words = rows.index_select(0, ids[offsets[order][sentences] + positions])
    n_sentences = len(lengths)
    previous = starts[steps[n_sentences:] - 1] + sentences[n_sentences:]
    last = starts[lengths - 1] + ranks
    return Packed(words, sizes.tolist(), sentences, previous, last, ranks)
