"""Unpickling of estimators from earlier versions."""

from __future__ import annotations

import inspect
from typing import Any


def fill_defaults(estimator: Any) -> None:
    """Give parameters that an earlier version did not have their defaults."""
    for name, parameter in inspect.signature(type(estimator).__init__).parameters.items():
        if parameter.default is not parameter.empty and not hasattr(estimator, name):
            setattr(estimator, name, parameter.default)


class DefaultsMixin:
    """Set parameters that a pickle of an earlier version lacks to their defaults.

    Put the mixin left of ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        fill_defaults(self)
