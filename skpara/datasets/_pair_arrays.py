"""Whole files of sentence pairs as arrays, bunches and chunks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import Bunch

from skpara._compatibility import import_optional
from skpara._public import set_module
from skpara._typing import FilePath, Floats, Pairs
from skpara._validation import check_count
from skpara.datasets._pair_files import SENTENCE_COLUMNS, PairFile, Row


@set_module("skpara.datasets")
class iter_pairs:
    r"""Pairs of a file of any size, chunk by chunk.

    Memory holds one chunk at a time. Iterating again reads the file again, so that training can go
    over the file in several epochs.

    Parameters
    ----------
    path : str or path-like
        A file, as for :func:`read_pairs`.
    chunk_size : int, default=10_000
        Number of pairs per chunk; the last one may be shorter.
    format : {"tsv", "csv", "jsonl", "parquet", "xlsx", "ppdb"}, default=None
        As for :func:`read_pairs`.
    columns : pair of str or int, default=None
        As for :func:`read_pairs`.
    score_column : str or int, default=None
        As for :func:`read_pairs`.
    header : bool, default=None
        As for :func:`read_pairs`.
    delimiter : str, default=None
        As for :func:`read_pairs`.
    encoding : str, default=None
        As for :func:`read_pairs`.

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
        path: FilePath,
        *,
        chunk_size: int = 10_000,
        format: str | None = None,
        columns: Sequence[str | int] | None = None,
        score_column: str | int | None = None,
        header: bool | None = None,
        delimiter: str | None = None,
        encoding: str | None = None,
    ) -> None:
        check_count("chunk_size", chunk_size)
        self.chunk_size = chunk_size
        self._scored = score_column is not None
        self._file = PairFile(
            path,
            format=format,
            columns=columns,
            score_column=score_column,
            header=header,
            delimiter=delimiter,
            encoding=encoding,
        )

    def __iter__(self) -> Iterator[Pairs | tuple[Pairs, Floats]]:
        rows = iter(self._file)
        while chunk := list(islice(rows, self.chunk_size)):
            pairs = pair_array(chunk)
            yield (pairs, np.array([row.score for row in chunk])) if self._scored else pairs


def read_pairs(
    path: FilePath,
    *,
    format: str | None = None,
    columns: Sequence[str | int] | None = None,
    score_column: str | int | None = None,
    group_column: str | int | None = None,
    header: bool | None = None,
    delimiter: str | None = None,
    encoding: str | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:  # a Bunch, or a tuple with return_X_y
    r"""Read a file of sentence pairs, with their scores and groups if it has them.

    Parameters
    ----------
    path : str or path-like
        A file; ``"-"`` is standard input, which can be read only once. Names that end in ``.gz``
        are decompressed.
    format : {"tsv", "csv", "jsonl", "parquet", "xlsx", "ppdb"}, default=None
        By default by the suffix: ``.tsv`` and ``.txt`` are TSV, ``.csv`` is CSV, ``.jsonl`` and
        ``.ndjson`` are JSON lines, ``.parquet`` needs pyarrow or polars, ``.xlsx`` (the first
        sheet) openpyxl. Standard input is TSV. In TSV, ``"`` is an ordinary character; in CSV,
        quoted cells may hold delimiters and line ends. ``"ppdb"`` is the paraphrase database's
        own: its columns are ``sentence1`` (the phrase), ``sentence2`` (its paraphrase),
        ``category``, ``alignment``, ``entailment`` (in 2.0), every feature by its name, and
        ``score``, which is ``PPDB2.0Score`` or else ``PPDB1.0Score``.
    columns : pair of str or int, default=None
        Names, or positions from 0, of the two sentences. By default the first of these pairs in
        the first row: ``sentence1`` and ``sentence2``, ``sentence_a`` and ``sentence_b``,
        ``question1`` and ``question2``, ``s1`` and ``s2``, ``text1`` and ``text2``, ``premise``
        and ``hypothesis``, ``left`` and ``right``; else the first two columns. Case does not
        matter in names. JSON lines and PPDB have names only.
    score_column : str or int, default=None
        Name or position of the score; None reads no scores. With ``"auto"`` it is ``score``,
        ``similarity``, ``relatedness_score``, ``gold_label``, ``label`` or ``is_duplicate`` if the
        first row names the columns, else the third column.
    group_column : str or int, default=None
        Name or position of the group of a pair, such as its data set; None reads no groups.
    header : bool, default=None
        Whether the first row names the columns. By default it does if a column is selected by
        name, or if it has the usual names of two sentences. A first row that may be either, such
        as two single words or a number in place of a sentence, is an error.
    delimiter : str, default=None
        The separator of the cells of a CSV file: a character, or ``"comma"``, ``"semicolon"``,
        ``"tab"`` or ``"pipe"``. By default, one of these four, as detected in the first rows.
    encoding : str, default=None
        The encoding of the text, such as ``"cp1252"`` (Windows). By default, that of the byte
        order mark, if there is one, else UTF-8.
    as_frame : bool, default=False
        If True, ``data`` is a pandas DataFrame and ``target`` a Series; ``frame`` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

        data : ndarray of shape (n_pairs, 2), object
            The two sentences.
        target : ndarray of shape (n_pairs,), float64
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

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from skpara.datasets import read_pairs
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "pairs.csv"
    >>> _ = path.write_text("premise,hypothesis,gold\na dog,a puppy,4.5\na car,a dog,0.5\n")
    >>> pairs = read_pairs(path, score_column="gold")
    >>> pairs.data[0].tolist(), pairs.target.tolist()
    (['a dog', 'a puppy'], [4.5, 0.5])

    Good paraphrases of PPDB that mean the same:

    >>> path = path.with_name("ppdb-2.0-s-phrasal")
    >>> line = "[NP] ||| a car ||| an automobile ||| PPDB2.0Score=4.1 ||| 0-0 1-1 ||| Equivalence"
    >>> _ = path.write_text(f"{line}\n{line.replace('4.1', '2.7')}\n")
    >>> ppdb = read_pairs(path, format="ppdb", score_column="score", group_column="entailment")
    >>> ppdb.data[(ppdb.target > 3) & (ppdb.groups == "Equivalence")].tolist()
    [['a car', 'an automobile']]
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
        delimiter=delimiter,
        encoding=encoding,
    )
    rows = list(file)
    scored, grouped = score_column is not None, group_column is not None
    descr = f"{len(rows)} pairs of {file.name}."
    return make_bunch(
        rows, descr, [file.name], as_frame, return_X_y, scored=scored, grouped=grouped
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
) -> Any:  # a Bunch, or a tuple with return_X_y
    """Return rows in the form that all loaders share."""
    data: Any = pair_array(rows)
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
        pd = import_optional("pandas", "as_frame=True")
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


def pair_array(rows: Sequence[Row]) -> Pairs:
    # Of shape (0, 2) without rows.
    return np.array([row.pair for row in rows], dtype=object).reshape(-1, 2)
