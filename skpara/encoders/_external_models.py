"""Encoders of other libraries: loading, encoding and caching."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from skpara._compatibility import import_optional
from skpara._public import set_module
from skpara._typing import Attributes, SentenceModel, Vectors
from skpara.text import replace_lone_surrogates


def as_model(model: Any, *, device: Any = "auto", local_files_only: bool = True) -> SentenceModel:
    """Return an object as it is; load a path or name with sentence-transformers.

    Raises
    ------
    FileNotFoundError
        If there is no such folder, and no model of that name in the local cache of the hub.
    """
    if not isinstance(model, (str, os.PathLike)):
        return model
    package = import_optional(
        "sentence_transformers", "A model given by path", install="sentence-transformers"
    )
    from skpara.learning import resolve_device

    name = os.fspath(model)
    device = resolve_device(device, fall_back=True)
    try:
        return package.SentenceTransformer(name, device=device, local_files_only=local_files_only)
    except OSError as error:
        if Path(name).is_dir() or not local_files_only:
            raise
        raise FileNotFoundError(
            f"There is no folder {name!r}, and no model of that name in the local cache. Pass the "
            "folder of a saved model, or download the model once with local_files_only=False."
        ) from error


@set_module("skpara.encoders", trusted=True)
class CachedModel:
    """Sentence model that encodes each sentence once, for all encoders and folds that share it.

    Clones share the model and its cache, so that a grid search calls a transformer no more often
    than one ``fit`` does. Pickles contain the model, or its path, without the cache.

    Parameters
    ----------
    model : path, str, or object with ``encode``
        As the ``teacher`` of :class:`~skpara.ParagramEncoder`. A path is loaded when first needed.
    max_sentences : int, default=200000
        Number of sentences to cache, the first ones; 200,000 vectors of 384 numbers take 300 MB.
        Further sentences are encoded each time.

    Examples
    --------
    >>> from skpara import ParagramEncoder
    >>> from skpara.encoders import CachedModel
    >>> model = CachedModel(ParagramEncoder())
    >>> model.encode(["A dog runs.", "A cat sleeps.", "A dog runs."]).shape
    (3, 256)
    """

    def __init__(self, model: Any, *, max_sentences: int = 200_000) -> None:
        self.model = model
        self.max_sentences = max_sentences
        self._cache: dict[str, Vectors] = {}
        self._loaded: SentenceModel | None = None

    def encode(self, sentences: list[str], *, show_progress_bar: bool = False) -> Vectors:
        """Encode sentences; only new ones are passed to the model.

        Parameters
        ----------
        sentences : list of str
            The sentences to encode.
        show_progress_bar : bool, default=False
            Passed to the model if it has this parameter.

        Returns
        -------
        ndarray of shape (n_sentences, n_dims), float32
            The model's vectors.
        """
        if self._loaded is None:
            self._loaded = as_model(self.model)
        rows = {text: self._cache[text] for text in sentences if text in self._cache}
        new = [text for text in dict.fromkeys(sentences) if text not in rows]
        if new or not sentences:
            vectors = encode_by(self._loaded, new, verbose=int(show_progress_bar))
            if not sentences:
                return vectors
            rows.update(zip(new, vectors, strict=True))
            # The first sentences stay. With the last ones, a text longer than the cache would
            # find none of its sentences there when the next fold encodes it again.
            for text in new[: max(0, self.max_sentences - len(self._cache))]:
                self._cache[text] = rows[text].copy()  # a view would keep its whole batch
        return np.array([rows[sentence] for sentence in sentences])

    def __sklearn_clone__(self) -> CachedModel:
        return self

    def __repr__(self) -> str:
        return f"CachedModel({self.model!r})"

    def __getstate__(self) -> Attributes:
        return vars(self) | {"_cache": {}, "_loaded": None}


def encode_by(model: SentenceModel, sentences: Sequence[str], *, verbose: int = 0) -> Vectors:
    """Encode sentences by any model with ``encode``, and validate its result.

    Each distinct sentence is encoded once. A blank sentence has the zero vector, as everywhere in
    skpara.
    """
    if isinstance(model, (str, os.PathLike, type)) or not callable(getattr(model, "encode", None)):
        raise TypeError(
            f"{model!r:.80} cannot encode sentences; pass an object with "
            "encode(list of str) -> array of shape (n_sentences, n_dims)."
        )
    distinct = [sentence for sentence in dict.fromkeys(sentences) if sentence.strip()]
    # At least one sentence is encoded: only a vector shows the number of dimensions.
    texts = distinct or ["a"]
    # Tokenizers of transformers refuse lone surrogates.
    valid = [replace_lone_surrogates(text) for text in texts]
    options = {}
    with suppress(ValueError):  # a compiled function has no signature
        if "show_progress_bar" in inspect.signature(model.encode).parameters:
            options = {"show_progress_bar": bool(verbose)}
    vectors = _check_vectors(model.encode(valid, **options), texts)
    rows = np.vstack([vectors[: len(distinct)], np.zeros_like(vectors[:1])])
    positions = {sentence: row for row, sentence in enumerate(distinct)}
    return rows[[positions.get(sentence, -1) for sentence in sentences]]


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
    with np.errstate(over="ignore"):  # overflow becomes infinite and is refused below
        rows = array.astype(np.float32)
    bad = np.flatnonzero(~np.isfinite(rows).all(axis=1))
    if len(bad):
        raise ValueError(
            f"The model's vector of {sentences[bad[0]]!r:.80} has NaN or infinite numbers"
            + (f", as have {len(bad) - 1} more vector(s)." if len(bad) > 1 else ".")
        )
    return rows
