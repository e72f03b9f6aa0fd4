"""Roll an estimator back to its previous state if ``fit`` fails or is interrupted."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class TrainingInterrupted(KeyboardInterrupt):
    """Raised when training was interrupted, after ``keeper`` has kept what was learned.

    It is an interrupt, so that a pipeline or a grid search that has called ``fit`` ends, too.
    """

    def __init__(self, message: str, keeper: Any = None) -> None:
        super().__init__(message)
        self.keeper = keeper


def restore_on_failure(fit: F) -> F:
    """Decorate a fitting method: if it fails or is interrupted, nothing has changed.

    What an estimator has kept of interrupted training stays, unless it is part of another.
    """

    @wraps(fit)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        # Not above: the command imports this module for its help, which needs no scikit-learn.
        from sklearn.base import BaseEstimator

        # A pipeline fits its steps, which are among its parameters.
        parts = [self, *(p for p in self.get_params().values() if isinstance(p, BaseEstimator))]
        before = [vars(part).copy() for part in parts]
        try:
            return fit(self, *args, **kwargs)
        except BaseException as error:
            if isinstance(error, TrainingInterrupted) and error.keeper is self:
                error.keeper = None
                raise
            for part, attributes in zip(parts, before, strict=True):
                part.__dict__ = attributes  # one step: a second interrupt cannot divide it
            raise

    return wrapped  # type: ignore[return-value]
