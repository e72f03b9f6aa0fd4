"""Recurrent networks, plain and identity-initialised."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
import torch
from numpy.random import Generator
from sklearn.utils._param_validation import Interval, StrOptions
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks._network import Network, SentenceModule
from skpara.networks._packing import Packed, pack
from skpara.networks._weights import orthogonal, uniform, zeros


class RNN(Network):
    """Last state of a recurrent network, or the iRNN, which starts as the average.

    Parameters
    ----------
    identity : bool, default=False
        The iRNN: no nonlinearity, both matrices start as the identity, and the last state is
        divided by the number of words, so that before training it is the average of the word
        vectors. Network decay pulls the matrices back to the identity.
    hidden_size : int, default=None
        Units of the state; None is the length of a word's vector, which the iRNN needs.
    nonlinearity : {"tanh", "relu"}, default="tanh"
        Of the plain network.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Q. Le, N. Jaitly, G. Hinton (2015). A simple way to initialize recurrent networks of rectified
    linear units. arXiv:1504.00941.

    Examples
    --------
    >>> from skpara.networks import RNN
    >>> RNN(identity=True)
    RNN(identity=True)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "identity": ["boolean"],
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
        "nonlinearity": [StrOptions({"tanh", "relu"})],
    }

    def __init__(
        self, identity: bool = False, hidden_size: int | None = None, nonlinearity: str = "tanh"
    ) -> None:
        self.identity = identity
        self.hidden_size = hidden_size
        self.nonlinearity = nonlinearity

    def _build(self, n_dims: int, rng: Generator) -> SentenceModule:
        size = self.hidden_size or n_dims
        if not self.identity:
            return RNNModule(n_dims, size, self.nonlinearity, rng)
        if size != n_dims:
            raise ValueError(
                f"RNN(identity=True) starts as the average of word vectors of {n_dims} "
                f"dimensions; hidden_size must be None or {n_dims}, got {size}."
            )
        return IdentityRNNModule(n_dims)


class RNNModule(SentenceModule):
    """``h_t = f(W_x W^{x_t} + W_h h_{t-1} + b)``; the vector is the last state."""

    def __init__(self, n_dims: int, size: int, nonlinearity: str, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out, self._relu = size, nonlinearity == "relu"
        self.input = uniform(rng, 1 / np.sqrt(size), size, n_dims)
        self.recurrent = orthogonal(rng, size)
        self.bias = zeros(size)

    def _vectors(self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        first = rows.new_zeros(1, len(lengths), self.n_dims_out)
        weights = [self.input, self.recurrent, self.bias, torch.zeros_like(self.bias)]
        read = torch.rnn_relu if self._relu else torch.rnn_tanh
        sizes = torch.tensor(packed.sizes)
        states: Tensor = read(packed.words, sizes, first, weights, True, 1, 0.0, False, False)[0]
        return states.index_select(0, packed.last)


class IdentityRNNModule(SentenceModule):
    """``h_t = W_x W^{x_t} + W_h h_{t-1} + b``; the vector is the last state by the length."""

    identities = ("input", "recurrent")

    def __init__(self, n_dims: int) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self.input = nn.Parameter(torch.eye(n_dims))
        self.recurrent = nn.Parameter(torch.eye(n_dims))
        self.bias = zeros(n_dims)

    def _vectors(self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        last = self._last_states(packed)
        return last.index_select(0, packed.back) / lengths.unsqueeze(1)

    def _last_states(self, packed: Packed) -> Tensor:
        """Of all sentences, longest first."""
        words = functional.linear(packed.words, self.input, self.bias)
        steps = torch.split(words, packed.sizes)
        recurrent = self.recurrent.T
        state, done = steps[0], []
        for step in steps[1:]:
            done.append(state[len(step) :])
            state = torch.addmm(step, state[: len(step)], recurrent)
        return torch.cat([state, *reversed(done)])
