"""Tables that are computed once and then memory-mapped from the user's cache folder."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from skpara._array_files import map_arrays, write_arrays
from skpara._compiled import compiled

NATIVE = compiled("skpara.resources._native")

Arrays = dict[str, NDArray[Any]]
# Arrays, and small objects that JSON can hold.
Tables = tuple[Arrays, dict[str, Any]]


def cached_tables(
    name: str, version: int, sources: Sequence[Path], compute: Callable[[], Tables]
) -> Tables:
    """Return what ``compute`` returns, memory-mapped from a file that the first call writes.

    The file's name depends on ``version``, which changes with the format, and on the size and time
    of the files that the tables are computed from. If the cache folder cannot be written, the
    tables stay in memory.
    """
    states = [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in sources]
    key = hashlib.sha256(repr((version, states)).encode("utf8")).hexdigest()[:16]
    path = _cache_folder() / f"{name}-{key}.safetensors"
    try:
        arrays, metadata = map_arrays(path)
        return _plain(arrays), json.loads(metadata["more"])
    except (OSError, ValueError, KeyError):
        pass  # missing or damaged: it is written below
    arrays, more = compute()
    # The file is renamed when it is complete, so several processes may write it at once.
    with suppress(OSError):  # a read-only or full disk
        write_arrays(path, arrays, {"more": json.dumps(more)})
        arrays = _plain(map_arrays(path)[0])
    return arrays, more


def _plain(arrays: Arrays) -> Arrays:
    """Return mapped arrays as plain ones: each slice of a ``memmap`` takes a microsecond more."""
    return {name: np.asarray(array) for name, array in arrays.items()}


def _cache_folder() -> Path:
    import platformdirs

    folder = Path(platformdirs.user_cache_dir("skpara", appauthor=False))
    # Without a home directory it begins with "~": nothing can be written then.
    return (folder if folder.is_absolute() else Path(os.devnull)) / "tables"


def multilingual_path() -> Path:
    """Return where ``skpara align-vectors`` writes the table that is loaded by name."""
    return _cache_folder() / "multilingual.safetensors"


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it."""
    spec = find_spec(name)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"{name} is not installed: pip install {name}", name=name)
    return Path(spec.origin).parent


def items(array: Any) -> memoryview[Any]:
    """Return the items of an array as Python numbers: reading one is several times faster."""
    return memoryview(array)


class Texts(Sequence[str]):
    """Strings in one array of bytes, which is not decoded as a whole."""

    def __init__(self, arrays: Mapping[str, NDArray[Any]], name: str) -> None:
        self._text, self._ends = items(arrays[f"{name}.text"]), items(arrays[f"{name}.ends"])

    @staticmethod
    def arrays(name: str, texts: Iterable[str]) -> Arrays:
        """Return the arrays of strings."""
        encoded = [encode(text) for text in texts]
        return {
            f"{name}.text": np.frombuffer(b"".join(encoded), dtype=np.uint8),
            f"{name}.ends": np.cumsum([0, *map(len, encoded)]).astype(np.uint32),
        }

    def __len__(self) -> int:
        return len(self._ends) - 1

    def encoded(self, i: int) -> bytes:
        return self._text[self._ends[i] : self._ends[i + 1]].tobytes()

    def __getitem__(self, i: Any) -> Any:
        return self.encoded(i).decode("utf8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return map(self.__getitem__, range(len(self)))


class TextIndex(Texts):
    """Distinct strings and a hash table of them, all in arrays that can be memory-mapped."""

    # A dict takes a hundred bytes a word, and the time to build it: of 150,000 words .1 s.
    def __init__(self, arrays: Mapping[str, NDArray[Any]], name: str) -> None:
        super().__init__(arrays, name)
        parts = [arrays[f"{name}.{part}"] for part in ("text", "ends", "starts", "members")]
        self.native = NATIVE.index(*parts) if NATIVE is not None else None
        self._starts = items(arrays[f"{name}.starts"])
        self._members = items(arrays[f"{name}.members"])
        self._mask = len(self._starts) - 2

    @staticmethod
    def arrays(name: str, texts: Iterable[str]) -> Arrays:
        texts = list(texts)
        # Most buckets are empty, so that most unknown strings are compared with none.
        n_buckets = 2 << len(texts).bit_length()
        buckets = np.array([crc32(encode(t)) & (n_buckets - 1) for t in texts], dtype=np.int64)
        sizes = np.bincount(buckets, minlength=n_buckets)
        return Texts.arrays(name, texts) | {
            f"{name}.starts": np.append(0, np.cumsum(sizes)).astype(np.uint32),
            f"{name}.members": np.argsort(buckets, kind="stable").astype(np.uint32),
        }

    def find(self, text: str) -> int:
        """Return the position of a string, or -1."""
        if self.native is not None:
            return int(NATIVE.find(self.native, text))
        return self.find_encoded(encode(text))

    def find_all(self, texts: list[str]) -> NDArray[np.int64]:
        """Return the position of each string, or -1."""
        if self.native is not None:
            return np.frombuffer(NATIVE.find_all(self.native, texts), dtype=np.int64)
        return np.array([self.find_encoded(encode(text)) for text in texts], dtype=np.int64)

    def find_encoded(self, text: bytes) -> int:
        """Return the position of an encoded string, or -1."""
        bucket = crc32(text) & self._mask
        for k in range(self._starts[bucket], self._starts[bucket + 1]):
            i = self._members[k]
            if self.encoded(i) == text:
                return i
        return -1

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.find(text) >= 0


def encode(text: str) -> bytes:
    return text.encode("utf8", "surrogatepass")
