"""English-Spanish pairs of the yearly STS tasks."""

from __future__ import annotations

import os
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._pair_files import make_bunch
from skpara.datasets._sources import require_local_files
from skpara.datasets._sts import read_scored_pairs
from skpara.datasets._sts_tasks import WIKI_PAGE

_FOLDER = "STS/STS-en-es-train"
_FILES = ("STS.input.en-es.train.txt", "STS.input.en-es.train_scores.txt")


def fetch_sts_cross_lingual(
    *,
    data_home: str | os.PathLike[str] | None = None,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load the English-Spanish training pairs of STS 2017, track 4b.

    Many of the Spanish sentences are the output of translation systems. Nothing is downloaded.

    Parameters
    ----------
    data_home : str or path-like, default=None
        Data folder, see :func:`get_data_home`.
    as_frame : bool, default=False
        If True, ``data`` is a pandas DataFrame and ``target`` a Series; ``frame`` has all columns.
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

        data : ndarray of shape (n_pairs, 2), object
            The English and the Spanish sentence.
        target : ndarray of shape (n_pairs,), float64
            Gold scores, 0 to 5; as released, one is 5.2.
        groups : ndarray of shape (n_pairs,), str
            ``"2017-train/track4b.es-en"``.
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the score and of the files, and a description with the
            licence.

    Raises
    ------
    FileNotFoundError
        If a file is missing. The message says where to get it.
    ValueError
        If a file is malformed. The message names its line.

    See Also
    --------
    fetch_sts : English pairs of the yearly tasks.
    fetch_sts_benchmark : A selection of these, with the reference of the task of 2017.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts_cross_lingual
    >>> fetch_sts_cross_lingual().data.shape  # doctest: +SKIP
    (1024, 2)
    """
    files = require_local_files(
        data_home,
        _FOLDER,
        _FILES,
        title="STS 2017, English-Spanish",
        source=f"the training data of SemEval-2017 Task 1, track 4b, from {WIKI_PAGE},",
    )
    pairs, scores = read_scored_pairs(*files)
    return make_bunch(
        pairs,
        scores,
        ["2017-train/track4b.es-en"] * len(pairs),
        descr=(
            f"STS 2017, track 4b, training: {len(pairs)} English-Spanish pairs scored 0 to 5.\n"
            "Terms: CC BY 4.0.\nPaper: Cer et al. (2017). SemEval-2017 Task 1. SemEval 2017."
        ),
        filenames=files,
        as_frame=as_frame,
        return_X_y=return_X_y,
    )
