"""Recurrent networks, plain and initialized with the identity."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._public import set_module
from skpara.networks._network import Network

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


@set_module("skpara.networks", trusted=True)
class RNN(Network):
    """Last state of a plain recurrent network, or of the iRNN, which starts as the average.

    With ``x_t`` the vector of word t of n words and ``h_0 = 0``::

        h_t = f(W_x x_t + W_h h_{t-1} + b)      g(x) = h_n

    W_x is initialized uniformly in ``+-1/sqrt(hidden_size)``, W_h is orthogonal and b zero.

    Parameters
    ----------
    identity : bool, default=False
        Whether to use the iRNN: f is the identity, both matrices start as the identity, and
        ``g(x) = h_n / n``, so that before training it is the average of the word vectors. Network
        decay pulls the matrices towards the identity.
    hidden_size : int, default=None
        Units of the state. None stands for the length of a word vector, which the iRNN needs.
    nonlinearity : {"tanh", "relu"}, default="tanh"
        The function f of the plain network; the iRNN has none.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Q. Le, N. Jaitly, G. Hinton (2015). A simple way to initialize recurrent networks of rectified
    linear units. arXiv:1504.00941.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import RNN
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(RNN(identity=True), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 256)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Network._parameter_constraints,
        "identity": ["boolean"],
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
        "nonlinearity": [StrOptions({"tanh", "relu"})],
    }

    def __init__(
        self,
        identity: bool = False,
        hidden_size: int | None = None,
        nonlinearity: str = "tanh",
        *,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(dropout=dropout, word_dropout=word_dropout)
        self.identity = identity
        self.hidden_size = hidden_size
        self.nonlinearity = nonlinearity

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._rnn import IdentityRNNModule, RNNModule
        from skpara.networks.modules._weights import orthogonal, uniform

        size = self.hidden_size or n_dims
        if not self.identity:
            weight_ih = uniform(rng, 1 / size**0.5, size, n_dims)
            return RNNModule(weight_ih, orthogonal(rng, size), self.nonlinearity)
        if size != n_dims:
            raise ValueError(
                f"RNN(identity=True) starts as the average of word vectors of {n_dims} "
                f"dimensions: hidden_size must be None or {n_dims}, got {size}."
            )
        return IdentityRNNModule(n_dims)
