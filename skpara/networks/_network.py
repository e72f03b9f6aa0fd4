"""What a network is: fields to tune, and the torch module they make."""

from __future__ import annotations

from typing import ClassVar

import torch
from numpy.random import Generator
from sklearn.base import BaseEstimator
from torch import Tensor, nn

from skpara._public import set_module


@set_module("skpara.networks")
class SentenceModule(nn.Module):
    """From word vectors to sentence vectors.

    Called with ``rows`` (n_rows, n_dims), the vectors of the words that a batch uses; ``ids``
    (n_tokens,), int64, into them, the sentences end to end; and ``offsets`` (n_sentences,), int64,
    the first token of each sentence. Returns (n_sentences, n_dims_out). An empty sentence gets
    zeros whatever the network.

    Subclasses write ``_vectors``, which sees no empty sentence.

    Attributes
    ----------
    n_dims_out : int
        Length of a sentence vector.
    identities : tuple of str
        Names of the parameters that start as the identity; decay pulls these towards the
        identity, and all others towards zero.
    n_inputs : int
        Sentences that one output is made of; 2 for modules of pairs.
    compilable : str or None
        Name of the method that torch's compiler makes faster; None where a kernel, or a
        recurrence written by hand, does all there is to do.
    """

    n_dims_out: int
    identities: tuple[str, ...] = ()
    n_inputs: int = 1
    compilable: str | None = "_vectors"

    def forward(self, rows: Tensor, ids: Tensor, offsets: Tensor) -> Tensor:
        """Vectors of sentences; zeros for empty ones."""
        ends = torch.cat([offsets[1:], torch.full_like(offsets[:1], len(ids))])
        lengths = ends - offsets
        filled = lengths > 0
        if bool(filled.all()):
            return self._vectors(rows, ids, offsets, lengths)
        if not bool(filled.any()):
            return rows.new_zeros(len(offsets), self.n_dims_out)
        found = self._vectors(rows, ids, offsets[filled], lengths[filled])
        vectors = found.new_zeros(len(offsets), self.n_dims_out)
        return vectors.index_put((filled.nonzero().squeeze(1),), found)

    def compile_parts(self) -> None:
        """Compile what can be, for batches of any size."""
        if self.compilable is not None:
            method = getattr(self, self.compilable)
            setattr(self, self.compilable, torch.compile(method, dynamic=True))

    @property
    def sentences(self) -> SentenceModule:
        """The module that makes vectors of single sentences; of pairs' modules, their encoder."""
        return self

    def _vectors(self, rows: Tensor, ids: Tensor, offsets: Tensor, lengths: Tensor) -> Tensor:
        raise NotImplementedError


@set_module("skpara.networks")
class Network(BaseEstimator):
    """Base of the networks of :class:`~skpara.ParagramEncoder`: fields, and what they build.

    The fields are ordinary parameters, so that a search reaches them as ``network__<field>``.

    Attributes
    ----------
    units : str
        What the rows of the table are: "words" or "character n-grams".
    """

    units: ClassVar[str] = "words"

    def build(self, n_dims: int, rng: Generator) -> SentenceModule:
        """The module for word vectors of ``n_dims``, its weights drawn from ``rng``.

        Torch's own generators are left alone.

        Raises
        ------
        ValueError
            If a field is out of its range.
        """
        self._validate_params()
        return self._build(n_dims, rng)

    def _build(self, n_dims: int, rng: Generator) -> SentenceModule:
        raise NotImplementedError
