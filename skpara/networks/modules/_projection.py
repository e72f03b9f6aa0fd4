"""A linear layer over the average."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import NONLINEARITIES, zeros


class ProjectionModule(SentenceModule):
    """``g(x) = f(W_p mean + b)``."""

    identity_parameters = ("matrix",)

    def __init__(self, n_dims: int, nonlinearity: str) -> None:
        super().__init__()
        self.n_dims_out, self._nonlinearity = n_dims, NONLINEARITIES[nonlinearity]
        self.matrix = nn.Parameter(torch.eye(n_dims))
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        mean = functional.embedding_bag(ids, rows, offsets, mode="mean")
        return self._nonlinearity(functional.linear(mean, self.matrix, self.bias))
