"""Modules around the module of another network."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import glorot, zeros


class ClassifierModule(SentenceModule):
    """``W g(x) + b``."""

    def __init__(self, module: SentenceModule, n_classes: int, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out = n_classes
        self.inner = module
        self.weight = glorot(rng, n_classes, module.n_dims_out)
        self.bias = zeros(n_classes)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        return functional.linear(self.inner(rows, ids, offsets), self.weight, self.bias)


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
