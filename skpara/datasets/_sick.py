"""SICK: sentence pairs with a relatedness score and an entailment label."""

from __future__ import annotations

import os
from typing import Any, Literal

from sklearn.utils import Bunch

from skpara.datasets._bunch import make_bunch
from skpara.datasets._home import get_data_home
from skpara.datasets._source import Archive, FileSpec, Source, require_files
from skpara.datasets._tsv import parse_score, read_rows

__all__ = ["fetch_sick"]

_COLUMNS = ["pair_ID", "sentence_A", "sentence_B", "relatedness_score", "entailment_judgment"]
_SITE = "http://alt.qcri.org/semeval2014/task1/data/uploads"
_PARTS = {  # split: (name of the archive and of its file, pairs)
    "train": ("train", 4500),
    "trial": ("trial", 500),
    "test": ("test_annotated", 4927),
}
_SOURCE = Source(
    title="SICK",
    folder="SICK",
    files={f"SICK_{part}.txt": FileSpec(n + 1, len(_COLUMNS)) for part, n in _PARTS.values()},
    archives=tuple(
        Archive(
            (f"{_SITE.replace('http:', 'https:')}/sick_{part}.zip", f"{_SITE}/sick_{part}.zip"),
            (f"SICK_{part}.txt",),
        )
        for part, _ in _PARTS.values()
    ),
    page="SemEval-2014 Task 1, http://alt.qcri.org/semeval2014/task1",
)


def fetch_sick(
    split: Literal["train", "trial", "test"] = "train",
    *,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load one split of SICK as SemEval-2014 Task 1 released it [1]_.

    Pairs of short, rule-edited captions with a relatedness score from 1 to 5 and an entailment
    label: 4500 for training, 500 for trial, 4927 for testing. (A later release of SICK has 9840
    pairs and slightly different splits; this is not that one.)

    Parameters
    ----------
    split : {"train", "trial", "test"}, default="train"
        The part to load.
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
            Relatedness, 1 to 5. Give estimators ``score_range=(1, 5)``.
        entailment : ndarray of shape (n_pairs,), str
            ``"NEUTRAL"``, ``"ENTAILMENT"`` or ``"CONTRADICTION"``.
        groups : ndarray of shape (n_pairs,), str
            ``"SICK/train"`` and so on; SICK has no sets within a split.
        pair_ids : ndarray of shape (n_pairs,), str
            Numbers of the pairs in the files.
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

    References
    ----------
    .. [1] Marelli, M., et al. (2014). "SemEval-2014 Task 1: Evaluation of Compositional
       Distributional Semantic Models on Full Sentences through Semantic Relatedness and Textual
       Entailment". SemEval 2014, 1-8.

    Examples
    --------
    >>> from skpara.datasets import fetch_sick
    >>> fetch_sick("trial").data.shape  # doctest: +SKIP
    (500, 2)
    """
    if split not in _PARTS:
        raise ValueError(f"split must be one of {list(_PARTS)}, got {split!r}")
    name = f"SICK_{_PARTS[split][0]}.txt"
    path = require_files(
        _SOURCE, [name], get_data_home(data_home), download_if_missing=download_if_missing
    )[name]
    rows = read_rows(path, len(_COLUMNS))
    if not rows or rows[0][: len(_COLUMNS)] != _COLUMNS:
        raise ValueError(f"{path}, line 1: the header must be {' TAB '.join(_COLUMNS)}")
    del rows[0]
    return make_bunch(
        [(row[1], row[2]) for row in rows],
        [parse_score(row[3], path, number) for number, row in enumerate(rows, start=2)],
        [f"SICK/{split}"] * len(rows),
        descr=(
            f"SICK, {split}: {len(rows)} pairs of sentences, relatedness 1 to 5.\n"
            "Terms: CC BY-NC-SA 3.0.\n"
            "Paper: Marelli et al. (2014). SemEval-2014 Task 1. SemEval 2014."
        ),
        filenames=[str(path)],
        as_frame=as_frame,
        return_X_y=return_X_y,
        entailment=[row[4] for row in rows],
        pair_ids=[row[0] for row in rows],
    )
