"""Gated recurrent averaging network."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import torch
from numpy.random import Generator
from sklearn.utils._param_validation import Interval
from torch import Tensor

from skpara._public import set_module
from skpara.networks._lstm_cells import LSTMCells
from skpara.networks._network import Network, SentenceModule
from skpara.networks._packing import pack
from skpara.networks._weights import glorot, zeros


@set_module("skpara.networks", trusted=True)
class GRAN(Network):
    """Mean of the word vectors, each weighted unit by unit by a gate that an LSTM sets.

    Between the average, which it is where all gates are open, and the LSTM. With ``x_t`` the
    vector of word t of n words, ``h_t`` the LSTM's state after reading it (see :class:`LSTM`) and
    ``sigma`` the logistic function::

        a_t = x_t * sigma(W_x x_t + W_h h_t + b)      g(x) = (a_1 + ... + a_n) / n

    W_x and W_h start as those of Glorot and Bengio (2010), b as zero: the gates start half open,
    and so the network starts near half the average, of the same direction.

    Parameters
    ----------
    hidden_size : int, default=None
        Units of the LSTM; None is the length of a word's vector.
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
    A vector is as long as a word's, however many units the LSTM has:

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
        return GRANModule(n_dims, self.hidden_size or n_dims, rng)


class GRANModule(SentenceModule):
    """Gates from words and states, and the mean of the gated words."""

    def __init__(self, n_dims: int, size: int, rng: Generator) -> None:
        super().__init__()
        self.n_dims_out = n_dims
        self.cells = LSTMCells(n_dims, size, rng)
        self.of_word = glorot(rng, n_dims, n_dims)
        self.of_state = glorot(rng, n_dims, size)
        self.bias = zeros(n_dims)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        packed = pack(rows, ids, offsets, lengths)
        sums = self._gated(packed.words, self.cells(packed), packed.sentences, len(lengths))
        return sums.index_select(0, packed.back) / lengths.unsqueeze(1)

    def _gated(self, words: Tensor, states: Tensor, sentences: Tensor, n: int) -> Tensor:
        """Sums of the words of ``n`` sentences, each unit as far as its gate is open."""
        inputs = torch.addmm(self.bias, words, self.of_word.T)
        gates = torch.sigmoid(torch.addmm(inputs, states, self.of_state.T))
        sums = words.new_zeros(n, self.n_dims_out)
        return sums.index_add(0, sentences, words * gates)
