"""Base classes: a network describes a model, a sentence module computes it."""

from __future__ import annotations

from dataclasses import KW_ONLY
from numbers import Real
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.random import Generator
from sklearn import get_config
from sklearn.utils._param_validation import Interval, StrOptions

from skpara._compatibility import DefaultsMixin
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator
from skpara._typing import Constraints
from skpara._validation import COUNT, NOT_NEGATIVE

if TYPE_CHECKING:
    from skpara.networks.modules._module import SentenceModule


_SHARE = Interval(Real, 0, 1, closed="left")
# Of all parameters of the networks here; each has the same values in all that have it.
CONSTRAINTS: Constraints = {
    "dropout": [_SHARE],
    "word_dropout": [_SHARE],
    "n_layers": [COUNT],
    "n_dims": [COUNT],
    "min_count": [COUNT],
    "n_classes": [COUNT],
    "n_outputs": [COUNT],
    "hidden_size": [COUNT, None],
    "dense_size": [COUNT, None],
    "ngram_range": [tuple, list],
    "nonlinearity": [StrOptions({"identity", "relu", "tanh"})],
    "initialization": [StrOptions({"default", "published"})],
    "distinct_words": ["boolean"],
    "identity": ["boolean"],
    "output_gate": ["boolean"],
    "peepholes": ["boolean"],
    "bidirectional": ["boolean"],
    "symmetric": ["boolean"],
    "redundancy": [NOT_NEGATIVE],
    "comparison": [StrOptions({"dense", "manhattan"})],
}


@set_module("skpara.networks")
@with_fields
class Network(DefaultsMixin, BaseEstimator):
    """Base class of networks: their parameters, and how to build their torch module.

    A network is a scikit-learn estimator without ``fit``: it can be cloned, and a search sets its
    parameters as ``network__<parameter>``. A subclass implements :meth:`make_module`. If it has
    an ``__init__`` of its own, this passes ``dropout`` and ``word_dropout`` on to
    ``super().__init__``, or leaves both out for a network without dropout.

    Parameters
    ----------
    dropout : float, default=0.0
        Fraction of the units of each word vector that are set to zero in a batch.
    word_dropout : float, default=0.0
        Fraction of the words of a batch that are left out.

    Attributes
    ----------
    averages : bool
        Whether the sentence vector is the (weighted) mean of the word vectors and nothing else, so
        that it can be computed without torch.
    distinct_words : bool
        Whether a word that occurs several times in a sentence is read once.
    redundancy : float
        Of a network that averages: how much less a word counts that is like the others.
    units : {"words", "character n-grams"}
        Units of text that the network reads, each with a row in its table.

    Notes
    -----
    The trainer applies both kinds of dropout, to the word vectors and before the module, and
    during training only. The module itself does not apply them.

    Examples
    --------
    A network of one's own, which takes the maximum of the word vectors in each dimension:

    >>> from torch.nn import functional
    >>> from skpara import ParagramEncoder
    >>> from skpara.networks import Network, SentenceModule
    >>> class MaxPoolingModule(SentenceModule):
    ...     def __init__(self, n_dims):
    ...         super().__init__()
    ...         self.n_dims_out = n_dims
    ...
    ...     def sentence_vectors(self, rows, ids, offsets, lengths):
    ...         return functional.embedding_bag(ids, rows, offsets, mode="max")
    >>> class MaxPooling(Network):
    ...     def make_module(self, n_dims, rng):
    ...         return MaxPoolingModule(n_dims)
    >>> pairs = [("a dog runs", "a dog is running"), ("rain fell", "it rained")]
    >>> encoder = ParagramEncoder(MaxPooling(word_dropout=0.1), max_iter=1).fit(pairs)
    >>> encoder.encode(["a dog", "it rained"]).shape
    (2, 256)
    """

    # Also the values of a subclass whose __init__ does not call this one.
    _: KW_ONLY
    dropout: float = 0.0
    word_dropout: float = 0.0

    averages = False
    distinct_words = False
    redundancy = 0.0
    units = "words"
    _parameter_constraints: ClassVar[Constraints] = {
        "dropout": [_SHARE],
        "word_dropout": [_SHARE],
    }

    def __init_subclass__(cls, **arguments: Any) -> None:
        super().__init_subclass__(**arguments)
        # A network that derives from the average and has a module of its own computes something
        # else, unless it says that it does not.
        if "make_module" in vars(cls) and "averages" not in vars(cls):
            cls.averages = False

    @property
    def sentence_network(self) -> Network:
        """The network that encodes single sentences; of a wrapper the wrapped one."""
        return self

    def build(self, n_dims: int, rng: Generator) -> SentenceModule:
        """Check the parameters and build the module.

        Parameters
        ----------
        n_dims : int
            Length of a word vector.
        rng : numpy.random.Generator
            Draws the initial weights; torch's own generators are left alone.

        Returns
        -------
        SentenceModule
            The module, on the CPU and in single precision.

        Raises
        ------
        ValueError
            If a parameter is out of its range.
        """
        if not get_config()["skip_parameter_validation"]:
            self._validate_params()
        return self.make_module(n_dims, rng)

    def make_module(self, n_dims: int, rng: Generator) -> SentenceModule:
        """Make the module; subclasses implement this, and :meth:`build` calls it.

        Parameters
        ----------
        n_dims : int
            Length of a word vector.
        rng : numpy.random.Generator
            Draws the initial weights. Drawing them from torch would make fits irreproducible.

        Returns
        -------
        SentenceModule
            The module.
        """
        raise NotImplementedError(f"{type(self).__name__} must implement make_module.")


class PackagedNetwork(Network):
    """Base class of the networks here; users' networks have constraints of their own."""

    _parameter_constraints: ClassVar[Constraints] = CONSTRAINTS
