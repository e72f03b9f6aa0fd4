"""Files of fitted models that say what they were made with before they are opened.

A model file is what ``joblib.dump`` writes, with a description behind it: ``joblib.load`` reads
the one and never sees the other. The description is JSON, and holds the versions and a checksum,
so that a model that cannot be read here is refused by name instead of failing midway.
"""

from __future__ import annotations

import json
import platform
import struct
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import joblib
import numpy as np
import sklearn
from sklearn.exceptions import InconsistentVersionWarning

from skpara._files import replace_file
from skpara._version import __version__

__all__ = ["LoadedModel", "load_model", "save_model"]

_FORMAT = 1
_KEYS = {"format", "versions", "data", "n_pairs", "size", "crc32"}
_MAGIC = b"\nskpara-model\n"
_LENGTH = struct.Struct("<Q")  # of the JSON, which stands before it; the magic comes last
# How many parts of a version must be the same for a pickled object to be read.
_PARTS = {"skpara": 2, "scikit-learn": 2, "numpy": 1}


@dataclass(frozen=True)
class LoadedModel:
    """A fitted model and the description of its file."""

    model: Any
    description: dict[str, Any]  # empty where joblib alone wrote the file


def save_model(path: Path, model: Any, *, data: str, n_pairs: int) -> Path:
    """Write a fitted model and what it was made with; `joblib.load` reads it too.

    Parameters
    ----------
    path : Path
    model : estimator with ``predict``
    data : str
        Name of what it was trained on.
    n_pairs : int
        Number of pairs that it was trained on.

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
            "size": unfinished.stat().st_size,
            "crc32": _checksum(unfinished, unfinished.stat().st_size),
        }
        text = json.dumps(description).encode()
        with unfinished.open("ab") as file:
            file.write(text + _LENGTH.pack(len(text)) + _MAGIC)

    return replace_file(path, write)


def load_model(path: Path) -> LoadedModel:
    """Read a model that `save_model` or `joblib.dump` wrote.

    Opening a pickle runs code that it holds: only for files that one trusts.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If it is damaged, was made with versions that do not agree with those here, or holds no
        model.
    """
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}; `skpara train` makes a model.")
    description = _description(path)
    if description:
        _check_description(path, description)
    model, written_by = _unpickle(path, description.get("versions", {}))
    _check_versions(path, written_by)
    if not callable(getattr(model, "predict", None)):
        raise ValueError(
            f"{path} holds {type(model).__name__}, which predicts no scores. Train a model with "
            "`skpara train`, or save a pipeline that ends in a regressor."
        )
    return LoadedModel(model, description)


def _description(path: Path) -> dict[str, Any]:
    """What stands at the end of the file; nothing where `save_model` did not write it."""
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
            found = json.loads(file.read(size - tail - start))
        except ValueError:
            raise ValueError(_damaged(path)) from None
    if not isinstance(found, dict) or found.keys() != _KEYS or found["size"] != start:
        raise ValueError(_damaged(path))
    return found


def _check_description(path: Path, description: dict[str, Any]) -> None:
    if description["format"] > _FORMAT:
        raise ValueError(
            f"{path} was written by skpara {description['versions']['skpara']}, in a newer form "
            f"than {__version__} reads: upgrade skpara, or train again."
        )
    _check_versions(path, description["versions"])
    if _checksum(path, description["size"]) != description["crc32"]:
        raise ValueError(_damaged(path))


def _check_versions(path: Path, written_by: dict[str, str]) -> None:
    """Refuse a model of versions of which it is known that they cannot be mixed."""
    here = _versions()
    for name, n_parts in _PARTS.items():
        there = written_by.get(name, here[name]).split(".")[:n_parts]
        if there == here[name].split(".")[:n_parts]:
            continue
        version = ".".join(there)
        pip = "" if name == "skpara" else f" (pip install '{name}=={version}.*')"
        raise ValueError(
            f"{path} was trained with {name} {written_by[name]}, and here is {here[name]}: a "
            f"model is read by the versions that wrote it. Install {name} {version}{pip}, or "
            "train the model again here."
        )


def _unpickle(path: Path, versions: dict[str, str]) -> tuple[Any, dict[str, str]]:
    """The object, and the version of scikit-learn that it says it is of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", InconsistentVersionWarning)
        try:
            model, problem = joblib.load(path), None
        except Exception as error:  # bytes that are no pickle raise whatever they come upon
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
        _check_versions(path, written_by)  # the likelier cause
        made_with = ", ".join(f"{name} {version}" for name, version in versions.items())
        raise ValueError(
            f"{path} cannot be read as a model ({type(problem).__name__}: {problem}). "
            + (
                f"It was made with {made_with}: install these, or train it again."
                if made_with
                else "It is cut short, or is no model: `skpara train` makes one."
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
    """CRC-32 of the first ``size`` bytes."""
    checksum = 0
    with path.open("rb") as file:
        while size > 0 and (block := file.read(min(size, 2**20))):
            checksum = zlib.crc32(block, checksum)
            size -= len(block)
    return checksum


def _damaged(path: Path) -> str:
    return f"{path} is damaged: fetch or copy it again, or train the model again."
