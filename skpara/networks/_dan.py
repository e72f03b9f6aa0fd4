"""Deep averaging network."""

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
class DAN(Network):
    """Deep averaging network: dense layers over the average.

    With ``x_t`` the vector of word t of n words and K layers::

        z_0 = (x_1 + ... + x_n) / n      z_k = f(W_k z_{k-1} + b_k)      g(x) = z_K

    The matrices are initialized as by Glorot and Bengio (2010), the biases as zero.

    Parameters
    ----------
    n_layers : int, default=2
        Number K of layers.
    hidden_size : int, default=None
        Units of every layer, and so the length of a sentence vector. None stands for the length
        of a word vector.
    nonlinearity : {"identity", "tanh", "relu"}, default="tanh"
        The function f, after every layer.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    M. Iyyer, V. Manjunatha, J. Boyd-Graber, H. Daume III (2015). Deep unordered composition
    rivals syntactic methods for text classification. ACL.

    X. Glorot, Y. Bengio (2010). Understanding the difficulty of training deep feedforward neural
    networks. AISTATS.

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import DAN
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(DAN(n_layers=3, hidden_size=100), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 100)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Network._parameter_constraints,
        "n_layers": [Interval(Integral, 1, None, closed="left")],
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
        "nonlinearity": [StrOptions({"identity", "relu", "tanh"})],
    }

    def __init__(
        self,
        n_layers: int = 2,
        hidden_size: int | None = None,
        nonlinearity: str = "tanh",
        *,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(dropout=dropout, word_dropout=word_dropout)
        self.n_layers = n_layers
        self.hidden_size = hidden_size
        self.nonlinearity = nonlinearity

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._dan import DANModule

        sizes = [n_dims] + [self.hidden_size or n_dims] * self.n_layers
        return DANModule(sizes, self.nonlinearity, rng)
