"""Signatures of text_kernels.c, where each function is described."""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skpara._typing import Floats, Vectors

_Ids: TypeAlias = NDArray[np.int64]

ABI: int

def fill_index(slots: NDArray[np.uint64], text: bytes, ends: _Ids, /) -> None: ...
def token_ids(
    slots: NDArray[np.uint64],
    text: bytes,
    characters: NDArray[np.uint32],
    offsets: _Ids,
    strings: list[str],
    normalize: Callable[[str], str],
    unknown: Mapping[str, int],
    /,
) -> tuple[bytes, int]: ...
def row_sums(
    sums: Vectors,
    n_dims: int,
    ids: NDArray[np.int32],
    offsets: _Ids,
    weights: Vectors | None,
    table: NDArray[np.float32] | NDArray[np.int8],
    scales: Vectors | None,
    moved: Vectors,
    extra: Vectors | None,
    redundancy: float,
    lengths: Vectors | None,
    extra_lengths: Vectors | None,
    /,
) -> None: ...
def nearest_words(
    shares: NDArray[Any],
    ngrams: NDArray[Any],
    words_of_ngrams: NDArray[Any],
    cosines: Vectors,
    words: list[str],
    /,
) -> None: ...
def best_tags(
    transitions: Floats,
    n_tags: int,
    end: int,
    words: _Ids,
    sentence_offsets: _Ids,
    tag_offsets: _Ids,
    own_tags: Floats,
    cases: _Ids,
    n_listed: int,
    of_case: Floats,
    priors: Floats,
    cutoff: float,
    found: _Ids,
    /,
) -> None: ...
def row_products(
    left_starts: NDArray[np.int32],
    left_indices: NDArray[np.int32],
    left_values: Vectors,
    right_starts: NDArray[np.int32],
    right_indices: NDArray[np.int32],
    right_values: Vectors,
    n_columns: int,
    left_rows: _Ids,
    right_rows: _Ids,
    products: Floats,
    /,
) -> None: ...
def best_products(
    row_starts: NDArray[np.int32],
    row_indices: NDArray[np.int32],
    row_values: Vectors,
    column_starts: NDArray[np.int32],
    column_indices: NDArray[np.int32],
    column_values: Vectors,
    n: int,
    k: int,
    best: _Ids,
    /,
) -> None: ...
def dense_products(
    matrix: Vectors, n_columns: int, rows: _Ids, other_rows: _Ids, products: Vectors, /
) -> None: ...
def word_pairs(
    first_words: _Ids,
    first_sizes: _Ids,
    second_words: _Ids,
    second_sizes: _Ids,
    spellings: NDArray[np.void],
    first_same: Floats,
    second_same: Floats,
    first_places: _Ids,
    second_places: _Ids,
    /,
) -> int: ...
def find_words(
    packed: NDArray[np.uint8],
    starts: _Ids,
    keys: NDArray[np.uint64],
    words: list[str],
    rows: _Ids,
    /,
) -> None: ...
def base_forms(
    packed: NDArray[np.uint8],
    starts: _Ids,
    keys: NDArray[np.uint64],
    kinds: NDArray[np.uint8],
    first_entries: _Ids,
    sense_starts: _Ids,
    senses: NDArray[np.int32],
    irregular: dict[str, dict[str, list[str]]],
    word: str,
    /,
) -> tuple[dict[str, list[str]], frozenset[int]]: ...
def morphology(
    morpheme_slots: NDArray[np.uint64],
    morphemes: bytes,
    own_starts: _Ids,
    own: Floats,
    step_starts: _Ids,
    steps: Floats,
    end_starts: _Ids,
    ends: Floats,
    ending_slots: NDArray[np.uint64],
    endings: bytes,
    ending_values: Floats,
    guesses: Floats,
    n_tags: int,
    first_last: int,
    first_tag: int,
    /,
) -> Any: ...
def word_tags(model: Any, word: bytes, /) -> list[tuple[int, float]]: ...
