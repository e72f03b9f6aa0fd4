"""One file for a fitted encoder: arrays and JSON, nothing that runs when it is opened."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from skpara._version import __version__
from skpara.encoders._base import SentenceEncoder
from skpara.resources import WordVectors
from skpara.resources._array_files import map_arrays, pack_words, unpack_words, write_arrays

E = TypeVar("E", bound=SentenceEncoder)

_FORMAT, _VERSION = "skpara.ParagramEncoder", 1
_WEIGHT = "network."
# Other encoders are not kept: the file stands alone.
_LEFT_OUT = ("vectors", "init", "decay_towards", "paraphraser", "teacher")
_FITTED = (
    "history_",
    "loss_curve_",
    "teacher_loss_curve_",
    "best_score_",
    "n_iter_",
    "n_paraphrases_",
)


def save(encoder: SentenceEncoder, path: str | os.PathLike[str]) -> None:
    """See :meth:`ParagramEncoder.save`."""
    path = Path(path)
    if path.suffix != ".safetensors":
        raise ValueError(f"An encoder is written as .safetensors, not {path.name}.")
    parameters = {k: v for k, v in encoder.get_params(deep=False).items() if k not in _LEFT_OUT}
    parameters["network"] = _network_as_json(encoder.network_)
    if not isinstance(parameters["random_state"], int):
        parameters["random_state"] = None
    if isinstance(encoder.vectors, str):
        parameters["vectors"] = encoder.vectors
    fitted = {name: getattr(encoder, name) for name in _FITTED}
    if hasattr(encoder, "feature_names_in_"):
        fitted["feature_names_in_"] = encoder.feature_names_in_.tolist()
    arrays: dict[str, NDArray[Any]] = {
        "words": pack_words(encoder.vectors_.words),
        "matrix": encoder.vectors_.matrix,
    }
    arrays |= {_WEIGHT + name: weight for name, weight in encoder.weights_.items()}
    metadata = {
        "format": _FORMAT,
        "version": str(_VERSION),
        "skpara": __version__,
        "parameters": json.dumps(parameters, default=_plain),
        "fitted": json.dumps(fitted, default=_plain),
    }
    write_arrays(path, arrays, metadata)


class Stored(NamedTuple):
    """What a file holds."""

    parameters: dict[str, Any]
    fitted: dict[str, Any]
    vectors: WordVectors
    weights: dict[str, NDArray[np.float32]]


def read(path: str | os.PathLike[str]) -> Stored:
    """The contents of a file that :func:`save` wrote; its table is memory-mapped.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such file, it is cut short, it is none of an encoder, or it is of a newer
        format.
    """
    path = Path(path)
    arrays, metadata = map_arrays(path)
    if metadata.get("format") != _FORMAT:
        raise ValueError(f"{path} holds no encoder; write one with ParagramEncoder.save.")
    if int(metadata["version"]) > _VERSION:
        raise ValueError(
            f"{path} was written by skpara {metadata['skpara']} in a newer format than "
            f"{__version__} reads; upgrade skpara."
        )
    parameters = json.loads(metadata["parameters"])
    parameters["network"] = _network_from_json(parameters["network"], path)
    weights = {
        name.removeprefix(_WEIGHT): np.array(array)
        for name, array in arrays.items()
        if name.startswith(_WEIGHT)
    }
    vectors = WordVectors(unpack_words(arrays["words"]), arrays["matrix"])
    return Stored(parameters, json.loads(metadata["fitted"]), vectors, weights)


def load(cls: type[E], path: str | os.PathLike[str]) -> E:
    """See :meth:`ParagramEncoder.load`."""
    parameters, fitted, vectors, weights = read(path)
    encoder: Any = cls(**{"vectors": vectors, **parameters})
    encoder.network_ = parameters["network"]
    encoder.vectors_, encoder.weights_ = vectors, weights
    encoder.n_features_in_ = 2
    if "feature_names_in_" in fitted:
        encoder.feature_names_in_ = np.array(fitted.pop("feature_names_in_"), dtype=object)
    for name, value in fitted.items():
        setattr(encoder, name, value)
    encoder._optimizer_state = None
    encoder._rng = encoder._new_rng()
    loaded: E = encoder
    return loaded


def _network_as_json(network: Any) -> Any:
    if isinstance(network, str):
        return network
    return {"class": type(network).__name__, "fields": network.get_params()}


def _network_from_json(stored: Any, path: Path) -> Any:
    if isinstance(stored, str):
        return stored
    from skpara import networks

    if stored["class"] not in networks.__all__:
        raise ValueError(f"{path} names the network {stored['class']!r}, which skpara lacks.")
    fields = {k: tuple(v) if isinstance(v, list) else v for k, v in stored["fields"].items()}
    return getattr(networks, stored["class"])(**fields)


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} {value!r:.40} cannot be saved; use a plain value.")
