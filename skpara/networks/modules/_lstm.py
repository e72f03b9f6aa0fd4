"""Long short-term memory."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor, nn

from skpara.networks.modules._lstm_cells import LSTMCells
from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._packing import pack


class LSTMModule(SentenceModule):
    """The last states of the LSTMs, one for each direction."""

    def __init__(
        self,
        n_dims: int,
        size: int,
        rng: Generator,
        *,
        output_gate: bool,
        peepholes: bool,
        bidirectional: bool,
    ) -> None:
        super().__init__()
        self.n_dims_out = size * (1 + bidirectional)
        self.directions = nn.ModuleList(
            LSTMCells(n_dims, size, rng, output_gate=output_gate, peepholes=peepholes)
            for _ in range(1 + bidirectional)
        )

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        last = []
        for cells, backwards in zip(self.directions, (False, True), strict=False):
            packed = pack(rows, ids, offsets, lengths, backwards=backwards)
            last.append(cells(packed).index_select(0, packed.last))
        return torch.cat(last, dim=1)
