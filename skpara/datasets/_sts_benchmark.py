"""STS Benchmark: a fixed train, dev and test selection from the yearly STS tasks."""

from __future__ import annotations

from typing import Any, Literal

from skpara._typing import FilePath
from skpara.datasets._pair_arrays import make_bunch
from skpara.datasets._pair_files import PairFile
from skpara.datasets._sources import require_split


def fetch_sts_benchmark(
    split: Literal["train", "dev", "test"] = "train",
    *,
    data_home: FilePath | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:  # a Bunch, or a tuple with return_X_y
    """Load one split of STS Benchmark.

    Pairs of sentences with a gold score from 0 (unrelated) to 5 (same meaning), selected from
    the STS tasks of 2012 to 2017: 5749 for training, 1500 for development, 1379 for testing.

    Parameters
    ----------
    split : {"train", "dev", "test"}, default="train"
        The part to load. The test part is meant to be used once, for the final system.
    data_home : str or path-like, default=None
        Data folder, see :func:`get_data_home`.
    download_if_missing : bool, default=True
        If False, missing files are an error.
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
            Gold scores, 0 to 5.
        groups : ndarray of shape (n_pairs,), str
            Year and set, named as by :func:`fetch_sts`: ``"2014/headlines"``.
        genres : ndarray of shape (n_pairs,), str
            ``"main-news"``, ``"main-captions"`` or ``"main-forums"`` (once ``"main-forum"``).
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the target and of the files, and a description with the terms
            of use.

    Notes
    -----
    All of its pairs up to 2016 are also in :func:`fetch_sts`: do not train on one and test on the
    other.

    References
    ----------
    Cer and others (2017), SemEval-2017 Task 1: semantic textual similarity, SemEval.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts_benchmark
    >>> X, y = fetch_sts_benchmark("train", return_X_y=True)  # doctest: +SKIP
    >>> X.shape  # doctest: +SKIP
    (5749, 2)
    """
    path, descr = require_split(
        "sts_benchmark", split, data_home, download_if_missing=download_if_missing
    )
    # In spite of the suffix it is TSV: genre, set, year, identifier, score, two sentences and
    # sometimes notes on the source.
    file = PairFile(path, format="tsv", columns=(5, 6), score_column=4, header=False)
    rows = []
    for row in file:
        # As in fetch_sts: 2012train is 2012-train, 2012test is 2012.
        year = row.record[2].removesuffix("test").replace("train", "-train")
        rows.append(row._replace(group=f"{year}/{row.record[1]}"))
    descr = descr.format(len(rows))
    genres = [row.record[0] for row in rows]
    return make_bunch(rows, descr, [path], as_frame, return_X_y, genres=genres)
