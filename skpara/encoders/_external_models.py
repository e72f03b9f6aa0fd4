"""Other people's models of sentences: how one is loaded, and how it is asked for vectors."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from skpara._optional import import_optional
from skpara._public import set_module


class SentenceModel(Protocol):
    """Anything that turns sentences into vectors: a method is all that is asked for."""

    def encode(self, sentences: list[str], /) -> Any:
        """Vectors of sentences, array-like of shape (n_sentences, n_dims)."""


def load_model(
    model: str | os.PathLike[str], *, device: str = "auto", local_files_only: bool = True
) -> SentenceModel:
    """A sentence-transformers model from a folder, or from the local cache of the hub.

    Parameters
    ----------
    model : path or str
        Folder of a saved model, or its name on the hub.
    device : {"auto", "cpu", "cuda", "mps"}, default="auto"
    local_files_only : bool, default=True
        False lets sentence-transformers download what is not there.

    Raises
    ------
    ImportError
        If sentence-transformers is not installed.
    FileNotFoundError
        If there is no such folder, and no model of that name in the cache.
    """
    package = import_optional(
        "sentence_transformers", "A model given by path", install="sentence-transformers"
    )
    from skpara.learning import resolve_device

    name, device = os.fspath(model), resolve_device(device, fall_back=True)
    try:
        return package.SentenceTransformer(name, device=device, local_files_only=local_files_only)
    except OSError as error:
        if Path(name).is_dir() or not local_files_only:
            raise
        raise no_model(name) from error


def as_model(model: Any, *, device: str = "auto") -> SentenceModel:
    """The model itself, or the one at a path; see :func:`load_model`."""
    given: SentenceModel = model
    return load_model(model, device=device) if isinstance(model, (str, os.PathLike)) else given


def no_model(name: str) -> FileNotFoundError:
    """The error for a model that is not on this machine."""
    return FileNotFoundError(
        f"There is no folder {name!r}, and no model of that name in the local cache. Nothing is "
        "downloaded unasked: give the folder of a saved model, or pass local_files_only=False "
        "once, where there is a network, to download it into the cache."
    )


@set_module("skpara.encoders", trusted=True)
class RememberingModel:
    """A model that encodes a sentence once, however many encoders and folds ask for it.

    Clones share it with what it remembers, so that a grid search asks a transformer no more often
    than one ``fit`` does. Pickles hold the model, or its path, alone.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        As :class:`ParagramEncoder` takes as its ``teacher``. A path is loaded when first needed.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.encoders import RememberingModel
    >>> model = RememberingModel(ParagramEncoder())
    >>> model.encode(["A dog runs.", "A cat sleeps.", "A dog runs."]).shape
    (3, 256)
    """

    def __init__(self, model: Any) -> None:
        self.model = model
        self._known: dict[str, NDArray[np.float32]] = {}
        self._loaded: SentenceModel | None = None

    def encode(
        self, sentences: list[str], *, show_progress_bar: bool = False
    ) -> NDArray[np.float32]:
        """Vectors of sentences, shape (n_sentences, n_dims)."""
        new = [sentence for sentence in dict.fromkeys(sentences) if sentence not in self._known]
        if new:
            found = encode_by(self._ready(), new, verbose=int(show_progress_bar))
            self._known.update(zip(new, found, strict=True))
        return np.array([self._known[sentence] for sentence in sentences])

    def _ready(self) -> SentenceModel:
        if self._loaded is None:
            self._loaded = as_model(self.model)
        return self._loaded

    def __sklearn_clone__(self) -> RememberingModel:
        return self

    def __repr__(self) -> str:
        return f"RememberingModel({self.model!r})"

    def __getstate__(self) -> dict[str, Any]:
        return {"model": self.model, "_known": {}, "_loaded": None}


def encode_by(
    model: SentenceModel,
    sentences: Sequence[str],
    *,
    batch_size: int | None = None,
    verbose: int = 0,
) -> NDArray[np.float32]:
    """Vectors of sentences by any model with ``encode``, checked.

    Each distinct sentence is encoded once. A blank one has the zero vector, as everywhere in
    skpara, whatever the model makes of it.

    Parameters
    ----------
    model : object with ``encode(list of str)`` -> array-like of shape (n_sentences, n_dims)
    sentences : sequence of str, shape (n_sentences,)
    batch_size : int, optional
        For a model whose ``encode`` takes one; None leaves it to the model.
    verbose : int, default=0
        1 shows a progress bar, for a model that has one.

    Returns
    -------
    ndarray of shape (n_sentences, n_dims), float32

    Raises
    ------
    TypeError
        If the model has no ``encode``, or gives something else than numbers.
    ValueError
        If it does not give one finite vector for each sentence.
    """
    if isinstance(model, (str, os.PathLike)) or not callable(getattr(model, "encode", None)):
        raise TypeError(
            f"{model!r:.80} does not encode sentences; an object with "
            "encode(list of str) -> array of shape (n_sentences, n_dims) is needed."
        )
    distinct = [s for s in dict.fromkeys(sentences) if s.strip()]
    # A model tells its number of dimensions only by a vector.
    texts = distinct or ["a"]
    found = _as_matrix(model.encode(texts, **_options(model, batch_size, verbose)), len(texts))
    _refuse_not_finite(found, texts)
    rows = np.vstack([found[: len(distinct)], np.zeros_like(found[:1])])
    place = {sentence: row for row, sentence in enumerate(distinct)}
    return rows[[place.get(sentence, -1) for sentence in sentences]]


def _options(model: SentenceModel, batch_size: int | None, verbose: int) -> dict[str, Any]:
    """What ``encode`` is told besides the sentences, as far as it has a parameter for it."""
    wanted: dict[str, Any] = {"show_progress_bar": bool(verbose)}
    if batch_size is not None:
        wanted["batch_size"] = batch_size
    try:
        known = inspect.signature(model.encode).parameters
    except ValueError:  # compiled, and does not say
        return {}
    return {name: value for name, value in wanted.items() if name in known}


def _as_matrix(found: Any, n_sentences: int) -> NDArray[np.float32]:
    """What a model gave, as one float32 row for each sentence."""
    if hasattr(found, "detach"):  # a torch tensor, on any device and of any precision
        found = found.detach().cpu().float()
    try:
        array = np.asarray(found)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"The model's encode gave {type(found).__name__}, which is no array: {error}"
        ) from error
    if array.dtype.kind not in "iuf":
        raise TypeError(f"The model's encode gave {array.dtype} values, not numbers.")
    if array.ndim != 2 or len(array) != n_sentences or array.shape[1] == 0:
        raise ValueError(
            f"The model's encode gave an array of shape {array.shape} for {n_sentences} "
            f"sentence(s); one vector for each, shape ({n_sentences}, n_dims), is needed."
        )
    with np.errstate(over="ignore"):  # what is too large becomes infinite, and is refused
        return array.astype(np.float32)


def _refuse_not_finite(vectors: NDArray[np.float32], sentences: list[str]) -> None:
    bad = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
    if len(bad):
        raise ValueError(
            f"The model's vector of {sentences[bad[0]]!r:.80} holds NaN or infinite numbers"
            + (f", and so do those of {len(bad) - 1} more sentence(s)." if len(bad) > 1 else ".")
        )
