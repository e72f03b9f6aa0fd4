"""Validation of targets, which are scores or labels, of weights, and of features."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from contextlib import contextmanager
from datetime import date, timedelta
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.utils import (
    _safe_indexing,
    check_consistent_length,
    check_scalar,
    column_or_1d,
)
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, _num_samples, validate_data

from skpara._messages import warn
from skpara._typing import Bools, Floats

# Whole numbers as classes: more of them are usually grades.
_MOST_CLASSES = 4


def check_score_range(score_range: Any) -> tuple[float, float]:
    """Validate a range of scores, (low, high)."""
    ends = [float(x) if isinstance(x, Real) else np.nan for x in score_range]
    if len(ends) != 2 or not ends[0] < ends[1]:
        raise ValueError(f"score_range must be (low, high) with low < high, got {score_range!r}.")
    return ends[0], ends[1]


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Refuse what is not a whole number, or is less than ``least``."""
    check_scalar(value, name, Integral, min_val=least)


def check_share(name: str, value: Any, *, ends: bool = False) -> float:
    """Return a value between 0 and 1, which includes the ``ends`` or not; refuse others."""
    check_scalar(value, name, Real)
    if not 0 < value < 1 and not (ends and value in (0, 1)):
        meant = f" Did you mean {value / 100:g}?" if 1 < value <= 100 else ""
        raise ValueError(f"{name} must be between 0 and 1, got {value:g}.{meant}")
    return float(value)


def check_length(X: Any, values: Any, name: str) -> None:
    """Refuse values, such as scores, that are not one for each row of ``X``."""
    n_rows, n_values = _num_samples(X), _num_samples(values)
    if n_rows != n_values:
        raise ValueError(
            f"Found inconsistent numbers of samples: X has {n_rows} rows, and {name} {n_values} "
            f"values. Pass one value of {name} for each row, in the same order."
        )


def unmasked(values: ArrayLike) -> Any:
    """Return masked numbers as NaN; other values as they are."""
    # check_array ignores masks and would use the masked values.
    if isinstance(values, np.ma.MaskedArray) and values.dtype.kind in "biufO":
        return np.ma.filled(values.astype(np.float64), np.nan)
    return values


def check_scores(
    y: ArrayLike,
    score_range: tuple[float, float] | None = None,
    *,
    X: Any = None,
    name: str = "y",
) -> Floats:
    """Validate scores: finite numbers, within ``score_range`` and one for each row of ``X``."""
    labels = column_or_1d(unmasked(y), warn=True)
    for row, label in enumerate(labels.tolist() if labels.dtype.kind not in "biuf" else ()):
        # Strings of digits, too: they are usually labels.
        if label is not None and not isinstance(label, (bool, int, float, np.number)):
            raise ValueError(
                f"Expected scores, which are numbers, got {name}[{row}] = {label!r}. Convert "
                f"{name} with np.asarray({name}, dtype=float), or predict class labels by "
                "make_pair_classifier()."
            )
    try:
        scores: Floats = labels.astype(np.float64)
    except OverflowError:
        raise ValueError(f"{name} has an integer of over 308 digits; scale the scores.") from None
    if X is not None:
        check_length(X, scores, name)
    missing = np.flatnonzero(~np.isfinite(scores))
    if len(missing):
        raise ValueError(
            f"Input {name} contains NaN or infinity in {len(missing)} row(s), the first is "
            f"{name}[{missing[0]}] = {scores[missing[0]]:g}. Drop pairs without a score."
        )
    if score_range is not None and len(scores):
        low, high = score_range
        outside = np.flatnonzero((scores < low) | (scores > high))
        if len(outside):
            wider = ", ".join(map(_exact, (min(low, scores.min()), max(high, scores.max()))))
            raise ValueError(
                f"Expected scores in [{low:g}, {high:g}], got {name}[{outside[0]}] = "
                f"{scores[outside[0]]:g}. Clip them or pass score_range=({wider})."
            )
    return scores


def check_groups(groups: ArrayLike | None, X: Any) -> NDArray[Any] | None:
    """Validate the data set of each row of ``X``: any value, but none missing."""
    if groups is None:
        return None
    labels = column_or_1d(groups)
    check_length(X, labels, "groups")
    missing = np.flatnonzero([label is None or label != label for label in labels.tolist()])
    if len(missing):
        raise ValueError(
            f"groups has no value in {len(missing)} row(s), the first is groups[{missing[0]}]. "
            "Name the data set of each pair, or leave groups out."
        )
    return labels


def check_classes(y: ArrayLike) -> None:
    """Refuse graded scores as classes of pairs; warn of whole numbers that look like grades."""
    values = np.asarray(y)
    if values.dtype.kind not in "iuf":
        return
    classes = np.unique(values[np.isfinite(values)])
    remedy = "make_sts_pipeline() learns scores; to learn a decision, pass classes such as y >= 3."
    if len(grades := classes[classes % 1 != 0]):
        raise ValueError(f"Expected classes, got graded scores such as {grades[0]:g}. {remedy}")
    if len(classes) > _MOST_CLASSES:
        warn(
            f"y has {len(classes)} whole numbers as classes, and their order is not learned. If "
            f"they are graded scores, {remedy} Text as classes does not warn."
        )


def check_present(labels: Any, name: str) -> NDArray[Any]:
    """Validate labels or names of groups: none is missing or masked."""
    if np.ma.is_masked(labels):  # NumPy's functions ignore masks
        masked, labels = np.ma.getmaskarray(labels), np.array(labels, dtype=object)
        labels[masked] = None
    if getattr(getattr(labels, "dtype", None), "kind", "") == "T":
        labels = labels.astype(object)  # scikit-learn does not know NumPy's StringDType
    labels = column_or_1d(labels, warn=True)
    missing = np.flatnonzero(_is_missing(labels))
    if len(missing):
        raise ValueError(
            f"Input {name} contains missing labels in {len(missing)} row(s), the first "
            f"{name}[{missing[0]}] = {labels[missing[0]]!r}: drop samples without a label."
        )
    return labels


def check_labels(y: ArrayLike) -> NDArray[Any]:
    """Validate labels, the classes of pairs or sentences: none is missing, masked or a date."""
    labels = check_present(y, "y")
    first = next(iter(labels.tolist()), None)
    if labels.dtype.kind in "mM" or isinstance(first, date | timedelta):
        remedy = "If each is a class, convert y with np.asarray(y, dtype=str)."
        raise ValueError(f"Expected classes, got y[0] = {labels[0]!r}, a time. {remedy}")
    try:
        check_classification_targets(labels)
    except ValueError as error:
        raise ValueError(f"{error} Regressors, as of make_sts_pipeline(), learn scores.") from None
    _warn_of_spellings(labels)
    return labels


def _warn_of_spellings(labels: NDArray[Any]) -> None:
    """Warn if two classes differ in case or spaces only, such as "yes" and "Yes "."""
    first: dict[str, str] = {}
    for label in dict.fromkeys(labels.tolist()):
        if isinstance(label, str):
            other = first.setdefault(label.strip().casefold(), label)
            if other != label:
                warn(
                    f"The classes {other!r} and {label!r} differ in case or spaces only, and are "
                    "learned as two. If they mean the same, write them in one way."
                )
                return


def check_weights(sample_weight: ArrayLike | None, X: Any) -> Floats | None:
    """Validate weights of the rows of ``X``, which are 0 or more, and not all 0."""
    if sample_weight is None:
        return None
    if isinstance(sample_weight, Sized):
        check_length(X, sample_weight, "sample_weight")
    weights: Floats = _check_sample_weight(unmasked(sample_weight), X)
    wrong = np.flatnonzero(~((weights >= 0) & (weights < 1e100)))  # squares are finite
    if len(wrong) or not weights.any():
        row = wrong[0] if len(wrong) else 0
        raise ValueError(
            "sample_weight must be 0 to 1e100 for every pair, and not 0 for all, got "
            f"sample_weight[{row}] = {weights[row]:g}. Give pairs to leave out a weight of 0."
        )
    return weights


def counted(sample_weight: ArrayLike | None, X: Any, *others: Any) -> list[Any]:
    """Return X, the others and the weights, all without the rows of weight 0.

    What is None stays None. A row without weight could otherwise still decide on a range, a fold
    or a class.
    """
    weights = check_weights(sample_weight, X)
    parts = [X, *others, weights]
    if weights is None or weights.all():
        return parts
    for part in others:
        check_consistent_length(X, part)
    kept = np.flatnonzero(weights)
    return [None if part is None else _safe_indexing(part, kept) for part in parts]


def _is_missing(labels: NDArray[Any]) -> Bools:
    """Return a mask of labels that are None, NaN or infinite."""
    if labels.dtype.kind == "f":
        return ~np.isfinite(labels)
    if labels.dtype.kind != "O":
        return np.zeros(len(labels), dtype=bool)
    # NaN is the only value that differs from itself; pandas's NA has no truth value.
    return np.array([x is None or type(x).__name__ == "NAType" or x != x for x in labels])


def _exact(number: float) -> str:
    # Rounded as by ":g", the end of the suggested range could leave a score out.
    return np.format_float_positional(number, trim="-")


# Constraints of parameters.
COUNT = Interval(Integral, 1, None, closed="left")
SEVERAL = Interval(Integral, 2, None, closed="left")
POSITIVE = Interval(Real, 0, None, closed="neither")
NOT_NEGATIVE = Interval(Real, 0, None, closed="left")
FRACTION = Interval(Real, 0, 1, closed="neither")
SHARE = Interval(Real, 0, 1, closed="both")
# Those of n_jobs; joblib refuses 0.
N_JOBS: list[Any] = [
    COUNT,
    Interval(Integral, None, -1, closed="right"),
    None,
]
# Words for a switch.
_OFF = {"disable", "disabled", "false", "no", "none", "off"}
_ON = {"all", "enable", "enabled", "on", "true", "yes"}


@contextmanager
def explain_sentences(estimator: Any, transformer: str = "LexicalFeatures()") -> Iterator[None]:
    """Replace NumPy's error for text by one that shows the remedy for sentences."""
    try:
        yield
    except ValueError as error:
        if "could not convert string to float" not in str(error):
            raise
        name = type(estimator).__name__
        raise ValueError(
            f"{name} expects numbers, the features of pairs, and X has text. If X holds pairs of "
            "sentences, let a transformer compute the features: "
            f"make_pipeline({transformer}, {name}())."
        ) from error


def validate_features(estimator: Any, X: Any, y: Any = "no_validation", **settings: Any) -> Any:
    """Validate as scikit-learn does, with the error above."""
    with explain_sentences(estimator):
        return validate_data(estimator, unmasked(X), y, **settings)


def remedy_of_value(estimator: Any, error: str) -> str:
    """Return a sentence to add to scikit-learn's error of a value of a parameter, or ""."""
    _, name, about = error.split("'", 2)
    value = getattr(estimator, name, None)
    word = value.strip().lower() if isinstance(value, str) else ""
    if hasattr(estimator, "kind") and (remedy := _remedy_of_table(name, value, word)):
        return remedy
    if "'bool'" in about and word in _OFF | _ON:
        return f" Did you mean {name}={word in _ON}?"
    if word and "array-like" in about and "a str" not in about:
        return f" Pass a list: {name}=[{value!r}]."
    if _is_number(word) and "'str'" not in about:
        return f" Pass a number: {name}={word}."
    if isinstance(value, int | float) and "in the range (0.0, 1.0)" in about and 1 < value <= 100:
        return f" Did you mean {name}={value / 100:g}?"
    return ""


def _remedy_of_table(name: str, value: Any, word: str) -> str:
    if name == "top_k" and isinstance(value, list | tuple | dict):
        return " Columns to compare go into fit: fit(table, on=[...])."
    if name == "model":
        return (
            " A model is a fitted estimator, such as load_model(path) returns. Tables and kinds "
            "of columns go into fit: fit(table, on={column: kind})."
        )
    if hasattr(value, "predict"):
        return " A model is passed by its name: model=..."
    return f" Did you mean kind={word!r}?" if word in ("names", "sentences", "records") else ""


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
