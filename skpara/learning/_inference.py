"""Fitted state as arrays, and the network that is built of them to encode."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from skpara._optional import require_torch
from skpara._public import set_module
from skpara._typing import Oov, Vectors, Weights
from skpara.networks import as_network
from skpara.resources import WordVectors
from skpara.saving import SavingMixin

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._session import Session
    from skpara.learning._state import EncoderState
    from skpara.networks import Network

# Parameters of estimators that a fitted network depends on; set_params may change them after fit.
_BUILT_WITH = ("device", "oov", "max_length")
# Fitted attributes that nothing is computed from, but plots and progress are.
_TYPES: dict[str, Any] = {
    "history_": list,
    "loss_curve_": list,
    "best_score_": (int, float),
    "n_iter_": int,
}
# The network of each estimator in use, with those parameters and its state. It is not an
# attribute: encoding must not change an estimator, and neither copies nor pickles may hold torch
# modules. Two threads may build a network at the same time; one of the two equal networks is
# kept.
_NETWORKS: WeakKeyDictionary[Any, tuple[str, WordVectors, Weights, FittedNetwork]] = (
    WeakKeyDictionary()
)


@set_module("skpara.learning")
class FittedNetwork:
    """A network with its weights, ready to encode."""

    def __init__(
        self,
        network: Network,
        weights: Weights,
        vectors: WordVectors,
        device: Any,
        oov: Oov = "subword",
        max_length: int | None = None,
    ) -> None:
        require_torch()
        from skpara.learning._device import Compute
        from skpara.learning._lexicon import make_lexicon
        from skpara.learning._memory import encoding_batch_size
        from skpara.learning._state import load_weights

        rng = np.random.default_rng(0)  # every weight that it draws is replaced
        module = network.build(vectors.n_dims, rng)
        load_weights(module, weights, network)
        self._compute = Compute.of(device, fall_back=True)
        self.device = self._compute.device
        self.module = module.to(self.device)
        self._batch_size = encoding_batch_size()
        self._lexicon = make_lexicon(network, vectors, vectors, None, oov, rng)
        self._max_length, self._distinct_words = max_length, network.distinct_words
        # N-grams have all rows in a table; words get those of each call.
        self._table = self._lexicon.start(np.empty(0, dtype=np.int64)).rows

    @property
    def has_weights(self) -> bool:
        """Whether the network itself has weights, beside the word vectors."""
        return bool(self.module.state_dict())

    def encode(self, sentences: Sequence[str]) -> Vectors:
        """Encode sentences, shape (n_sentences, n_dims)."""
        import torch

        from skpara.learning._memory import encode

        tokens, extra = self._lexicon.lookup(sentences)
        tokens = tokens.cut(self._max_length)
        if self._distinct_words:
            tokens = tokens.distinct()
        n_rows = len(self._table)

        def take(ids: NDArray[np.int64]) -> Tensor:
            known, unknown = ids[ids < n_rows], ids[ids >= n_rows] - n_rows
            rows = np.concatenate([self._table[known], extra[unknown]])
            return torch.from_numpy(rows).to(self.device)

        vectors: Vectors = encode(
            self.module.sentence_module,
            take,
            tokens,
            self._compute,
            self._batch_size,
            output_device="cpu",
        ).numpy()
        return vectors

    def outputs(self, sentences: Sequence[str]) -> Tensor:
        """Compute the outputs of a network with a head, shape (n_samples, n_outputs), on the CPU.

        The sentences of pairs are all first sentences, then all second ones.
        """
        import torch

        from skpara.learning._memory import apply_head, head_batch_size

        vectors = torch.from_numpy(self.encode(sentences))
        return apply_head(self.module, vectors, self.device, head_batch_size())


@set_module("skpara.learning")
class NetworkMixin(SavingMixin):
    """For estimators that are fitted by a :class:`Session`.

    The fitted state is arrays and plain objects. The torch module is built of them when it is
    first needed, and is no part of the estimator. Put the mixin left of ``BaseEstimator``.
    """

    device: Any
    warm_start: bool
    vectors_: WordVectors
    weights_: Weights
    network_: Any
    history_: list[dict[str, Any]]
    loss_curve_: list[float]
    best_score_: float | None
    n_iter_: int
    _optimizer_state: Any = None  # not in model files

    def _set_state(self, session: Session, network: Any) -> None:
        """Set the fitted attributes to the state of a session; ``network`` is what it trained."""
        network_copy = network if isinstance(network, str) else clone(network)
        state = session.state(network_copy)
        assert state.vectors is not None  # training has made some
        attributes = {
            "network_": network_copy,
            "vectors_": state.vectors,
            "weights_": state.weights,
            "_optimizer_state": None,
            "history_": session.history,
            "loss_curve_": [epoch["loss"] for epoch in session.history],
            "best_score_": session.best_score,
            "n_iter_": len(session.history),
        }
        vars(self).update(attributes)  # in one step: an interrupt may come between two statements

    def _warm_start_state(self) -> EncoderState | None:
        """Return where ``fit`` continues, with ``warm_start``."""
        use = self.warm_start and self.__sklearn_is_fitted__()
        return self._encoder_state() if use else None

    def _encoder_state(self) -> EncoderState:
        """Return what another estimator can start from."""
        from skpara.learning._state import EncoderState

        return EncoderState(self.vectors_, self.weights_, self.network_)

    def _fitted_network(self) -> Network:
        """Return the network that the weights are of."""
        return as_network(self.network_)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless vectors, network and weights of a file fit together."""
        for name, types in _TYPES.items():
            value = getattr(self, name, None)
            if value is not None and not isinstance(value, types):
                raise ValueError(f"{name} is a {type(value).__name__}")
        if not isinstance(self.vectors_, WordVectors):
            raise ValueError(f"vectors_ is a {type(self.vectors_).__name__}")
        network = self._fitted_network()
        shapes = {}
        for name, weight in self.weights_.items():
            if not isinstance(weight, np.ndarray) or weight.dtype != np.float32:
                raise ValueError(f"the weight {name} has no float32 numbers")
            if not np.isfinite(weight).all():
                raise ValueError(f"the weight {name} has NaN or infinite numbers")
            shapes[name] = weight.shape
        # Before the shapes are computed, layer by layer: each layer has weights.
        n_layers = network.sentence_network.get_params().get("n_layers", 0)
        if n_layers > len(shapes):
            raise ValueError(f"{network!r:.200} has more layers than the file has weights")
        expected = network.weight_shapes(self.vectors_.n_dims)
        if shapes != expected:
            raise ValueError(f"the weights have shapes {shapes}; {network!r} needs {expected}")
        if network.units != "words":
            from skpara.learning._lexicon import make_lexicon

            rng = np.random.default_rng(0)
            make_lexicon(network, self.vectors_, self.vectors_, None, "subword", rng)

    def _build_network(self) -> FittedNetwork:
        """Build the network of the fitted state."""
        raise NotImplementedError

    def _network_on_device(self) -> FittedNetwork:
        """Return the network, built again after a fit or a change of a parameter that it has."""
        if not self.__sklearn_is_fitted__():
            return self._build_network()
        parameters = repr([getattr(self, name, None) for name in _BUILT_WITH])
        vectors, weights = self.vectors_, self.weights_
        cached = _NETWORKS.get(self)
        if (
            cached is None
            or cached[0] != parameters
            or cached[1] is not vectors
            or cached[2] is not weights
        ):
            cached = parameters, vectors, weights, self._build_network()
            _NETWORKS[self] = cached
        return cached[3]

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "vectors_")
