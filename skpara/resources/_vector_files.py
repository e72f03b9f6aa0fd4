"""Reading and writing files of word vectors.

A reader returns the arguments of ``WordVectors``: words, rows, and scales if rows are 8-bit codes.
"""

from __future__ import annotations

import math
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, pack_words, unpack_words, write_arrays
from skpara._files import replace_file
from skpara.resources._word2vec import largest_unpacked, read_word2vec
from skpara.text import normalize

Table = tuple[list[str], NDArray[Any], "NDArray[np.float32] | None"]

_FORMAT = "skpara.WordVectors"
_ARRAYS = ("words", "matrix", "codes", "scales")
_NPY_HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}


def read(path: Path) -> Table:
    """Read a file of any supported format, by its suffix, else by its first bytes."""
    if not path.is_file():
        raise FileNotFoundError(
            f"There are no word vectors at {path}. Pass the path of a word2vec, GloVe, .npz or "
            ".safetensors file, or 'default' for the vectors that ship with skpara."
        )
    suffix = path.suffix.lower()
    if suffix == ".safetensors":
        return _read_safetensors(path)
    if suffix == ".npz":
        return _read_npz(path)
    if suffix in (".kv", ".model", ".pkl", ".pickle"):
        raise ValueError(
            f"{path} is a pickle, which can run code when loaded. If you trust it, load it "
            "yourself (gensim.models.KeyedVectors.load) and pass the object."
        )
    return lower_cased(*read_word2vec(path))


def from_mapping(mapping: Mapping[str, Any]) -> Table:
    """Convert a mapping from words to vectors."""
    words = list(mapping)
    not_text = [word for word in words if not isinstance(word, str)]
    if not_text:
        raise TypeError(f"The mapping's keys must be words (str), got {not_text[0]!r}.")
    shapes = {np.shape(vector) for vector in mapping.values()}
    if len(shapes) != 1 or len(next(iter(shapes))) != 1:
        raise ValueError(
            "The mapping's vectors must all be one-dimensional and of one length, got shapes "
            f"{sorted(shapes)[:3]}."
        )
    return lower_cased(words, np.array(list(mapping.values()), dtype=np.float32))


def lower_cased(words: Sequence[str], rows: NDArray[np.float32]) -> Table:
    """Normalize words as tokens are normalized, and keep one row for each result.

    A word that is normalized already has precedence over one that is not ("us" over "US").
    """
    forms = [normalize(word) for word in words]
    if forms == list(words) and len(set(forms)) == len(forms):
        return forms, np.asarray(rows, dtype=np.float32), None
    chosen: dict[str, int] = {}
    changed = []
    for i, (word, form) in enumerate(zip(words, forms, strict=True)):
        if word == form:
            chosen.setdefault(form, i)
        else:
            changed.append(i)
    for i in changed:
        chosen.setdefault(forms[i], i)
    positions = sorted(chosen.values())
    return [forms[i] for i in positions], np.asarray(rows[positions], dtype=np.float32), None


def write(
    path: Path,
    words: Sequence[str],
    rows: NDArray[Any],
    scales: NDArray[np.float32] | None,
) -> None:
    """Write a ``.safetensors`` or ``.npz`` file atomically."""
    arrays: dict[str, Any] = {
        "words": pack_words(list(words)),
        "codes" if scales is not None else "matrix": np.ascontiguousarray(rows),
    }
    if scales is not None:
        arrays["scales"] = scales
    if path.suffix == ".safetensors":
        write_arrays(path, arrays, {"format": _FORMAT, "version": "1"})
    elif path.suffix == ".npz":
        replace_file(path, lambda unfinished: np.savez(unfinished, **arrays))
    else:
        raise ValueError(
            f"Word vectors are saved as .safetensors or .npz, got {path.name}; change the suffix."
        )


def _read_safetensors(path: Path) -> Table:
    arrays, metadata = map_arrays(path)
    if metadata.get("format") != _FORMAT:
        raise ValueError(
            f"{path} has no word vectors of skpara but the arrays {sorted(arrays)[:5]}. "
            "Write such a file with WordVectors.save."
        )
    return _joined(path, arrays)


def _read_npz(path: Path) -> Table:
    arrays = {}
    try:
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                name = info.filename.removesuffix(".npy")
                if name in _ARRAYS:
                    arrays[name] = _array(archive, info)
    except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, RuntimeError, OSError) as error:
        # RuntimeError includes NotImplementedError, for an unknown compression.
        raise ValueError(
            f"{path} is not a readable .npz file: {error}. Download or write it again."
        ) from error
    return _joined(path, arrays)


def _array(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> NDArray[Any]:
    """Read an array; allocate no more memory than the archive can fill."""
    if info.file_size > largest_unpacked(info.compress_size, harmless=2**26):
        raise ValueError(f"{info.filename} claims {info.file_size} bytes")
    with archive.open(info) as stream:
        version = np.lib.format.read_magic(stream)
        if version not in _NPY_HEADERS:
            raise ValueError(f"{info.filename} is of version {version} of the .npy format")
        try:
            shape, by_columns, dtype = _NPY_HEADERS[version](stream)
        except Exception as error:  # NumPy evaluates the header, which can raise anything
            raise ValueError(f"{info.filename} has a damaged header ({error})") from error
        if dtype.kind not in "Ufiu":
            raise ValueError(f"{info.filename} has type {dtype}, neither text nor numbers")
        n_items = math.prod(shape)
        if min(shape, default=0) < 0 or n_items * dtype.itemsize != info.file_size - stream.tell():
            raise ValueError(f"{info.filename} does not have the shape {shape} that it claims")
        array: NDArray[Any] = np.frombuffer(stream.read(), dtype=dtype)
        return array.reshape(shape, order="F" if by_columns else "C")


def _joined(path: Path, arrays: Mapping[str, NDArray[Any]]) -> Table:
    rows = arrays.get("matrix", arrays.get("codes"))
    words = arrays.get("words")
    if words is None or rows is None or ("codes" in arrays and "scales" not in arrays):
        raise ValueError(
            f"{path} must have the arrays 'words' and 'matrix' (or 'codes' and 'scales'), got "
            f"{sorted(arrays)}."
        )
    if words.ndim != 1 or rows.ndim != 2:
        raise ValueError(
            f"{path}: 'words' must be one-dimensional and the vectors two-dimensional, got shapes "
            f"{words.shape} and {rows.shape}."
        )
    if words.dtype == np.uint8:
        try:
            return unpack_words(words), rows, arrays.get("scales")
        except UnicodeDecodeError as error:
            raise ValueError(f"{path} is damaged: its words are not UTF-8 ({error}).") from error
    if words.dtype.kind != "U":
        raise ValueError(f"{path}: 'words' must be text, got {words.dtype}.")
    if len(words) != len(rows):
        raise ValueError(f"{path} has {len(words)} words and {len(rows)} vectors.")
    return lower_cased(words.tolist(), rows)
