"""Clones of estimators that use fitted models."""

from __future__ import annotations

import copy
from typing import Any

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted


class SharedModelsMixin:
    """Let clones share the fitted models among the parameters.

    scikit-learn would clone them, and a clone is not fitted. Unfitted models are cloned here, too,
    so that a search can set their parameters. Put the mixin left of ``BaseEstimator``.
    """

    def __sklearn_clone__(self: Any) -> Any:
        parameters = {
            name: value if _is_fitted(value) else clone(value, safe=False)
            for name, value in self.get_params(deep=False).items()
        }
        copied = type(self)(**parameters)
        for name in ("_sklearn_output_config", "_metadata_request"):  # kept by clones
            if hasattr(self, name):
                setattr(copied, name, copy.deepcopy(getattr(self, name)))
        return copied


def _is_fitted(model: Any) -> bool:
    """Whether a model is fitted, or is not an estimator."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    except TypeError:
        return True
    return True
