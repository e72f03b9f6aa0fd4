"""Networks around another network."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._public import set_module
from skpara.networks._names import as_network
from skpara.networks._network import Network

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


class WrapperNetwork(Network):
    """Network around another one, which decides what is read and how much is dropped out."""

    network: str | Network

    @property
    def sentence_network(self) -> Network:
        """The wrapped network."""
        return as_network(self.network)

    @property
    def units(self) -> str:  # type: ignore[override]
        """What the wrapped network reads."""
        return self.sentence_network.units

    @property
    def dropout(self) -> float:  # type: ignore[override]
        """Fraction of units dropped out, as set on the wrapped network."""
        return self.sentence_network.dropout

    @property
    def word_dropout(self) -> float:  # type: ignore[override]
        """Fraction of words left out, as set on the wrapped network."""
        return self.sentence_network.word_dropout


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
        from skpara.networks.modules._wrapping import ClassifierModule

        return ClassifierModule(as_network(self.network).build(n_dims, rng), self.n_classes, rng)


@set_module("skpara.networks")
class Siamese(WrapperNetwork):
    """One network for both sentences of a pair, and a comparison of their vectors.

    With u and v the vectors of the two sentences, the comparison is either of::

        dense:      W_2 sigma(W_1 [|u - v|; u * v] + b_1) + b_2
        manhattan:  exp(-|u - v|_1)

    Both are the same whichever sentence comes first. The module is called like that of any
    network, with an even number of sentences: first the first sentences of all pairs, then the
    second ones. It returns (n_pairs, n_outputs). Dropout is that of the wrapped network.

    Parameters
    ----------
    network : str or Network, default="lstm"
        The network that computes u and v.
    comparison : {"dense", "manhattan"}, default="dense"
        The dense one is that of Tai and others (2015), the other that of Mueller and
        Thyagarajan (2016), which has one output.
    dense_size : int, default=50
        Units of the hidden layer of the dense comparison.
    n_outputs : int, default=6
        Outputs of the dense comparison.

    References
    ----------
    K. Tai, R. Socher, C. Manning (2015). Improved semantic representations from tree-structured
    long short-term memory networks. ACL.

    J. Mueller, A. Thyagarajan (2016). Siamese recurrent architectures for learning sentence
    similarity. AAAI.

    Examples
    --------
    >>> from skpara.networks import LSTM, Siamese
    >>> Siamese(LSTM(dropout=0.3), "manhattan").dropout
    0.3
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "comparison": [StrOptions({"dense", "manhattan"})],
        "dense_size": [Interval(Integral, 1, None, closed="left")],
        "n_outputs": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(
        self,
        network: str | Network = "lstm",
        comparison: str = "dense",
        dense_size: int = 50,
        n_outputs: int = 6,
    ) -> None:
        self.network = network
        self.comparison = comparison
        self.dense_size = dense_size
        self.n_outputs = n_outputs

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._wrapping import Comparison, Manhattan, SiameseModule

        encoder = as_network(self.network).build(n_dims, rng)
        if self.comparison == "manhattan":
            return SiameseModule(encoder, Manhattan())
        size = encoder.n_dims_out
        return SiameseModule(encoder, Comparison(size, self.dense_size, self.n_outputs, rng))
