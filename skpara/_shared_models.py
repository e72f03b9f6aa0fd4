"""Estimators that use a model as it was fitted, without fitting it themselves."""

from __future__ import annotations

import copy
from typing import Any

from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted


class SharedModelsMixin:
    """Let clones share the fitted models among the parameters.

    scikit-learn clones the estimators among the parameters of an estimator, and a clone is not
    fitted. What is not fitted is cloned here, too, so that a search can set its parameters. Put
    the mixin left of ``BaseEstimator``.
    """

    def __sklearn_clone__(self: Any) -> Any:
        parameters = {
            name: value if _is_fitted(value) else clone(value, safe=False)
            for name, value in self.get_params(deep=False).items()
        }
        copied = type(self)(**parameters)
        for name in ("_sklearn_output_config", "_metadata_request"):  # which clones keep
            if hasattr(self, name):
                setattr(copied, name, copy.deepcopy(getattr(self, name)))
        return copied


def _is_fitted(model: Any) -> bool:
    """Whether a model is fitted, or is no estimator and cannot be."""
    try:
        check_is_fitted(model)
    except NotFittedError:
        return False
    except TypeError:
        return True
    return True
