"""What a fitted encoder passes on to another estimator."""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from sklearn.frozen import FrozenEstimator

from skpara._public import set_module
from skpara._typing import Weights
from skpara.learning._parameters import Start
from skpara.networks import Network, as_network
from skpara.resources import WordVectors
from skpara.saving import is_model_file, load_model

if TYPE_CHECKING:
    from skpara.networks import SentenceModule


@set_module("skpara.learning")
@dataclass(frozen=True)
class EncoderState:
    """What an encoder has learned."""

    vectors: WordVectors | None  # None before training of character n-grams, which start at random
    weights: Weights = field(default_factory=dict)  # empty for the average
    network: str | Network = "average"  # what the weights are of


class StartingPoint(NamedTuple):
    """The parameter ``vectors`` of an estimator, resolved."""

    state: EncoderState
    decay_target: EncoderState | None


def resolve_start(vectors: Any, network: Network, **defaults: Any) -> StartingPoint:
    """Resolve the parameter ``vectors`` for a network; see :class:`Start`.

    ``defaults`` are the estimator's fields of ``Start`` for a plain value. Weights are dropped
    where they are of a network of another class.
    """
    start = Start.of(vectors, **defaults)
    target = None
    if start.decay_target is not None:
        target = _for_network(fitted_state(start.decay_target, "decay_target"), network)
    if is_encoder(start.vectors):
        state = _for_network(fitted_state(start.vectors, "vectors"), network)
    elif network.units != "words":
        state = EncoderState(None)
    else:
        state = EncoderState(_rescale(WordVectors.load(start.vectors), start.norm))
    if target and target.vectors and state.vectors:
        n_dims = target.vectors.n_dims, state.vectors.n_dims
        if n_dims[0] != n_dims[1]:
            raise ValueError(
                f"decay_target has vectors of {n_dims[0]} dimensions, those to start from have "
                f"{n_dims[1]}; they must be equal."
            )
    return StartingPoint(state, target)


def _for_network(state: EncoderState, network: Network) -> EncoderState:
    """Drop the weights unless they are of a network of the same class."""
    same = type(as_network(state.network)) is type(network.sentence_network)
    return state if same else replace(state, weights={})


def initial_vectors(vectors: Any) -> WordVectors:
    """Return the vectors of an estimator before it is fitted, not scaled by ``Start.norm``."""
    # Encoding calls this: a plain value is not made a Start, which would be validated every time.
    source = Start.of(vectors).vectors if isinstance(vectors, Start) else vectors
    if not is_encoder(source):
        return WordVectors.load(source)
    loaded = fitted_state(source, "vectors").vectors
    assert loaded is not None  # a fitted encoder has some
    return loaded


def is_encoder(source: Any) -> bool:
    """Return whether ``source`` is an encoder, a frozen one or the path of a saved one."""
    if isinstance(source, (str, os.PathLike)):
        return is_model_file(Path(source))
    return isinstance(source, FrozenEstimator) or hasattr(source, "_encoder_state")


def fitted_state(encoder: Any, parameter: str) -> EncoderState:
    """Return the state of a fitted encoder, a frozen one, or one that was saved."""
    if isinstance(encoder, FrozenEstimator):
        encoder = encoder.estimator
    elif isinstance(encoder, (str, os.PathLike)):
        encoder = load_model(encoder)
    if not hasattr(encoder, "_encoder_state"):
        raise TypeError(
            f"{parameter} must be a fitted ParagramEncoder, a FrozenEstimator of one, or the "
            f"path of a saved one, got {type(encoder).__name__}."
        )
    if not encoder.__sklearn_is_fitted__():
        raise ValueError(
            f"The encoder passed as {parameter} is not fitted. scikit-learn's clone unfits it: "
            "pass FrozenEstimator(encoder), or the path of a saved one."
        )
    state: EncoderState = encoder._encoder_state()
    return state


def load_weights(module: SentenceModule, weights: Weights, network: Network) -> None:
    """Load weights into a module, or into the part of it that encodes sentences."""
    if not weights:
        return
    import torch

    shapes = {name: weight.shape for name, weight in weights.items()}
    for part in (module, module.sentence_module):
        expected = {name: tuple(weight.shape) for name, weight in part.state_dict().items()}
        if expected == shapes:
            part.load_state_dict(
                {name: torch.from_numpy(np.array(weight)) for name, weight in weights.items()}
            )
            return
    raise ValueError(
        f"The weights to start from have shapes {shapes}; {network!r} needs {expected}. Start "
        "from an encoder with the same network."
    )


def _rescale(vectors: WordVectors, norm: float | None) -> WordVectors:
    """Give the vectors a mean length of ``norm``."""
    mean = float(np.linalg.norm(vectors.matrix, axis=1).mean()) if len(vectors) else 0.0
    if norm is None or mean == 0.0:
        return vectors
    return WordVectors(vectors.vocabulary, vectors.matrix * np.float32(norm / mean))
