"""Files of word vectors as word2vec and GloVe write them: text or binary, packed or not.

What a header claims is compared with the size of the file before memory is taken for it.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Rows = tuple[list[str], NDArray[np.float32]]

_LONGEST_LINE = 2**22  # bytes; a word of a thousand characters and 100,000 numbers
_LONGEST_WORD = 2**16  # bytes, of a binary file
_BLOCK = 2**20
# Numbers are packed to a third or half of their size. What grows far beyond that is no table.
_MOST_UNPACKED = 100


def read_word2vec(path: Path) -> Rows:
    """Words and rows of word2vec text or binary, or of GloVe text; ``.gz`` is unpacked.

    Bytes of a word that are not UTF-8 become U+FFFD.

    Raises
    ------
    ValueError
        If the file is none of these, is cut short, or claims what it does not hold.
    """
    try:
        with _opened(path) as stream:
            return _read(path, stream)
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(
            f"{path} cannot be unpacked: {error}. Is the file cut short? Fetch it again."
        ) from error


def largest(n_bytes: int, always: int = 2**20) -> int:
    """Bytes that a packed file of ``n_bytes`` may hold; ``always`` are no danger."""
    return max(_MOST_UNPACKED * n_bytes, always)


def _opened(path: Path) -> Any:
    return gzip.open(path) if path.suffix == ".gz" else open(path, "rb")


def _read(path: Path, stream: Any) -> Rows:
    size = path.stat().st_size
    limit = largest(size) if path.suffix == ".gz" else size
    first = stream.readline(_LONGEST_LINE)
    fields = first.split()
    if len(fields) != 2 or not all(map(bytes.isdigit, fields)):
        stream.seek(0)
        return _text(path, _lines(path, stream, limit), None, None)
    n_words, n_dims = (int(field[:19]) for field in fields)  # more digits are as wrong
    start = len(first)
    binary = _is_binary(stream.read(4096))
    stream.seek(start)
    least = n_words * (4 * n_dims + 1 if binary else 2 * n_dims + 1)  # bytes
    if min(n_words, n_dims) < 1 or least > limit - start:
        raise ValueError(
            f"{path} cannot hold what its first line promises, {n_words} words of {n_dims} "
            "numbers each. Is the file cut short, or its header wrong?"
        )
    if binary:
        return _binary(path, stream, n_words, n_dims, limit)
    return _text(path, _lines(path, stream, limit), n_words, n_dims)


def _is_binary(start: bytes) -> bool:
    """Whether the rows behind a header are binary."""
    row = start.split(b"\n")[0].split()
    try:
        return len(row) < 2 or not np.isfinite([float(number) for number in row[1:3]]).all()
    except ValueError:
        return True


def _lines(path: Path, stream: Any, limit: int) -> Iterator[bytes]:
    while line := stream.readline(_LONGEST_LINE):
        if len(line) == _LONGEST_LINE or stream.tell() > limit:
            raise ValueError(
                f"{path} is no table of word vectors: a line is longer than "
                f"{_LONGEST_LINE // 2**20} MB, or it unpacks to more than "
                f"{_MOST_UNPACKED} times its size."
            )
        yield line


def _text(path: Path, lines: Iterator[bytes], n_words: int | None, n_dims: int | None) -> Rows:
    """A word and its numbers a line; as many as the header says where there is one."""
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
                f"{path}, line {number}: expected a word and {n_dims or 'some'} numbers, as "
                f"word2vec and GloVe text have, got {line[:60]!r}. Is the file cut short, or no "
                "text?"
            )
        words.append(word)
        numbers += row.tobytes()
    if not words:
        raise ValueError(f"{path} is empty; expected word2vec or GloVe text.")
    if headed and len(words) != n_words:
        raise ValueError(
            f"{path} promises {n_words} words in its first line and holds {len(words)}. Is the "
            "file cut short, or its header wrong?"
        )
    return words, np.frombuffer(numbers, dtype=np.float32).reshape(len(words), -1)


def _binary(path: Path, stream: Any, n_words: int, n_dims: int, limit: int) -> Rows:
    """A word, a space, and 4-byte numbers; word2vec itself also ends each row with a line end."""
    words: list[str] = []
    rows = np.empty((n_words, n_dims), dtype=np.float32)
    held, at, n_bytes = b"", 0, 4 * n_dims
    for i in range(n_words):
        while (space := held.find(b" ", at)) < 0 or len(held) <= space + n_bytes:
            block = stream.read(max(_BLOCK, n_bytes))
            too_long = (space if space >= 0 else len(held)) - at > _LONGEST_WORD
            if not block or too_long or stream.tell() > limit:
                raise ValueError(
                    f"{path} could not be read as word2vec binary: word {i + 1} of {n_words} is "
                    "not whole. Is the file cut short, or its header wrong?"
                )
            held, at = held[at:] + block, 0
        words.append(held[at:space].lstrip(b"\n").decode("utf8", errors="replace"))
        rows[i] = np.frombuffer(held, dtype="<f4", count=n_dims, offset=space + 1)
        at = space + 1 + n_bytes
    if (held[at:] + stream.read(64)).strip():
        raise ValueError(
            f"{path} holds more than the {n_words} words that its first line promises. Is its "
            "header wrong?"
        )
    return words, rows
