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
