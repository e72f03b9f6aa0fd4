"""One network for both sentences of a pair, and a comparison of their vectors."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import torch
from numpy.random import Generator
from sklearn.utils._param_validation import Interval, StrOptions
from torch import Tensor, nn
from torch.nn import functional

from skpara._public import set_module
from skpara.networks._names import as_network
from skpara.networks._network import Network, SentenceModule
from skpara.networks._weights import glorot, zeros
from skpara.networks._wrapper import WrapperNetwork


@set_module("skpara.networks")
class Siamese(WrapperNetwork):
    """One network for both sentences of a pair, and a comparison of their vectors.

    With u and v the vectors of the two sentences, the comparison is either of::

        dense:      W_2 sigma(W_1 [|u - v|; u * v] + b_1) + b_2
        manhattan:  exp(-|u - v|_1)

    Both are the same whichever sentence comes first. The module is called like that of any
    network, with an even number of sentences: first the first sentences of all pairs, then the
    second ones. It returns (n_pairs, n_outputs). Dropout is that of the wrapped network.

    Parameters
    ----------
    network : str or Network, default="lstm"
        The network that computes u and v.
    comparison : {"dense", "manhattan"}, default="dense"
        The dense one is that of Tai and others (2015), the other that of Mueller and
        Thyagarajan (2016), which has one output.
    dense_size : int, default=50
        Units of the hidden layer of the dense comparison.
    n_outputs : int, default=6
        Outputs of the dense comparison.

    References
    ----------
    K. Tai, R. Socher, C. Manning (2015). Improved semantic representations from tree-structured
    long short-term memory networks. ACL.

    J. Mueller, A. Thyagarajan (2016). Siamese recurrent architectures for learning sentence
    similarity. AAAI.

    Examples
    --------
    >>> from skpara.networks import LSTM, Siamese
    >>> Siamese(LSTM(dropout=0.3), "manhattan").dropout
    0.3
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "comparison": [StrOptions({"dense", "manhattan"})],
        "dense_size": [Interval(Integral, 1, None, closed="left")],
        "n_outputs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        network: str | Network = "lstm",
        comparison: str = "dense",
        dense_size: int = 50,
        n_outputs: int = 6,
    ) -> None:
        self.network = network
        self.comparison = comparison
        self.dense_size = dense_size
        self.n_outputs = n_outputs

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        encoder = as_network(self.network).build(n_dims, rng)
        comparison: nn.Module = Manhattan()
        if self.comparison == "dense":
            comparison = Comparison(encoder.n_dims_out, self.dense_size, self.n_outputs, rng)
        return SiameseModule(encoder, comparison)


class Comparison(nn.Module):
    """``W_2 sigma(W_1 [|u - v|; u * v] + b_1) + b_2``, shape (n_pairs, n_outputs)."""

    def __init__(self, n_dims: int, dense_size: int, n_outputs: int, rng: Generator) -> None:
        super().__init__()
        self.dense = glorot(rng, dense_size, 2 * n_dims)
        self.dense_bias = zeros(dense_size)
        self.output = glorot(rng, n_outputs, dense_size)
        self.output_bias = zeros(n_outputs)

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        features = torch.cat([(u - v).abs(), u * v], dim=1)
        hidden = torch.sigmoid(functional.linear(features, self.dense, self.dense_bias))
        return functional.linear(hidden, self.output, self.output_bias)


class Manhattan(nn.Module):
    """``exp(-|u - v|_1)``, shape (n_pairs, 1), in (0, 1]."""

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        return torch.exp(-(u - v).abs().sum(dim=1, keepdim=True))


class SiameseModule(SentenceModule):
    """Outputs of pairs, whose first sentences are the first half of the batch."""

    n_inputs = 2

    def __init__(self, encoder: SentenceModule, comparison: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder  # saved files name its weights "encoder.<name>"
        self.comparison = comparison
        self.n_dims_out = encoder.n_dims_out
        self.identity_parameters = tuple(f"encoder.{name}" for name in encoder.identity_parameters)

    @property
    def sentence_module(self) -> SentenceModule:
        return self.encoder

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        outputs: Tensor = self.comparison(*self.encoder(rows, ids, offsets).chunk(2))
        return outputs
