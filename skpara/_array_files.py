"""Named arrays in one ``.safetensors`` file: written atomically, large ones read by memory map."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._files import missing_file, replace_file
from skpara._typing import Bools

_FLOATS = {"F16": "float16", "F32": "float32", "F64": "float64"}
_INTEGERS = {f"I{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}
_UNSIGNED = {f"U{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)}
_TYPES = {"BOOL": "bool", **_FLOATS, **_INTEGERS, **_UNSIGNED}
_NAMES = {np.dtype(kind): name for name, kind in _TYPES.items()}
# Start of the header of a file with a checksum: eight hexadecimal digits, computed over the whole
# file with zeros in their place.
_START = b'{"__metadata__":{"checksum":"'
_ZEROS = "0" * 8
_BLOCK = 2**20  # bytes read at a time for a checksum
# Bytes of a file that is read as a whole, in a tenth of a second; models have 20 MB.
_LARGEST_READ = 2**28


def write_arrays(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: dict[str, str]) -> None:
    """Write arrays of numbers or bool, metadata and a checksum, or nothing after an error."""
    # safetensors.numpy.save_file writes metadata in random order, so that equal content gives
    # different files, and releases before 0.8, which setup.py allows, first copy all arrays to
    # bytes: twice the memory of a large table.
    names = sorted(arrays, key=lambda name: (-arrays[name].itemsize, name))  # aligned
    header: dict[str, Any] = {"__metadata__": {"checksum": _ZEROS} | metadata}
    end = 0
    for name in names:
        array = arrays[name]
        begin, end = end, end + array.nbytes
        entry = {"dtype": _NAMES[array.dtype], "shape": list(array.shape)}
        header[name] = {**entry, "data_offsets": [begin, end]}
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    text = len(text).to_bytes(8, "little") + text
    contiguous = [np.ascontiguousarray(arrays[name]) for name in names]
    checksum = zlib.crc32(text)
    for array in contiguous:
        checksum = zlib.crc32(array.reshape(-1).view(np.uint8).data, checksum)
    text = text.replace(_START + _ZEROS.encode(), b"%s%08x" % (_START, checksum), 1)

    def write(unfinished: Path) -> None:
        with unfinished.open("wb") as file:
            file.write(text)
            for array in contiguous:
                array.tofile(file)

    replace_file(path, write)


def map_arrays(path: Path) -> tuple[dict[str, NDArray[Any]], dict[str, str]]:
    """Read metadata and read-only arrays, memory-mapped if the file is large or of the package.

    Arrays of types that NumPy lacks are left out.
    """
    from safetensors import SafetensorError, safe_open

    if not path.is_file():
        raise missing_file(path)
    try:  # safetensors itself checks that all sizes and offsets are within the file
        with safe_open(path, framework="numpy"):
            pass
    except (SafetensorError, OSError) as error:
        raise ValueError(
            f"{path} is not a safetensors file or is cut short: {error}. Download or write it "
            "again."
        ) from error
    # Mapped by NumPy, since safe_open would copy each array. A process dies when it reads a map of
    # a file that was cut since, which nobody does to files of a package.
    is_packaged = path.is_relative_to(Path(__file__).parent)
    # 20 MB in 8 ms. Other files of vectors may be large, and models have more to say.
    if is_packaged and not check_checksum(path):
        raise ValueError(f"{path} is damaged. Install skpara again.")
    mapped = is_packaged or path.stat().st_size > _LARGEST_READ
    arrays: dict[str, NDArray[Any]] = {}
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        header = json.loads(file.read(length))
        metadata = header.pop("__metadata__", None) or {}
        for name, entry in header.items():
            if entry["dtype"] not in _TYPES:
                continue
            begin, end = (8 + length + offset for offset in entry["data_offsets"])
            dtype = np.dtype(_TYPES[entry["dtype"]])
            # Each on its own, so that the memory of one that is not kept is free again.
            if not mapped or begin == end:
                file.seek(begin)
                array = np.fromfile(file, dtype, (end - begin) // dtype.itemsize)
                array.flags.writeable = False
            else:
                array = np.memmap(path, dtype, "r", begin, (end - begin) // dtype.itemsize)
            arrays[name] = array.reshape(entry["shape"])
    return arrays, metadata


def check_checksum(path: Path) -> bool:
    """Whether a file has a checksum that fits its content."""
    with path.open("rb") as file:
        start = file.read(8 + len(_START) + len(_ZEROS))
        expected = start[-len(_ZEROS) :]
        if start[8 : -len(_ZEROS)] != _START:
            return False
        checksum = zlib.crc32(start[: -len(_ZEROS)] + _ZEROS.encode())
        while block := file.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return expected == b"%08x" % checksum


def check_array(
    name: str, array: Any, dtype: Any, shape: tuple[int | None, ...], *, below: int | None = None
) -> None:
    """Raise a ValueError unless an array from a file has the expected type, shape and numbers.

    Parameters
    ----------
    name : str
        Name of the array in the error message.
    array : ndarray
        The array, see :func:`is_usable`.
    dtype : type
        A type of NumPy or an abstract one, such as ``np.floating``.
    shape : tuple of int or None
        None stands for any length.
    below : int, optional
        The numbers must be positions in a sequence of this length.
    """
    kind = getattr(array, "dtype", type(array))
    if not (isinstance(array, np.ndarray) and np.issubdtype(array.dtype, dtype)):
        raise ValueError(f"{name} has the type {kind}, not {dtype.__name__}")
    fits = [n in (None, size) for n, size in zip(shape, array.shape, strict=False)]
    if array.ndim != len(shape) or not all(fits):
        raise ValueError(f"{name} has the shape {array.shape}, not {shape}")
    # The sum of squares is quick; numbers that it is too small for are checked one by one.
    quick = array.dtype in (np.float32, np.float64) and np.isfinite(np.vdot(array, array))
    if not quick and not is_usable(array).all():
        raise ValueError(f"{name} has NaN, infinite or huge numbers")
    if below is not None and not ((array >= 0) & (array < below)).all():
        raise ValueError(f"{name} has positions outside 0 to {below - 1}")


def check_texts(name: str, values: Any, size: int | None = None) -> None:
    """Raise a ValueError unless something from a file is a list of strings, of the given size."""
    if type(values) is not list or size not in (None, len(values)):
        raise ValueError(f"{name} are not {size} texts")
    check_whole("".join(values))  # raises an error if it is not text


def check_whole(text: str) -> None:
    """Raise a ValueError if a text has half a character, which UTF-8 has not."""
    try:
        text.encode()
    except UnicodeEncodeError as error:
        half = text[error.start : error.start + 1]
        raise ValueError(
            f"A word with half a character, {half!r}, cannot be written; remove it."
        ) from error


def is_usable(array: NDArray[Any]) -> Bools:
    """Return a mask of finite numbers so small that the sum of ten million is finite."""
    if array.dtype.kind != "f":
        return np.ones(array.shape, dtype=bool)
    limit = np.finfo(array.dtype).max / 1e7
    return (array >= -limit) & (array <= limit)


def pack_words(words: list[str]) -> NDArray[np.uint8]:
    """Encode words as one array of bytes, separated by line breaks."""
    if any("\n" in word for word in words):
        raise ValueError("A word with a line break cannot be written; remove it.")
    text = "\n".join(words)
    check_whole(text)
    return np.frombuffer(text.encode(), dtype=np.uint8)


def unpack_words(packed: NDArray[np.uint8]) -> list[str]:
    """Decode the words that :func:`pack_words` encoded."""
    return packed.tobytes().decode("utf8").split("\n")
