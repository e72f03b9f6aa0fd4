"""Scores of pairs by a model: probabilities of a classifier, or predictions of a regressor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from skpara._compatibility import import_optional
from skpara._typing import Floats
from skpara.matching._search import Rows

_PAIRS_PER_CALL = 8192
# Sums and quotients of single precision may exceed 1 by as much.
_ROUNDING = 1e-6


def scores_are_probabilities(model: Any) -> bool:
    """Return whether the score of a pair is a probability."""
    return hasattr(model, "predict_proba")


def check_bound(name: str, value: Any, model: Any, kind: str = "cosine") -> Any:
    """Return a bound. It is between 0 and 1, unless it is on the own scale of a regressor."""
    if value is None or (model is not None and not scores_are_probabilities(model)):
        return value
    kind = kind if model is None else "probability"
    if not 0 <= value <= 1:
        meant = f" Did you mean {value / 100:g}?" if 2 <= value <= 100 else ""
        raise ValueError(f"{name} is a {kind} between 0 and 1, got {value:g}.{meant}")
    return value


def score_pairs(model: Any, left: Sequence[str], right: Sequence[str], pairs: Rows) -> Floats:
    """Compute the model's score of each pair of a ``left`` and a ``right`` sentence."""
    scores = np.empty(len(pairs))
    for start in range(0, len(pairs), _PAIRS_PER_CALL):
        part = pairs[start : start + _PAIRS_PER_CALL].tolist()
        texts = [(left[i], right[j]) for i, j in part]
        scores[start : start + len(part)] = model_scores(model, texts)
    return scores


def model_scores(model: Any, pairs: Any) -> Floats:
    """Return the model's predictions, or its probabilities of the second of two classes."""
    X: Any = np.array(pairs, dtype=object)
    if hasattr(model, "feature_names_in_"):  # fitted to a frame, it would warn of an array
        pd = import_optional("pandas", "A model that was fitted to a frame")
        X = pd.DataFrame(X, columns=model.feature_names_in_)
    if scores_are_probabilities(model):
        scores = np.asarray(model.predict_proba(X), dtype=np.float64)
        if scores.ndim != 2 or scores.shape[1] != 2:
            raise ValueError(
                "The model's predict_proba must return two columns, for different and equal "
                f"meaning, got an array of shape {scores.shape}."
            )
        scores = scores[:, 1]
    else:
        scores = np.asarray(model.predict(X), dtype=np.float64)
    if scores.shape != (len(pairs),):
        raise ValueError(
            f"The model returned an array of shape {scores.shape} for {len(pairs)} pairs, instead "
            "of one score for each. Use a model whose predict returns scores."
        )
    # Log odds need probabilities.
    low, high = (0.0, 1.0) if scores_are_probabilities(model) else (-np.inf, np.inf)
    are_within = (scores >= low - _ROUNDING) & (scores <= high + _ROUNDING) & np.isfinite(scores)
    if not are_within.all():  # NaN is neither a match nor none
        bad = int(are_within.argmin())
        raise ValueError(
            f"The model's score of {tuple(pairs[bad])!r:.200} is {scores[bad]}. Use a model whose "
            "scores are finite numbers, and its probabilities from 0 to 1."
        )
    return scores.clip(low, high)
