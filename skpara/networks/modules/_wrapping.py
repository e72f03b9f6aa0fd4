"""Modules around the module of another network, which encodes the sentences."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import glorot, zeros


class DenseLayers(nn.Module):
    """``W_2 sigma(W_1 x + b_1) + b_2``, or ``W_2 x + b_2`` where ``dense_size`` is None."""

    def __init__(
        self, n_dims: int, dense_size: int | None, n_outputs: int, rng: Generator
    ) -> None:
        super().__init__()
        self.has_hidden_layer = dense_size is not None
        if dense_size is not None:
            self.dense = glorot(rng, dense_size, n_dims)
            self.dense_bias = zeros(dense_size)
            n_dims = dense_size
        self.output = glorot(rng, n_outputs, n_dims)
        self.output_bias = zeros(n_outputs)

    def features(self, *vectors: Tensor) -> Tensor:
        """Return what the layers read: of one sentence its vector."""
        (features,) = vectors
        return features

    def forward(self, *vectors: Tensor) -> Tensor:
        features = self.features(*vectors)
        if self.has_hidden_layer:
            features = torch.sigmoid(functional.linear(features, self.dense, self.dense_bias))
        return functional.linear(features, self.output, self.output_bias)


class Comparison(DenseLayers):
    """Dense layers over ``[|u - v|; u * v]``, or ``[u - v; |u - v|; u * v]`` if order matters."""

    def __init__(
        self, n_dims: int, dense_size: int, n_outputs: int, symmetric: bool, rng: Generator
    ) -> None:
        super().__init__((2 if symmetric else 3) * n_dims, dense_size, n_outputs, rng)
        self.symmetric = symmetric

    def features(self, *vectors: Tensor) -> Tensor:
        u, v = vectors
        difference = u - v
        features = [difference.abs(), u * v]
        if not self.symmetric:
            # The signed difference says which sentence comes first, which gains .03 of accuracy on
            # SNLI. u and v themselves would say so too, but then a network also learns the topics
            # of the pairs, which costs .01 on SICK.
            features.insert(0, difference)
        return torch.cat(features, dim=1)


class Manhattan(nn.Module):
    """``exp(-|u - v|_1)``, shape (n_pairs, 1), in (0, 1]."""

    def forward(self, u: Tensor, v: Tensor) -> Tensor:
        return torch.exp(-(u - v).abs().sum(dim=1, keepdim=True))


class WrapperModule(SentenceModule):
    """Outputs that a head computes from the vectors of another module, ``encoder``.

    A head of two inputs reads pairs, whose first sentences are the first half of the batch.
    """

    def __init__(
        self, encoder: SentenceModule, name: str, head: nn.Module, *, n_inputs: int = 1
    ) -> None:
        super().__init__()
        self.encoder = encoder  # saved files name its weights "encoder.<name>"
        self.add_module(name, head)
        self._head_name = name
        self.n_inputs = n_inputs
        self.n_dims_out = encoder.n_dims_out
        self.identity_parameters = tuple(f"encoder.{name}" for name in encoder.identity_parameters)

    @property
    def sentence_module(self) -> SentenceModule:
        return self.encoder

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        return self.outputs(*self.encoder(rows, ids, offsets).chunk(self.n_inputs))

    def outputs(self, *vectors: Tensor) -> Tensor:
        """Compute the outputs from sentence vectors, one tensor for each input."""
        return self.get_submodule(self._head_name)(*vectors)
