"""English-Spanish pairs of the yearly STS tasks."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._bunch import make_bunch
from skpara.datasets._home import obtained_files
from skpara.datasets._sts_tasks import WIKI_PAGE
from skpara.datasets._tsv import parse_score, read_lines, read_rows

__all__ = ["fetch_sts_cross_lingual"]

_FOLDER = "STS/STS-en-es-train"
_FILES = ("STS.input.en-es.train.txt", "STS.input.en-es.train_scores.txt")


def fetch_sts_cross_lingual(
    *,
    data_home: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load the English-Spanish training pairs of STS 2017, track 4b [1]_.

    English sentences beside Spanish ones, many of them output of translation systems; nothing is
    downloaded.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Data folder; by default ``$SKPARA_DATA``, else the user's cache folder.
    as_frame : bool, default=False
        If True, `data` is a pandas DataFrame and `target` a Series; `frame` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    data : sklearn.utils.Bunch, or tuple ``(data, target)`` if `return_X_y`

        data : ndarray of shape (n_pairs, 2), object
            The English and the Spanish sentence.
        target : ndarray of shape (n_pairs,), float64
            Gold scores, 0 to 5; as released, one is 5.2.
        groups : ndarray of shape (n_pairs,), str
            ``"2017-train/track4b.es-en"``.
        feature_names, target_names, filenames : list of str
            Names of the columns, of the score, and of the files read.
        DESCR : str
            What the data set is, and its licence.

    Raises
    ------
    FileNotFoundError
        If a file is missing; names the official source.
    ValueError
        If a file is malformed (names file and line).

    References
    ----------
    .. [1] Cer, D., Diab, M., Agirre, E., Lopez-Gazpio, I., and Specia, L. (2017).
       "SemEval-2017 Task 1: Semantic Textual Similarity, Multilingual and Cross-lingual Focused
       Evaluation". SemEval 2017, 1-14.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts_cross_lingual
    >>> fetch_sts_cross_lingual().data.shape  # doctest: +SKIP
    (1024, 2)
    """
    files = obtained_files(
        data_home,
        _FOLDER,
        _FILES,
        title="STS 2017, English-Spanish",
        source=f"the training data of SemEval-2017 Task 1, track 4b, from {WIKI_PAGE},",
    )
    rows, scores = read_rows(files[0], 2), read_lines(files[1])
    if len(rows) != len(scores):
        raise ValueError(f"{files[0]} has {len(rows)} lines, {files[1].name} {len(scores)}.")
    return make_bunch(
        [(row[0], row[1]) for row in rows],
        [parse_score(score, files[1], number) for number, score in enumerate(scores, start=1)],
        ["2017-train/track4b.es-en"] * len(rows),
        descr=(
            f"STS 2017, track 4b, training: {len(rows)} English-Spanish pairs scored 0 to 5.\n"
            "Terms: CC BY 4.0.\nPaper: Cer et al. (2017). SemEval-2017 Task 1. SemEval 2017."
        ),
        filenames=[str(file) for file in files],
        as_frame=as_frame,
        return_X_y=return_X_y,
    )
