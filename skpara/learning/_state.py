"""The fitted state of estimators with a network, used to encode and to start others from."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from sklearn.frozen import FrozenEstimator

from skpara._array_files import check_array
from skpara._compatibility import require_torch
from skpara._public import set_module
from skpara._typing import Attributes, Objects, Vectors, Weights
from skpara.learning._averages import mean_vectors
from skpara.learning._parameters import Start, current_parameters
from skpara.networks import Network, as_network
from skpara.resources import WordVectors
from skpara.saving import is_model_file, load_model, table_in_file

if TYPE_CHECKING:
    from torch import Tensor

    from skpara.learning._inference import FittedModule

HEAD_PREFIX = "encoder."  # of the weights that encode sentences, in a network with a head
# Types of the fitted attributes that nothing is computed from.
_RECORDS: dict[str, Any] = {"history_": list, "loss_curve_": list, "n_iter_": int}
# What a file has of a state.
_IN_FILES = ("vectors_", "weights_", "network_", "best_score_", *_RECORDS)


@set_module("skpara.learning")
@dataclass(eq=False)
class FittedState:
    """Vectors, a network and its weights, ready to encode sentences.

    All of it is arrays and plain objects. The torch module is built when it is first needed, and
    neither copied nor pickled.

    Attributes
    ----------
    vectors : WordVectors or None
        None before training of character n-grams, which start at random.
    weights : dict of str to ndarray
        Weights of ``model``; empty for the average.
    network : str or Network
        The network that encodes sentences, as it was passed to the estimator.
    model : Network
        The network and the head on it, if there is one.
    parameters : dict
        Parameters of the estimator that the state depends on, with their values in ``fit``.
    history : list of dict
        An entry for each epoch.
    best_score : float or None
        Validation score of the state that was kept.
    optimizer : dict or None
        State of the optimizers, to continue from.
    """

    vectors: WordVectors
    weights: Weights = field(default_factory=dict)
    network: str | Network = "average"
    model: Network = None  # type: ignore[assignment]  # made of ``network``
    parameters: Attributes = field(default_factory=dict)
    history: list[dict[str, Any]] = field(default_factory=list)
    best_score: float | None = None
    optimizer: dict[str, Any] | None = None
    _module: tuple[str, FittedModule] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        if self.model is None:
            self.model = as_network(self.network)
        self.averages = self.model.averages

    def __getstate__(self) -> Attributes:
        return vars(self) | {"_module": None}

    def encode(
        self, sentences: list[str], *, device: Any = "auto", n_jobs: int | None = None
    ) -> Vectors:
        """Encode sentences, shape (n_sentences, n_dims); averages by ``n_jobs`` threads."""
        if self.averages:
            return mean_vectors(
                self.vectors,
                sentences,
                self.parameters.get("oov", "subword"),
                n_jobs,
                distinct_words=self.model.distinct_words,
                redundancy=self.model.redundancy,
            )
        return self.module(device).encode(sentences)

    def outputs(self, samples: Objects, device: Any) -> Tensor:
        """Compute the outputs of a network with a head, for pairs or sentences."""
        return self.module(device).outputs(samples.T.ravel().tolist())

    def module(self, device: Any) -> FittedModule:
        """Return the torch module with its weights, built again for another device."""
        # Two threads may build it at the same time; one of the two equal modules is kept.
        if self._module is None or self._module[0] != repr(device):
            require_torch()
            from skpara.learning._inference import FittedModule

            options = {name: self.parameters.get(name) for name in ("oov", "max_length")}
            built = FittedModule(self.model, self.weights, self.vectors, device, **options)
            self._module = repr(device), built
        return self._module[1]

    def needs_weights(self) -> bool:
        """Return whether the network has weights, which only training can make."""
        if self.averages:
            return False
        require_torch()
        from skpara.learning._inference import empty_module

        return bool(empty_module(self.model, self.vectors.n_dims).state_dict())

    def start(self) -> FittedState:
        """Return what other estimators can start from: the part that encodes sentences."""
        weights = self.weights
        if self.model.sentence_network is not self.model:
            weights = {
                name.removeprefix(HEAD_PREFIX): weight
                for name, weight in weights.items()
                if name.startswith(HEAD_PREFIX)
            }
        return FittedState(self.vectors, weights, self.network)

    @classmethod
    def from_attributes(
        cls, attributes: Attributes, parameters: Attributes, model: Network | None = None
    ) -> FittedState:
        """Make a state of the attributes of a model file, which are removed.

        Raises
        ------
        ValueError
            If vectors, network and weights do not fit together.
        """
        for name, kind in _RECORDS.items():
            if not isinstance(attributes.get(name, kind()), kind):
                raise ValueError(f"{name} is a {type(attributes[name]).__name__}")
        saved = {name: attributes.pop(name, None) for name in _IN_FILES}
        vectors = saved["vectors_"]
        weights = saved["weights_"]
        network = saved["network_"]
        history = saved["history_"] or []
        if not isinstance(vectors, WordVectors):
            raise ValueError(f"vectors_ is a {type(vectors).__name__}")
        if not all(isinstance(epoch, dict) and "loss" in epoch for epoch in history):
            raise ValueError("history_ has entries without a loss")
        state = cls(
            vectors,
            weights,
            network,
            model,  # type: ignore[arg-type]  # None is made of the network
            parameters,
            history,
            saved["best_score_"],
        )
        for name, weight in weights.items():
            check_array(f"the weight {name}", weight, np.float32, weight.shape)
        if not state.averages:
            # Layers are made one by one, and each has weights.
            if state.model.sentence_network.get_params().get("n_layers", 0) > len(weights):
                raise ValueError(f"{network!r:.200} has more layers than the file has weights")
            state.module("cpu")
        elif weights:
            raise ValueError("an average has no weights")
        return state


class FittedStateMixin:
    """Mixin for estimators with a network: attributes that are read from their ``state_``."""

    state_: FittedState
    # Parameters that no file has.
    _not_in_files: ClassVar[tuple[str, ...]] = ()
    _current_parameters = staticmethod(current_parameters)

    def __setstate__(self: Any, state: Attributes) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        attributes = vars(self)
        if "vectors_" in attributes:  # version 0.2.0 pickled attributes instead of a state
            attributes.update(current_parameters(attributes))
            self._from_file(attributes)

    def __sklearn_is_fitted__(self) -> bool:
        return "state_" in vars(self)

    def _to_file(self: Any) -> tuple[Attributes, Attributes]:
        """Return the parameters and the fitted attributes that a model file has.

        Parameters that the state depends on have their values of ``fit``. Initial vectors are
        saved by name, or replaced by the fitted ones.
        """
        parameters = self.get_params(deep=False) | dict.fromkeys(self._not_in_files)
        attributes = {name: value for name, value in vars(self).items() if name.endswith("_")}
        state = attributes.pop("state_", None)
        if state is None:
            return parameters, attributes
        if not isinstance(self.vectors, str):
            parameters["vectors"] = table_in_file(self.vectors, state.vectors)
        attributes |= {name: getattr(self, name) for name in _IN_FILES}
        return parameters | state.parameters, attributes

    @property
    def vectors_(self) -> WordVectors:
        """The word vectors after training."""
        return self.state_.vectors

    @property
    def weights_(self) -> Weights:
        """The weights of the network by name."""
        return self.state_.weights

    @property
    def network_(self) -> str | Network:
        """The network as it was in ``fit``."""
        return self.state_.network

    @property
    def history_(self) -> list[dict[str, Any]]:
        """An entry for each epoch."""
        return self.state_.history

    @property
    def loss_curve_(self) -> list[float]:
        """Mean loss of each epoch."""
        return [epoch["loss"] for epoch in self.history_]

    @property
    def best_score_(self) -> float | None:
        """Validation score of the state that was kept."""
        return self.state_.best_score

    @property
    def n_iter_(self) -> int:
        """Number of complete epochs."""
        return len(self.history_)


def resolve_start(vectors: Any, network: Network) -> tuple[FittedState, FittedState | None]:
    """Return the state to start from and the decay target that ``vectors`` is for a network.

    Weights are dropped where they are of a network of another class.
    """
    start = Start.of(vectors)
    target = None
    if start.decay_target is not None:
        target = _for_network(_fitted_state(start.decay_target, "decay_target"), network)
    if is_encoder(start.vectors):
        state = _for_network(_fitted_state(start.vectors, "vectors"), network)
    elif network.sentence_network.units != "words":
        state = FittedState(None, network=network.sentence_network)  # type: ignore[arg-type]
    else:
        state = FittedState(_rescale(WordVectors.load(start.vectors), start.norm))
    if target and target.vectors and state.vectors:
        n_dims = target.vectors.n_dims, state.vectors.n_dims
        if n_dims[0] != n_dims[1]:
            raise ValueError(
                f"decay_target has vectors of {n_dims[0]} dimensions, those to start from have "
                f"{n_dims[1]}; they must be equal."
            )
    return state, target


def _for_network(state: FittedState, network: Network) -> FittedState:
    """Drop the weights unless they are of a network of the same class."""
    same = type(state.model) is type(network.sentence_network)
    return state if same else replace(state, weights={})


def initial_vectors(vectors: Any) -> WordVectors:
    """Return the vectors of an estimator before it is fitted, not scaled by ``Start.norm``."""
    # Encoding calls this: a plain value is not made a Start, which would be validated every time.
    source = Start.of(vectors).vectors if isinstance(vectors, Start) else vectors
    if not is_encoder(source):
        return WordVectors.load(source)
    return _fitted_state(source, "vectors").vectors


def is_encoder(source: Any) -> bool:
    """Return whether ``source`` is an encoder, a frozen one or the path of a saved one."""
    if isinstance(source, (str, os.PathLike)):
        return is_model_file(Path(source))
    return isinstance(source, FrozenEstimator) or hasattr(type(source), "vectors_")


def _fitted_state(encoder: Any, parameter: str) -> FittedState:
    """Return the state of a fitted encoder, a frozen one, or one that was saved."""
    if isinstance(encoder, FrozenEstimator):
        encoder = encoder.estimator
    elif isinstance(encoder, (str, os.PathLike)):
        encoder = load_model(encoder)
    if not hasattr(type(encoder), "vectors_"):
        raise TypeError(
            f"{parameter} must be a fitted ParagramEncoder, a FrozenEstimator of one, or the "
            f"path of a saved one, got {type(encoder).__name__}."
        )
    if not hasattr(encoder, "state_"):
        raise ValueError(
            f"The encoder passed as {parameter} is not fitted. scikit-learn's clone unfits it: "
            "pass FrozenEstimator(encoder), or the path of a saved one."
        )
    return encoder.state_.start()


def _rescale(vectors: WordVectors, norm: float | None) -> WordVectors:
    """Give the vectors a mean length of ``norm``."""
    # In this order, since the matrix of the packaged table takes 60 MB.
    if norm is None or not (mean := float(np.linalg.norm(vectors.matrix, axis=1).mean())):
        return vectors
    return WordVectors(vectors.vocabulary, vectors.matrix * np.float32(norm / mean))
