"""Deep averaging network."""

from __future__ import annotations

from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from skpara.networks.modules._module import SentenceModule
from skpara.networks.modules._weights import NONLINEARITIES, glorot, zeros


class DANModule(SentenceModule):
    """``z_k = f(W_k z_{k-1} + b_k)`` from the mean ``z_0``."""

    def __init__(self, sizes: list[int], nonlinearity: str, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out, self._nonlinearity = sizes[-1], NONLINEARITIES[nonlinearity]
        shapes = list(zip(sizes[1:], sizes[:-1], strict=True))
        self.matrices = nn.ParameterList(glorot(rng, *shape) for shape in shapes)
        self.biases = nn.ParameterList(zeros(size) for size in sizes[1:])

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        hidden = functional.embedding_bag(ids, rows, offsets, mode="mean")
        for matrix, bias in zip(self.matrices, self.biases, strict=True):
            hidden = self._nonlinearity(functional.linear(hidden, matrix, bias))
        return hidden
