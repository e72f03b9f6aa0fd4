"""Base classes: a network describes a model, a sentence module computes it."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import torch
from numpy.random import Generator
from sklearn.base import BaseEstimator
from sklearn.utils._param_validation import Interval
from torch import Tensor, nn

from skpara._public import set_module


@set_module("skpara.networks")
class SentenceModule(nn.Module):
    """Base class of torch modules that compute sentence vectors from word vectors.

    A subclass sets ``n_dims_out`` and implements :meth:`sentence_vectors`, which is called with
    non-empty sentences only. :class:`Network` shows a complete example.

    A module is called with three tensors: ``rows`` of shape (n_rows, n_dims), the vectors of the
    distinct words of a batch; ``ids`` of shape (n_tokens,), for each word of the batch the index
    of its row, sentence after sentence; and ``offsets`` of shape (n_sentences,), for each
    sentence the index of its first word in ``ids``. It returns (n_sentences, n_dims_out). The
    vector of an empty sentence is zero.

    Attributes
    ----------
    n_dims_out : int
        Length of a sentence vector.
    identity_parameters : tuple of str
        Names of the parameters that start as the identity matrix. Weight decay pulls these
        towards the identity, and all others towards zero.
    n_inputs : int
        Number of sentences that one output is computed from: 2 for modules of pairs.

    Examples
    --------
    Three sentences: rows 0 and 1, no word at all, row 1.

    >>> import numpy as np
    >>> import torch
    >>> from skpara.networks import Average
    >>> module = Average().build(2, np.random.default_rng(0))
    >>> rows = torch.tensor([[1.0, 3.0], [5.0, 7.0]])
    >>> module(rows, ids=torch.tensor([0, 1, 1]), offsets=torch.tensor([0, 2, 2]))
    tensor([[3., 5.],
            [0., 0.],
            [5., 7.]])
    """

    n_dims_out: int
    identity_parameters: tuple[str, ...] = ()
    n_inputs: int = 1

    def __init__(self) -> None:
        super().__init__()

    @property
    def sentence_module(self) -> SentenceModule:
        """The module that computes vectors of single sentences; in a module of pairs, a part."""
        return self

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """Compute the vectors of sentences, zero for empty ones.

        Parameters
        ----------
        rows : Tensor of shape (n_rows, n_dims)
            Vectors of the distinct words of the batch.
        ids : Tensor of int64, shape (n_tokens,)
            Row of each word, sentence after sentence.
        offsets : Tensor of int64, shape (n_sentences,)
            Index in ``ids`` of the first word of each sentence.

        Returns
        -------
        Tensor of shape (n_sentences, n_dims_out)
            The sentence vectors.
        """
        ends = torch.cat([offsets[1:], torch.full_like(offsets[:1], len(ids))])
        lengths = ends - offsets
        non_empty = lengths > 0
        if bool(non_empty.all()):
            return self.sentence_vectors(rows, ids, offsets, lengths)
        if not bool(non_empty.any()):
            return rows.new_zeros(len(offsets), self.n_dims_out)
        computed = self.sentence_vectors(rows, ids, offsets[non_empty], lengths[non_empty])
        vectors = computed.new_zeros(len(offsets), self.n_dims_out)
        return vectors.index_put((non_empty.nonzero().squeeze(1),), computed)

    def sentence_vectors(
        self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor
    ) -> Tensor:
        """Compute the vectors of non-empty sentences; subclasses implement this.

        Parameters
        ----------
        rows : Tensor of shape (n_rows, n_dims)
            Vectors of the distinct words of the batch.
        ids : Tensor of int64, shape (n_tokens,)
            Row of each word, sentence after sentence.
        offsets : Tensor of int64, shape (n_sentences,)
            Index in ``ids`` of the first word of each sentence.
        lengths : Tensor of int64, shape (n_sentences,)
            Number of words of each sentence, at least 1.

        Returns
        -------
        Tensor of shape (n_sentences, n_dims_out)
            The sentence vectors.
        """
        raise NotImplementedError(f"{type(self).__name__} must implement sentence_vectors.")


@set_module("skpara.networks")
class Network(BaseEstimator):
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
        Whether the sentence vector is the mean of the word vectors and nothing else, so that it
        can be computed without torch.
    units : {"words", "character n-grams"}
        What the network reads, and so what its table has a row for.

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

    averages: ClassVar[bool] = False
    units: ClassVar[str] = "words"
    # Defaults on the class serve subclasses whose __init__ does not call this one.
    dropout: float = 0.0
    word_dropout: float = 0.0
    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "dropout": [Interval(Real, 0, 1, closed="left")],
        "word_dropout": [Interval(Real, 0, 1, closed="left")],
    }

    def __init__(self, *, dropout: float = 0.0, word_dropout: float = 0.0) -> None:
        self.dropout = dropout
        self.word_dropout = word_dropout

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
