"""Pairs from a file of any size."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from skpara._public import set_module
from skpara.datasets._tsv import parse_score

__all__ = ["iter_pairs"]

_LONGEST = 2**24  # bytes of a line: beyond that it is no text, and memory has its bounds


@set_module("skpara.datasets")
class iter_pairs:
    r"""Pairs of a tab-separated file, chunk by chunk, in the memory of one chunk.

    Iterating again reads the file again, so that training by
    :meth:`ParagramEncoder.fit_stream <skpara.ParagramEncoder.fit_stream>` can make several passes.

    Parameters
    ----------
    path : str or path-like
        A file of UTF-8 text, one pair a line, cells separated by tabs, ``"`` an ordinary
        character; ``.gz`` is unpacked on the way.
    chunk_size : int, default=10_000
        Pairs a chunk.
    columns : tuple of (int, int), default=(0, 1)
        Which cells are the two sentences, from 0.
    score_column : int, default=None
        Which cell is the score; the chunks are then tuples (pairs, scores).

    Yields
    ------
    pairs : ndarray of shape (at most chunk_size, 2), object
    scores : ndarray of shape (at most chunk_size,), float64

    Raises
    ------
    FileNotFoundError
        At once, if there is no such file.
    ValueError
        While reading, if a line is not UTF-8, is too long or has too few cells, a score is no
        number, or the file cannot be unpacked: names file and line.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import iter_pairs
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.tsv"
    >>> _ = path.write_text("a dog\ta puppy\t4.5\na car\ta dog\t0.5\n")
    >>> [pairs.tolist() for pairs in iter_pairs(path, chunk_size=1)]
    [[['a dog', 'a puppy']], [['a car', 'a dog']]]
    >>> next(iter(iter_pairs(path, score_column=2)))[1]
    array([4.5, 0.5])
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        chunk_size: int = 10_000,
        columns: tuple[int, int] = (0, 1),
        score_column: int | None = None,
    ) -> None:
        self.path, self.chunk_size = Path(path), chunk_size
        self.columns, self.score_column = columns, score_column
        if chunk_size < 1:
            raise ValueError(f"chunk_size must be at least 1, got {chunk_size}")
        if not self.path.is_file():
            raise FileNotFoundError(f"There is no file {self.path}.")

    def __iter__(self) -> Iterator[Any]:
        opened = gzip.open if self.path.suffix == ".gz" else open
        with opened(self.path, "rb") as file:
            numbered = enumerate(self._lines(file), start=1)
            while rows := list(islice(numbered, self.chunk_size)):
                yield self._chunk(rows)

    def _lines(self, file: Any) -> Iterator[str]:
        number = 0
        try:
            while raw := file.readline(_LONGEST):
                number += 1
                if len(raw) == _LONGEST:
                    raise ValueError(
                        f"{self.path}, line {number}, is longer than {_LONGEST // 2**20} MB: this "
                        "is not a file of sentences."
                    )
                yield raw.decode("utf-8-sig" if number == 1 else "utf-8")
        except UnicodeDecodeError as error:
            raise ValueError(
                f"{self.path}, line {number}: not valid UTF-8 ({error.reason})"
            ) from None
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise ValueError(
                f"{self.path} cannot be unpacked behind line {number}: {error}. Fetch it again."
            ) from error

    def _chunk(self, rows: list[tuple[int, str]]) -> Any:
        pairs = np.empty((len(rows), 2), dtype=object)
        scores = np.empty(len(rows))
        needed = 1 + max(*self.columns, -1 if self.score_column is None else self.score_column)
        for i, (number, line) in enumerate(rows):
            cells = line.rstrip("\r\n").split("\t")
            if len(cells) < needed:
                raise ValueError(
                    f"{self.path}, line {number}: {needed} tab-separated columns are needed, "
                    f"found {len(cells)}: {line[:60]!r}"
                )
            pairs[i] = [cells[column] for column in self.columns]
            if self.score_column is not None:
                scores[i] = parse_score(cells[self.score_column], self.path, number)
        return pairs if self.score_column is None else (pairs, scores)
