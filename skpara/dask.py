"""Sentences and pairs of Dask collections, partition by partition, larger than memory."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dask.bag import Bag
    from dask.dataframe import DataFrame, Series
    from pandas import DataFrame as Frame
    from pandas import Series as Column

__all__ = ["encode", "predict"]


def encode(encoder: Any, sentences: Series | Bag, *, dtype: str = "float32") -> DataFrame:
    """Vectors of sentences; lazy, so that ``to_parquet`` computes and writes part after part.

    Parameters
    ----------
    encoder : object with ``encode``
        A fitted encoder, or :class:`skpara.ParagramEncoder` with given vectors.
    sentences : dask Series, or dask Bag, of str
    dtype : {"float32", "float16"}, default="float32"
        Of the vectors; "float16" halves the file and keeps three decimal digits.

    Returns
    -------
    dask DataFrame with the column ``vector``
        Lists of fixed length, as PyArrow and Parquet have them. The index is that of the
        sentences.

    Raises
    ------
    ValueError
        If ``dtype`` is another, or, when computed, a cell is not a string.

    Notes
    -----
    The encoder is a node of Dask's graph: each worker gets it once, and again if it was lost. Dask
    remarks on graphs above 10 MB ("Sending large graph"), which that is meant to be.

    ``to_parquet(..., use_dictionary=False, compression=None)`` is quickest: numbers that never
    repeat gain nothing by either. Dask's names of files, part.10 before part.2, lose the order
    where files are read sorted by name; give ``name_function=lambda i: f"{i:06d}.parquet"``.

    Examples
    --------
    >>> import dask, numpy as np
    >>> from dask import bag
    >>> import skpara.dask
    >>> from skpara import ParagramEncoder
    >>> sentences = bag.from_sequence(["A dog runs.", "Prices rose.", "No."], npartitions=2)
    >>> vectors = skpara.dask.encode(ParagramEncoder(), sentences)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     np.stack(vectors["vector"].compute().to_list()).shape
    (3, 256)
    """
    if dtype not in ("float32", "float16"):
        raise ValueError(f"dtype must be 'float32' or 'float16', got {dtype!r}.")
    if not hasattr(sentences, "npartitions"):
        raise TypeError(f"sentences must be a dask Series or Bag, got {type(sentences).__name__}.")
    if hasattr(sentences, "to_dataframe"):  # a bag
        sentences = sentences.to_dataframe(meta={"sentence": str})["sentence"]
    n_dims = np.asarray(encoder.encode([""])).shape[1]
    meta = _vectors(np.empty((0, n_dims)), None, dtype)
    parts: Any = sentences
    return parts.map_partitions(_encoded, _node(encoder), n_dims, dtype, meta=meta)


def predict(model: Any, pairs: DataFrame | Bag) -> Series:
    """Scores of pairs; lazy, as :func:`encode` is.

    Parameters
    ----------
    model : fitted regressor of pairs
        A pipeline, a search, :class:`skpara.SiameseRegressor`, ...
    pairs : dask DataFrame of two columns, or dask Bag of (str, str)

    Returns
    -------
    dask Series of float64, named ``score``
        The index is that of the pairs.

    Examples
    --------
    >>> import dask
    >>> from dask import bag
    >>> from sklearn.pipeline import make_pipeline
    >>> import skpara.dask
    >>> from skpara import FusionRegressor, ParagramEncoder
    >>> from skpara.datasets import load_sts_sample
    >>> pairs, scores = load_sts_sample(return_X_y=True)
    >>> model = make_pipeline(ParagramEncoder(max_iter=1), FusionRegressor()).fit(pairs, scores)
    >>> new = bag.from_sequence([("A dog runs.", "A puppy runs."), ("A dog runs.", "It rains.")])
    >>> with dask.config.set(scheduler="synchronous"):
    ...     near, far = skpara.dask.predict(model, new).compute()
    >>> bool(near > far)
    True
    """
    import pandas as pd

    if not hasattr(pairs, "npartitions"):
        raise TypeError(f"pairs must be a dask DataFrame or Bag, got {type(pairs).__name__}.")
    if hasattr(pairs, "to_dataframe"):  # a bag
        pairs = pairs.to_dataframe(meta={"first": str, "second": str})
    meta = pd.Series(name="score", dtype="float64")
    parts: Any = pairs
    return parts.map_partitions(_predicted, _node(model), meta=meta)


def _node(model: Any) -> Any:
    """The model as a node of the graph: sent to a worker once, not with each partition.

    Scattered data would be lost with the worker that holds it; a node is made again.
    """
    from dask.delayed import delayed

    return delayed(model, traverse=False)


def _encoded(sentences: Column, encoder: Any, n_dims: int, dtype: str) -> Frame:
    found = encoder.encode(sentences) if len(sentences) else np.empty((0, n_dims))
    return _vectors(found, sentences.index, dtype)


def _predicted(pairs: Frame, model: Any) -> Column:
    import pandas as pd

    named = hasattr(model, "feature_names_in_")  # else names would call for a warning
    scores = model.predict(pairs if named else pairs.to_numpy(object)) if len(pairs) else []
    return pd.Series(scores, pairs.index, "float64", "score")


def _vectors(vectors: NDArray[Any], index: Any, dtype: str) -> Frame:
    """Rows as one column of lists, without a Python object for any."""
    import pandas as pd
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors, dtype=dtype).ravel())
    lists = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return pd.DataFrame({"vector": pd.arrays.ArrowExtensionArray(lists)}, index=index)
