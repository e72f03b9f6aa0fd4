"""Lines of text as they come in: from a file, a packed one, or standard input."""

from __future__ import annotations

import gzip
import os
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

__all__ = ["Lines"]

_BLOCK = 2**18  # bytes asked for at once
_LONGEST = 2**24  # bytes of a line: beyond that it is no text, and memory has its bounds


class Lines:
    r"""Lines of UTF-8 text without their ends, read no further ahead than needed.

    A line ends at ``\n`` alone: sentences may hold rarer separators of Unicode. A ``\r`` before
    it stays where it is, as within quotes it belongs to the text. A byte-order mark is dropped.

    Parameters
    ----------
    path : str
        ``-`` is standard input; a name that ends in ``.gz`` is unpacked on the way.

    Attributes
    ----------
    name : str
        For messages.
    number : int
        Of the line given last, from 1.
    at_hand : bool
        Whether the next line can be had without waiting for more input.

    Raises
    ------
    FileNotFoundError
        At once.
    ValueError
        While reading, if the file is packed and damaged, or a line is not UTF-8 or too long.
    """

    def __init__(self, path: str) -> None:
        self.name = "standard input" if path == "-" else path
        self.number = 0
        self.at_hand = False
        self._path = path
        if path != "-" and not os.path.exists(path):
            raise FileNotFoundError(f"There is no file {path}.")

    def __iter__(self) -> Iterator[str]:
        self.number = 0
        with _opened(self._path) as stream:
            rest = b""
            while block := self._block(stream):
                *lines, rest = (rest + block).split(b"\n")
                for i, line in enumerate(lines, start=1):
                    self.at_hand = i < len(lines)
                    yield self._text(line)
                if len(rest) > _LONGEST:
                    raise ValueError(
                        f"{self.name}, line {self.number + 1}, is longer than "
                        f"{_LONGEST // 2**20} MB: this is not a file of sentences."
                    )
            self.at_hand = False
            if rest:
                yield self._text(rest)

    def _block(self, stream: Any) -> bytes:
        try:
            block: bytes = stream.read1(_BLOCK)
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(f"{self.name} cannot be unpacked: {error}") from None
        return block

    def _text(self, line: bytes) -> str:
        self.number += 1
        try:
            return line.decode("utf-8-sig" if self.number == 1 else "utf-8")
        except UnicodeDecodeError:
            raise ValueError(
                f"{self.name}, line {self.number}, is not UTF-8; convert the file, for example "
                "with iconv."
            ) from None


@contextmanager
def _opened(path: str) -> Iterator[Any]:
    """The bytes; standard input is left open."""
    if path == "-":
        yield sys.stdin.buffer
        return
    opened: Any = gzip.open(path) if path.endswith(".gz") else open(path, "rb")
    with opened as stream:
        yield stream
