"""Unpickling of estimators from earlier versions."""

from __future__ import annotations

import inspect
from typing import Any


class DefaultsMixin:
    """Set parameters that a pickle of an earlier version lacks to their defaults.

    Put the mixin left of ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if parameter.default is not parameter.empty and not hasattr(self, name):
                setattr(self, name, parameter.default)
