"""Type aliases."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence, Sized
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray


class FrameLike(Protocol):
    """A frame of pandas or polars, or a table of another library."""

    @property
    def columns(self) -> Any:
        """The columns or their names."""


class PolarsLazyLike(Protocol):
    """A lazy frame of polars, whose results are computed frames."""

    def collect_schema(self) -> Any:
        """Return the types of the columns."""

    def sink_parquet(self, path: Any, /) -> Any:
        """Compute the frame, and write it."""


class DuckDBLike(Protocol):
    """A relation of DuckDB, whose results are tables of pyarrow."""

    def fetchall(self) -> list[Any]:
        """Return the rows."""


class SizedFrameLike(FrameLike, Sized, Protocol):
    """A frame that is in memory."""


class ColumnLike(Protocol):
    """A Series of pandas or polars."""

    def to_list(self) -> list[Any]:
        """Return the cells."""


class SizedColumnLike(ColumnLike, Sized, Protocol):
    """A Series, which has a length."""


class ArrowColumnLike(Protocol):
    """An array of pyarrow."""

    def to_pylist(self) -> list[Any]:
        """Return the cells."""


class SentenceModel(Protocol):
    """Any object with a method ``encode``."""

    def encode(self, sentences: list[str], /) -> Any:
        """Return vectors of sentences, array-like of shape (n_sentences, n_dims)."""


class Scorer(Protocol):
    """A fitted estimator of pairs that predicts scores."""

    def predict(self, X: Any, /) -> Any:
        """Predict the scores of pairs, shape (n_pairs,)."""


class Classifier(Protocol):
    """A fitted estimator of pairs that predicts the probability of each class."""

    def predict_proba(self, X: Any, /) -> Any:
        """Predict the probabilities, shape (n_pairs, n_classes)."""


# Vectors of sentences, by the packaged vectors or by anything else.
EncoderLike: TypeAlias = Literal["default"] | SentenceModel
PairModel: TypeAlias = Scorer | Classifier

# X as users pass it: text of shape (n_pairs, 2), or of shape (n_sentences,) where a docstring says
# sentences, in any container. `skpara._pairs` converts either to Python strings. A tuple of any
# length, since that is what tuple(row) is to a type checker; and frames and columns in both, as
# what frame[names] is depends on the names, which a type checker does not know.
SentencesLike: TypeAlias = (
    Sequence[str] | NDArray[Any] | ColumnLike | ArrowColumnLike | SizedFrameLike
)
PairsLike: TypeAlias = (
    Sequence[tuple[str, ...]]
    | Sequence[list[str]]
    | Sequence[NDArray[Any]]
    | NDArray[Any]
    | SizedFrameLike
    | SizedColumnLike
)

# A table to match: a frame, sentences, or columns by their names.
TableLike: TypeAlias = SentencesLike | FrameLike | Mapping[str, Any]
LazyLike: TypeAlias = PolarsLazyLike | DuckDBLike

FilePath: TypeAlias = str | os.PathLike[str]

# Parameters or other attributes of an object, by their names.
Attributes: TypeAlias = dict[str, Any]
# The values that parameters of an estimator may have, as scikit-learn states them.
Constraints: TypeAlias = dict[str, Any]

# The columns to compare, or the kind of each: a name, or an object of a class of kinds.
Columns: TypeAlias = str | int | Sequence[Any] | Mapping[Any, Any]

# Rows without a match are left out of a join, or kept.
How = Literal["inner", "left", "right", "outer", "anti"]

# Validated pairs: shape (n_pairs, 2), Python strings.
Pairs: TypeAlias = NDArray[np.object_]
Floats: TypeAlias = NDArray[np.float64]
Bools: TypeAlias = NDArray[np.bool_]
Ints: TypeAlias = NDArray[np.int64]
Objects: TypeAlias = NDArray[np.object_]
# Vectors and weights are kept in single precision throughout.
Vectors: TypeAlias = NDArray[np.float32]
Weights: TypeAlias = dict[str, NDArray[np.float32]]

# Treatment of out-of-vocabulary words; see `WordVectors.lookup`.
Oov = Literal["subword", "rare", "zero"]
# Columns that encoders make of a pair.
Output = Literal["measures", "similarity", "interaction", "both"]
OptimizerName = Literal["adadelta", "adagrad", "adam"]
NetworkName = Literal[
    "average",
    "projection",
    "dan",
    "rnn",
    "irnn",
    "lstm",
    "lstm_no_output_gate",
    "gran",
    "charagram",
]

# Pairs, and their scores if there are any.
ValidationSet: TypeAlias = tuple[Pairs, Floats | None]
