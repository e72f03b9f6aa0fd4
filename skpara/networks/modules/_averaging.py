"""Modules that average or add up the vectors of a sentence, and layers over that."""

from __future__ import annotations

import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import NONLINEARITIES, glorot, identity, normal, zeros

_SMALLEST = 1e-12  # shorter rows are taken as zeros


class AverageModule(SentenceModule):
    """``g(x) = (w_1 x_1 + ... + w_n x_n) / (w_1 + ... + w_n)``."""

    def __init__(self, n_dims: int, redundancy: float = 0.0) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self._redundancy = redundancy

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        if self._redundancy:
            return super().forward(rows, ids, offsets)
        # embedding_bag returns zeros for empty sentences already.
        return functional.embedding_bag(ids, rows, offsets, mode="mean")

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        row_lengths = torch.linalg.vector_norm(rows, dim=1, keepdim=True)
        # The direction of a row of zeros has no gradient.
        units = rows / row_lengths.clamp(min=_SMALLEST) * (row_lengths > _SMALLEST)
        sums = functional.embedding_bag(ids, units, offsets, mode="sum")
        own = units.index_select(0, ids)
        others = sums.repeat_interleave(lengths, dim=0) - own
        similarities = (own * others).sum(dim=1).clamp(min=0)
        weights = 1 / (1 + self._redundancy * similarities)
        tokens = torch.arange(len(ids), device=ids.device)
        totals = functional.embedding_bag(tokens, weights[:, None], offsets, mode="sum")
        weighted = functional.embedding_bag(
            ids, rows, offsets, mode="sum", per_sample_weights=weights
        )
        return weighted / totals


class ProjectionModule(SentenceModule):
    """``g(x) = f(W_p mean + b)``."""

    def __init__(self, n_dims: int, nonlinearity: str, rng: Generator, *, published: bool) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self._nonlinearity = NONLINEARITIES[nonlinearity]
        self.identity_parameters = () if published else ("matrix",)
        self.matrix = glorot(rng, n_dims, n_dims) if published else identity(n_dims)
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        mean = functional.embedding_bag(ids, rows, offsets, mode="mean")
        return self._nonlinearity(functional.linear(mean, self.matrix, self.bias))


class DANModule(SentenceModule):
    """``z_k = f(W_k z_{k-1} + b_k)`` from the mean ``z_0``."""

    def __init__(
        self, sizes: list[int], nonlinearity: str, rng: Generator, *, published: bool
    ) -> None:
        super().__init__()
        self.n_dims_out = sizes[-1]
        self._nonlinearity = NONLINEARITIES[nonlinearity]
        draws = [normal if published else glorot] + [glorot] * (len(sizes) - 2)
        shapes = zip(sizes[1:], sizes[:-1], strict=True)
        self.matrices = nn.ParameterList(
            draw(rng, *shape) for draw, shape in zip(draws, shapes, strict=True)
        )
        self.biases = nn.ParameterList(zeros(size) for size in sizes[1:])

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        hidden = functional.embedding_bag(ids, rows, offsets, mode="mean")
        for matrix, bias in zip(self.matrices, self.biases, strict=True):
            hidden = self._nonlinearity(functional.linear(hidden, matrix, bias))
        return hidden


class CharagramModule(SentenceModule):
    """``g(x) = h(b + x_1 + ... + x_n)``."""

    def __init__(self, n_dims: int, nonlinearity: str) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self._nonlinearity = NONLINEARITIES[nonlinearity]
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        sums = functional.embedding_bag(ids, rows, offsets, mode="sum")
        return self._nonlinearity(sums + self.bias)
