"""STS Benchmark: a fixed train, dev and test selection from the yearly STS tasks."""

from __future__ import annotations

import csv
import io
import os
from typing import Any, Literal

from sklearn.utils import Bunch

from skpara.datasets._bunch import make_bunch
from skpara.datasets._home import get_data_home, obtained_files
from skpara.datasets._source import Archive, FileSpec, Source, require_files
from skpara.datasets._sts_tasks import WIKI_PAGE, wiki_urls
from skpara.datasets._tsv import parse_score, read_rows

__all__ = ["fetch_sts_benchmark"]

_N_LINES = {"train": 5749, "dev": 1500, "test": 1379}
_SOURCE = Source(
    title="STS Benchmark",
    folder="STS/STSBenchmark",
    files={f"sts-{split}.csv": FileSpec(n_lines, 7) for split, n_lines in _N_LINES.items()},
    archives=(
        Archive(
            wiki_urls("4/48/Stsbenchmark.tar.gz"), tuple(f"sts-{split}.csv" for split in _N_LINES)
        ),
    ),
    page=f"{WIKI_PAGE}, page STSbenchmark",
    official_folders=("stsbenchmark",),
)


def fetch_sts_benchmark(
    split: Literal["train", "dev", "test"] = "train",
    *,
    language: str = "en",
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load one split of STS Benchmark [1]_.

    Pairs of sentences with a gold score from 0 (unrelated) to 5 (same meaning), selected from
    the STS tasks of 2012 to 2017: 5749 for training, 1500 for development, 1379 for testing.

    Parameters
    ----------
    split : {"train", "dev", "test"}, default="train"
        The part to load. The test part is meant to be used once, for the final system.
    language : str, default="en"
        "en", or the code of a language of ``stsb_multi_mt``, which has both sentences translated
        by machine: its files ``stsb-<language>-<split>.csv`` are read from the folder
        ``stsb-multi-mt`` and not downloaded. Rows have the order of the English ones.
    data_home : str or path-like, default=None
        Data folder; by default ``$SKPARA_DATA``, else the user's cache folder.
    download_if_missing : bool, default=True
        If False, missing files are an error.
    as_frame : bool, default=False
        If True, `data` is a pandas DataFrame and `target` a Series; `frame` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    data : sklearn.utils.Bunch, or tuple ``(data, target)`` if `return_X_y`

        data : ndarray of shape (n_pairs, 2), object
            The two sentences.
        target : ndarray of shape (n_pairs,), float64
            Gold scores, 0 to 5.
        groups : ndarray of shape (n_pairs,), str
            Year and set, named as by `fetch_sts`: ``"2014/headlines"``. Of other languages,
            ``"stsb-es"`` and the like.
        genres : ndarray of shape (n_pairs,), str
            ``"main-news"``, ``"main-captions"`` or ``"main-forums"`` (once ``"main-forum"``).
            English only.
        feature_names, target_names, filenames : list of str
            Names of the columns, of the score, and of the files read.
        DESCR : str
            What the data set is, and its licence.

    Raises
    ------
    FileNotFoundError
        If files are missing and must not be downloaded.
    OSError
        If the download failed or did not bring the official files.
    ValueError
        If the split does not exist or a file is malformed (names file and line).

    Notes
    -----
    All of its pairs up to 2016 are also pairs of `fetch_sts`: do not train on one and test on
    the other.

    References
    ----------
    .. [1] Cer, D., Diab, M., Agirre, E., Lopez-Gazpio, I., and Specia, L. (2017).
       "SemEval-2017 Task 1: Semantic Textual Similarity, Multilingual and Cross-lingual Focused
       Evaluation". SemEval 2017, 1-14.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts_benchmark
    >>> X, y = fetch_sts_benchmark("train", return_X_y=True)  # doctest: +SKIP
    >>> X.shape  # doctest: +SKIP
    (5749, 2)
    """
    if split not in _N_LINES:
        raise ValueError(f"split must be one of {list(_N_LINES)}, got {split!r}")
    if language != "en":
        return _translated(language, split, data_home, as_frame, return_X_y)
    name = f"sts-{split}.csv"
    path = require_files(
        _SOURCE, [name], get_data_home(data_home), download_if_missing=download_if_missing
    )[name]
    # genre, set, year, identifier, score, sentence, sentence, then perhaps notes on the source
    rows = read_rows(path, 7)
    return make_bunch(
        [(row[5], row[6]) for row in rows],
        [parse_score(row[4], path, number) for number, row in enumerate(rows, start=1)],
        [f"{_label(row[2])}/{row[1]}" for row in rows],
        descr=(
            f"STS Benchmark, {split}: {len(rows)} pairs of sentences scored 0 to 5.\n"
            "Terms: scores CC BY-SA 4.0, texts by genre, see LICENSE.txt of the archive.\n"
            "Paper: Cer et al. (2017). SemEval-2017 Task 1. SemEval 2017."
        ),
        filenames=[str(path)],
        as_frame=as_frame,
        return_X_y=return_X_y,
        genres=[row[0] for row in rows],
    )


def _translated(
    language: str,
    split: str,
    data_home: str | os.PathLike[str] | None,
    as_frame: bool,
    return_X_y: bool,
) -> Bunch | tuple[Any, Any]:
    """The same in another language."""
    [path] = obtained_files(
        data_home,
        "stsb-multi-mt",
        [f"stsb-{language}-{split}.csv"],
        title=f"STS Benchmark in {language!r}",
        source="stsb_multi_mt (github PhilipMay/stsb-multi-mt)",
    )
    try:
        rows = list(csv.reader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{path} is not CSV in UTF-8: {error}") from error
    for number, row in enumerate(rows, start=1):
        if len(row) != 3:
            raise ValueError(f"{path}, row {number}: {len(row)} columns, not two sentences, score")
    return make_bunch(
        [(row[0], row[1]) for row in rows],
        [parse_score(row[2], path, number) for number, row in enumerate(rows, start=1)],
        [f"stsb-{language}"] * len(rows),
        descr=(
            f"STS Benchmark in {language!r}, {split}: {len(rows)} pairs of sentences scored 0 to "
            "5, translated by machine.\nTerms: as of STS Benchmark.\n"
            "Paper: May (2021). Machine translated multilingual STS benchmark dataset."
        ),
        filenames=[str(path)],
        as_frame=as_frame,
        return_X_y=return_X_y,
    )


def _label(year: str) -> str:
    """Year as `fetch_sts` writes it: "2012train" is "2012-train", "2012test" is "2012"."""
    return year.removesuffix("test").replace("train", "-train")
