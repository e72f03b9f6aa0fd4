"""The yearly STS tasks, and the sample of scored pairs that ships with the package."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import as_file
from importlib.resources import files as package_files
from numbers import Integral
from pathlib import Path
from typing import Any, Literal, cast

from skpara._typing import FilePath
from skpara.datasets._pair_arrays import make_bunch
from skpara.datasets._pair_files import PairFile, Row
from skpara.datasets._sources import Source, facts, require_files
from skpara.datasets._text_files import parse_score, read_sentences

# Sets of which only the first pairs were scored: the number of lines in the files of pairs and
# scores.
_FIRST_SCORED = {"2017/track6.tr-en": (500, 250)}


@dataclass(frozen=True)
class StsTask:
    """The sets of one year and split."""

    label: str  # the year as in ``groups``, with "-train" for train sets
    year: int
    split: str
    sets: Sequence[str]
    on_request: Sequence[str]  # read only if named: in other languages, or not public
    source: Source
    terms: str  # licence, as far as the source states it
    paper: str


@cache
def sts_tasks() -> tuple[StsTask, ...]:
    """Return the tasks in the order of their years."""
    return tuple(StsTask(**task | {"source": Source.of(task["source"])}) for task in facts("sts"))


def load_sts_sample(
    *, return_X_y: bool = False, as_frame: bool = False
) -> Any:  # a Bunch, or a tuple with return_X_y
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
            Names of the columns, of the target and of the files, and a description with the terms
            of use.

    Examples
    --------
    >>> from skpara.datasets import load_sts_sample
    >>> X, y = load_sts_sample(return_X_y=True)
    >>> X.shape[1]
    2
    """
    folder = package_files("skpara.datasets") / "data"
    with as_file(folder / "sts_sample.tsv") as path:
        rows = list(PairFile(path, score_column="score", group_column="genre"))
    descr = (folder / "sts_sample.md").read_text("utf-8")
    return make_bunch(rows, descr, ["sts_sample.tsv"], as_frame, return_X_y)


def fetch_sts(
    year: int | Sequence[int],
    *,
    subset: str | Sequence[str] | None = None,
    split: Literal["train", "test", "all"] = "test",
    include_unscored: bool = False,
    data_home: FilePath | None = None,
    download_if_missing: bool = True,
    as_frame: bool = False,
    return_X_y: bool = False,
) -> Any:  # a Bunch, or a tuple with return_X_y
    """Load the STS data of SemEval 2012 to 2017.

    Pairs of sentences with a gold score from 0 (unrelated) to 5 (same meaning). Each year has
    several sets, one for each kind of text; ``groups`` has the set of each pair, for
    :func:`skpara.metrics.semeval_score` and :class:`~sklearn.model_selection.GroupKFold`.

    Files are read from the data folder (see :func:`get_data_home`). Missing ones are downloaded
    into it from the site of the task and verified. By the rules of the task, a system for one
    year is trained on earlier years only.

    Parameters
    ----------
    year : int or sequence of int
        2012 to 2017; several years are concatenated.
    subset : str or sequence of str, default=None
        Sets to keep: ``"headlines"``, or with the year as in ``groups``, ``"2014/headlines"``.
        By default all public English sets. Two kinds are read only if named: the tracks of 2017
        in other languages (``"track1.ar-ar"``, ``"track2.ar-en"``, ``"track3.es-es"``,
        ``"track4a.es-en"``, ``"track4b.es-en"``, ``"track6.tr-en"``), and ``"SMT"`` of 2013,
        which the LDC distributes, from files that you put into the data folder.
    split : {"train", "test", "all"}, default="test"
        Only 2012 has a train split; ``"all"`` is all splits of a year.
    include_unscored : bool, default=False
        In 2015 and 2016 most pairs were never scored, and half of ``"track6.tr-en"``. False leaves
        these out; True keeps them, with NaN as their target, since methods that learn without
        scores can use the text.
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
            Names of the columns, of the target and of the files, and a description with the terms
            of use.

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
    Agirre and others (2016), SemEval-2016 Task 1: semantic textual similarity, SemEval.

    Examples
    --------
    >>> from skpara.datasets import fetch_sts
    >>> fetch_sts(2014, subset=["headlines", "images"]).data.shape  # doctest: +SKIP
    (1500, 2)
    """
    chosen = _choose_sets(_tasks(year, split), subset)
    rows: list[Row] = []
    filenames: list[Path] = []
    for task, names in chosen:
        files = [f"STS.{kind}.{name}.txt" for name in names for kind in ("input", "gs")]
        paths = require_files(
            task.source, files, data_home, download_if_missing=download_if_missing
        )
        rows += read_sets([f"{task.label}/{name}" for name in names], paths)
        filenames += paths
    if not include_unscored:
        rows = [row for row in rows if not math.isnan(row.score)]
    return make_bunch(rows, _describe(chosen, rows), filenames, as_frame, return_X_y)


def _tasks(year: int | Sequence[int], split: str) -> list[StsTask]:
    """Return the tasks of the years, in the order of ``year``."""
    years = [year] if isinstance(year, Integral) else list(cast("Sequence[int]", year))
    if not years:
        raise ValueError("year is an empty sequence; name at least one year.")
    if split not in ("train", "test", "all"):
        raise ValueError(f"split must be 'train', 'test' or 'all', got {split!r}.")
    tasks: list[StsTask] = []
    for number in dict.fromkeys(years):
        of_year = [task for task in sts_tasks() if task.year == number]
        if not of_year:
            known = [task.year for task in sts_tasks()]
            raise ValueError(
                f"There is no STS task of {number}. The years are {min(known)} to {max(known)}."
            )
        found = [task for task in of_year if split in (task.split, "all")]
        if not found:
            raise ValueError(
                f"STS {number} has no {split!r} split. Its rules allow training on earlier years: "
                f"fetch_sts(range(2012, {number}), split='all')."
            )
        tasks += found
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
        available = [*task.sets, *task.on_request]
        names = [n for n in available if n in subsets or f"{task.label}/{n}" in subsets]
        unknown.difference_update(names, (f"{task.label}/{n}" for n in names))
        if names:
            chosen.append((task, names))
    if unknown or not chosen:
        listed = "\n".join(
            f"  {task.label}: {', '.join([*task.sets, *task.on_request])}" for task in tasks
        )
        raise ValueError(f"Unknown subset: {sorted(unknown)}. The sets are\n{listed}")
    return chosen


def read_sets(groups: Sequence[str], paths: Sequence[Path]) -> list[Row]:
    """Return the pairs of sets, each with a file of pairs and a file of scores, NaN if blank."""
    rows = []
    for group, input_path, gold_path in zip(groups, paths[::2], paths[1::2], strict=True):
        pairs = list(PairFile(input_path, format="tsv", columns=(0, 1), header=False))
        lines = read_sentences(gold_path)
        if (len(pairs), len(lines)) == _FIRST_SCORED.get(group):
            lines += [""] * (len(pairs) - len(lines))
        if len(pairs) != len(lines):
            raise ValueError(
                f"{input_path} has {len(pairs)} lines, but {gold_path} has {len(lines)}. Every "
                "pair needs one line in the file of scores, which is blank if it was not scored."
            )
        for row, line in zip(pairs, lines, strict=True):
            where = f"{gold_path}, line {row.line}"
            score = parse_score(line, where) if line.strip() else math.nan
            rows.append(row._replace(score=score, group=group))
    return rows


def _describe(chosen: list[tuple[StsTask, list[str]]], rows: list[Row]) -> str:
    counts = Counter(row.group for row in rows)
    lines = ["Semantic textual similarity (STS): pairs of sentences scored 0 to 5.", ""]
    for task, names in chosen:
        lines += [f"{task.source.title}", f"  Paper: {task.paper}", f"  Terms: {task.terms}"]
        lines += [f"  {n}: {counts[f'{task.label}/{n}']} pairs" for n in names]
    return "\n".join(lines)
