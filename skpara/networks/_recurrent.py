"""Networks that read a sentence word by word."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, ClassVar, Literal

from numpy.random import Generator
from sklearn.utils._param_validation import StrOptions

from skpara._public import set_module, with_fields
from skpara._typing import Constraints
from skpara.networks._network import CONSTRAINTS, PackagedNetwork

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


@set_module("skpara.networks", trusted=True)
@with_fields
class RNN(PackagedNetwork):
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
    initialization : {"default", "published"}, default="default"
        "published" follows the code of Wieting and others (2016): both matrices of the plain
        network are initialized uniformly in ``+-0.01``. The iRNN has only one initialization.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Towards universal paraphrastic sentence
    embeddings. ICLR.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import RNN
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(RNN(identity=True), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog"]).shape
    (1, 256)
    """

    identity: bool = False
    hidden_size: int | None = None
    nonlinearity: Literal["tanh", "relu"] = "tanh"
    _: KW_ONLY
    initialization: Literal["default", "published"] = "default"

    _parameter_constraints: ClassVar[Constraints] = {
        **CONSTRAINTS,
        "nonlinearity": [StrOptions({"tanh", "relu"})],
    }

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._recurrent import IdentityRNNModule, RNNModule
        from skpara.networks.modules._weights import orthogonal, uniform

        size = self.hidden_size or n_dims
        published = self.initialization == "published"
        if not self.identity:
            # 0.01 is Lasagne's default, which the published code does not change.
            weight_ih = uniform(rng, 0.01 if published else 1 / size**0.5, size, n_dims)
            weight_hh = uniform(rng, 0.01, size, size) if published else orthogonal(rng, size)
            return RNNModule(weight_ih, weight_hh, self.nonlinearity)
        if size != n_dims:
            raise ValueError(
                f"RNN(identity=True) starts as the average of word vectors of {n_dims} "
                f"dimensions: hidden_size must be None or {n_dims}, got {size}."
            )
        return IdentityRNNModule(n_dims)


@set_module("skpara.networks", trusted=True)
@with_fields
class LSTM(PackagedNetwork):
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
    initialization : {"default", "published"}, default="default"
        "published" follows the code of Wieting and others (2016): every W, every U and the
        peepholes are drawn from a normal distribution with standard deviation 0.1, and all biases
        are zero, also for the forget gate.

    References
    ----------
    S. Hochreiter, J. Schmidhuber (1997). Long short-term memory. Neural Computation 9(8).

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

    output_gate: bool = True
    peepholes: bool = False
    hidden_size: int | None = None
    bidirectional: bool = False
    _: KW_ONLY
    initialization: Literal["default", "published"] = "default"

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._recurrent import LSTMModule

        gates = {"output_gate": self.output_gate, "peepholes": self.peepholes}
        gates["published"] = self.initialization == "published"
        size = self.hidden_size or n_dims
        return LSTMModule(n_dims, size, rng, bidirectional=self.bidirectional, **gates)


@set_module("skpara.networks", trusted=True)
@with_fields
class GRAN(PackagedNetwork):
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
    peepholes : bool, default=False
        Whether the gates of the LSTM depend on its cells, see :class:`LSTM`. The gates of the
        published code do; the papers do not mention it.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.
    initialization : {"default", "published"}, default="default"
        "published" follows the code of Wieting and others (2017): W_x, W_h, and the matrices
        and peepholes of the LSTM are drawn from a normal distribution with standard deviation
        0.1, and all biases are zero.

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

    hidden_size: int | None = None
    peepholes: bool = False
    _: KW_ONLY
    initialization: Literal["default", "published"] = "default"

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._recurrent import GRANModule

        size = self.hidden_size or n_dims
        published = self.initialization == "published"
        return GRANModule(n_dims, size, rng, peepholes=self.peepholes, published=published)
