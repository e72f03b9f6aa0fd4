"""The yearly STS tasks as pairs, scores and the set that each pair belongs to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, cast

import numpy as np
from sklearn.utils import Bunch

from skpara._typing import Floats
from skpara.datasets._pair_files import make_bunch, read_tsv_pairs
from skpara.datasets._sources import require_files
from skpara.datasets._sts_tasks import STS_TASKS, StsTask
from skpara.datasets._text_files import Lines, parse_score, read_lines


def fetch_sts(
    year: int | Sequence[int],
    *,
    subset: str | Sequence[str] | None = None,
    split: Literal["train", "test", "all"] = "test",
    include_unscored: bool = False,
    data_home: str | os.PathLike[str] | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Bunch | tuple[Any, Any]:
    """Load the English STS data of SemEval 2012 to 2017.

    Pairs of sentences with a gold score from 0 (unrelated) to 5 (same meaning). Each year has
    several sets, one for each kind of text; ``groups`` tells them apart, both for
    :func:`skpara.metrics.semeval_score` and for :class:`~sklearn.model_selection.GroupKFold`.

    Files are read from the data folder (see :func:`get_data_home`). Missing ones are downloaded
    into it from the site of the task and verified. By the rules of the task, a system for one
    year is trained on earlier years only.

    Parameters
    ----------
    year : int or sequence of int
        2012 to 2017; several years are concatenated.
    subset : str or sequence of str, default=None
        Sets to keep: ``"headlines"``, or with the year as in ``groups``, ``"2014/headlines"``.
        By default all public sets. Two kinds are read only if named, from files that you put into
        the data folder: ``"SMT"`` of 2013, which the LDC distributes, and the tracks of 2017 in
        other languages.
    split : {"train", "test", "all"}, default="test"
        Only 2012 has a train split; ``"all"`` is whatever a year has.
    include_unscored : bool, default=False
        In 2015 and 2016 most pairs were never scored. False leaves these out; True keeps them,
        with NaN as their target, since methods that learn without scores can use the text.
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
            Year and set: ``"2014/headlines"``; the 2012 train split is ``"2012-train/..."``.
        feature_names, target_names, filenames, DESCR
            Names of the columns, of the score and of the files, and a description of the
            sets with terms of use and papers.

    Raises
    ------
    OSError
        If files are missing (``FileNotFoundError``) or their download fails.
    ValueError
        If the year, split or set does not exist, or a file is malformed.

    See Also
    --------
    fetch_sts_benchmark : A fixed selection of these pairs in train, dev and test.
    load_sts_sample : A small sample that needs no files.

    Notes
    -----
    STS Benchmark repeats pairs of these sets: do not train on one and test on the other.
    MSRpar of the 2012 train split comes from the *test* part of the Microsoft paraphrase corpus,
    and MSRpar of the 2012 test split from its train part.

    References
    ----------
    Agirre, E., et al. (2016). SemEval-2016 Task 1: Semantic Textual Similarity, Monolingual and
    Cross-Lingual Evaluation. SemEval 2016, 497-511.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts
    >>> sts = fetch_sts(2014, subset=["headlines", "images"])  # doctest: +SKIP
    >>> sts.data.shape, sts.target.shape  # doctest: +SKIP
    ((1500, 2), (1500,))
    """
    tasks = _tasks(year, split)
    chosen = _choose_sets(tasks, subset)
    pairs: list[tuple[str, str]] = []
    scores: list[Floats] = []
    groups: list[str] = []
    filenames: list[Path] = []
    for task, names in chosen:
        paths = require_files(
            task.source,
            [f"STS.{kind}.{name}.txt" for name in names for kind in ("input", "gs")],
            data_home,
            download_if_missing=download_if_missing,
        )
        for name in names:
            input_path, gold_path = (paths[f"STS.{kind}.{name}.txt"] for kind in ("input", "gs"))
            set_pairs, set_scores = read_scored_pairs(input_path, gold_path)
            keep = ~np.isnan(set_scores) | include_unscored
            pairs += [pair for pair, scored in zip(set_pairs, keep, strict=True) if scored]
            scores.append(set_scores[keep])
            groups += [f"{task.label}/{name}"] * int(keep.sum())
            filenames += [input_path, gold_path]
    return make_bunch(
        pairs,
        np.concatenate(scores),
        groups,
        descr=_describe(chosen, groups),
        filenames=filenames,
        as_frame=as_frame,
        return_X_y=return_X_y,
    )


def _tasks(year: int | Sequence[int], split: str) -> list[StsTask]:
    """Return the tasks of the years, in the order of ``year``."""
    years = [year] if isinstance(year, Integral) else list(cast("Sequence[int]", year))
    if not years:
        raise ValueError("year is an empty sequence; name at least one year.")
    if split not in ("train", "test", "all"):
        raise ValueError(f"split must be 'train', 'test' or 'all', got {split!r}.")
    known = sorted({task.year for task in STS_TASKS})
    tasks: list[StsTask] = []
    for number in dict.fromkeys(years):
        if number not in known:
            raise ValueError(
                f"There is no STS task of {number}. The years are {known[0]} to {known[-1]}."
            )
        of_split = [t for t in STS_TASKS if t.year == number and split in (t.split, "all")]
        if not of_split:
            raise ValueError(
                f"STS {number} has no {split!r} split. Its rules allow training on earlier years: "
                f"fetch_sts(range(2012, {number}), split='all')."
            )
        tasks += of_split
    return tasks


def _choose_sets(
    tasks: list[StsTask], subset: str | Sequence[str] | None
) -> list[tuple[StsTask, list[str]]]:
    """Return the sets to read from each task; each name must exist in one of them."""
    if subset is None:
        return [(task, list(task.sets)) for task in tasks]
    subsets = [subset] if isinstance(subset, str) else list(subset)
    chosen = []
    unknown = set(subsets)
    for task in tasks:
        available = [*task.sets, *task.sets_on_request]
        names = [n for n in available if n in subsets or f"{task.label}/{n}" in subsets]
        unknown.difference_update(names, (f"{task.label}/{n}" for n in names))
        if names:
            chosen.append((task, names))
    if unknown or not chosen:
        listed = "\n".join(
            f"  {task.label}: {', '.join([*task.sets, *task.sets_on_request])}" for task in tasks
        )
        raise ValueError(f"Unknown subset: {sorted(unknown)}. The sets are\n{listed}")
    return chosen


def read_scored_pairs(input_path: Path, gold_path: Path) -> tuple[list[tuple[str, str]], Floats]:
    """Return the pairs of one file with their scores from another, NaN where a line is blank."""
    pairs = read_tsv_pairs(input_path)
    scores = np.array(
        [
            parse_score(line, f"{gold_path}, line {number}") if line.strip() else np.nan
            for number, line in enumerate(read_lines(Lines(gold_path)), start=1)
        ],
        dtype=np.float64,
    )
    if len(pairs) != len(scores):
        raise ValueError(
            f"{input_path} has {len(pairs)} lines, but {gold_path} has {len(scores)}. Every pair "
            "needs one line in the file of scores, which is blank if it was not scored."
        )
    return pairs, scores


def _describe(chosen: list[tuple[StsTask, list[str]]], groups: list[str]) -> str:
    lines = ["Semantic textual similarity (STS): pairs of sentences scored 0 to 5.", ""]
    for task, names in chosen:
        lines += [f"{task.source.title}", f"  Paper: {task.paper}", f"  Terms: {task.terms}"]
        lines += [f"  {n}: {groups.count(f'{task.label}/{n}')} pairs" for n in names]
    return "\n".join(lines)
