"""Named arrays in one ``.safetensors`` file: written beside and renamed, read by memory map."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

_TYPES = {"F32": np.float32, "I8": np.int8, "U8": np.uint8, "I64": np.int64}
_LARGEST_HEADER = 100_000_000


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write a file that is either whole or, if something fails, not there."""
    from safetensors.numpy import save_file

    beside = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    try:
        save_file({k: np.ascontiguousarray(a) for k, a in arrays.items()}, beside, metadata)
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def map_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Arrays, mapped, and metadata. The header is JSON behind its own length (8 bytes).

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such file, or it is none of this kind, or it is cut short.
    """
    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    size = path.stat().st_size
    with open(path, "rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        if not 2 <= length <= min(size - 8, _LARGEST_HEADER):
            raise ValueError(f"{path} is not a safetensors file, or is cut short.")
        try:
            header = json.loads(opened.read(length))
        except ValueError as error:
            raise ValueError(f"{path} is not a safetensors file: its header is broken.") from error
    metadata = header.pop("__metadata__", {})
    arrays = {}
    for name, entry in header.items():
        if entry["dtype"] not in _TYPES:
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        dtype, shape = np.dtype(_TYPES[entry["dtype"]]), tuple(entry["shape"])
        if end > size or end - begin != dtype.itemsize * int(np.prod(shape, dtype=np.int64)):
            raise ValueError(f"{path} is cut short: {name} should end at byte {end} of {size}.")
        if begin == end:
            arrays[name] = np.empty(shape, dtype=dtype)
        else:
            arrays[name] = np.memmap(path, dtype=dtype, mode="r", offset=begin, shape=shape)
    return arrays, metadata


def pack_words(words: list[str]) -> NDArray[np.uint8]:
    """Words as one array of bytes.

    Raises
    ------
    ValueError
        If a word has a line break.
    """
    if any("\n" in word for word in words):
        raise ValueError("A word with a line break cannot be written; remove it.")
    return np.frombuffer("\n".join(words).encode("utf8"), dtype=np.uint8)


def unpack_words(packed: NDArray[np.uint8]) -> list[str]:
    """What :func:`pack_words` packed."""
    return packed.tobytes().decode("utf8").split("\n")
