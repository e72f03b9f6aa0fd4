"""SICK: sentence pairs with a relatedness score and an entailment label."""

from __future__ import annotations

from typing import Any, Literal

from skpara._typing import FilePath
from skpara.datasets._pair_arrays import make_bunch
from skpara.datasets._pair_files import PairFile
from skpara.datasets._sources import require_split


def fetch_sick(
    split: Literal["train", "trial", "test"] = "train",
    *,
    data_home: FilePath | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:  # a Bunch, or a tuple with return_X_y
    """Load one split of SICK as SemEval-2014 Task 1 released it.

    Pairs of short, rule-edited captions with a relatedness score from 1 to 5 and an entailment
    label: 4500 for training, 500 for trial, 4927 for testing. (A later release of SICK has 9840
    pairs and slightly different splits; this is not that one.)

    Parameters
    ----------
    split : {"train", "trial", "test"}, default="train"
        The part to load.
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
            Relatedness, 1 to 5. Give estimators ``score_range=(1, 5)``.
        entailment : ndarray of shape (n_pairs,), str
            ``"NEUTRAL"``, ``"ENTAILMENT"`` or ``"CONTRADICTION"``.
        groups : ndarray of shape (n_pairs,), str
            ``"SICK/train"`` and so on; SICK has no sets within a split.
        pair_ids : ndarray of shape (n_pairs,), str
            Numbers of the pairs in the files.
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the target and of the files, and a description with the terms
            of use.

    References
    ----------
    Marelli and others (2014), SemEval-2014 Task 1: compositional models on full sentences.

    Examples
    --------
    >>> from skpara.datasets import fetch_sick
    >>> fetch_sick("trial").data.shape  # doctest: +SKIP
    (500, 2)
    """
    path, descr = require_split("sick", split, data_home, download_if_missing=download_if_missing)
    rows = list(
        PairFile(
            path,
            columns=("sentence_A", "sentence_B"),
            score_column="relatedness_score",
            group_column="entailment_judgment",
        )
    )
    return make_bunch(
        [row._replace(group=f"SICK/{split}") for row in rows],
        descr.format(len(rows)),
        [path],
        as_frame,
        return_X_y,
        entailment=[row.group for row in rows],
        pair_ids=[row.record[0] for row in rows],
    )
