"""Fitted models as JSON and arrays, and back.

A value of JSON stands for itself, except that an object with one key names the kind of its value:
``{"array": 3}`` is the array "3" of the file, ``{"class": ..., "parameters": ..., "fitted": ...}``
an estimator. Nothing is imported or called but the classes listed here and the trusted classes of
skpara.

A class in model files is public and marked by ``set_module(..., trusted=True)``. Estimators are
saved by their parameters and the attributes that end in ``_``; other classes are tables, saved by
``__getstate__`` and ``__setstate__``, each once, however many estimators share it. All may have

* ``_replaced_in_files``: parameters that are saved if they are text, and else replaced by the
  fitted attribute of the same name;
* ``_read_by_fit``: parameters that only ``fit`` reads, which are None in a file that cannot have
  their value;
* ``_to_file()``, which returns parameters and fitted attributes to save, if they are not its own;
* ``_current_parameters(parameters)``, static, which converts the parameters in files of earlier
  versions;
* ``_from_file(attributes)``, which takes some of the fitted attributes of a file; the rest is set;
* ``_check_loaded()``, which raises a ValueError if the attributes of a file do not fit together.
"""

from __future__ import annotations

import json
import math
import os
from importlib import import_module
from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_matrix
from sklearn.base import BaseEstimator
from sklearn.frozen import FrozenEstimator
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import check_array, check_texts
from skpara._public import is_trusted
from skpara._sklearn import RegressorMixin
from skpara._typing import Attributes, FilePath
from skpara.resources import WordVectors
from skpara.saving._conversion import to_arrays

# Classes of scikit-learn that are saved as they are. Their parameters and public attributes have
# been the same in all versions.
_SCIKIT_LEARN = {
    "sklearn.pipeline.Pipeline",
    "sklearn.pipeline.FeatureUnion",
    "sklearn.frozen.FrozenEstimator",
    "sklearn.preprocessing.StandardScaler",
}
# Modules of the regressors that are turned into arrays, as far as that is possible.
_REGRESSORS = ("sklearn.ensemble", "sklearn.linear_model", "sklearn.svm", "sklearn.tree")
# Parameters that hold fitted estimators; those in other parameters are not fitted.
_FITTED_PARTS = {
    Pipeline: "steps",
    FeatureUnion: "transformer_list",
    FrozenEstimator: "estimator",
}
# Names in files of version 0.2.0.
_RENAMED = {
    "skpara.WordFrequencies": "skpara.resources.WordFrequencies",
    "skpara.fusion.STSPipeline": "skpara.fusion.PairPipeline",
    "skpara.saving.LinearModel": "skpara.fusion.LinearModel",
    "skpara.saving.TreeEnsemble": "skpara.fusion.TreeEnsemble",
}
# Longer text, and longer lists of words, become arrays of bytes.
_LONGEST = 500
_OTHER_CLASSES = (
    "A model file has estimators of skpara that run no programs, pipelines and unions of them, "
    "and of scikit-learn's regressors linear models, trees, forests and gradient boosting. Write "
    "this one by joblib.dump for yourself."
)


class Writer:
    """Turns a model into JSON, and collects its arrays."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}
        self.shared: list[Any] = []
        self._tables: list[Any] = []

    def encode(  # noqa: PLR0911 - one for each type
        self, value: Any, place: str, *, fitted: bool = True
    ) -> Any:
        """Return the JSON of a value; ``place`` names it in errors."""
        if value is None or isinstance(value, int):
            return value
        if isinstance(value, np.generic):  # before float, which some derive from
            return self.encode(value.item(), place)
        if isinstance(value, float):
            return value if math.isfinite(value) else {"float": str(value)}
        if isinstance(value, (str, os.PathLike)):
            return self._encode_text(value)
        if isinstance(value, (np.ndarray, csr_matrix)):
            return self._encode_array(value, place)
        if isinstance(value, list):
            return self._encode_list(value, place, fitted=fitted)
        if isinstance(value, tuple):
            if len(value) == 2 and isinstance(value[0], str):  # a step of a pipeline
                place = f"{place}.{value[0]}"
            return {"tuple": [self.encode(part, place, fitted=fitted) for part in value]}
        if isinstance(value, dict):
            return self._encode_dict(value, place, fitted=fitted)
        return self._encode_object(value, place, fitted=fitted)

    def _encode_text(self, value: FilePath) -> Any:
        if not isinstance(value, str):
            return os.fspath(value)
        if len(value) <= _LONGEST:
            return value
        return {"text": self._add(value.encode("utf-8", "surrogatepass"))}

    def _encode_list(self, value: list[Any], place: str, *, fitted: bool) -> Any:
        if len(value) > _LONGEST and all(type(v) is str and "\n" not in v for v in value):
            return {"lines": self._add("\n".join(value).encode("utf-8", "surrogatepass"))}
        return [self.encode(part, place, fitted=fitted) for part in value]

    def _encode_dict(self, value: dict[Any, Any], place: str, *, fitted: bool) -> Any:
        if not all(isinstance(key, str) for key in value):
            raise TypeError(f"{place} has keys that are not text. {_OTHER_CLASSES}")
        items = {k: self.encode(v, f"{place}.{k}", fitted=fitted) for k, v in value.items()}
        return {"dict": items}

    def _encode_array(self, value: NDArray[Any] | csr_matrix, place: str) -> Any:
        if isinstance(value, csr_matrix):
            parts = [value.data, value.indices, value.indptr]
            return {"sparse": [*map(self._add, parts), list(value.shape)]}
        is_number = value.dtype.kind in "biuf" and value.dtype.itemsize <= 8
        if is_number and value.ndim:
            return {"array": self._add(value)}
        if (is_number or value.dtype.kind in "UO") and value.ndim < 2:
            values = [self.encode(item, place) for item in value.ravel().tolist()]
            return {"values": values, "dtype": value.dtype.str, "shape": list(value.shape)}
        raise TypeError(f"{place} is an array of type {value.dtype}. {_OTHER_CLASSES}")

    def _encode_object(self, value: Any, place: str, *, fitted: bool) -> Any:
        name = _name(type(value))
        if fitted and name.startswith(_REGRESSORS) and _known(name) is type(value):
            check_is_fitted(value)
            try:
                value = to_arrays(value)
            except TypeError as error:
                raise TypeError(f"{place} is {error}. {_OTHER_CLASSES}") from error
            name = _name(type(value))
        cls = type(value)
        if _known(name) is not cls:
            raise TypeError(f"{place} is a {cls.__module__}.{cls.__qualname__}. {_OTHER_CLASSES}")
        if issubclass(cls, BaseEstimator):
            return self.encode_estimator(value, name, place, fitted=fitted)
        return self._encode_table(value, name, place)

    def _add(self, data: bytes | NDArray[Any]) -> int:
        array = np.frombuffer(data, dtype=np.uint8) if isinstance(data, bytes) else data
        self.arrays[str(len(self.arrays))] = array
        return len(self.arrays) - 1

    def _encode_table(self, table: Any, name: str, place: str) -> Any:
        for number, other in enumerate(self._tables):
            if other is table:
                return {"shared": number}
        state = table.__getstate__()
        if isinstance(table, WordVectors):
            check_texts("the words of a table", table.words)
            # Not compressed, as in pickles: read in a third of the time, and no file can claim
            # words without end.
            state = state | {"words": table.words[len(state.get("base", ())) :]}
        # A table that is part of the state comes first.
        self.shared.append({"class": name, "state": self.encode(state, place)})
        self._tables.append(table)
        return {"shared": len(self.shared) - 1}

    def encode_estimator(
        self, estimator: Any, name: str, place: str, *, fitted: bool = True
    ) -> dict[str, Any]:
        """Return the JSON of an estimator: parameters, and attributes that end in "_"."""
        is_own = name.startswith("skpara.") and hasattr(estimator, "_parameter_constraints")
        if fitted and is_own:
            estimator._validate_params()  # as the reader does: a wrong one was set since fit
        replaced = getattr(estimator, "_replaced_in_files", ())
        fitted_part = _fitted_part(type(estimator)) if fitted else None
        if hasattr(type(estimator), "_to_file"):
            own, attributes = estimator._to_file()
        else:
            own = estimator.get_params(deep=False)
            attributes = vars(estimator)
        parameters = {}
        own = own | vars(estimator).get("_fixed", {})  # as in fit
        for key, value in own.items():
            if key == "memory" or (key == "random_state" and not isinstance(value, Integral)):
                value = None
            elif key in replaced and value is not None and not isinstance(value, (str, bool)):
                # An encoder that only encodes may be a parameter that was not fitted.
                value = table_in_file(value, getattr(estimator, f"{key}_", value))
            has_fitted = key == fitted_part
            inner = place if has_fitted else f"{place}.{key}"
            try:
                parameters[key] = self.encode(value, inner, fitted=has_fitted)
            except TypeError:
                # What has been fitted decides, whatever is set for the next fit.
                if not fitted or key not in getattr(estimator, "_read_by_fit", ()):
                    raise
                parameters[key] = None
        node: dict[str, Any] = {"class": name, "parameters": parameters}
        if fitted or name.startswith("skpara."):
            node["fitted"] = {
                key: self.encode(value, f"{place}.{key}")
                for key, value in attributes.items()
                if key.endswith("_") and not key.startswith("_")
            }
        output = getattr(estimator, "_sklearn_output_config", {}).get("transform")
        return node | ({"output": output} if output else {})


class Reader:
    """Makes a model of JSON and arrays, which it takes out of the dict that it gets.

    Raises
    ------
    ValueError
        If they are not what :class:`Writer` makes, or if an attribute does not fit the others.
        Other types of exceptions may be raised, too, where they are damaged.
    """

    def __init__(self, arrays: dict[str, NDArray[Any]], shared: list[Any]) -> None:
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
            return self._decode_values(**node)
        [(kind, content)] = node.items()
        return self._decode_kind(kind, content)

    def _decode_kind(self, kind: str, content: Any) -> Any:  # noqa: PLR0911 - one for each kind
        """Return the value of an object with one key, which names its kind."""
        if kind == "array":
            return self._take(content)
        if kind == "text":
            return self._decode_text(content)
        if kind == "lines":
            return self._decode_text(content).split("\n")
        if kind == "sparse":
            return self._decode_sparse(content)
        if kind == "tuple":
            return tuple(self.decode(content))
        if kind == "dict":
            return {key: self.decode(part) for key, part in content.items()}
        if kind == "float":
            return float(content)
        if kind == "shared" and content >= 0:
            return self._shared[content]
        raise ValueError(f"it has a value of the unknown kind {kind!r}")

    def _take(self, number: int) -> NDArray[Any]:
        # A file refers to each array once. One that is not kept, such as a table that the package
        # has, is gone before the next table is read.
        return self._arrays.pop(str(number))

    def _decode_text(self, number: int) -> str:
        return self._take(number).tobytes().decode("utf-8", "surrogatepass")

    def _decode_sparse(self, content: list[Any]) -> csr_matrix:
        *parts, shape = content
        matrix = csr_matrix(tuple(map(self._take, parts)), tuple(shape))
        matrix.check_format()  # raises a ValueError
        if (np.diff(matrix.indptr) < 0).any():  # not looked at if the last one is negative
            raise ValueError("the rows of a sparse matrix are out of order")
        return matrix

    def _decode_values(self, values: Any, dtype: str, shape: list[int]) -> NDArray[Any]:
        array = np.empty(len(values), dtype=object)
        array[:] = self.decode(values)
        plain = all(type(value) in (str, bool, int, float, type(None)) for value in array)
        if np.dtype(dtype).kind not in "biufUO" or len(shape) > 1 or not plain:
            raise ValueError(f"it has an array of type {dtype}, or of other values")
        return array.astype(dtype).reshape(shape)

    def _decode_table(self, node: Any) -> Any:
        name = node["class"]
        cls: Any = _known(name)
        if cls is None or issubclass(cls, BaseEstimator):
            raise ValueError(f"it has a shared object of the unknown class {name}")
        state = self.decode(node["state"])
        if cls is WordVectors:
            return _word_vectors(state)
        table: Any = cls.__new__(cls)
        table.__setstate__(state)
        getattr(table, "_check_loaded", bool)()
        return table

    def decode_estimator(self, node: Any) -> Any:
        """Return the estimator of a node."""
        name = node["class"]
        cls: Any = _known(name)
        if cls is None or not issubclass(cls, BaseEstimator):
            raise ValueError(f"it has an object of the unknown class {name}")
        parameters = {key: self.decode(value) for key, value in node["parameters"].items()}
        if hasattr(cls, "_current_parameters"):
            parameters = cls._current_parameters(parameters)
        names = set(cls._get_param_names())
        unknown = sorted(parameters.keys() - names)
        own = name.startswith("skpara.")
        if unknown and own:
            raise ValueError(f"it has the parameters {unknown} of {name}, which are unknown")
        # scikit-learn removes parameters between versions; predictions do not depend on them.
        estimator: Any = cls(**{key: parameters[key] for key in parameters.keys() & names})
        attributes = node.get("fitted")
        fitted = {key: self.decode(value) for key, value in (attributes or {}).items()}
        if own and hasattr(cls, "_parameter_constraints"):
            estimator._validate_params()
        _check_numbers(name, parameters.get("n_jobs"), fitted.get("n_features_in_", 1))
        _set_fitted(estimator, name, fitted)
        fitted_part = _fitted_part(cls)
        if attributes is not None and fitted_part is not None:
            _check_parts(parameters[fitted_part], in_line=not issubclass(cls, FeatureUnion))
        if "output" in node:
            if node["output"] not in ("default", "pandas", "polars"):
                raise ValueError(f"its output is {node['output']!r:.40}")
            estimator.set_output(transform=node["output"])
        if cls is StandardScaler and fitted:
            _check_scaler(estimator, fitted)
        if attributes:
            getattr(estimator, "_check_loaded", bool)()
        return estimator


def _check_numbers(name: str, n_jobs: Any, n_features: Any) -> None:
    """Raise a ValueError for impossible numbers, also of unions, which validate none."""
    if n_jobs is not None and (type(n_jobs) is not int or not 0 < abs(n_jobs) < 2**15):
        raise ValueError(f"n_jobs of {name} is {n_jobs!r:.40}")
    if type(n_features) is not int or n_features < 1:
        raise ValueError(f"n_features_in_ of {name} is {n_features!r:.40}")


def _set_fitted(estimator: Any, name: str, fitted: Attributes) -> None:
    """Set the fitted attributes of a file."""
    if fitted and hasattr(type(estimator), "_from_file"):
        estimator._from_file(fitted)
    for key, value in fitted.items():
        if not key.endswith("_") or key.startswith("_") or hasattr(estimator, key):
            raise ValueError(f"{name} has no fitted attribute {key!r}")
        setattr(estimator, key, value)


def _check_scaler(scaler: StandardScaler, fitted: Attributes) -> None:
    """Raise a ValueError unless there is a mean and a positive scale for each feature."""
    shape = (fitted.get("n_features_in_", 1),)
    if scaler.with_mean:
        check_array("mean_", fitted.get("mean_"), np.floating, shape)
    if scaler.with_std:
        check_array("scale_", fitted.get("scale_"), np.floating, shape)
        if not (fitted["scale_"] > 0).all():
            raise ValueError("scale_ has numbers that are not positive")


def _fitted_part(cls: type) -> str | None:
    parts = (part for base, part in _FITTED_PARTS.items() if issubclass(cls, base))
    return next(parts, None)


def table_in_file(parameter: Any, fitted: Any) -> Any:
    """Return the parameter or the fitted table that replaces it.

    A parameter that the fitted table was made from costs nothing.
    """
    if isinstance(parameter, WordVectors) and isinstance(fitted, WordVectors):
        layers = parameter.layers
        if layers.places is None and layers.table is fitted.layers.table:
            return parameter
    return fitted


def _word_vectors(state: Attributes) -> WordVectors:
    """Return the table of a state, after checks of all of its sizes."""
    words = state["words"]
    base = state.get("base")
    check_texts("the words of a table", words)
    if base is not None:
        n_words = len(base) + len(words)
        moved = state["moved"]
        check_array("the numbers of moved rows", moved, np.int32, (None,), below=n_words)
        if (np.diff(moved) <= 0).any() or not np.isin(np.arange(len(base), n_words), moved).all():
            raise ValueError("the moved rows of a table are not in order, or a word has none")
        shape = (len(moved), base.n_dims)
        if "rows" in state:
            check_array("moved rows", state["rows"], np.float32, shape)
        else:
            check_array("moved codes", state["codes"], np.int8, shape)
            check_array("factors of codes", state["factors"], np.float32, (len(moved), 1))
    elif state["scales"] is not None and state["table"].dtype != np.int8:
        raise ValueError(f"a table of codes has type {state['table'].dtype}")
    return WordVectors._restore(state)


def _check_parts(parts: Any, *, in_line: bool) -> None:
    """Raise an error unless these are the fitted parts of a pipeline or union.

    Each part that is ``in_line`` reads the features that the one before makes.
    """
    steps = [("frozen", parts)] if isinstance(parts, BaseEstimator) else parts
    made = None
    for name, part in steps:
        if not isinstance(name, str):
            raise ValueError(f"the name of a step is {name!r:.60}")
        if part in ("drop", "passthrough"):
            continue
        check_is_fitted(part)
        if not hasattr(part, "transform") and not (in_line and part is steps[-1][1]):
            raise ValueError(f"step {name!r:.60} makes no features")
        if in_line and made is not None:
            n, known = (getattr(part, x, None) for x in ("n_features_in_", "feature_names_in_"))
            if n not in (None, len(made)) or list(made if known is None else known) != list(made):
                raise ValueError(f"step {name!r:.60} reads other features than those before it")
        if in_line:
            made = getattr(part, "get_feature_names_out", lambda _: None)(made)
    if not steps:
        raise ValueError("it has no steps")


def _name(cls: type) -> str:
    """Return the public name of a class."""
    if cls.__module__.startswith("sklearn."):
        # Public modules of scikit-learn have two parts; files name no private ones.
        return f"{'.'.join(cls.__module__.split('.')[:2])}.{cls.__name__}"
    return f"{cls.__module__}.{cls.__name__}"


def _known(name: Any) -> type | None:
    """Return the class of a public name; None unless it can be part of a model file."""
    if not isinstance(name, str):
        return None
    module, _, attribute = _RENAMED.get(name, name).rpartition(".")
    if name in _SCIKIT_LEARN or module in _REGRESSORS:
        cls = getattr(import_module(module), attribute, None)
        regresses = isinstance(cls, type) and issubclass(cls, RegressorMixin)
        return cls if name in _SCIKIT_LEARN or regresses else None
    if module.split(".")[0] != "skpara" or "_" in module:  # never a private module
        return None
    home = import_module(module)
    cls = getattr(home, attribute) if attribute in dir(home) else None
    return cls if isinstance(cls, type) and is_trusted(cls) else None


def to_json(value: Any) -> str:
    """Return strict JSON in ASCII."""
    return json.dumps(value, allow_nan=False, separators=(",", ":"))
