"""Estimators that an earlier version saved."""

from __future__ import annotations

import inspect
from typing import Any


class DefaultsMixin:
    """Give parameters that an earlier version did not have their defaults when it is unpickled.

    Put the mixin left of ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        for name, parameter in inspect.signature(type(self).__init__).parameters.items():
            if parameter.default is not parameter.empty and not hasattr(self, name):
                setattr(self, name, parameter.default)
