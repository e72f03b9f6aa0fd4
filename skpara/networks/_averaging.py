"""Networks that average or add up the vectors of a sentence."""

from __future__ import annotations

from dataclasses import KW_ONLY
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from skpara._public import set_module, with_fields
from skpara._typing import Attributes
from skpara.networks._network import PackagedNetwork

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule

# Standard deviation of the initial vectors: small, so that the sum over the n-grams of a long
# sentence starts where tanh is nearly linear.
_SPREAD = 0.01


@set_module("skpara.networks", trusted=True)
@with_fields
class Average(PackagedNetwork):
    """Weighted mean of the word vectors of a sentence; only the word vectors are learned.

    Redundant words weigh less: those that are similar to the others of the sentence. With ``x_t``
    the vector of word t of n words, and ``u_t = x_t / |x_t|``::

        s_t = sum_{j != t} u_t . u_j      w_t = 1 / (1 + redundancy max(0, s_t))
        g(x) = (w_1 x_1 + ... + w_n x_n) / (w_1 + ... + w_n)

    So the parts of a long description that repeat each other do not outweigh the rest. Without
    ``redundancy``, this is the plain mean of the papers.

    Parameters
    ----------
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.
    distinct_words : bool, default=True
        Count a word once in each sentence, however often it occurs there: repeated words are
        mostly function words. The papers count every occurrence.
    redundancy : float, default=0.6
        How strongly the weight of a word falls with its similarity to the others. 0 is the plain
        mean, which the papers and other libraries compute. Chosen on STS 2012-2015; values from
        0.4 to 1 make hardly any difference. Try 0, too, with vectors of your own.

    Notes
    -----
    Not every table of vectors gains from weights. Spearman's rho (x 100) of the cosine with 0.6,
    less that of the plain mean, for GloVe of 50 dimensions (120,000 and 4,197 words) and GloVe of
    Twitter (25 dimensions, 11,925 words):

    ===================  ====  ====  ====  ====  ========  ==========
    table                2012  2013  2014  2015  STSb dev  SICK train
    ===================  ====  ====  ====  ====  ========  ==========
    GloVe, 120,000       0.5   7.8   0.5   4.4   0.3       -1.3
    GloVe, 4,197         2.3   1.9   2.0   2.8   0.0       0.0
    Twitter              1.2   2.2   -0.4  -0.8  -3.2      0.5
    ===================  ====  ====  ====  ====  ========  ==========

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

    The second of two similar words adds less than the first word of another kind:

    >>> from skpara import WordVectors
    >>> vectors = WordVectors(["dog", "puppy", "sea"], [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    >>> ParagramEncoder(Average(), vectors=vectors).encode(["dog puppy sea"]).round(2)
    array([[0.56, 0.44]], dtype=float32)
    >>> plain = Average(redundancy=0.0)
    >>> ParagramEncoder(plain, vectors=vectors).encode(["dog puppy sea"]).round(2)
    array([[0.67, 0.33]], dtype=float32)
    """

    _: KW_ONLY
    distinct_words: bool = True
    redundancy: float = 0.6

    averages = True

    def __setstate__(self, state: Attributes) -> None:
        super().__setstate__(self._current_parameters(state))

    @staticmethod
    def _current_parameters(parameters: Attributes) -> Attributes:
        """Return the parameters; in files of version 0.2.0 averages are plain means."""
        return {"redundancy": 0.0} | parameters

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._averaging import AverageModule

        return AverageModule(n_dims, self.redundancy)


@set_module("skpara.networks", trusted=True)
@with_fields
class Projection(PackagedNetwork):
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
    initialization : {"default", "published"}, default="default"
        "published" follows the code of Wieting and others (2016): W_p is initialized as by
        Glorot and Bengio (2010), and network decay pulls it towards zero.

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

    nonlinearity: Literal["identity", "relu", "tanh"] = "identity"
    _: KW_ONLY
    initialization: Literal["default", "published"] = "default"

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._averaging import ProjectionModule

        published = self.initialization == "published"
        return ProjectionModule(n_dims, self.nonlinearity, rng, published=published)


@set_module("skpara.networks", trusted=True)
@with_fields
class DAN(PackagedNetwork):
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
    initialization : {"default", "published"}, default="default"
        "published" follows the code of Wieting and others (2016): W_1 is drawn from a normal
        distribution with standard deviation 0.1, the other matrices as by default.

    References
    ----------
    M. Iyyer, V. Manjunatha, J. Boyd-Graber, H. Daume III (2015). Deep unordered composition
    rivals syntactic methods for text classification. ACL.

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

    n_layers: int = 2
    hidden_size: int | None = None
    nonlinearity: Literal["identity", "relu", "tanh"] = "tanh"
    _: KW_ONLY
    initialization: Literal["default", "published"] = "default"

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._averaging import DANModule

        sizes = [n_dims] + [self.hidden_size or n_dims] * self.n_layers
        published = self.initialization == "published"
        return DANModule(sizes, self.nonlinearity, rng, published=published)


@set_module("skpara.networks", trusted=True)
@with_fields
class Charagram(PackagedNetwork):
    """Sum of the vectors of the character n-grams, with a nonlinearity.

    With ``x_i`` the vectors of the character n-grams of a sentence::

        g(x) = h(b + x_1 + ... + x_n)

    Misspelled, inflected and stretched words get vectors close to their relatives, because they
    share n-grams; n-grams also span the spaces between words. The n-grams and their vectors are
    learned from the paraphrases alone, of which there must be many.

    Parameters
    ----------
    ngram_range : tuple of (int, int), default=(2, 4)
        Shortest and longest n-gram, in characters; from 1 to 8.
    n_dims : int, default=300
        Length of the vectors of n-grams and of sentences.
    nonlinearity : {"tanh", "relu", "identity"}, default="tanh"
        The function h.
    min_count : int, default=1
        N-grams that occur less often in the paraphrases are ignored.
    dropout : float, default=0.0
        Fraction of the units of each word vector set to zero in training; see :class:`Network`.
    word_dropout : float, default=0.0
        Fraction of the words of a batch left out in training; see :class:`Network`.

    References
    ----------
    J. Wieting, M. Bansal, K. Gimpel, K. Livescu (2016). Charagram: embedding words and sentences
    via character n-grams. EMNLP.

    Examples
    --------
    >>> from skpara.networks import Charagram
    >>> Charagram(n_dims=100)
    Charagram(n_dims=100)
    """

    ngram_range: tuple[int, int] = (2, 4)
    n_dims: int = 300
    nonlinearity: Literal["identity", "relu", "tanh"] = "tanh"
    min_count: int = 1

    units = "character n-grams"

    def initial_table(self, n_ngrams: int, rng: Generator) -> NDArray[np.float32]:
        """Draw the vectors that n-grams start with, normal with standard deviation 0.01.

        Parameters
        ----------
        n_ngrams : int
            Number of n-grams.
        rng : numpy.random.Generator
            Draws the vectors.

        Returns
        -------
        ndarray of float32, shape (n_ngrams, n_dims)
            The vectors.
        """
        return rng.standard_normal((n_ngrams, self.n_dims), dtype=np.float32) * np.float32(_SPREAD)

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        from skpara.networks.modules._averaging import CharagramModule

        return CharagramModule(n_dims, self.nonlinearity)
