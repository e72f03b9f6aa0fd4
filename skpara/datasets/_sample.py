"""The sample of scored pairs that ships with the package."""

from __future__ import annotations

from importlib.resources import as_file, files
from typing import Any

from sklearn.utils import Bunch

from skpara.datasets._documentation import document_loader
from skpara.datasets._pair_files import PairFile, make_bunch


@document_loader
def load_sts_sample(
    *, return_X_y: bool = False, as_frame: bool = False
) -> Bunch | tuple[Any, Any]:
    """Load a small sample of sentence pairs with similarity scores.

    It ships with the package and needs no network. It is for examples and tests: too small to
    compare systems on, for which see :func:`fetch_sts`.

    Parameters
    ----------
    %(return_X_y, as_frame)s

    Returns
    -------
    %(bunch)s
            Scores, 0 (unrelated) to 5 (same meaning).
        groups : ndarray of shape (n_pairs,), str
            Genre of the pair: headlines, captions, questions, answers or definitions.
    %(bunch_names)s

    See Also
    --------
    fetch_sts : The STS data of SemEval.

    Examples
    --------
    >>> from skpara.datasets import load_sts_sample
    >>> X, y = load_sts_sample(return_X_y=True)
    >>> X.shape[1]
    2
    """
    folder = files("skpara.datasets") / "data"
    with as_file(folder / "sts_sample.tsv") as path:
        rows = list(PairFile(path, score_column="score", group_column="genre"))
    descr = (folder / "sts_sample.md").read_text("utf-8")
    return make_bunch(rows, descr, ["sts_sample.tsv"], as_frame, return_X_y)
