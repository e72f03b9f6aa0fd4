"""One file for a fitted estimator: arrays and JSON, nothing that runs when it is opened."""

from __future__ import annotations

import json
import os
from importlib import import_module
from numbers import Integral
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import map_arrays, pack_words, unpack_words, write_arrays
from skpara._defaults import DefaultsMixin
from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module
from skpara._typing import Weights
from skpara._version import __version__
from skpara.networks import Network
from skpara.resources import WordVectors

_VERSION = 1  # of the file format
_WEIGHT = "network."  # prefix of the network's weights among the arrays
# Other estimators are not saved: the file is self-contained, and loading it loads nothing else.
_NOT_SAVED = ("vectors", "paraphraser", "teacher")
# Public modules whose objects can be parameters.
_PARAMETER_MODULES = ("skpara.learning", "skpara.networks")


@set_module("skpara.saving")
class SavingMixin(DefaultsMixin):
    """For estimators whose fitted state is ``vectors_``, ``weights_`` and ``network_``.

    ``_saved_attributes`` names the other fitted attributes that are saved, all of them JSON or
    arrays of one dimension.
    """

    _saved_attributes: tuple[str, ...] = ()
    vectors: Any
    vectors_: WordVectors
    weights_: Weights
    network_: Any

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the fitted estimator to one file without pickle, next to ``path``, then renamed.

        Saved are the vectors, the network's weights, the history and the parameters. Not saved are
        ``vectors`` where it is not a string, ``paraphraser``, ``teacher`` and the optimizer's
        state.

        Parameters
        ----------
        path : str or path-like
            Ends in ``.safetensors``.

        Raises
        ------
        ValueError
            If it ends otherwise.
        TypeError
            If a parameter cannot be saved, such as a network that is not one of skpara's.
        """
        check_is_fitted(self)
        path = Path(path)
        if path.suffix != ".safetensors":
            raise ValueError(f"An estimator is written as .safetensors, not {path.name}.")
        parameters = self.get_params(deep=False)  # type: ignore[attr-defined]
        parameters = {k: v for k, v in parameters.items() if k not in _NOT_SAVED}
        if not isinstance(parameters["random_state"], Integral):
            parameters["random_state"] = None
        if isinstance(self.vectors, str):
            parameters["vectors"] = self.vectors
        fitted = {name: getattr(self, name) for name in self._saved_attributes}
        fitted["network_"] = self.network_
        if hasattr(self, "feature_names_in_"):
            fitted["feature_names_in_"] = self.feature_names_in_.tolist()
        metadata = {
            "format": _format(type(self)),
            "version": str(_VERSION),
            "skpara": __version__,
            "parameters": json.dumps(parameters, default=_to_json),
            "fitted": json.dumps(fitted, default=_to_json),
        }
        arrays: dict[str, NDArray[Any]] = {
            "words": pack_words(self.vectors_.words),
            "matrix": self.vectors_.matrix,
        }
        arrays |= {_WEIGHT + name: weight for name, weight in self.weights_.items()}
        write_arrays(path, arrays, metadata)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read an estimator that :meth:`save` wrote; its table is memory-mapped.

        Parameters
        ----------
        path : str or path-like
            The file.

        Returns
        -------
        estimator
            Of the class that ``load`` was called on. Its ``vectors`` are the trained ones where
            those it started from were not saved.

        Raises
        ------
        FileNotFoundError, ValueError
            If there is no such file, it is truncated, it is of another class, or it was written
            by a newer version of skpara.
        """
        path = Path(path)
        arrays, metadata = map_arrays(path)
        _check_format(path, metadata, cls)
        try:
            parameters = json.loads(metadata["parameters"])
            fitted = json.loads(metadata["fitted"])
            vectors = WordVectors(unpack_words(arrays["words"]), arrays["matrix"])
            network = fitted.pop("network_")
            unknown = sorted(parameters.keys() - set(cls._get_param_names()))  # type: ignore[attr-defined]
        except (KeyError, ValueError, AttributeError, TypeError, RecursionError) as error:
            raise ValueError(f"{path} is damaged: {error!r}. Fetch or write it again.") from error
        if unknown:
            raise ValueError(
                f"{path} was written by skpara {metadata.get('skpara')} and has the parameters "
                f"{unknown}, which {__version__} lacks; upgrade skpara."
            )
        parameters = {name: _from_json(value, path) for name, value in parameters.items()}
        estimator: Any = cls(**{"vectors": vectors, **parameters})
        estimator.vectors_ = vectors
        estimator.network_ = _from_json(network, path)
        if not isinstance(estimator.network_, (str, Network)):
            raise ValueError(f"{path} is damaged: its network_ is {estimator.network_!r:.40}.")
        estimator.weights_ = {
            name.removeprefix(_WEIGHT): np.array(array)
            for name, array in arrays.items()
            if name.startswith(_WEIGHT)
        }
        if issubclass(cls, PairEstimatorMixin):
            estimator.n_features_in_ = 2
        if "feature_names_in_" in fitted:
            names = np.array(fitted["feature_names_in_"], dtype=object)
            estimator.feature_names_in_ = names
        # Only known names: a file must not set methods.
        for name in fitted.keys() & set(cls._saved_attributes):
            setattr(estimator, name, _fitted_from_json(fitted[name], path))
        estimator._optimizer_state = None
        loaded: Self = estimator
        return loaded


def holds_estimator(path: Path) -> bool:
    """Return whether there is a file at ``path`` that an estimator's ``save`` wrote."""
    if path.suffix != ".safetensors" or not path.is_file():
        return False
    return _class_of(map_arrays(path)[1]) is not None


def read_class(path: Path) -> Any:
    """Return the class of the estimator that a file holds.

    Raises
    ------
    ValueError
        If it holds something else.
    """
    metadata = map_arrays(path)[1]
    cls = _class_of(metadata)
    if cls is None:
        name = metadata.get("format")
        raise ValueError(
            f"{path} does not contain an estimator of skpara" + (f" but {name}." if name else ".")
        )
    return cls


def _class_of(metadata: dict[str, str]) -> Any:
    cls = _public(metadata.get("format", ""))
    return cls if isinstance(cls, type) and issubclass(cls, SavingMixin) else None


def _public(name: str) -> Any:
    """Return what has a full public name such as "skpara.ParagramEncoder"; None if nothing."""
    module, _, name = name.rpartition(".")
    if module.split(".")[0] != "skpara" or "_" in module:  # never a private module
        return None
    try:
        home = import_module(module)
    except ImportError:
        return None
    return getattr(home, name) if name in dir(home) else None


def _format(cls: type[Any]) -> str:
    """Return the public name of the class, or of the one of skpara that it derives from."""
    own = next(base for base in cls.__mro__ if base.__module__.split(".")[0] == "skpara")
    return f"{own.__module__}.{own.__name__}"


def _check_format(path: Path, metadata: dict[str, str], cls: type[Any]) -> None:
    name, expected = metadata.get("format", ""), _format(cls)
    if name != expected:
        name = name.removeprefix("skpara.") if name.startswith("skpara.") else ""
        raise ValueError(
            f"{path} does not contain a {cls.__name__}"
            + (f" but a {name}; read it with {name}.load." if name else ".")
        )
    version = metadata.get("version", "")
    if not version.isdecimal():
        raise ValueError(f"{path} is damaged: it has no version of its format.")
    if int(version) > _VERSION:
        raise ValueError(
            f"{path} was written by skpara {metadata.get('skpara')} in format {version}, newer "
            f"than format {_VERSION}, which {__version__} reads; upgrade skpara."
        )


def _to_json(value: Any) -> Any:
    """Convert what JSON does not have: NumPy's numbers, arrays, parameter objects of skpara."""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, np.ndarray):
        return {"dtype": value.dtype.str, "array": value.tolist()}
    module, name = type(value).__module__, type(value).__name__
    if isinstance(value, BaseEstimator) and module in _PARAMETER_MODULES:
        return {"class": f"{module}.{name}", "parameters": value.get_params(deep=False)}
    raise TypeError(
        f"{name} {value!r:.40} cannot be saved; only plain values and objects of skpara.networks "
        "and skpara.learning can. Use joblib.dump."
    )


def _fitted_from_json(value: Any, path: Path) -> Any:
    """Return a fitted attribute; an array of one dimension has the type that it had."""
    if not isinstance(value, dict):
        return value
    try:
        array = np.array(value["array"], dtype=value["dtype"])
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is damaged: {error!r}. Fetch or write it again.") from error
    if array.ndim != 1 or array.dtype.kind not in "biufUO":
        raise ValueError(f"{path} is damaged: it has an array of type {array.dtype}.")
    return array


def _from_json(value: Any, path: Path, owner: str = "") -> Any:
    if isinstance(value, list):
        return tuple(_from_json(part, path, owner) for part in value)
    if not isinstance(value, dict):
        return value
    name = str(value.get("class"))
    if owner:
        raise ValueError(
            f"{path} has an object of class {name} in {owner}, which has plain values."
        )
    cls = _public(name) if name.rpartition(".")[0] in _PARAMETER_MODULES else None
    # Nothing but parameter objects is ever called with what a file holds.
    if not (isinstance(cls, type) and issubclass(cls, BaseEstimator)):
        raise ValueError(f"{path} has a parameter of class {name}, which {__version__} lacks.")
    parameters = value.get("parameters", {})
    if not isinstance(parameters, dict):
        raise ValueError(f"{path} is damaged: the parameters of {name} are {parameters!r:.40}.")
    known: Any = cls._get_param_names()  # type: ignore[attr-defined]
    unknown = sorted(parameters.keys() - set(known))
    if unknown:
        raise ValueError(
            f"{path} has the parameters {unknown} of {name}, which {__version__} lacks; upgrade "
            "skpara."
        )
    return cls(**{key: _from_json(part, path, name) for key, part in parameters.items()})
