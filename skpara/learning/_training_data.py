"""Validated training data: scores, paraphrases, a validation set, chunks."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import check_consistent_length

from skpara._pairs import as_pairs
from skpara._typing import ValidationSet
from skpara._validation import check_scores

_FRACTION = re.compile(r"\s*[+-]?\d*[.,]\d+\s*")


def is_class_labels(y: ArrayLike) -> bool:
    """Return whether ``y`` has class labels, or a single value, and not graded scores.

    Labels are booleans, fewer than four distinct whole numbers, such as 0 and 1, or text: names
    that are repeated. Text of numbers such as "4.5", or another name for each pair, is a mistake
    that check_scores names.
    """
    values = np.asarray(y)
    if values.dtype.kind == "b":
        return True
    if _is_text(values):
        names = set(map(str, values.ravel().tolist()))
        is_repeated = len(names) < 4 or 2 * len(names) <= values.size
        return is_repeated and not any(map(_FRACTION.fullmatch, names))
    if values.dtype.kind in "cmM":  # complex numbers and times
        return False
    try:
        numbers = values.astype(np.float64)
    except (TypeError, ValueError, OverflowError):  # check_scores says what is wrong with them
        return False
    if not np.isfinite(numbers).all():
        return False
    distinct = np.unique(numbers)
    return len(distinct) == 1 or (len(distinct) < 4 and bool((distinct % 1 == 0).all()))


def _is_text(values: NDArray[Any]) -> bool:
    if values.dtype.kind == "O":
        return any(isinstance(value, str | bytes) for value in values.ravel())
    return values.dtype.kind in "UST"


def check_validation(validation: Any) -> ValidationSet | None:
    """Validate a validation set: a tuple of (pairs, scores), or pairs.

    Scores that are all the same, and labels that are text, rank nothing and are dropped.
    """
    if validation is None:
        return None
    scores = None
    if isinstance(validation, tuple) and len(validation) == 2:
        validation, scores = validation
    pairs = as_pairs(validation)
    if len(pairs) < 2:
        raise ValueError(f"validation has {len(pairs)} pair(s); at least 2 are needed.")
    if scores is not None and _is_text(np.asarray(scores)) and is_class_labels(scores):
        check_consistent_length(pairs, scores)
        scores = None
    if scores is not None:
        scores = check_scores(scores, X=pairs)
        if np.ptp(scores) == 0:
            scores = None
    return pairs, scores


def hold_out(
    n_samples: int,
    fraction: float,
    min_train: int,
    random_state: Any,
    labels: NDArray[Any] | None = None,
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the rows to learn from, at least ``min_train``, and the rows of a validation set.

    Both have the same shares of each of the labels, if these are given and frequent enough.
    """
    from sklearn.model_selection import train_test_split

    n_held_out = max(2, round(fraction * n_samples))
    if n_held_out > n_samples - min_train:
        raise ValueError(
            f"{n_samples} samples are too few to hold some out; set early_stopping=False."
        )
    if labels is not None:
        counts = np.unique(labels, return_counts=True)[1]
        # train_test_split raises an error for rarer labels.
        if counts.min() < 2 or len(counts) > min(n_held_out, n_samples - n_held_out):
            labels = None
    rows = np.arange(n_samples)
    train, test = train_test_split(
        rows, test_size=n_held_out, random_state=random_state, stratify=labels
    )
    return train, test
