"""A softmax layer over the vectors of another network."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import Interval
from torch import Tensor
from torch.nn import functional

from skpara._public import set_module
from skpara.networks._names import as_network
from skpara.networks._network import Network, SentenceModule
from skpara.networks._weights import glorot, zeros
from skpara.networks._wrapper import WrapperNetwork


@set_module("skpara.networks")
class Classifier(WrapperNetwork):
    """Linear layer over another network, for scores of classes before the softmax.

    With g the wrapped network, the scores of a sentence x are ``W g(x) + b``. An empty sentence
    scores zero for every class. Dropout is that of the wrapped network.

    Parameters
    ----------
    network : str or Network, default="average"
        The function g.
    n_classes : int, default=2
        Number of scores of a sentence.

    Examples
    --------
    >>> from skpara.networks import DAN, Classifier
    >>> Classifier(DAN(dropout=0.2), n_classes=3).dropout
    0.2
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "n_classes": [Interval(Integral, 1, None, closed="left")]
    }

    def __init__(self, network: str | Network = "average", n_classes: int = 2) -> None:
        self.network = network
        self.n_classes = n_classes

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        return ClassifierModule(as_network(self.network).build(n_dims, rng), self.n_classes, rng)


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
