"""Sentence vectors of networks that are more than an average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from skpara.resources import WordVectors
from skpara.resources._word_vectors import Oov

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.networks import Network


class NetworkEncoder:
    """A network with its weights, ready to encode.

    Parameters
    ----------
    network : Network
    weights : dict of str to ndarray
    vectors : WordVectors
    oov : {"subword", "rare", "zero"}
    device : str
    max_length : int, optional
        Tokens of a sentence that are read.
    """

    def __init__(
        self,
        network: Network,
        weights: dict[str, NDArray[np.float32]],
        vectors: WordVectors,
        oov: Oov,
        device: str,
        max_length: int | None = None,
    ) -> None:
        import torch

        from skpara.encoders._lexicon import Lexicon, NgramLexicon, WordLexicon
        from skpara.networks import Charagram

        rng = np.random.default_rng(0)  # every weight it draws is overwritten
        module = network.build(vectors.n_dims, rng)
        module.load_state_dict({k: torch.from_numpy(np.array(w)) for k, w in weights.items()})
        self.module = module.to(device)
        self._lexicon: Lexicon
        if isinstance(network, Charagram):
            self._lexicon = NgramLexicon(vectors.words, network, rng)
        else:
            self._lexicon = WordLexicon(vectors, vectors, oov)
        self._matrix, self.device, self._max_length = vectors.matrix, device, max_length

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of sentences, shape (n_sentences, n_dims)."""
        return self.encode_on_device(sentences).cpu().numpy()

    def encode_on_device(self, sentences: Sequence[str]) -> Tensor:
        """The same where the network is."""
        import torch

        from skpara.training._encoding import encode

        tokens, extra = self._lexicon.look_up(sentences)
        tokens = tokens.cut(self._max_length)
        n_rows = len(self._matrix)

        def take(ids: NDArray[np.int64]) -> Tensor:
            rows = np.concatenate(
                [self._matrix[ids[ids < n_rows]], extra[ids[ids >= n_rows] - n_rows]]
            )
            return torch.from_numpy(rows).to(self.device)

        return encode(self.module.sentences, take, tokens, self.device)
