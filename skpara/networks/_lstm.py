"""Long short-term memory."""

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
class LSTM(Network):
    """Last state of an LSTM.

    With ``x_t`` the vector of word t of n words, ``sigma`` the logistic function, ``*`` the
    elementwise product, and ``h_0 = c_0 = 0``::

        i_t = sigma(W_i x_t + U_i h_{t-1} + b_i)        f_t = sigma(W_f x_t + U_f h_{t-1} + b_f)
        c_t = f_t * c_{t-1} + i_t * tanh(W_g x_t + U_g h_{t-1} + b_g)
        o_t = sigma(W_o x_t + U_o h_{t-1} + b_o)        h_t = o_t * tanh(c_t)
        g(x) = h_n

    Every W is initialized uniformly in ``+-1/sqrt(hidden_size)``, every U is orthogonal, and
    biases and peepholes are zero, except b_f: it is 1, so that the cells keep what they have read
    (Gers and others 2000).

    Parameters
    ----------
    output_gate : bool, default=True
        Whether there is an output gate o_t; without it, ``h_t = tanh(c_t)``. Wieting and others
        (2016) found the LSTM without it better on some tasks.
    peepholes : bool, default=False
        Whether the gates depend on the cells (Gers and others 2002): with the further terms
        ``p_i * c_{t-1}`` in i_t, ``p_f * c_{t-1}`` in f_t and ``p_o * c_t`` in o_t.
    hidden_size : int, default=None
        Units of the state. None stands for the length of a word vector.
    bidirectional : bool, default=False
        Whether a second LSTM, with weights of its own, reads the sentence backwards. The two last
        states are concatenated to a vector of length ``2 * hidden_size``.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    S. Hochreiter, J. Schmidhuber (1997). Long short-term memory. Neural Computation 9(8).

    F. Gers, J. Schmidhuber, F. Cummins (2000). Learning to forget: continual prediction with LSTM.
    Neural Computation 12(10).

    F. Gers, N. Schraudolph, J. Schmidhuber (2002). Learning precise timing with LSTM recurrent
    networks. JMLR 3.

    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import LSTM
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(LSTM(hidden_size=100, bidirectional=True), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 200)
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        **Network._parameter_constraints,
        "output_gate": ["boolean"],
        "peepholes": ["boolean"],
        "hidden_size": [Interval(Integral, 1, None, closed="left"), None],
        "bidirectional": ["boolean"],
    }

    def __init__(
        self,
        output_gate: bool = True,
        peepholes: bool = False,
        hidden_size: int | None = None,
        bidirectional: bool = False,
        *,
        dropout: float = 0.0,
        word_dropout: float = 0.0,
    ) -> None:
        super().__init__(dropout=dropout, word_dropout=word_dropout)
        self.output_gate = output_gate
        self.peepholes = peepholes
        self.hidden_size = hidden_size
        self.bidirectional = bidirectional

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._lstm import LSTMModule

        return LSTMModule(
            n_dims,
            self.hidden_size or n_dims,
            rng,
            output_gate=self.output_gate,
            peepholes=self.peepholes,
            bidirectional=self.bidirectional,
        )
