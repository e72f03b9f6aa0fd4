"""Roll an estimator back to its previous state if ``fit`` fails."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

from sklearn.base import BaseEstimator

F = TypeVar("F", bound=Callable[..., Any])


def restore_on_failure(fit: F) -> F:
    """Decorate a fitting method: if it fails or is interrupted, nothing has changed."""

    @wraps(fit)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
        # A pipeline fits its steps, which are among its parameters.
        parts = [self, *(p for p in self.get_params().values() if isinstance(p, BaseEstimator))]
        before = [vars(part).copy() for part in parts]
        try:
            return fit(self, *args, **kwargs)
        except BaseException:
            for part, attributes in zip(parts, before, strict=True):
                part.__dict__ = attributes  # one step: a second interrupt cannot divide it
            raise

    return wrapped  # type: ignore[return-value]
