"""The sample that every check uses, and how outputs and errors are compared."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from unittest import SkipTest

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

from skpara._optional import import_optional

Outputs = dict[str, NDArray[Any]]

# The methods of an estimator of pairs that the checks call, if it has them, and the number of
# dimensions of what they return; None if it depends on the number of classes.
METHODS = {
    "transform": 2,
    "predict": 1,
    "predict_proba": 2,
    "predict_distribution": 2,
    "decision_function": None,
    "score_pairs": 1,
    "select": 1,
}
# Networks compute in single precision, and another batch size changes the order of their sums.
RTOL, ATOL = 1e-5, 1e-6

_SUBJECTS = ("A man", "Two cats", "The old dog", "My friend", "Nobody here")
_ACTIONS = (
    "plays the guitar",
    "is running home",
    "sleeps on a red bed",
    "cooks 12 eggs",
    "makes loud music",
    "reads Mary's book",
)


def _scored_pairs() -> tuple[list[tuple[str, str]], list[float]]:
    pairs, scores = [], []
    for i in range(30):
        first = f"{_SUBJECTS[i % 5]} {_ACTIONS[i % 6]}"
        if i % 2 == 0:
            pairs.append((f"{first}.", f"{first} today."))
            scores.append(4 + i % 5 / 4)
        else:
            pairs.append((f"{first}.", f"{_SUBJECTS[(i + 1) % 5]} {_ACTIONS[(i + 2) % 6]}."))
            scores.append(i % 7 / 3)
    return pairs, scores


# Thirty pairs; those in even rows mean the same.
PAIRS, _SCORES = _scored_pairs()
SENTENCES = [sentence for pair in PAIRS[:4] for sentence in pair]
COLUMNS = ["left", "right"]


def target(estimator: Any) -> NDArray[Any]:
    """Return scores from 0 to 5, or for a classifier 1 where both sentences mean the same."""
    scores = np.array(_SCORES)
    return (scores > 3).astype(int) if is_classifier(estimator) else scores


def unfitted(estimator: Any) -> Any:
    """Return an unfitted copy with every ``random_state`` in it set to 0."""
    copy = clone(estimator)
    seeds = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**dict.fromkeys(seeds, 0))


def fitted(estimator: Any, X: Any = None, y: Any = None, **metadata: Any) -> Any:
    """Return a copy that is fitted, by default to the sample."""
    y = target(estimator) if y is None else y
    return unfitted(estimator).fit(PAIRS if X is None else X, y, **metadata)


def methods(estimator: Any) -> list[str]:
    """Return the names of those of ``METHODS`` that the estimator has."""
    return [method for method in METHODS if hasattr(estimator, method)]


def outputs(estimator: Any, X: Any = None) -> Outputs:
    """Return what each method returns for pairs, by default those of the sample."""
    X = PAIRS if X is None else X
    return {method: np.asarray(getattr(estimator, method)(X)) for method in methods(estimator)}


def is_numeric(array: NDArray[Any]) -> bool:
    """Return whether the array holds numbers, not text."""
    return array.dtype.kind in "biuf"


def assert_equal(actual: Any, expected: Any, what: str) -> None:
    """Fail unless two estimators, or their outputs, agree: numbers up to rounding."""
    if not isinstance(actual, dict):
        actual = outputs(actual)
    if not isinstance(expected, dict):
        expected = outputs(expected)
    for method, array in expected.items():
        message = f"{method}: {what}"
        if is_numeric(array):
            np.testing.assert_allclose(actual[method], array, RTOL, ATOL, err_msg=message)
        else:
            np.testing.assert_array_equal(actual[method], array, err_msg=message)


def assert_raises(
    what: str,
    call: Callable[..., Any],
    *arguments: Any,
    match: str = "",
    errors: tuple[type[Exception], ...] = (ValueError, TypeError),
) -> None:
    """Fail unless the call raises one of ``errors`` with a message that matches ``match``."""
    expected = " or ".join(error.__name__ for error in errors)
    try:
        call(*arguments)
    except errors as error:
        message = str(error)
    except Exception as error:
        raise AssertionError(f"{what} must raise {expected}, but raised {error!r}.") from error
    else:
        raise AssertionError(f"{what} must raise {expected}, but raised nothing.")
    assert re.search(match, message), (
        f"{what} raised an error whose message does not match {match!r}: {message!r}."
    )


def fingerprint(value: Any) -> Any:
    """Return a hash that is the same for equal values; for unpicklable values, their identity."""
    try:
        return joblib.hash(value)
    except Exception:  # pickling runs the object's own code, which may raise anything
        return id(value)


def import_or_skip(module: str) -> Any:
    """Import an optional module, or skip the check."""
    try:
        return import_optional(module, "This check")
    except ImportError as error:
        raise SkipTest(str(error)) from error


def data_frame(library: str) -> Any:
    """Return the pairs as a DataFrame of pandas or polars, or skip the check."""
    columns = zip(*PAIRS, strict=True)
    data = {name: list(column) for name, column in zip(COLUMNS, columns, strict=True)}
    return import_or_skip(library).DataFrame(data)
