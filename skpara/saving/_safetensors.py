"""One file for a fitted estimator: arrays and JSON, nothing that runs when it is opened."""

from __future__ import annotations

import json
import os
from numbers import Integral
from pathlib import Path
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import map_arrays, pack_words, unpack_words, write_arrays
from skpara._version import __version__
from skpara.resources import WordVectors

E = TypeVar("E")

_VERSION = 1
_WEIGHT = "network."
# Other estimators are not kept: the file stands alone.
_LEFT_OUT = ("vectors", "init", "decay_towards", "paraphraser", "teacher")
_FITTED = (
    "history_",
    "loss_curve_",
    "teacher_loss_curve_",
    "best_score_",
    "n_iter_",
    "n_paraphrases_",
)


class SavingMixin:
    """For estimators whose fitted state is ``vectors_``, ``weights_`` and ``network_``."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to one file without pickle, beside ``path``, then renamed.

        Kept are the vectors, the network's weights, the history and the parameters; not
        ``vectors`` where it is no string, ``init``, ``decay_towards``, ``paraphraser`` and
        ``teacher``, and not the optimiser's memory.

        Parameters
        ----------
        path : str or path-like
            Ends in ``.safetensors``.

        Raises
        ------
        ValueError
            If it ends otherwise.
        TypeError
            If a parameter is no plain value, or the network is not one of skpara.

        Examples
        --------
        >>> import pathlib, tempfile
        >>> from skpara import ParagramEncoder
        >>> path = pathlib.Path(tempfile.mkdtemp()) / "encoder.safetensors"
        >>> pairs = [("a big dog", "a large dog"), ("he sings", "he is singing")]
        >>> ParagramEncoder("projection", max_iter=1).fit(pairs).save(path)
        >>> ParagramEncoder.load(path).encode(["a dog"]).shape
        (1, 256)
        """
        check_is_fitted(self)
        _save(self, Path(path))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimator that :meth:`save` wrote; its table is memory-mapped.

        Parameters
        ----------
        path : str or path-like

        Returns
        -------
        estimator
            Of the class that ``load`` was called on. Its ``vectors`` are the trained ones where
            those it started from were not kept.

        Raises
        ------
        FileNotFoundError, ValueError
            If there is no such file, it is cut short, it is of another class, or it was written
            by a newer version, in a form that is not known here.
        """
        return _load(cls, path)


def _save(estimator: Any, path: Path) -> None:
    if path.suffix != ".safetensors":
        raise ValueError(f"An estimator is written as .safetensors, not {path.name}.")
    parameters = {k: v for k, v in estimator.get_params(deep=False).items() if k not in _LEFT_OUT}
    if "network" in parameters:
        parameters["network"] = _network_as_json(estimator.network_)
    if not isinstance(parameters["random_state"], Integral):
        parameters["random_state"] = None
    if isinstance(estimator.vectors, str):
        parameters["vectors"] = estimator.vectors
    fitted = {name: getattr(estimator, name) for name in _FITTED if hasattr(estimator, name)}
    if hasattr(estimator, "feature_names_in_"):
        fitted["feature_names_in_"] = estimator.feature_names_in_.tolist()
    arrays: dict[str, NDArray[Any]] = {
        "words": pack_words(estimator.vectors_.words),
        "matrix": estimator.vectors_.matrix,
    }
    arrays |= {_WEIGHT + name: weight for name, weight in estimator.weights_.items()}
    metadata = {
        "format": _format(type(estimator)),
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


def read(path: str | os.PathLike[str], cls: type[Any]) -> Stored:
    """The contents of a file that ``save`` wrote of such a class; its table is memory-mapped.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such file, it is cut short, it is of another class, or it is of a newer
        format or has parameters that are not known here.
    """
    path = Path(path)
    arrays, metadata = map_arrays(path)
    _check_format(path, metadata, cls)
    try:
        parameters, fitted = json.loads(metadata["parameters"]), json.loads(metadata["fitted"])
        words, matrix = unpack_words(arrays["words"]), arrays["matrix"]
        unknown = sorted(parameters.keys() - set(cls._get_param_names()))
        fitted = {k: v for k, v in fitted.items() if k in (*_FITTED, "feature_names_in_")}
    except (KeyError, ValueError, AttributeError) as error:
        raise ValueError(f"{path} is damaged: {error!r}. Fetch or write it again.") from error
    if unknown:
        raise ValueError(
            f"{path} was written by skpara {metadata.get('skpara')} and has the parameters "
            f"{unknown}, which {__version__} lacks; upgrade skpara."
        )
    if "network" in parameters:
        parameters["network"] = _network_from_json(parameters["network"], path)
    if isinstance(parameters.get("score_range"), list):
        parameters["score_range"] = tuple(parameters["score_range"])
    weights = {
        name.removeprefix(_WEIGHT): np.array(array)
        for name, array in arrays.items()
        if name.startswith(_WEIGHT)
    }
    return Stored(parameters, fitted, WordVectors(words, matrix), weights)


def _load(cls: type[E], path: str | os.PathLike[str]) -> E:
    parameters, fitted, vectors, weights = read(path, cls)
    estimator: Any = cls(**{"vectors": vectors, **parameters})
    estimator.vectors_, estimator.weights_ = vectors, weights
    if "network" in parameters:
        estimator.network_ = parameters["network"]
    estimator.n_features_in_ = 2
    if "feature_names_in_" in fitted:
        estimator.feature_names_in_ = np.array(fitted.pop("feature_names_in_"), dtype=object)
    for name, value in fitted.items():
        setattr(estimator, name, value)
    estimator._optimizer_state = None
    loaded: E = estimator
    return loaded


def _format(cls: type[Any]) -> str:
    """Name of the class, or of the one of this package that it derives from."""
    own = next(base for base in cls.__mro__ if base.__module__.split(".")[0] == "skpara")
    return f"skpara.{own.__name__}"


def _check_format(path: Path, metadata: dict[str, str], cls: type[Any]) -> None:
    found, wanted = metadata.get("format", ""), _format(cls)
    if found != wanted:
        name = found.removeprefix("skpara.") if found.startswith("skpara.") else ""
        raise ValueError(
            f"{path} holds no {cls.__name__}"
            + (f" but a {name}; read it with {name}.load." if name else ".")
        )
    version = metadata.get("version", "")
    if not version.isdecimal():
        raise ValueError(f"{path} is damaged: it names no version of its format.")
    if int(version) > _VERSION:
        raise ValueError(
            f"{path} was written by skpara {metadata.get('skpara')} in format {version}, newer "
            f"than format {_VERSION}, which {__version__} reads; upgrade skpara."
        )


def read_class(path: Path) -> Any:
    """The class of the estimator that a file holds.

    Raises
    ------
    ValueError
        If the file holds no estimator of skpara.
    """
    import skpara

    name = map_arrays(path)[1].get("format", "").removeprefix("skpara.")
    cls = getattr(skpara, name, None) if name in dir(skpara) else None
    if not (isinstance(cls, type) and issubclass(cls, SavingMixin)):
        raise ValueError(f"{path} holds no estimator of skpara{f', but {name}' if name else ''}.")
    return cls


def _network_as_json(network: Any) -> Any:
    if isinstance(network, str):
        return network
    if type(network).__module__ != "skpara.networks":
        raise TypeError(
            f"Only networks of skpara can be saved, not {type(network).__name__}; use joblib.dump."
        )
    return {"class": type(network).__name__, "fields": network.get_params()}


def _network_from_json(stored: Any, path: Path) -> Any:
    if isinstance(stored, str):
        return stored
    from skpara import networks

    name = stored.get("class") if isinstance(stored, dict) else stored
    network = getattr(networks, name) if name in dir(networks) else None
    if not (isinstance(network, type) and issubclass(network, networks.Network)):
        raise ValueError(f"{path} names the network {name!r}, which skpara lacks.")
    unknown = sorted(stored["fields"].keys() - set(network._get_param_names()))
    if unknown:
        raise ValueError(
            f"{path} has the fields {unknown} of {name}, which {__version__} lacks; upgrade "
            "skpara."
        )
    values = stored["fields"].items()
    fields: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in values}
    return network(**fields)


def _plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    if isinstance(value, np.generic):
        return value.item()
    raise TypeError(f"{type(value).__name__} {value!r:.40} cannot be saved; use a plain value.")
