"""Recurrent networks, plain and initialized with the identity."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._packing import pack
from skpara.networks.modules._rnn_cells import recur
from skpara.networks.modules._weights import zeros


class RNNModule(SentenceModule):
    """The state after the last word."""

    def __init__(self, input: nn.Parameter, recurrent: nn.Parameter, nonlinearity: str) -> None:
        super().__init__()
        self.n_dims_out, self._nonlinearity = len(recurrent), nonlinearity
        self.input, self.recurrent = input, recurrent
        self.bias = zeros(self.n_dims_out)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        # Under autocast the product has low precision. Rounding errors add up over the steps, so
        # the recurrence is computed in the precision of the weights.
        inputs = torch.addmm(self.bias, packed.words, self.input.T).to(self.bias.dtype)
        states = recur(packed, inputs, self.recurrent, self._nonlinearity)
        return states.index_select(0, packed.last)


class IdentityRNNModule(RNNModule):
    """The state after the last word, divided by the number of words; without nonlinearity."""

    identity_parameters = ("input", "recurrent")

    def __init__(self, n_dims: int) -> None:
        eye = torch.eye(n_dims)
        super().__init__(nn.Parameter(eye), nn.Parameter(eye.clone()), "identity")

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        return super().sentence_vectors(rows, ids, offsets, lengths) / lengths.unsqueeze(1)
