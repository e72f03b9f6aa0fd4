"""Validation of features, the input of regressors and classifiers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral
from typing import Any

from sklearn.utils._param_validation import Interval
from sklearn.utils.validation import validate_data

from skpara._scores import unmasked

# Constraints of the parameter n_jobs; joblib refuses 0.
N_JOBS: list[Any] = [
    Interval(Integral, 1, None, closed="left"),
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
