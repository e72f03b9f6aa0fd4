"""Networks around another network."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from numpy.random import Generator

from skpara._public import set_module, with_fields
from skpara._typing import NetworkName
from skpara.networks._names import as_network
from skpara.networks._network import Network, PackagedNetwork

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


class WrapperNetwork(PackagedNetwork):
    """Network around another, the ``sentence_network``, which sets input and dropout."""

    network: NetworkName | Network

    @property
    def sentence_network(self) -> Network:
        """The wrapped network."""
        return as_network(self.network)


@set_module("skpara.networks")
@with_fields
class Classifier(WrapperNetwork):
    """Dense layers over the vector u of one sentence: scores of classes before the softmax.

    ``W_2 sigma(W_1 u + b_1) + b_2``, or ``W_2 u + b_2`` where ``dense_size`` is None.
    """

    network: NetworkName | Network = "average"
    n_classes: int = 2
    dense_size: int | None = None

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._wrapping import DenseLayers, WrapperModule

        encoder = as_network(self.network).build(n_dims, rng)
        sizes = encoder.n_dims_out, self.dense_size, self.n_classes
        return WrapperModule(encoder, "head", DenseLayers(*sizes, rng))


@set_module("skpara.networks")
@with_fields
class Siamese(WrapperNetwork):
    """One network for both sentences of a pair, and a comparison of their vectors.

    With u and v the vectors of the two sentences, the comparison is "dense" (Tai and others 2015,
    ACL) or "manhattan" (Mueller and Thyagarajan 2016, AAAI), which has one output::

        dense:      W_2 sigma(W_1 [|u - v|; u * v] + b_1) + b_2
        manhattan:  exp(-|u - v|_1)

    Both are the same whichever sentence comes first. If ``symmetric`` is False, the dense layer
    also reads u - v. The module is called as any other: first the first
    sentences of all pairs, then the second ones. It returns (n_pairs, n_outputs).
    """

    network: NetworkName | Network = "lstm"
    comparison: Literal["dense", "manhattan"] = "dense"
    dense_size: int = 50
    n_outputs: int = 6
    symmetric: bool = True

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._wrapping import Comparison, Manhattan, WrapperModule

        encoder = as_network(self.network).build(n_dims, rng)
        if self.comparison == "manhattan":
            return WrapperModule(encoder, "comparison", Manhattan(), n_inputs=2)
        sizes = encoder.n_dims_out, self.dense_size, self.n_outputs
        comparison = Comparison(*sizes, self.symmetric, rng)
        return WrapperModule(encoder, "comparison", comparison, n_inputs=2)
