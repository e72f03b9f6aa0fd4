"""Base class of the modules."""

from __future__ import annotations

import torch
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

    def __init__(self) -> None:  # of nn.Module, it would take any arguments
        super().__init__()

    @property
    def sentence_module(self) -> SentenceModule:
        """The module that computes vectors of single sentences; in a module of pairs, a part."""
        return self

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
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
