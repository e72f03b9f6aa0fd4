"""Sentence models of other libraries: loading them, and encoding with them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from skpara._optional import import_optional
from skpara._public import set_module
from skpara._typing import Vectors
from skpara.text import replace_lone_surrogates


class SentenceModel(Protocol):
    """Anything with a method ``encode``."""

    def encode(self, sentences: list[str], /) -> Any:
        """Return vectors of sentences, array-like of shape (n_sentences, n_dims)."""


def load_model(
    model: str | os.PathLike[str], *, device: str = "auto", local_files_only: bool = True
) -> SentenceModel:
    """Load a sentence-transformers model from a folder, or from the local cache of the hub.

    Parameters
    ----------
    model : path or str
        Folder of a saved model, or its name on the hub.
    device : {"auto", "cpu", "cuda", "cuda:<number>", "mps"}, default="auto"
    local_files_only : bool, default=True
        False allows sentence-transformers to download the model.

    Raises
    ------
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
        raise FileNotFoundError(
            f"There is no folder {name!r}, and no model of that name in the local cache. Pass the "
            "folder of a saved model, or download the model once with local_files_only=False."
        ) from error


def as_model(model: Any, *, device: Any = "auto") -> SentenceModel:
    """Return the model, loaded if it is a path; see :func:`load_model`."""
    if isinstance(model, (str, os.PathLike)):
        return load_model(model, device=device)
    loaded: SentenceModel = model
    return loaded


@set_module("skpara.encoders", trusted=True)
class CachedModel:
    """A sentence model that encodes each sentence once, for all encoders and folds that share it.

    Clones share the model and its cache, so that a grid search calls a transformer no more often
    than one ``fit`` does. Pickles contain the model, or its path, without the cache.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        As the ``teacher`` of :class:`ParagramEncoder`. A path is loaded when first needed.
    max_sentences : int, default=200000
        Number of sentences that are kept, some 300 MB of vectors of 384 numbers. Those that come
        later are encoded each time.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.encoders import CachedModel
    >>> model = CachedModel(ParagramEncoder())
    >>> model.encode(["A dog runs.", "A cat sleeps.", "A dog runs."]).shape
    (3, 256)
    """

    max_sentences = 200_000  # of pickles that were written before this was a parameter

    def __init__(self, model: Any, *, max_sentences: int = 200_000) -> None:
        self.model = model
        self.max_sentences = max_sentences
        self._cache: dict[str, Vectors] = {}
        self._loaded: SentenceModel | None = None

    def encode(
        self,
        sentences: list[str],
        *,
        batch_size: int | None = None,
        show_progress_bar: bool = False,
    ) -> Vectors:
        """Encode sentences, those that are not in the cache by the model.

        Parameters
        ----------
        sentences : list of str
            The sentences to encode.
        batch_size : int, default=None
            For a model that has one; None is the model's default.
        show_progress_bar : bool, default=False
            For a model that has one.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The model's vectors.
        """
        if self._loaded is None:
            self._loaded = as_model(self.model)
        distinct = dict.fromkeys(sentences)
        rows = {text: self._cache[text] for text in distinct if text in self._cache}
        new = [text for text in distinct if text not in rows]
        if new or not distinct:
            verbose = int(show_progress_bar)
            vectors = encode_by(self._loaded, new, batch_size=batch_size, verbose=verbose)
            if not distinct:
                return vectors
            rows.update(zip(new, vectors, strict=True))
            # The first ones stay. A cache of the last ones would have nothing of a text that is
            # longer than the cache when it is encoded again, by the next fold.
            for text in new[: max(0, self.max_sentences - len(self._cache))]:
                self._cache[text] = rows[text].copy()  # a row would keep all of its batch
        return np.array([rows[sentence] for sentence in sentences])

    def __sklearn_clone__(self) -> CachedModel:
        return self

    def __repr__(self) -> str:
        return f"CachedModel({self.model!r})"

    def __getstate__(self) -> dict[str, Any]:
        return vars(self) | {"_cache": {}, "_loaded": None}


def encode_by(
    model: SentenceModel,
    sentences: Sequence[str],
    *,
    batch_size: int | None = None,
    verbose: int = 0,
) -> Vectors:
    """Encode sentences by any model with ``encode``, and validate what it returns.

    Each distinct sentence is encoded once. A blank one has the zero vector, as everywhere in
    skpara.
    """
    if isinstance(model, (str, os.PathLike)) or not callable(getattr(model, "encode", None)):
        raise TypeError(
            f"{model!r:.80} cannot encode sentences; pass an object with "
            "encode(list of str) -> array of shape (n_sentences, n_dims)."
        )
    distinct = [sentence for sentence in dict.fromkeys(sentences) if sentence.strip()]
    # Only a vector shows how many dimensions a model has, so one sentence is always encoded.
    texts = distinct or ["a"]
    # Tokenizers of transformers refuse lone surrogates.
    valid = [replace_lone_surrogates(text) for text in texts]
    vectors = _check_vectors(model.encode(valid, **_options(model, batch_size, verbose)), texts)
    rows = np.vstack([vectors[: len(distinct)], np.zeros_like(vectors[:1])])
    positions = {sentence: row for row, sentence in enumerate(distinct)}
    return rows[[positions.get(sentence, -1) for sentence in sentences]]


def _options(model: SentenceModel, batch_size: int | None, verbose: int) -> dict[str, Any]:
    """Return keyword arguments for ``encode``, as far as it has such parameters."""
    options: dict[str, Any] = {"show_progress_bar": bool(verbose)}
    if batch_size is not None:
        options["batch_size"] = batch_size
    try:
        parameters = inspect.signature(model.encode).parameters
    except ValueError:  # a compiled function without a signature
        return {}
    return {name: value for name, value in options.items() if name in parameters}


def _check_vectors(vectors: Any, sentences: list[str]) -> Vectors:
    """Validate a model's vectors: one finite float32 row for each sentence."""
    if hasattr(vectors, "detach"):  # a torch tensor, on any device and of any precision
        vectors = vectors.detach().cpu().float()
    try:
        array = np.asarray(vectors)
    except (TypeError, ValueError, RuntimeError) as error:
        raise TypeError(
            f"The model's encode returned {type(vectors).__name__}, not an array: {error}"
        ) from error
    if array.dtype.kind not in "iuf":
        raise TypeError(f"The model's encode returned {array.dtype} values, not numbers.")
    n_sentences = len(sentences)
    if array.ndim != 2 or len(array) != n_sentences or array.shape[1] == 0:
        raise ValueError(
            f"The model's encode returned an array of shape {array.shape} for {n_sentences} "
            f"sentence(s); expected one vector for each, shape ({n_sentences}, n_dims)."
        )
    with np.errstate(over="ignore"):  # what overflows becomes infinite and is refused below
        rows = array.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise ValueError(
            f"The model's vector of {sentences[bad[0]]!r:.80} has NaN or infinite numbers"
            + (f", and so do those of {len(bad) - 1} more sentence(s)." if len(bad) > 1 else ".")
        )
    return rows
