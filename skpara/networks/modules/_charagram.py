"""Charagram: a sentence as the sum of its character n-grams."""

from __future__ import annotations

from torch import Tensor
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import NONLINEARITIES, zeros


class CharagramModule(SentenceModule):
    """``g(x) = h(b + x_1 + ... + x_n)``."""

    def __init__(self, n_dims: int, nonlinearity: str) -> None:
        super().__init__()
        self.n_dims_out, self._nonlinearity = n_dims, NONLINEARITIES[nonlinearity]
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        sums = functional.embedding_bag(ids, rows, offsets, mode="sum")
        return self._nonlinearity(sums + self.bias)
