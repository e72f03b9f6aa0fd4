"""Signatures of list_kernels.c, where each function is described.

``ids`` and ``offsets`` are a ragged list; ``left`` and ``right`` are the positions of the two
lists of each pair. The last arguments are written to.
"""

from typing import TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Bools, Floats, Vectors

_Ids: TypeAlias = NDArray[np.int64]
T = TypeVar("T")

ABI: int

def distinct(
    ids: _Ids, offsets: _Ids, n_ids: int, out_ids: _Ids, counts: Floats, out_offsets: _Ids, /
) -> None: ...
def shared_ngrams(
    ids: _Ids, offsets: _Ids, left: _Ids, right: _Ids, longest: int, shared: Floats, /
) -> None: ...
def shared_weights(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    weights: Floats,
    n_ids: int,
    sums: Floats,
    /,
) -> None: ...
def weighted_cosines(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    weights: Floats,
    n_ids: int,
    damped: Floats,
    cosines: Floats,
    /,
) -> None: ...
def missing(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    marks: Bools,
    n_ids: int,
    pairs: _Ids,
    places: _Ids,
    /,
) -> int: ...
def cut(
    characters: NDArray[np.uint32],
    offsets: _Ids,
    ends: _Ids,
    shortest: int,
    longest: int,
    ids: _Ids,
    new_offsets: _Ids,
    starts: _Ids,
    lengths: _Ids,
    /,
) -> int: ...
def index_terms(
    characters: NDArray[np.uint32],
    starts: _Ids,
    lengths: _Ids,
    slots: NDArray[np.int32],
    /,
) -> None: ...
def find_terms(
    characters: NDArray[np.uint32],
    starts: _Ids,
    lengths: _Ids,
    slots: NDArray[np.int32],
    text: NDArray[np.uint32],
    text_starts: _Ids,
    text_lengths: _Ids,
    numbers: _Ids,
    /,
) -> None: ...
def sequences(ids: _Ids, offsets: _Ids, left: _Ids, right: _Ids, distances: _Ids, /) -> None: ...
def unmatched(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    kinds: NDArray[np.uint8],
    weights: Floats,
    are_swapped: Bools,
    least: float,
    numbers: Floats,
    /,
) -> None: ...
def cell_cosines(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    matrix: Vectors,
    n_dims: int,
    norms: Floats,
    cells: Floats,
    keys: _Ids | None,
    n_ids: int,
    least: float,
    factor: float,
    /,
) -> None: ...
def best_of_cells(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    cells: Floats,
    counts: Floats,
    weights: Floats,
    n_ids: int,
    means: Floats,
    worst: Floats,
    /,
) -> None: ...
def align_cells(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    similar: Floats,
    window: int,
    neighbor_weight: float,
    pairs: _Ids,
    firsts: _Ids,
    seconds: _Ids,
    similarities: Floats,
    /,
) -> int: ...
def vector_cosines(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    matrix: Vectors,
    n_dims: int,
    weights: Floats,
    n_ids: int,
    cosines: Floats,
    /,
) -> None: ...
def path_similarities(
    ids: _Ids,
    offsets: _Ids,
    left: _Ids,
    right: _Ids,
    senses: _Ids,
    sense_offsets: _Ids,
    parents: NDArray[np.int32],
    parent_offsets: _Ids,
    n_nouns: int,
    means: Floats,
    /,
) -> None: ...
def trees(
    rows: Floats,
    n_features: int,
    features: NDArray[np.int32],
    thresholds: Floats,
    left: NDArray[np.int32],
    values: Floats,
    n_trees: int,
    baseline: float,
    predictions: Floats,
    /,
) -> None: ...
def tokens(sentence: str, /) -> list[str] | None: ...
def number(lists: list[list[T]], numbers: dict[T, int], ids: _Ids, /) -> None: ...
