"""A softmax layer over the vectors of another network."""

from __future__ import annotations

from numpy.random import Generator
from torch import Tensor
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
