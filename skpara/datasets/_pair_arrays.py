"""Whole files of sentence pairs as arrays, bunches and chunks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from skpara._public import set_module
from skpara._typing import Floats, Pairs
from skpara.datasets._documentation import document_loader
from skpara.datasets._pair_files import SENTENCE_COLUMNS, PairFile, Row


@document_loader
@set_module("skpara.datasets")
class iter_pairs:
    r"""Pairs of a file of any size, chunk by chunk.

    Memory holds one chunk at a time. Iterating again reads the file again, so that training by
    :meth:`ParagramEncoder.fit_stream <skpara.ParagramEncoder.fit_stream>` can go over the file in
    several epochs.

    Parameters
    ----------
    %(path)s
    chunk_size : int, default=10_000
        Number of pairs of a chunk; the last one may be shorter.
    %(format, columns, score_column, header)s

    Yields
    ------
    pairs : ndarray of shape (at most chunk_size, 2), object
        The sentences.
    scores : ndarray of shape (at most chunk_size,), float64
        Their scores, if ``score_column`` is given.

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
        format: str | None = None,
        columns: Sequence[str | int] | None = None,
        score_column: str | int | None = None,
        header: bool | None = None,
    ) -> None:
        if chunk_size < 1:
            raise ValueError(f"chunk_size must be at least 1, got {chunk_size}.")
        self.chunk_size = chunk_size
        self._scored = score_column is not None
        self._file = PairFile(
            path, format=format, columns=columns, score_column=score_column, header=header
        )

    def __iter__(self) -> Iterator[Pairs | tuple[Pairs, Floats]]:
        rows = iter(self._file)
        while chunk := list(islice(rows, self.chunk_size)):
            pairs = _pair_array(chunk)
            yield (pairs, np.array([row.score for row in chunk])) if self._scored else pairs


@document_loader
def read_pairs(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    score_column: str | int | None = None,
    group_column: str | int | None = None,
    header: bool | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    r"""Read a file of sentence pairs, with their scores and groups where it has them.

    Parameters
    ----------
    %(path, format, columns, score_column, group_column, header)s
    %(as_frame, return_X_y)s

    Returns
    -------
    %(bunch)s
            The scores; only with ``score_column``.
        groups : ndarray of shape (n_pairs,), str
            The groups; only with ``group_column``.
        feature_names, target_names, filenames : list of str
            Names of the columns, of the score, and of the file.
        DESCR : str
            The number of pairs and the name of the file.

    See Also
    --------
    iter_pairs : Chunks of a file that does not fit in memory.
    PairFile : Rows with their line numbers and all columns.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import read_pairs
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("premise,hypothesis,gold\na dog,a puppy,4.5\na car,a dog,0.5\n")
    >>> pairs = read_pairs(path, columns=("premise", "hypothesis"), score_column="gold")
    >>> pairs.data[0].tolist(), pairs.target.tolist()
    (['a dog', 'a puppy'], [4.5, 0.5])
    """
    if return_X_y and score_column is None:
        raise ValueError("return_X_y=True needs score_column, the column of the target.")
    file = PairFile(
        path,
        format=format,
        columns=columns,
        score_column=score_column,
        group_column=group_column,
        header=header,
    )
    rows = list(file)
    return make_bunch(
        rows,
        f"{len(rows)} pairs of {file.name}.",
        [file.name],
        as_frame,
        return_X_y,
        scored=score_column is not None,
        grouped=group_column is not None,
    )


def make_bunch(
    rows: Sequence[Row],
    descr: str,
    filenames: Iterable[str | Path],
    as_frame: bool,
    return_X_y: bool,
    *,
    scored: bool = True,
    grouped: bool = True,
    **columns: ArrayLike,
) -> Bunch | tuple[Any, Any]:
    """Return rows in the form that all loaders share."""
    data: Any = _pair_array(rows)
    target: Any = np.array([row.score for row in rows], dtype=np.float64)
    bunch = Bunch(
        feature_names=list(SENTENCE_COLUMNS),
        filenames=[str(name) for name in filenames],
        DESCR=descr,
        **{name: np.asarray(column) for name, column in columns.items()},
    )
    if grouped:
        bunch["groups"] = np.array([row.group for row in rows], dtype=str)
    if as_frame:
        import pandas as pd

        frame = pd.DataFrame(data, columns=list(SENTENCE_COLUMNS))
        data, target = frame.copy(), pd.Series(target, name="score")
        if scored:
            frame["score"] = target
        if grouped:
            frame["group"] = bunch["groups"]
        bunch["frame"] = frame
    if return_X_y:
        return data, target
    bunch["data"] = data
    if scored:
        bunch.update(target=target, target_names=["score"])
    return bunch


def read_tsv_pairs(path: Path) -> list[tuple[str, str]]:
    """Return the first two columns of a TSV file without a header."""
    return [row.pair for row in PairFile(path, format="tsv", columns=(0, 1), header=False)]


def _pair_array(rows: Sequence[Row]) -> Pairs:
    pairs = [row.pair for row in rows]
    return np.array(pairs, dtype=object).reshape(-1, 2)  # of shape (0, 2) without rows
