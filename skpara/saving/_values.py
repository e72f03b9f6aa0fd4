"""Fitted models as JSON and arrays, and back.

A value of JSON stands for itself, except that an object with one key names the kind of what it
has: ``{"array": 3}`` is the array "3" of the file, ``{"class": ..., "parameters": ...,
"fitted": ...}`` an estimator. Nothing is imported or called but the classes that are listed here,
and those of skpara that are marked as trusted.
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skpara._public import is_trusted
from skpara.resources import WordVectors
from skpara.saving._regressors import REGRESSORS, to_arrays

Arrays = Mapping[str, NDArray[Any]]

# Classes of scikit-learn that are saved as they are. Their parameters and public attributes have
# been the same in all versions.
_SCIKIT_LEARN = {
    "sklearn.pipeline.Pipeline",
    "sklearn.pipeline.FeatureUnion",
    "sklearn.frozen.FrozenEstimator",
    "sklearn.preprocessing.StandardScaler",
}
# Parameters that are fitted estimators; those in other parameters are not fitted.
_FITTED_PARTS = {
    "skpara.fusion.STSPipeline": "steps",
    "sklearn.pipeline.Pipeline": "steps",
    "sklearn.pipeline.FeatureUnion": "transformer_list",
    "sklearn.frozen.FrozenEstimator": "estimator",
}
# Tables: what they have is what their __getstate__ returns. They are saved once, however many
# estimators share them.
_TABLES = {
    "skpara.WordVectors",
    "skpara.WordFrequencies",
    "skpara.features.DocumentFrequencies",
    "skpara.resources.Tagger",
    "skpara.resources.WordNet",
}
# Longer text, and longer lists of words, become arrays of bytes.
_LONGEST = 500
_OTHER_CLASSES = (
    "A model file has estimators of skpara that run no programs, pipelines and unions of them, "
    "and of scikit-learn's regressors linear models, trees, forests and gradient boosting. Write "
    "this one by skops.io.dump, or by joblib.dump for yourself."
)


class Writer:
    """Turns a model into JSON, and collects its arrays."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.shared: list[Any] = []
        self._numbers: dict[int, int] = {}
        self._alive: list[Any] = []  # so that no two objects have the same id

    def encode(self, value: Any, place: str, *, fitted: bool = True) -> Any:
        """Return the JSON of a value; ``place`` says in errors where it is."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, (bool, int)):
            return value
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, str):
            if len(value) <= _LONGEST:
                return value
            return {"text": self._add(value.encode("utf-8", "surrogatepass"))}
        if isinstance(value, os.PathLike):
            return os.fspath(value)
        if isinstance(value, np.ndarray):
            return self._encode_array(value, place)
        if isinstance(value, list) and len(value) > _LONGEST and _are_lines(value):
            return {"lines": self._add("\n".join(value).encode("utf-8", "surrogatepass"))}
        if isinstance(value, (list, tuple)):
            # Errors name a step of a pipeline, (name, estimator), as its parameters do.
            is_step = isinstance(value, tuple) and len(value) == 2 and isinstance(value[0], str)
            parts = [
                self.encode(part, f"{place}.{value[0]}" if is_step else place, fitted=fitted)
                for part in value
            ]
            return parts if isinstance(value, list) else {"tuple": parts}
        if isinstance(value, dict):
            if not all(isinstance(key, str) for key in value):
                raise TypeError(f"{place} has keys that are not text. {_OTHER_CLASSES}")
            return {
                "dict": {
                    k: self.encode(v, f"{place}.{k}", fitted=fitted) for k, v in value.items()
                }
            }
        return self._encode_object(value, place, fitted)

    def _add(self, data: bytes | NDArray[Any]) -> int:
        array = np.frombuffer(data, dtype=np.uint8) if isinstance(data, bytes) else data
        self.arrays[str(len(self.arrays))] = array
        return len(self.arrays) - 1

    def _encode_array(self, array: NDArray[Any], place: str) -> Any:
        if array.dtype.kind in "biuf" and array.ndim and array.dtype.itemsize <= 8:
            return {"array": self._add(array)}
        if array.dtype.kind in "biufUO" and array.ndim < 2:
            values = [self.encode(value, place) for value in array.ravel().tolist()]
            return {"values": values, "dtype": array.dtype.str, "shape": list(array.shape)}
        raise TypeError(f"{place} is an array of type {array.dtype}. {_OTHER_CLASSES}")

    def _encode_object(self, value: Any, place: str, fitted: bool) -> Any:
        name = _name(type(value))
        if fitted and name in REGRESSORS and _known(name) is type(value):
            check_is_fitted(value)
            try:
                value = to_arrays(value, name)
            except TypeError as error:
                raise TypeError(f"{place} is {error}. {_OTHER_CLASSES}") from error
        cls = type(value)
        name = _name(cls)
        if _known(name) is not cls:
            raise TypeError(f"{place} is a {cls.__module__}.{cls.__qualname__}. {_OTHER_CLASSES}")
        if not issubclass(cls, BaseEstimator):
            return self._encode_table(value, name, place)
        return self.encode_estimator(value, name, place, fitted=fitted)

    def _encode_table(self, table: Any, name: str, place: str) -> Any:
        number = self._numbers.get(id(table))
        if number is None:
            if name not in _TABLES:
                raise TypeError(f"{place} is a {name}. {_OTHER_CLASSES}")
            state = table.__getstate__()
            if isinstance(table, WordVectors):
                # Not compressed, as in pickles: read in a third of the time, and no file can
                # claim words without end.
                state = state | {"words": table.words[len(state.get("base", ())) :]}
            node = {"class": name, "state": self.encode(state, place)}
            self.shared.append(node)
            self._alive.append(table)
            number = self._numbers[id(table)] = len(self.shared) - 1
        return {"shared": number}

    def encode_estimator(
        self, estimator: Any, name: str, place: str, *, fitted: bool = True
    ) -> dict[str, Any]:
        """Return the JSON of an estimator: parameters, and attributes that end in "_"."""
        if hasattr(estimator, "_as_saved"):
            estimator = estimator._as_saved()
        replaced = getattr(estimator, "_replaced_in_files", {})
        parameters = {}
        for key, parameter in estimator.get_params(deep=False).items():
            value = parameter
            if key == "memory" or (key == "random_state" and not isinstance(value, Integral)):
                value = None
            elif key in replaced and replaced[key] is None:
                value = None  # needed for fitting only
            elif key in replaced and value is not None and not isinstance(value, (str, bool)):
                # An encoder that only encodes may be a parameter that was not fitted.
                value = _in_file(value, getattr(estimator, replaced[key], value))
            has_fitted = fitted and _FITTED_PARTS.get(name) == key
            inner = place if has_fitted else f"{place}.{key}"
            parameters[key] = self.encode(value, inner, fitted=has_fitted)
        node: dict[str, Any] = {"class": name, "parameters": parameters}
        if fitted or name.startswith("skpara."):
            node["fitted"] = {
                key: self.encode(value, f"{place}.{key}")
                for key, value in vars(estimator).items()
                if key.endswith("_") and not key.startswith("_")
            }
        output = getattr(estimator, "_sklearn_output_config", {}).get("transform")
        return node | ({"output": output} if output else {})


class Reader:
    """Makes a model of JSON and arrays.

    Raises
    ------
    ValueError
        If they are not what :class:`Writer` makes, or if an attribute does not fit the others.
        Other types of exceptions may be raised, too, where they are damaged.
    """

    def __init__(self, arrays: Arrays, shared: list[Any]) -> None:
        self._arrays = arrays
        self._shared: list[Any] = []
        for node in shared:  # each uses only those before it
            self._shared.append(self._decode_table(node))

    def decode(self, node: Any) -> Any:
        """Return the value that some JSON stands for."""
        if isinstance(node, list):
            return [self.decode(part) for part in node]
        if not isinstance(node, dict):
            return node
        if "class" in node:
            return self.decode_estimator(node)
        if "values" in node:
            array = np.empty(len(node["values"]), dtype=object)
            array[:] = self.decode(node["values"])
            dtype = np.dtype(node["dtype"])
            if dtype.kind not in "biufUO" or len(node["shape"]) > 1:
                raise ValueError(f"it has an array of type {dtype}")
            if any(type(value) not in (str, bool, int, float, type(None)) for value in array):
                raise ValueError("it has an array of other values than text and numbers")
            return array.astype(dtype).reshape(node["shape"])
        [(kind, content)] = node.items()
        if kind == "array":
            return self._arrays[str(content)]
        if kind in ("text", "lines"):
            text = self._arrays[str(content)].tobytes().decode("utf-8", "surrogatepass")
            return text if kind == "text" else text.split("\n")
        if kind == "tuple":
            return tuple(self.decode(part) for part in content)
        if kind == "dict":
            return {key: self.decode(part) for key, part in content.items()}
        if kind == "float":
            return float(content)
        if kind == "shared":
            if not 0 <= content < len(self._shared):
                raise ValueError(f"there is no shared object {content}")
            return self._shared[content]
        raise ValueError(f"it has a value of the unknown kind {kind!r}")

    def _decode_table(self, node: Any) -> Any:
        name = node["class"]
        cls: Any = _known(name)
        if name not in _TABLES or cls is None:
            raise ValueError(f"it has a shared object of the unknown class {name}")
        state = self.decode(node["state"])
        if cls is WordVectors:
            return _word_vectors(state)
        table: Any = cls.__new__(cls)
        table.__setstate__(state)
        _check(table)
        return table

    def decode_estimator(self, node: Any, cls: Any = None) -> Any:
        """Return the estimator of a node; ``cls`` may derive from the class that it names."""
        name = node["class"]
        cls = cls or _known(name)
        if cls is None or not issubclass(cls, BaseEstimator):
            raise ValueError(f"it has an object of the unknown class {name}")
        parameters = {key: self.decode(value) for key, value in node["parameters"].items()}
        names = set(cls._get_param_names())
        unknown = sorted(parameters.keys() - names)
        own = name.startswith("skpara.")
        if unknown and own:
            raise ValueError(f"it has the parameters {unknown} of {name}, which are unknown")
        # scikit-learn removes parameters between versions; predictions do not depend on them.
        estimator: Any = cls(**{key: parameters[key] for key in parameters.keys() & names})
        attributes = node.get("fitted")
        for key, value in (attributes or {}).items():
            if not key.endswith("_") or key.startswith("_") or hasattr(cls, key):
                raise ValueError(f"{name} has no fitted attribute {key!r}")
            setattr(estimator, key, self.decode(value))
        if own and hasattr(cls, "_parameter_constraints"):
            estimator._validate_params()
        if attributes is not None and name in _FITTED_PARTS:
            _check_parts(parameters[_FITTED_PARTS[name]])
        if "output" in node:
            if node["output"] not in ("default", "pandas", "polars"):
                raise ValueError(f"its output is {node['output']!r:.40}")
            estimator.set_output(transform=node["output"])
        if attributes:
            _check(estimator)
        return estimator


def _in_file(parameter: Any, fitted: Any) -> Any:
    """Return what is saved for a parameter that is a table, or an encoder to start from.

    That is the fitted table, unless this was made from the parameter, which then costs nothing.
    """
    if isinstance(parameter, WordVectors) and isinstance(fitted, WordVectors):
        layers = parameter.layers
        if layers.places is None and layers.table is fitted.layers.table:
            return parameter
    return fitted


def _are_lines(values: list[Any]) -> bool:
    return all(type(value) is str and "\n" not in value for value in values)


def _word_vectors(state: dict[str, Any]) -> WordVectors:
    """Return the table of a state, which says nothing about its sizes that is not checked."""
    words, base = state["words"], state.get("base")
    if not isinstance(words, list) or not all(type(word) is str for word in words):
        raise ValueError("the words of a table are not text")
    if base is not None:
        if not isinstance(base, WordVectors):
            raise ValueError("a table of vectors is based on something else")
        moved, name = state["moved"], "rows" if "rows" in state else "codes"
        n_words, rows = len(base) + len(words), state[name]
        if moved.ndim != 1 or moved.dtype != np.int32 or (np.diff(moved) <= 0).any():
            raise ValueError("the moved rows of a table are not in order")
        if len(moved) and not (moved[0] >= 0 and moved[-1] < n_words):
            raise ValueError("a moved row of a table is not one of its rows")
        if not np.isin(np.arange(len(base), n_words), moved).all():
            raise ValueError("an added word of a table has no row")
        types = {"rows": np.float32, "codes": np.int8}
        if rows.shape != (len(moved), base.n_dims) or rows.dtype != types[name]:
            raise ValueError(f"a table has moved rows of shape {rows.shape}")
        factors = state.get("factors", rows)
        if name == "codes" and (factors.shape, factors.dtype) != ((len(moved), 1), np.float32):
            raise ValueError(f"a table has factors of shape {factors.shape}")
        if not np.isfinite(factors).all():
            raise ValueError("a moved row of a table is not finite")
    elif state["scales"] is not None and state["table"].dtype != np.int8:
        raise ValueError(f"a table of codes has type {state['table'].dtype}")
    return WordVectors._restore(state)


def _check(loaded: Any) -> None:
    if hasattr(loaded, "_check_loaded"):
        loaded._check_loaded()


def _check_parts(parts: Any) -> None:
    """Raise a ValueError unless these are the fitted parts of a pipeline or union."""
    if isinstance(parts, BaseEstimator):  # of a FrozenEstimator
        check_is_fitted(parts)
        return
    for part in parts if isinstance(parts, list) and parts else [None]:
        name, estimator = part if isinstance(part, tuple) and len(part) == 2 else (None, None)
        if not isinstance(name, str) or not (
            isinstance(estimator, BaseEstimator) or estimator in ("drop", "passthrough")
        ):
            raise ValueError(f"a step is {part!r:.60}, not a name and an estimator")
        if not isinstance(estimator, str):
            check_is_fitted(estimator)


def _name(cls: type) -> str:
    """Return the public name of a class."""
    if cls.__module__.startswith("sklearn."):
        # Public modules of scikit-learn have two parts; files name no private ones.
        return f"{'.'.join(cls.__module__.split('.')[:2])}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__name__}"


def public_name(cls: type) -> str:
    """Return the public name of the class of skpara that a class is or derives from."""
    return _name(next(base for base in cls.__mro__ if base.__module__.split(".")[0] == "skpara"))


def _known(name: Any) -> type | None:
    """Return the class of a public name; None unless it can be part of a model file."""
    if not isinstance(name, str):
        return None
    module, _, attribute = name.rpartition(".")
    if name in _SCIKIT_LEARN or name in REGRESSORS:
        return getattr(import_module(module), attribute, None)
    if module.split(".")[0] != "skpara" or "_" in module:  # never a private module
        return None
    try:
        home = import_module(module)
    except ImportError:
        return None
    cls = getattr(home, attribute) if attribute in dir(home) else None
    return cls if isinstance(cls, type) and is_trusted(cls) else None


def to_json(value: Any) -> str:
    """Return strict JSON, whose strings are ASCII."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
