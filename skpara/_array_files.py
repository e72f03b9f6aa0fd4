"""Named arrays in one ``.safetensors`` file: written beside and renamed, read by memory map."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._files import replace_file

_TYPES = {
    "BOOL": np.bool_,
    "F16": np.float16,
    "F32": np.float32,
    "F64": np.float64,
    "I8": np.int8,
    "I16": np.int16,
    "I32": np.int32,
    "I64": np.int64,
    "U8": np.uint8,
    "U16": np.uint16,
    "U32": np.uint32,
    "U64": np.uint64,
}
_NAMES = {np.dtype(kind): name for name, kind in _TYPES.items()}


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write a file that is either whole or, if something fails, not there.

    The arrays are written one after the other, so that none is copied in memory.
    """
    names = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))  # keeps them aligned
    header: dict[str, Any] = {"__metadata__": metadata}
    end = 0
    for name in names:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(array.shape),
            "data_offsets": [begin, end],
        }
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as opened:
            opened.write(len(text).to_bytes(8, "little") + text)
            for name in names:
                np.ascontiguousarray(arrays[name]).tofile(opened)

    replace_file(path, write)


def map_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Arrays, mapped, and metadata. The header is JSON behind its own length (8 bytes).

    Arrays of types that NumPy lacks are left out.

    Raises
    ------
    FileNotFoundError, ValueError
        If there is no such file, or it is none of this kind, or it is cut short.
    """
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise FileNotFoundError(f"There is no file {path}.")
    try:  # the format's own reader refuses sizes and places that the file does not have
        with safe_open(path, framework="numpy"):
            pass
    except (SafetensorError, OSError) as error:
        raise ValueError(
            f"{path} is not a safetensors file, or is cut short: {error}. Fetch or write it again."
        ) from error
    with open(path, "rb") as opened:
        length = int.from_bytes(opened.read(8), "little")
        header = json.loads(opened.read(length))
    metadata = header.pop("__metadata__", None) or {}
    arrays = {}
    for name, entry in header.items():
        if entry["dtype"] not in _TYPES:
            continue
        begin, end = (8 + length + offset for offset in entry["data_offsets"])
        dtype, shape = np.dtype(_TYPES[entry["dtype"]]), tuple(entry["shape"])
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
