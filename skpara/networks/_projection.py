"""A linear layer over the average."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import StrOptions

from skpara._public import set_module
from skpara.networks._network import Network

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


@set_module("skpara.networks", trusted=True)
class Projection(Network):
    """Linear layer over the average of the word vectors.

    With ``x_t`` the vector of word t of n words::

        g(x) = f(W_p (x_1 + ... + x_n) / n + b)

    W_p starts as the identity and b as zero: without nonlinearity, the network starts as the
    average. Network decay pulls W_p towards the identity.

    Parameters
    ----------
    nonlinearity : {"identity", "tanh", "relu"}, default="identity"
        The function f.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import Projection
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(Projection("tanh"), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 256)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Network._parameter_constraints,
        "nonlinearity": [StrOptions({"identity", "relu", "tanh"})],
    }

    def __init__(
        self,
        nonlinearity: str = "identity",
        *,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(dropout=dropout, word_dropout=word_dropout)
        self.nonlinearity = nonlinearity

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._projection import ProjectionModule

        return ProjectionModule(n_dims, self.nonlinearity)
