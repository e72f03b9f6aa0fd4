"""Sentence vectors of networks that are more than an average."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Oov
from skpara.resources import WordVectors

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
    device : {"auto", "cpu", "cuda", "mps"}
        One that is not there is a warning, and the CPU is used.
    max_length : int, optional
        Tokens of a sentence that are read.
    precision : {"float32", "bfloat16"}
    compile : bool
        As those of :class:`ParagramEncoder`.

    Attributes
    ----------
    asked : tuple
        Device, precision and compile as given.
    """

    def __init__(
        self,
        network: Network,
        weights: dict[str, NDArray[np.float32]],
        vectors: WordVectors,
        oov: Oov,
        device: str,
        max_length: int | None = None,
        *,
        precision: str = "float32",
        compile: bool = False,
    ) -> None:
        import torch

        from skpara.learning._compute import Compute
        from skpara.learning._device import resolve_device
        from skpara.learning._encoding import sentence_blocks
        from skpara.learning._lexicon import Lexicon, NgramLexicon, WordLexicon
        from skpara.networks import Charagram

        self.asked = device, precision, compile
        self._compute = Compute(resolve_device(device, fall_back=True), precision, compile)
        self._blocks = sentence_blocks()
        rng = np.random.default_rng(0)  # every weight it draws is overwritten
        module = network.build(vectors.n_dims, rng)
        module.load_state_dict({k: torch.from_numpy(np.array(w)) for k, w in weights.items()})
        self.module = self._compute.ready(module)
        self._lexicon: Lexicon
        if isinstance(network, Charagram):
            self._lexicon = NgramLexicon(vectors.words, network, rng)
        else:
            self._lexicon = WordLexicon(vectors, vectors, oov)
        self.device = self._compute.device
        self._matrix, self._max_length = vectors.matrix, max_length

    def encode(self, sentences: Sequence[str]) -> NDArray[np.float32]:
        """Vectors of sentences, shape (n_sentences, n_dims)."""
        import torch

        from skpara.learning._encoding import encode

        tokens, extra = self._lexicon.look_up(sentences)
        tokens = tokens.cut(self._max_length)
        n_rows = len(self._matrix)

        def take(ids: NDArray[np.int64]) -> Tensor:
            rows = np.concatenate(
                [self._matrix[ids[ids < n_rows]], extra[ids[ids >= n_rows] - n_rows]]
            )
            return torch.from_numpy(rows).to(self.device)

        vectors = encode(
            self.module.sentence_module, take, tokens, self._compute, self._blocks, to="cpu"
        )
        return vectors.numpy()


class NetworkMixin:
    """For estimators whose fitted state is arrays, and who compute with a network made of them.

    The network is made when first needed and kept; pickles leave it out. Put the mixin left of
    ``BaseEstimator``.
    """

    device: str
    _network_encoder: NetworkEncoder | None = None

    def _inference(self) -> NetworkEncoder:
        """The network of the fitted state."""
        raise NotImplementedError

    def _ready(self) -> NetworkEncoder:
        """The network, built once for many calls, and anew where it is to run otherwise."""
        ready = self._network_encoder
        if ready is None or ready.asked != tuple(self._compute().values()):
            ready = self._network_encoder = self._inference()
        return ready

    def _compute(self) -> dict[str, Any]:
        """How the network is to run; some estimators choose the device only."""
        precision, compiled = (
            getattr(self, "precision", "float32"),
            getattr(self, "compile", False),
        )
        return {"device": self.device, "precision": precision, "compile": compiled}

    def _forget_network(self) -> None:
        """What ``fit`` calls when the state is new."""
        self.__dict__.pop("_network_encoder", None)

    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())  # type: ignore[call-overload]
        state.pop("_network_encoder", None)  # a torch module, made again from the weights
        return state
