"""Gated recurrent averaging network."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor

from skpara.networks.modules._lstm_cells import LSTMCells
from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._packing import pack
from skpara.networks.modules._weights import glorot, zeros


class GRANModule(SentenceModule):
    """``g(x) = (x_1 * gate_1 + ... + x_n * gate_n) / n``."""

    def __init__(self, n_dims: int, size: int, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self.cells = LSTMCells(n_dims, size, rng)
        self.of_word = glorot(rng, n_dims, n_dims)
        self.of_state = glorot(rng, n_dims, size)
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        states = self.cells(packed)
        inputs = torch.addmm(self.bias, packed.words, self.of_word.T)
        gates = torch.sigmoid(torch.addmm(inputs, states, self.of_state.T))
        sums = packed.words.new_zeros(len(lengths), self.n_dims_out)
        sums = sums.index_add(0, packed.sentences, packed.words * gates)
        return sums.index_select(0, packed.ranks) / lengths.unsqueeze(1)
