"""Vectors, scores and matches of Dask collections."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from dask.bag import Bag
    from dask.dataframe import DataFrame, Series
    from pandas import DataFrame as Frame
    from pandas import Series as Column

__all__ = ["encode", "match", "predict"]


def encode(encoder: Any, sentences: Series | Bag, *, dtype: str = "float32") -> DataFrame:
    """Compute vectors of sentences lazily, partition by partition.

    Parameters
    ----------
    encoder : object with ``encode``
        A fitted encoder, or a :class:`skpara.ParagramEncoder` that has its vectors.
    sentences : dask Series or dask Bag of str
        The sentences.
    dtype : {"float32", "float16"}, default="float32"
        The type of the vectors; "float16" halves the file and keeps three decimal digits.

    Returns
    -------
    dask DataFrame with the column ``vector``
        Lists of fixed length, a type of PyArrow and Parquet, with the index of the sentences.
        ``to_parquet`` computes and writes one partition after the other.

    Notes
    -----
    The encoder is a node of Dask's graph, which each worker receives once. Dask warns of graphs
    above 10 MB ("Sending large graph"); ignore this.

    ``to_parquet(..., use_dictionary=False, compression=None)`` is fastest, because vectors neither
    repeat nor compress. By default Dask names the files such that part.10 is sorted before part.2;
    pass ``name_function=lambda i: f"{i:06d}.parquet"`` to keep the order.

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
    _check_collection("sentences", sentences, "Series")
    if hasattr(sentences, "to_dataframe"):  # a Bag
        sentences = sentences.to_dataframe(meta={"sentence": str})["sentence"]
    n_dims = np.asarray(encoder.encode([""])).shape[1]
    meta = _vectors(np.empty((0, n_dims)), None, dtype)
    parts: Any = sentences
    return parts.map_partitions(_encoded, _node(encoder), n_dims, dtype, meta=meta)


def match(matcher: Any, queries: DataFrame | Series | Bag, *, on: Any = None) -> DataFrame:
    """Find the matches of rows lazily, as ``TableMatcher.match`` does.

    Partitions are compared with the reference where they are. Their candidates, some 30 numbers
    for each row, come together on one worker, because probabilities depend on all rows.

    Parameters
    ----------
    matcher : TableMatcher
        A fitted matcher.
    queries : dask DataFrame, dask Series or dask Bag of str
        The rows to find matches for.
    on : str or list of str, default=None
        The columns to compare; None is the columns of the reference.

    Returns
    -------
    dask DataFrame with the columns ``query``, ``candidate`` and ``probability`` or ``score``
        The matches, in one partition. Rows are numbered in the order of the partitions, from 0.

    Examples
    --------
    >>> import dask
    >>> from dask import bag
    >>> import skpara.dask
    >>> from skpara import TableMatcher
    >>> matcher = TableMatcher().fit(["red bicycle", "garden chair"])
    >>> queries = bag.from_sequence(["a bike (red)", "birthday cake"], npartitions=2)
    >>> with dask.config.set(scheduler="synchronous"):
    ...     skpara.dask.match(matcher, queries).compute()[["query", "candidate"]].values.tolist()
    [[0, 0]]
    """
    from dask.dataframe import from_delayed
    from dask.delayed import delayed

    from skpara.matching import match_parts, score_part

    _check_collection("queries", queries, "DataFrame, Series")
    node, parts = _node(matcher), queries.to_delayed()  # type: ignore[no-untyped-call]
    scored = [delayed(score_part)(node, part, on) for part in parts]
    # Of no rows; an error in the columns is raised here.
    meta = match_parts(matcher, [score_part(matcher, getattr(queries, "_meta", []), on)])
    return from_delayed([delayed(match_parts)(node, scored)], meta=meta)


def predict(model: Any, pairs: DataFrame | Bag) -> Series:
    """Compute scores of pairs lazily, partition by partition.

    Parameters
    ----------
    model : fitted regressor of pairs
        A pipeline, a search, a :class:`skpara.SiameseRegressor`, ...
    pairs : dask DataFrame with two columns, or dask Bag of (str, str)
        The pairs.

    Returns
    -------
    dask Series of float64, named ``score``
        One score per pair, with the index of the pairs.

    Examples
    --------
    >>> import dask
    >>> from dask import bag
    >>> import skpara.dask
    >>> from skpara import SiameseRegressor
    >>> pairs = [("A dog runs.", "A puppy runs."), ("A dog runs.", "It rains.")]
    >>> model = SiameseRegressor(max_iter=1).fit(pairs, [4.0, 0.0])
    >>> with dask.config.set(scheduler="synchronous"):
    ...     skpara.dask.predict(model, bag.from_sequence(pairs)).compute().shape
    (2,)
    """
    import pandas as pd

    _check_collection("pairs", pairs, "DataFrame")
    if hasattr(pairs, "to_dataframe"):  # a Bag
        names = getattr(model, "feature_names_in_", ("first", "second"))
        pairs = pairs.to_dataframe(meta=dict.fromkeys(names, str))
    meta = pd.Series(name="score", dtype="float64")
    parts: Any = pairs
    return parts.map_partitions(_predicted, _node(model), meta=meta)


def _check_collection(name: str, collection: Any, kind: str) -> None:
    if not hasattr(collection, "npartitions"):
        raise TypeError(f"{name} must be a dask {kind} or Bag, got {type(collection).__name__}.")


def _node(model: Any) -> Any:
    """Return the model as a node of the graph, which is sent to each worker once.

    An argument would be sent with each partition. Scattered data would be lost with its worker,
    whereas the scheduler can send a node again.
    """
    from dask.delayed import delayed

    return delayed(model, traverse=False)


def _encoded(sentences: Column, encoder: Any, n_dims: int, dtype: str) -> Frame:
    vectors = encoder.encode(sentences) if len(sentences) else np.empty((0, n_dims))
    return _vectors(vectors, sentences.index, dtype)


def _predicted(pairs: Frame, model: Any) -> Column:
    import pandas as pd

    # A model that was fitted without column names warns of a frame.
    X = pairs if hasattr(model, "feature_names_in_") else pairs.to_numpy(object)
    scores = model.predict(X) if len(pairs) else []
    return pd.Series(scores, pairs.index, "float64", "score")


def _vectors(vectors: NDArray[Any], index: Any, dtype: str) -> Frame:
    """Return rows as one column of lists without creating a Python object for each."""
    import pandas as pd
    import pyarrow as pa

    flat = pa.array(np.ascontiguousarray(vectors, dtype=dtype).ravel())
    lists = pa.FixedSizeListArray.from_arrays(flat, vectors.shape[1])
    return pd.DataFrame({"vector": pd.arrays.ArrowExtensionArray(lists)}, index=index)
