"""Parameters and methods that estimators lack."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

_CLASSIFIERS = "Classifiers have it, such as make_pair_classifier(); TableMatcher.match returns "
_CLASSIFIERS += "probabilities, and make_sts_pipeline() predicts scores."
# Methods that are looked for where they are not, and where they are.
_ELSEWHERE = {
    "predict": "TableMatcher has match and join, Deduplicator labels_ and drop_duplicates; "
    "make_sts_pipeline() and make_pair_classifier() predict.",
    "predict_proba": _CLASSIFIERS,
    "threshold": _CLASSIFIERS,
}


def fill_defaults(estimator: Any) -> None:
    """Give parameters that an earlier version did not have their defaults."""
    for name, parameter in inspect.signature(type(estimator).__init__).parameters.items():
        if parameter.default is not parameter.empty and not hasattr(estimator, name):
            setattr(estimator, name, parameter.default)


class DefaultsMixin:
    """Set parameters that a pickle of an earlier version lacks to their defaults.

    For methods that other estimators have, the error names these. Put the mixin left of
    ``BaseEstimator``.
    """

    def __setstate__(self, state: dict[str, Any]) -> None:
        super().__setstate__(state)  # type: ignore[misc]
        fill_defaults(self)

    if not TYPE_CHECKING:  # every attribute would exist

        def __getattr__(self, name: str) -> Any:
            if name in _ELSEWHERE:
                raise AttributeError(f"{type(self).__name__} has no {name}. {_ELSEWHERE[name]}")
            # It is missing, or a property that raised: raise the same error again.
            return super().__getattribute__(name)
