"""Torch modules with fitted weights, for encoding after training."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from skpara._typing import Oov, Vectors, Weights
from skpara.learning._batches import apply_head, encode
from skpara.learning._device import Compute
from skpara.learning._lexicon import make_lexicon
from skpara.learning._processes import is_forked
from skpara.networks import Network, SentenceModule, shapes_only
from skpara.resources import WordVectors


class FittedModule:
    """A network's module with its weights, and the rows of its words."""

    def __init__(
        self,
        network: Network,
        weights: Weights,
        vectors: WordVectors,
        device: Any,
        oov: Oov | None = None,
        max_length: int | None = None,
    ) -> None:
        rng = np.random.default_rng(0)  # its numbers are not used
        module = empty_module(network, vectors.n_dims)
        load_weights(module, weights, network)
        self._compute = Compute.of(device, fall_back=True)
        self._module = module.to(self._compute.device)
        encoder = network.sentence_network
        self._lexicon = make_lexicon(encoder, vectors, vectors, None, oov or "subword", rng)
        self._max_length = max_length
        self._distinct_words = encoder.distinct_words
        # N-grams have all rows in a table; words get rows in each call.
        self._table = self._lexicon.start(np.empty(0, dtype=np.int64)).rows

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Encode sentences, shape (n_sentences, n_dims)."""
        tokens, extra = self._lexicon.lookup(sentences)
        tokens = tokens.head(self._max_length)
        if self._distinct_words:
            tokens = tokens.distinct()
        if is_forked():  # of the other threads, which the outputs would wait for, too, none exists
            torch.set_num_threads(1)
        module = self._module.sentence_module
        compute = self._compute
        return encode(module, self._table, extra, tokens, compute, "cpu").numpy()

    def outputs(self, sentences: Sequence[str]) -> Tensor:
        """Compute the outputs of a network with a head, shape (n_samples, n_outputs), on the CPU.

        The sentences of pairs are all first sentences, then all second ones.
        """
        vectors = torch.from_numpy(self.encode(sentences))
        return apply_head(self._module, vectors, self._compute.device)


def empty_module(network: Network, n_dims: int) -> SentenceModule:
    """Build the module of a network without drawing its weights, which take no memory."""
    with shapes_only():
        return network.build(n_dims, np.random.default_rng(0))


def load_weights(module: SentenceModule, weights: Weights, network: Network) -> None:
    """Load weights into a module, or into the part of it that encodes sentences."""
    shapes = {name: weight.shape for name, weight in weights.items()}
    for part in (module, module.sentence_module):
        expected = {name: tuple(weight.shape) for name, weight in part.state_dict().items()}
        if expected == shapes:
            tensors = {name: torch.from_numpy(np.array(w)) for name, w in weights.items()}
            part.load_state_dict(tensors, assign=True)
            return
    raise ValueError(
        f"The weights to start from have shapes {shapes}; {network!r} needs {expected}. Start "
        "from an encoder with the same network."
    )
