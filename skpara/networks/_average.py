"""The average of word vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING

from numpy.random import Generator

from skpara._public import set_module
from skpara.networks._network import Network

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


@set_module("skpara.networks", trusted=True)
class Average(Network):
    """Mean of the word vectors of a sentence; only the word vectors are learned.

    Parameters
    ----------
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
    >>> from skpara.networks import Average
    >>> ParagramEncoder(Average()).encode(["a dog"]).shape
    (1, 256)
    """

    averages = True

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._average import AverageModule

        return AverageModule(n_dims)
