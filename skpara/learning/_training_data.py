"""What training learns from, validated: scores, paraphrases, a validation set, chunks."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import train_test_split
from sklearn.utils import check_array, check_consistent_length

from skpara._pairs import as_pairs
from skpara._typing import Floats, Pairs, ValidationSet


def check_scores(y: ArrayLike, pairs: Pairs) -> Floats:
    """Validate scores: one finite number for each pair."""
    scores: Floats = check_array(y, ensure_2d=False, dtype=np.float64, input_name="y").ravel()
    check_consistent_length(pairs, scores)
    return scores


def check_validation(validation: Any) -> ValidationSet | None:
    """Validate a validation set: a tuple of (pairs, scores), or pairs.

    Scores that are all the same rank nothing and are dropped.
    """
    if validation is None:
        return None
    scores = None
    if isinstance(validation, tuple) and len(validation) == 2:
        validation, scores = validation
    pairs = as_pairs(validation)
    if len(pairs) < 2:
        raise ValueError(f"validation has {len(pairs)} pair(s); at least 2 are needed.")
    if scores is not None:
        scores = check_scores(scores, pairs)
        if np.ptp(scores) == 0:
            scores = None
    return pairs, scores


def hold_out(
    pairs: NDArray[Any],
    labels: NDArray[Any] | None,
    fraction: float,
    min_train: int,
    random_state: Any,
    *,
    stratify: bool = False,
) -> tuple[NDArray[Any], Any, tuple[NDArray[Any], Any]]:
    """Split pairs or sentences into those to learn from and a validation set.

    At least ``min_train`` are learned from. ``stratify`` gives both parts the same shares of each
    label where the labels are frequent enough.
    """
    n_held_out = max(2, round(fraction * len(pairs)))
    if n_held_out > len(pairs) - min_train:
        kind = "pairs" if pairs.ndim == 2 else "sentences"
        raise ValueError(
            f"{len(pairs)} {kind} are too few to hold some out; set early_stopping=False."
        )
    strata = None
    if stratify and labels is not None:
        counts = np.unique(labels, return_counts=True)[1]
        # What train_test_split needs; with rarer labels it would raise an error.
        if counts.min() >= 2 and len(counts) <= min(n_held_out, len(pairs) - n_held_out):
            strata = labels
    train, test = train_test_split(
        np.arange(len(pairs)), test_size=n_held_out, random_state=random_state, stratify=strata
    )
    if labels is None:
        return pairs[train], None, (pairs[test], None)
    return pairs[train], labels[train], (pairs[test], labels[test])
