"""Files of word vectors as word2vec and GloVe write them: text or binary, also in .gz and .zip.

The header is compared with the size of the file before memory is allocated.
"""

# Why not gensim's load_word2vec_format: on a text file of 106 MB (37,000 words, 300 dimensions) it
# takes 11 s of CPU time, this reader 1.8 s; on a binary file of 103 MB 0.5 s and 0.3 s. It stops
# at words with spaces, which GloVe's 840B file has (". . ."), allocates whatever a header claims,
# reads lines and gzip bombs of any length, and drops rows beyond the header's count silently.

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from skpara._warnings import warn
from skpara.resources._fasttext import MAGIC, read_fasttext

Rows = tuple[list[str], NDArray[np.float32]]

_LONGEST_LINE = 2**22  # bytes: room for 100,000 numbers and a word of a thousand characters
_LONGEST_WORD = 2**16  # bytes of a word in a binary file
_BLOCK = 2**20  # bytes that are read at a time from a binary file
# Numbers compress to a third or half of their size; what unpacks to far more is not a table.
_MOST_UNPACKED = 100


def read_word2vec(path: Path) -> Rows:
    """Read words and rows of word2vec text or binary, or of GloVe text, also from .gz and .zip.

    Bytes of a word that are not UTF-8 become U+FFFD.
    """
    try:
        if path.suffix.lower() == ".zip":
            return _read_zip(path)
        size = path.stat().st_size
        if path.suffix.lower() == ".gz":
            with gzip.open(path) as stream:
                return _read(path, stream, largest_unpacked(size))
        with path.open("rb") as stream:
            return _read(path, stream, size)
    except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, RuntimeError) as error:
        # zipfile raises RuntimeError for a password and, as NotImplementedError, for an unknown
        # compression.
        raise ValueError(
            f"{path} cannot be unpacked: {error}. The file may be truncated; download it again."
        ) from error


def _read_zip(path: Path) -> Rows:
    """Read the only file of an archive, which is how GloVe is distributed."""
    with zipfile.ZipFile(path) as archive:
        # macOS adds a folder with properties of the files.
        members = [
            info
            for info in archive.infolist()
            if not info.is_dir() and not info.filename.startswith("__MACOSX/")
        ]
        if len(members) != 1:
            names = ", ".join(info.filename for info in members[:6]) or "none"
            raise ValueError(
                f"{path} has {len(members)} files, so it is unclear which to read: {names}. "
                "Unzip it and pass the path of one file."
            )
        with archive.open(members[0]) as stream:
            return _read(path, stream, largest_unpacked(members[0].compress_size))


def largest_unpacked(n_bytes: int, harmless: int = 2**20) -> int:
    """Return how many bytes a packed file may unpack to: at least a harmless number."""
    return max(_MOST_UNPACKED * n_bytes, harmless)


def _read(path: Path, stream: Any, limit: int) -> Rows:
    """Read a stream of at most ``limit`` bytes."""
    first = stream.readline(_LONGEST_LINE)
    if first.startswith(MAGIC):
        if path.suffix.lower() in (".gz", ".zip"):
            raise ValueError(f"{path} has a model of fastText. Unpack it and pass its path.")
        return read_fasttext(path)
    fields = first.split()
    if len(fields) != 2 or not all(map(bytes.isdigit, fields)):
        stream.seek(0)
        return _text(path, _lines(path, stream, limit), None, None)
    n_words, n_dims = (int(field[:19]) for field in fields)  # int raises for thousands of digits
    start = len(first)
    binary = _is_binary(stream.read(4096))
    stream.seek(start)
    least = n_words * (4 * n_dims + 1 if binary else 2 * n_dims + 1)  # bytes
    if min(n_words, n_dims) < 1 or least > limit - start:
        raise ValueError(
            f"{path} is too small for the {n_words} words of {n_dims} numbers that its first line "
            "announces. The file may be truncated or its header wrong; download it again."
        )
    if binary:
        return _binary(path, stream, n_words, n_dims, limit)
    return _text(path, _lines(path, stream, limit), n_words, n_dims)


def _is_binary(start: bytes) -> bool:
    """Return whether the rows after a header are binary."""
    row = start.split(b"\n")[0].split()
    try:
        return len(row) < 2 or not np.isfinite([float(number) for number in row[1:3]]).all()
    except ValueError:
        return True


def _lines(path: Path, stream: Any, limit: int) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE or stream.tell() > limit:
            raise ValueError(
                f"{path} is not a table of word vectors: a line is longer than "
                f"{_LONGEST_LINE // 2**20} MB, or the file unpacks to more than "
                f"{_MOST_UNPACKED} times its size."
            )
        yield line


def _text(path: Path, lines: Iterator[bytes], n_words: int | None, n_dims: int | None) -> Rows:
    """Read a word and its numbers from each line, and compare with the header if there is one."""
    words: list[str] = []
    numbers = bytearray()
    headed = n_words is not None
    for number, raw in enumerate(lines, start=1 + headed):
        line = raw.decode("utf8", errors="replace").rstrip()
        if not line and headed:
            continue
        n_dims = n_dims or line.count(" ")
        word, *cells = line.rsplit(" ", n_dims) if n_dims else [line]
        try:
            row = np.array(cells, dtype=np.float64).astype(np.float32)
        except (ValueError, OverflowError):
            row = np.empty(0, dtype=np.float32)
        if len(row) != n_dims or n_dims == 0:
            raise ValueError(
                f"{path}, line {number}: expected a word and {n_dims or 'its'} numbers as in "
                f"word2vec and GloVe text, got {line[:60]!r}. The file may be truncated or have "
                "another format."
            )
        words.append(word)
        numbers += row.tobytes()
    if not words:
        raise ValueError(f"{path} is empty; expected word2vec or GloVe text.")
    if n_words is not None and len(words) < n_words:
        raise ValueError(
            f"{path} announces {n_words} words in its first line but has {len(words)}. The file "
            "may be truncated or its header wrong: download it again or correct the number."
        )
    if n_words is not None and len(words) > n_words:
        # Every row is whole, so only the number is wrong. gensim would drop the rows beyond it.
        warn(
            f"{path} announces {n_words} words in its first line but has {len(words)}; all of "
            "them are read. Correct the number to avoid this warning."
        )
    return words, np.frombuffer(numbers, dtype=np.float32).reshape(len(words), -1)


def _binary(path: Path, stream: Any, n_words: int, n_dims: int, limit: int) -> Rows:
    """Read rows of a word, a space and 4-byte numbers; word2vec also adds a line break to each."""
    words: list[str] = []
    rows = np.empty((n_words, n_dims), dtype=np.float32)
    buffer, at, n_bytes = b"", 0, 4 * n_dims
    for i in range(n_words):
        while (space := buffer.find(b" ", at)) < 0 or len(buffer) <= space + n_bytes:
            block = stream.read(max(_BLOCK, n_bytes))
            too_long = (space if space >= 0 else len(buffer)) - at > _LONGEST_WORD
            if not block or too_long or stream.tell() > limit:
                raise ValueError(
                    f"{path} could not be read as word2vec binary: word {i + 1} of {n_words} is "
                    "incomplete. The file may be truncated or its header wrong; download it again."
                )
            buffer, at = buffer[at:] + block, 0
        words.append(buffer[at:space].lstrip(b"\n").decode("utf8", errors="replace"))
        rows[i] = np.frombuffer(buffer, dtype="<f4", count=n_dims, offset=space + 1)
        at = space + 1 + n_bytes
    if (buffer[at:] + stream.read(64)).strip():
        raise ValueError(
            f"{path} has more than the {n_words} words that its first line announces; correct "
            "the number."
        )
    return words, rows
