"""A softmax layer over the vectors of another network."""

from __future__ import annotations

from typing import Any, ClassVar

from numpy.random import Generator
from torch import Tensor
from torch.nn import functional

from skpara.networks._names import as_network
from skpara.networks._network import Network, SentenceModule
from skpara.networks._weights import glorot, zeros


class Classifier(Network):
    """Scores of classes, before the softmax: ``W g(x) + b``.

    An empty sentence scores zero for every class.

    Parameters
    ----------
    network : str or Network, default="average"
        The function g.
    n_classes : int, default=2
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {}

    def __init__(self, network: str | Network = "average", n_classes: int = 2) -> None:
        self.network = network
        self.n_classes = n_classes

    def _build(self, n_dims: int, rng: Generator) -> SentenceModule:
        return ClassifierModule(as_network(self.network).build(n_dims, rng), self.n_classes, rng)


class ClassifierModule(SentenceModule):
    """One linear layer behind the network's module."""

    compilable = None

    def __init__(self, module: SentenceModule, n_classes: int, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out = n_classes
        self.inner = module
        self.weight = glorot(rng, n_classes, module.n_dims_out)
        self.bias = zeros(n_classes)

    def _vectors(self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor) -> Tensor:
        return functional.linear(self.inner(rows, ids, offsets), self.weight, self.bias)
