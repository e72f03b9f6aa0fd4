"""Model files: any fitted estimator, with a description that is checked before it is unpickled.

A model file is what ``joblib.dump`` writes, followed by a description: ``joblib.load`` reads the
first part and ignores the rest. The description is JSON with versions and a checksum, so that a
model that cannot be read by the installed versions is refused with a clear message.
"""

from __future__ import annotations

import json
import os
import platform
import struct
import warnings
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn
from sklearn.exceptions import InconsistentVersionWarning

from skpara._files import replace_file
from skpara._public import set_module
from skpara._version import __version__
from skpara._warnings import catch_warnings

_FORMAT = 1
_KEYS = {"format", "versions", "data", "n_pairs", "columns", "size", "crc32"}
_ADDED_KEYS = {"columns"}  # missing in files of format 1 that were written earlier
_MAGIC = b"\nskpara-model\n"
_LENGTH = struct.Struct("<Q")  # of the JSON, which precedes it; the magic bytes come last
# How many parts of a version must agree for a pickled object to be read: scikit-learn promises
# nothing between minor versions, NumPy keeps its pickles readable within a major one.
_PARTS = {"skpara": 2, "scikit-learn": 2, "numpy": 1}


@set_module("skpara.saving")
@dataclass(frozen=True)
class LoadedModel:
    """A fitted model and the description of its file.

    Parameters
    ----------
    model : estimator
        The fitted model.
    description : dict
        Such as ``versions``, ``data``, ``n_pairs`` and ``columns``; empty where joblib alone wrote
        the file.
    """

    model: Any
    description: dict[str, Any]


def save_model(
    path: str | os.PathLike[str],
    model: Any,
    *,
    data: str = "",
    n_pairs: int | None = None,
    columns: Sequence[str] | None = None,
) -> Path:
    """Write a fitted model with a description, next to ``path``, then renamed.

    ``joblib.load`` reads the file too.

    Parameters
    ----------
    path : str or path-like
        The file; the command line uses the suffix ``.skpara``.
    model : estimator with ``predict``
        The fitted model.
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
    """

    def write(unfinished: Path) -> None:
        joblib.dump(model, unfinished)
        description = {
            "format": _FORMAT,
            "versions": _versions(),
            "data": data,
            "n_pairs": n_pairs,
            "columns": None if columns is None else list(columns),
            "size": unfinished.stat().st_size,
            "crc32": _checksum(unfinished, unfinished.stat().st_size),
        }
        text = json.dumps(description).encode()
        with unfinished.open("ab") as file:
            file.write(text + _LENGTH.pack(len(text)) + _MAGIC)

    return replace_file(Path(path), write)


def load_model(path: str | os.PathLike[str]) -> LoadedModel:
    """Read a model that :func:`save_model` or ``joblib.dump`` wrote.

    Unpickling can run any code: load only files that you trust.

    Parameters
    ----------
    path : str or path-like
        The file.

    Returns
    -------
    LoadedModel
        The model and the description of its file.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is damaged, was written by incompatible versions, or has no ``predict``.
    """
    path = Path(path)
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}; create a model with `skpara train`.")
    description = _description(path)
    if description:
        _check_description(path, description)
    model, written_by = _unpickle(path, description.get("versions", {}))
    _check_versions(path, written_by)
    if not callable(getattr(model, "predict", None)):
        raise ValueError(
            f"{path} contains a {type(model).__name__}, which has no predict. Train a model with "
            "`skpara train`, or save a pipeline that ends in a regressor."
        )
    return LoadedModel(model, description)


def _description(path: Path) -> dict[str, Any]:
    """Read the description at the end of a file; it is empty where joblib alone wrote the file."""
    tail = _LENGTH.size + len(_MAGIC)
    with path.open("rb") as file:
        size = file.seek(0, 2)
        if size < tail:
            return {}
        file.seek(size - tail)
        length, magic = file.read(_LENGTH.size), file.read()
        start = size - tail - _LENGTH.unpack(length)[0]
        if magic != _MAGIC or start < 0:
            return {}
        file.seek(start)
        try:
            description = json.loads(file.read(size - tail - start))
        except ValueError:
            raise ValueError(_damaged(path)) from None
    valid = isinstance(description, dict) and description.keys() | _ADDED_KEYS == _KEYS
    columns = (description.get("columns") or []) if valid else None
    if not (isinstance(columns, list) and all(isinstance(name, str) for name in columns)):
        valid = False
    if not valid or description["size"] != start:
        raise ValueError(_damaged(path))
    return description


def _check_description(path: Path, description: dict[str, Any]) -> None:
    if description["format"] > _FORMAT:
        raise ValueError(
            f"{path} was written by skpara {description['versions']['skpara']} in a newer format "
            f"than {__version__} reads: upgrade skpara, or train again."
        )
    _check_versions(path, description["versions"])
    if _checksum(path, description["size"]) != description["crc32"]:
        raise ValueError(_damaged(path))


def _check_versions(path: Path, written_by: dict[str, str]) -> None:
    """Raise an error if a model was written by versions that differ too much."""
    installed = _versions()
    for name, n_parts in _PARTS.items():
        parts = written_by.get(name, installed[name]).split(".")[:n_parts]
        if parts == installed[name].split(".")[:n_parts]:
            continue
        version = ".".join(parts)
        pip = "" if name == "skpara" else f" (pip install '{name}=={version}.*')"
        raise ValueError(
            f"{path} was trained with {name} {written_by[name]}, but {installed[name]} is "
            f"installed. Install {name} {version}{pip}, or train the model again."
        )


def _unpickle(path: Path, versions: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """Return the object, and the versions with the one of scikit-learn that it was pickled by."""
    with catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InconsistentVersionWarning)
        try:
            model, problem = joblib.load(path), None
        except Exception as error:  # bytes that are not a pickle raise almost anything
            model, problem = None, error
    written_by = dict(versions)
    for warning in caught:
        if isinstance(warning.message, InconsistentVersionWarning):
            written_by["scikit-learn"] = warning.message.original_sklearn_version
        else:
            warnings.warn_explicit(
                warning.message, warning.category, warning.filename, warning.lineno
            )
    if problem is not None:
        _check_versions(path, written_by)  # the likelier cause, with a better message
        versions_text = ", ".join(f"{name} {version}" for name, version in versions.items())
        raise ValueError(
            f"{path} cannot be read as a model ({type(problem).__name__}: {problem}). "
            + (
                f"It was written by {versions_text}: install these, or train it again."
                if versions_text
                else "It is truncated or not a model; create one with `skpara train`."
            )
        )
    return model, written_by


def _versions() -> dict[str, str]:
    return {
        "skpara": __version__,
        "scikit-learn": sklearn.__version__,
        "numpy": np.__version__,
        "python": platform.python_version(),
    }


def _checksum(path: Path, size: int) -> int:
    """Compute the CRC-32 of the first ``size`` bytes."""
    checksum = 0
    with path.open("rb") as file:
        while size > 0 and (block := file.read(min(size, 2**20))):
            checksum = zlib.crc32(block, checksum)
            size -= len(block)
    return checksum


def _damaged(path: Path) -> str:
    return f"{path} is damaged: fetch or copy it again, or train the model again."
