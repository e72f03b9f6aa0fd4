"""Two sentences through one network, then what tells them apart through a dense layer."""

from __future__ import annotations

from typing import Any, ClassVar

import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks._names import as_network
from skpara.networks._network import Network, SentenceModule
from skpara.networks._weights import glorot, zeros


class Siamese(Network):
    """One network for both sentences, and a comparison of their vectors.

    Parameters
    ----------
    network : str or Network
    comparison : {"dense", "manhattan"}
    dense_size, n_outputs : int
        Of the dense comparison.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

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

    def _build(self, n_dims: int, rng: Generator) -> SentenceModule:
        encoder = as_network(self.network).build(n_dims, rng)
        comparison: nn.Module = Manhattan()
        if self.comparison == "dense":
            comparison = Comparison(encoder.n_dims_out, self.dense_size, self.n_outputs, rng)
        return SiameseModule(encoder, comparison)


class Comparison(nn.Module):
    """Outputs of a pair from the vectors u and v of its sentences.

    ``W_2 sigma(W_1 [|u - v|; u * v] + b_1) + b_2``, the same whichever sentence is first (Tai and
    others 2015).
    """

    def __init__(self, n_dims: int, dense_size: int, n_outputs: int, rng: Generator) -> None:
        super().__init__()
        self.dense = glorot(rng, dense_size, 2 * n_dims)
        self.dense_bias = zeros(dense_size)
        self.output = glorot(rng, n_outputs, dense_size)
        self.output_bias = zeros(n_outputs)

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        """Shape (n_pairs, n_outputs)."""
        both = torch.cat([(u - v).abs(), u * v], dim=1)
        hidden = torch.sigmoid(functional.linear(both, self.dense, self.dense_bias))
        return functional.linear(hidden, self.output, self.output_bias)


class Manhattan(nn.Module):
    """``exp(-|u - v|_1)`` (Mueller and Thyagarajan 2016)."""

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        """Shape (n_pairs, 1), in (0, 1]."""
        return torch.exp(-(u - v).abs().sum(dim=1, keepdim=True))


class SiameseModule(SentenceModule):
    """Outputs of pairs, of which the left sentences are the first half.

    Called as a module of sentences is, with an even number of them; returns
    (n_pairs, n_outputs).
    """

    n_inputs = 2

    def __init__(self, encoder: SentenceModule, comparison: nn.Module) -> None:
        super().__init__()
        self.encoder = encoder
        self.comparison = comparison
        self.n_dims_out = encoder.n_dims_out
        self.identities = tuple(f"encoder.{name}" for name in encoder.identities)

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """Outputs of the pairs."""
        u, v = self.encoder(rows, ids, offsets).chunk(2)
        compared: Tensor = self.comparison(u, v)
        return compared

    def compile_parts(self) -> None:
        """Compile what can be of the encoder."""
        self.encoder.compile_parts()

    @property
    def sentences(self) -> SentenceModule:
        """What makes vectors of sentences one by one."""
        return self.encoder
