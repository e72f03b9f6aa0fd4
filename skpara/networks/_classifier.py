"""A softmax layer over the vectors of another network."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara.networks._names import as_network
from skpara.networks._network import Network
from skpara.networks._wrapper import WrapperNetwork

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


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
        from skpara.networks.modules._classifier import ClassifierModule

        return ClassifierModule(as_network(self.network).build(n_dims, rng), self.n_classes, rng)
