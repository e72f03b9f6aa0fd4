"""Modules that read a sentence word by word."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor, nn

from skpara.networks.modules._lstm_cells import LSTMCells
from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._packing import pack
from skpara.networks.modules._rnn_cells import Recurrence
from skpara.networks.modules._weights import glorot, identity, normal, zeros


class RNNModule(SentenceModule):
    """The state after the last word."""

    def __init__(self, input: nn.Parameter, recurrent: nn.Parameter, nonlinearity: str) -> None:
        super().__init__()
        self.n_dims_out = len(recurrent)
        self._nonlinearity = nonlinearity
        self.input = input
        self.recurrent = recurrent
        self.bias = zeros(self.n_dims_out)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        # Under autocast the product has low precision. Rounding errors add up over the steps, so
        # the recurrence is computed in the precision of the weights.
        inputs = torch.addmm(self.bias, packed.words, self.input.T).to(self.bias.dtype)
        states: Tensor = Recurrence.apply(  # type: ignore[no-untyped-call]
            inputs, self.recurrent, self._nonlinearity, packed.sizes, packed.previous
        )
        return states.index_select(0, packed.last)


class IdentityRNNModule(RNNModule):
    """The state after the last word, divided by the number of words; without nonlinearity."""

    identity_parameters = ("input", "recurrent")

    def __init__(self, n_dims: int) -> None:
        super().__init__(identity(n_dims), identity(n_dims), "identity")

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        return super().sentence_vectors(rows, ids, offsets, lengths) / lengths.unsqueeze(1)


class LSTMModule(SentenceModule):
    """The last states of the LSTMs, one for each direction."""

    def __init__(
        self, n_dims: int, size: int, rng: Generator, *, bidirectional: bool, **options: bool
    ) -> None:
        super().__init__()
        self.n_dims_out = size * (1 + bidirectional)
        self.directions = nn.ModuleList(
            LSTMCells(n_dims, size, rng, **options) for _ in range(1 + bidirectional)
        )

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        last = []
        for cells, backwards in zip(self.directions, (False, True), strict=False):
            packed = pack(rows, ids, offsets, lengths, backwards=backwards)
            last.append(cells(packed).index_select(0, packed.last))
        return torch.cat(last, dim=1)


class GRANModule(SentenceModule):
    """``g(x) = (x_1 * gate_1 + ... + x_n * gate_n) / n``."""

    def __init__(
        self, n_dims: int, size: int, rng: Generator, *, peepholes: bool, published: bool
    ) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self.cells = LSTMCells(n_dims, size, rng, peepholes=peepholes, published=published)
        draw = normal if published else glorot
        self.of_word = draw(rng, n_dims, n_dims)
        self.of_state = draw(rng, n_dims, size)
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
