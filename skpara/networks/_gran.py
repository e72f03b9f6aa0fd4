"""Gated recurrent averaging network."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn.utils._param_validation import Interval

from skpara._public import set_module
from skpara.networks._network import Network

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


@set_module("skpara.networks", trusted=True)
class GRAN(Network):
    """Mean of the word vectors, each multiplied by a gate that depends on an LSTM.

    With ``x_t`` the vector of word t of n words, ``h_t`` the state of the LSTM after word t (see
    :class:`LSTM`), ``sigma`` the logistic function and ``*`` the elementwise product::

        a_t = x_t * sigma(W_x x_t + W_h h_t + b)      g(x) = (a_1 + ... + a_n) / n

    With all gates open this is the average. W_x and W_h are initialized as by Glorot and Bengio
    (2010), and b as zero: the gates start half open, and the network starts near half the
    average, which has the same direction.

    Parameters
    ----------
    hidden_size : int, default=None
        Units of the LSTM. None stands for the length of a word vector.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    J. Wieting, J. Mallinson, K. Gimpel (2017). Learning paraphrastic sentence embeddings from
    back-translated bitext. EMNLP. Equation 1.

    J. Wieting, K. Gimpel (2017). Revisiting recurrent networks for paraphrastic sentence
    embeddings. ACL.

    Examples
    --------
    A sentence vector is as long as a word vector, whatever the size of the LSTM:

    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import GRAN
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(GRAN(hidden_size=100), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 256)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Network._parameter_constraints,
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
    }

    def __init__(
        self,
        hidden_size: int | None = None,
        *,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(dropout=dropout, word_dropout=word_dropout)
        self.hidden_size = hidden_size

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._gran import GRANModule

        return GRANModule(n_dims, self.hidden_size or n_dims, rng)
