"""The pairs of ``skpara demo``: some to learn from, others held out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.model_selection import train_test_split

from skpara.datasets import fetch_sts, load_sts_sample

__all__ = ["DemoSplit", "example_rows", "split_sample", "split_sts"]

_STS_YEARS_TO_LEARN_FROM = (2012, 2013, 2014, 2015)
_STS_YEAR_HELD_OUT = 2016


@dataclass(frozen=True)
class DemoSplit:
    """Scored pairs to learn from, and others to be judged by."""

    title: str
    train: NDArray[np.object_]  # (n_train, 2)
    train_scores: NDArray[np.float64]
    test: NDArray[np.object_]  # (n_test, 2)
    test_scores: NDArray[np.float64]
    test_groups: NDArray[np.str_]


def split_sample(seed: int | None = 0, *, test_size: float = 0.25) -> DemoSplit:
    """Split the sample that ships with the package; every genre is held out in equal part.

    Parameters
    ----------
    seed : int or None, default=0
        Which pairs are held out.
    test_size : float, default=0.25
        The part held out, from 0 to 1.

    Returns
    -------
    DemoSplit

    Examples
    --------
    >>> from skpara.cli._demo_split import split_sample
    >>> split = split_sample()
    >>> len(split.train) > len(split.test)
    True
    """
    sample: Any = load_sts_sample()
    train, test = train_test_split(
        np.arange(len(sample.target)),
        test_size=test_size,
        stratify=sample.groups,
        random_state=seed,
    )
    return DemoSplit(
        title="the sample that ships with skpara",
        train=sample.data[train],
        train_scores=sample.target[train],
        test=sample.data[test],
        test_scores=sample.target[test],
        test_groups=sample.groups[test],
    )


def split_sts(data_home: str | os.PathLike[str] | None) -> DemoSplit:
    """Learn from STS 2012 to 2015, hold out 2016, as the task of 2016 did.

    Parameters
    ----------
    data_home : str, path-like or None
        The data folder, as for :func:`skpara.datasets.fetch_sts`. Nothing is downloaded.

    Returns
    -------
    DemoSplit

    Raises
    ------
    FileNotFoundError
        If the folder does not hold these years.
    """
    earlier: Any = fetch_sts(
        _STS_YEARS_TO_LEARN_FROM, split="all", data_home=data_home, download_if_missing=False
    )
    later: Any = fetch_sts(_STS_YEAR_HELD_OUT, data_home=data_home, download_if_missing=False)
    return DemoSplit(
        title="SemEval STS: 2012 to 2015 to learn from, 2016 held out",
        train=earlier.data,
        train_scores=earlier.target,
        test=later.data,
        test_scores=later.target,
        test_groups=later.groups,
    )


def example_rows(y_true: NDArray[np.float64], n: int = 3) -> list[int]:
    """Rows spread over the range of the gold scores, highest first; predictions play no part.

    Parameters
    ----------
    y_true : ndarray of shape (n_pairs,)
        Gold scores.
    n : int, default=3
        How many rows; at most ``n_pairs``.

    Returns
    -------
    list of int

    Examples
    --------
    >>> import numpy as np
    >>> from skpara.cli._demo_split import example_rows
    >>> example_rows(np.array([0.0, 1.0, 2.0, 3.0, 4.0]))
    [4, 2, 0]
    """
    order = np.argsort(-y_true, kind="stable")
    places = np.linspace(0.1, 0.9, n) * (len(order) - 1)
    return [int(order[place]) for place in dict.fromkeys(np.round(places).astype(int))]
