"""What every check starts from: pairs, scores, estimators ready to fit, and what is equal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import joblib
import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier

# What estimators of pairs are asked for, where they have it.
METHODS = (
    "transform",
    "predict",
    "predict_proba",
    "predict_distribution",
    "decision_function",
    "score_pairs",
    "select",
)
# Networks compute in single precision, and sum in another order in a batch of another size.
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


def _made() -> tuple[list[tuple[str, str]], list[float]]:
    pairs, scores = [], []
    for i in range(30):
        subject, action = _SUBJECTS[i % 5], _ACTIONS[i % 6]
        if i % 2 == 0:
            pairs.append((f"{subject} {action}.", f"{subject} {action} today."))
            scores.append(4 + i % 5 / 4)
        else:
            other, deed = _SUBJECTS[(i + 1) % 5], _ACTIONS[(i + 2) % 6]
            pairs.append((f"{subject} {action}.", f"{other} {deed}."))
            scores.append(i % 7 / 3)
    return pairs, scores


# Thirty pairs; those in even rows mean the same.
PAIRS, _SCORES = _made()
SENTENCES = [sentence for pair in PAIRS[:4] for sentence in pair]


def target(estimator: Any) -> NDArray[Any]:
    """Scores from 0 to 5; for a classifier whether the two mean the same."""
    scores = np.array(_SCORES)
    return (scores > 3).astype(int) if is_classifier(estimator) else scores


def fresh(estimator: Any) -> Any:
    """An unfitted copy with every ``random_state`` in it 0."""
    copy = clone(estimator)
    seeds = [name for name in copy.get_params() if name.split("__")[-1] == "random_state"]
    return copy.set_params(**dict.fromkeys(seeds, 0))


def fitted(estimator: Any, X: Any = None, y: Any = None) -> Any:
    """A copy fitted to the sample, or to what is given."""
    y = target(estimator) if y is None else y
    return fresh(estimator).fit(PAIRS if X is None else X, y)


def methods(estimator: Any) -> list[str]:
    """Which of ``METHODS`` it has."""
    return [method for method in METHODS if hasattr(estimator, method)]


def outputs(estimator: Any, X: Any = None) -> dict[str, NDArray[Any]]:
    """What each of its methods gives for pairs."""
    X = PAIRS if X is None else X
    return {method: np.asarray(getattr(estimator, method)(X)) for method in methods(estimator)}


def is_numeric(array: NDArray[Any]) -> bool:
    """Whether it holds numbers, not text."""
    return array.dtype.kind in "biuf"


def assert_equal_outputs(
    found: dict[str, NDArray[Any]], expected: dict[str, NDArray[Any]], what: str
) -> None:
    """Equal text, and numbers that are equal but for rounding."""
    for method, array in expected.items():
        message = f"{method}: {what}"
        if is_numeric(array):
            np.testing.assert_allclose(found[method], array, RTOL, ATOL, err_msg=message)
        else:
            np.testing.assert_array_equal(found[method], array, err_msg=message)


def assert_refused(
    what: str,
    call: Callable[..., Any],
    *given: Any,
    says: str = "",
    to: tuple[type[Exception], ...] = (ValueError, TypeError),
) -> None:
    """One of the exceptions ``to``, with a message that has the pattern ``says``."""
    try:
        call(*given)
    except to as error:
        message = str(error)
    except Exception as error:
        kinds = " or ".join(kind.__name__ for kind in to)
        raise AssertionError(
            f"{what} leads to {error!r}; raise a {kinds} that says why."
        ) from error
    else:
        raise AssertionError(f"{what} is taken without an error.")
    assert re.search(says, message), f"{what}: the error {message!r} does not say {says!r}."


def fingerprint(value: Any) -> Any:
    """The same for equal values; of what cannot be pickled, its identity."""
    try:
        return joblib.hash(value)
    except Exception:  # pickling may fail in any way
        return id(value)
