"""Model files: a fitted model as JSON and arrays, in one file that is not a pickle."""

from __future__ import annotations

import json
import os
import platform
from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar, overload

import numpy as np
import sklearn
from sklearn.utils.validation import check_is_fitted

from skpara._array_files import check_checksum, map_arrays, write_arrays
from skpara._messages import warn
from skpara._typing import FilePath
from skpara._version import __version__
from skpara.saving._values import Reader, Writer, to_json

M = TypeVar("M")

_FORMAT = "skpara.model"
# Files that other programs write and try to read.
_SUFFIXES_OF_OTHERS = (".joblib", ".onnx", ".pickle", ".pkl", ".pt", ".skops")
_VERSION = 2  # of the file format; in files of version 1, averages are plain means


def save_model(
    model: Any,
    path: FilePath,
    *,
    data: str = "",
    n_pairs: int | None = None,
    columns: Sequence[str] | None = None,
) -> Path:
    """Write a fitted model to one file, which any later version can read.

    The file has the safetensors format: arrays, and JSON that describes them. It contains no
    pickle, and loading it runs no code. The loaded model gives exactly the same scores, whatever
    version of scikit-learn is installed. The file is written next to ``path`` and then renamed.

    Parameters
    ----------
    model : fitted estimator
        An encoder, a siamese regressor or classifier, features, a ``FusionRegressor``, and
        pipelines and unions of them, such as :func:`skpara.make_sts_pipeline`; a ``TableMatcher``,
        with the columns that it compares and the answers so far; and scikit-learn's linear models,
        trees, forests and gradient boosting, alone or in a ``FusionRegressor``.
    path : str or path-like
        The file; usual suffixes are ``.skpara`` and ``.safetensors``.
    data : str, default=""
        Name of the training data, for the description.
    n_pairs : int, default=None
        Number of training pairs, for the description.
    columns : sequence of str, default=None
        Names of the columns of the two sentences, and of the score, in the file of the training
        pairs. The command line looks for them in files of pairs to score.

    Returns
    -------
    Path
        ``path``.

    Raises
    ------
    sklearn.exceptions.NotFittedError
        If the model is not fitted.
    TypeError
        If a part of the model cannot be saved, such as a translator or a function. The message
        names it and a remedy.

    See Also
    --------
    load_model : Read the file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara import load_model, make_sts_pipeline, save_model
    >>> from skpara.datasets import load_sts_sample
    >>> pairs, scores = load_sts_sample(return_X_y=True)
    >>> model = make_sts_pipeline(random_state=0).fit(pairs[:100], scores[:100])
    >>> path = save_model(model, pathlib.Path(tempfile.mkdtemp()) / "sts.skpara")
    >>> bool((load_model(path).predict(pairs) == model.predict(pairs)).all())
    True
    """
    if isinstance(model, str | os.PathLike):
        raise TypeError("The model comes first: save_model(model, path).")
    check_is_fitted(model)
    if Path(path).suffix.lower() in _SUFFIXES_OF_OTHERS:
        warn(f"{path} will be a model file, whatever its suffix: use .skpara, and load_model.")
    writer = Writer()
    node = writer.encode(model, type(model).__name__)
    versions = {
        "skpara": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }
    description: dict[str, Any] = {"versions": versions, "data": data, "n_pairs": n_pairs}
    description["columns"] = None if columns is None else list(columns)
    metadata = {
        "format": _FORMAT,
        "version": str(_VERSION),
        "skpara": __version__,
        "description": json.dumps(description),
        "model": to_json(node),
        "shared": to_json(writer.shared),
    }
    write_arrays(Path(path), writer.arrays, metadata)
    return Path(path)


@overload
def load_model(path: FilePath) -> Any: ...
@overload
def load_model(path: FilePath, kind: type[M]) -> M: ...
def load_model(path: FilePath, kind: type[Any] = object) -> Any:
    """Read a model that :func:`skpara.save_model` wrote.

    A file of up to 256 MB is read into memory; the arrays of a larger one are memory-mapped, so it
    must not be truncated or overwritten while its model is in use. No code in the file is run. A
    regressor of scikit-learn comes back as arrays, a :class:`skpara.fusion.TreeEnsemble` or a
    linear model, with the same predictions. The file leaves out what only fitting needs: a
    teacher, a paraphraser, the state of an optimizer.

    Parameters
    ----------
    path : str or path-like
        The file.
    kind : type, default=object
        The class of the model, such as :class:`skpara.TableMatcher`. It is checked, and is the
        type of the result for type checkers.

    Returns
    -------
    estimator
        The model.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError
        If the model is of another class.
    ImportError
        If the model needs a package that is not installed, such as torch.
    ValueError
        If it is damaged, not a model file, or of a newer version of skpara.

    See Also
    --------
    save_model : Write the file.
    skpara.saving.read_description : The description in the file.
    """
    path = Path(path)
    arrays, metadata = _read(path)
    if not check_checksum(path):
        raise _damaged(path, "its checksum is wrong")
    try:
        node = json.loads(metadata["model"])
        shared = json.loads(metadata["shared"])
        node["fitted"]  # of an estimator, not of a parameter
        model = Reader(arrays, shared).decode_estimator(node)
        check_is_fitted(model)
    # A file with a valid checksum may still have been written by somebody else. Parts that do not
    # fit together raise almost anything. A module of skpara is missing for a newer model only.
    except Exception as error:
        if isinstance(error, ImportError) and not (error.name or "").startswith("skpara"):
            raise ImportError(f"{path} cannot be loaded here: {error}") from error
        writer = metadata.get("skpara")
        newer = f"It was written by skpara {writer}: if that is newer, upgrade skpara. "
        raise _damaged(path, error, newer if writer != __version__ else "") from error
    if not isinstance(model, kind):
        raise TypeError(
            f"{path} holds a {type(model).__name__}, not a {kind.__name__}. Pass the file of "
            f"another model, or leave {kind.__name__} out."
        )
    return model


def read_description(path: FilePath) -> dict[str, Any]:
    """Read the description in a model file, without loading the model.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    dict
        ``versions`` of the packages that it was written with, and ``data``, ``n_pairs`` and
        ``columns`` as passed to :func:`skpara.save_model`.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is not a model file, or damaged.
    """
    path = Path(path)
    metadata = _read(path)[1]
    try:
        description: dict[str, Any] = json.loads(metadata["description"])
        columns = description["columns"] or []
        if not (isinstance(columns, list) and all(isinstance(name, str) for name in columns)):
            raise ValueError(f"its columns are {columns!r:.60}")
    except (KeyError, ValueError, TypeError, RecursionError) as error:
        raise _damaged(path, error) from error
    return description


def is_model_file(path: Path) -> bool:
    """Return whether there is a file at ``path`` that :func:`skpara.save_model` wrote."""
    if path.suffix not in (".safetensors", ".skpara") or not path.is_file():
        return False
    return map_arrays(path)[1].get("format") == _FORMAT


def _read(path: Path) -> tuple[dict[str, Any], dict[str, str]]:
    """Return the arrays and the metadata of a model file that this version can read."""
    if not path.is_file():
        raise FileNotFoundError(
            f"There is no file {path}. Write one with skpara.save_model or `skpara train`."
        )
    with path.open("rb") as file:
        start = file.read(9)
    # A safetensors file starts with the length of its header, which may be any eight bytes.
    if start[:1] == b"\x80" and start[8:] != b"{":  # joblib's files, too
        raise ValueError(
            f"{path} is a pickle, which can run code when it is loaded. If you trust its author, "
            "load it with joblib.load, and write the model with skpara.save_model."
        )
    try:
        arrays, metadata = map_arrays(path)
    except ValueError as error:
        models = "Models are files of skpara.save_model or `skpara train`, not tables of pairs."
        raise ValueError(f"{error} {models}") from error
    except Exception as error:  # a header that describes no arrays
        raise _damaged(path, error) from error
    if metadata.get("format") != _FORMAT:
        name = metadata.get("format")
        raise ValueError(
            f"{path} does not contain a model of skpara"
            + (f" but {name}." if name else ".")
            + " Pass a file of skpara.save_model or `skpara train`."
        )
    version = metadata.get("version", "")
    if not (version.isdecimal() and version.isascii() and len(version) < 9):
        raise _damaged(path, "it has no version of its format")
    if int(version) > _VERSION:
        raise ValueError(
            f"{path} was written by skpara {metadata.get('skpara')} in format {version}, newer "
            f"than format {_VERSION}, which {__version__} reads; upgrade skpara."
        )
    return arrays, metadata


def _damaged(path: Path, problem: Exception | str, remark: str = "") -> ValueError:
    text = problem if isinstance(problem, str) else f"{type(problem).__name__}: {problem}"
    text = " ".join(text.split()).rstrip(".")
    return ValueError(f"{path} is damaged: {text:.500}. {remark}Copy or write it again.")
