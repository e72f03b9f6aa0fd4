"""Long short-term memory, with and without output gate, with and without peepholes."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import torch
from numpy.random import Generator
from sklearn.utils._param_validation import Interval
from torch import Tensor, nn

from skpara.networks._lstm_cells import LSTMCells
from skpara.networks._network import Network, SentenceModule
from skpara.networks._packing import pack


class LSTM(Network):
    """Last state of an LSTM.

    Parameters
    ----------
    output_gate : bool, default=True
        Whether what the cells hold is read through a gate. Wieting and others (2016) found the
        LSTM better without on some tasks.
    peepholes : bool, default=False
        Whether the gates see the cells (Gers and others 2002).
    hidden_size : int, default=None
        Units of the state; None is the length of a word's vector.
    bidirectional : bool, default=False
        Whether a second LSTM reads backwards; the vector is then twice as long.

    References
    ----------
    S. Hochreiter, J. Schmidhuber (1997). Long short-term memory. Neural Computation 9(8).

    F. Gers, N. Schraudolph, J. Schmidhuber (2002). Learning precise timing with LSTM recurrent
    networks. JMLR 3.

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara.networks import LSTM
    >>> LSTM(output_gate=False, hidden_size=100)
    LSTM(hidden_size=100, output_gate=False)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "output_gate": ["boolean"],
        "peepholes": ["boolean"],
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
        "bidirectional": ["boolean"],
    }

    def __init__(
        self,
        output_gate: bool = True,
        peepholes: bool = False,
        hidden_size: int | None = None,
        bidirectional: bool = False,
    ) -> None:
        self.output_gate = output_gate
        self.peepholes = peepholes
        self.hidden_size = hidden_size
        self.bidirectional = bidirectional

    def _build(self, n_dims: int, rng: Generator) -> SentenceModule:
        return LSTMModule(
            n_dims,
            self.hidden_size or n_dims,
            rng,
            output_gate=self.output_gate,
            peepholes=self.peepholes,
            bidirectional=self.bidirectional,
        )


class LSTMModule(SentenceModule):
    """The state after the last word; with a second LSTM, also that after reading backwards."""

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

    def _vectors(self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor) -> Tensor:
        last = []
        for cells, backwards in zip(self.directions, (False, True), strict=False):
            packed = pack(rows, ids, offsets, lengths, backwards=backwards)
            last.append(cells(packed).index_select(0, packed.last))
        return torch.cat(last, dim=1)
