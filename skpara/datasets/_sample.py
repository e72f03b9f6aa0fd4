"""The sample of scored pairs that ships with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._pair_files import PairFile, make_bunch


def load_sts_sample(
    *, return_X_y: bool = False, as_frame: bool = False
) -> Bunch | tuple[Any, Any]:
    """Load a small sample of sentence pairs with similarity scores.

    It ships with the package and needs no network. It is for examples and tests: too small to
    compare systems on, for which see :func:`fetch_sts`.

    Parameters
    ----------
    return_X_y : bool, default=False
        If True, return ``(data, target)`` only.
    as_frame : bool, default=False
        If True, ``data`` is a pandas DataFrame and ``target`` a Series; ``frame`` has all columns.

    Returns
    -------
    sklearn.utils.Bunch or tuple
        With ``return_X_y``, a tuple ``(data, target)``, else a Bunch of

        data : ndarray of shape (n_pairs, 2), object
            The two sentences.
        target : ndarray of shape (n_pairs,), float64
            Scores, 0 (unrelated) to 5 (same meaning).
        groups : ndarray of shape (n_pairs,), str
            Genre of the pair: headlines, captions, questions, answers or definitions.
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the score and of the file, and how the sample was made.

    See Also
    --------
    fetch_sts : The STS data of SemEval.

    Examples
    --------
    >>> from skpara.datasets import load_sts_sample
    >>> sample = load_sts_sample()
    >>> sample.data.shape[1]
    2
    >>> bool(0 <= sample.target.min() <= sample.target.max() <= 5)
    True
    """
    folder = files("skpara.datasets") / "data"
    with as_file(folder / "sts_sample.tsv") as path:
        rows = list(PairFile(path, score_column="score", group_column="genre"))
    return make_bunch(
        [row.pair for row in rows],
        [row.score for row in rows],
        [row.group for row in rows],
        descr=(folder / "sts_sample.md").read_text("utf-8"),
        filenames=["sts_sample.tsv"],
        as_frame=as_frame,
        return_X_y=return_X_y,
    )
