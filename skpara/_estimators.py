"""Common parts of estimators: a fit that fails changes nothing, clones, out-of-fold results."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable
from functools import wraps
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.parallel import Parallel, delayed
from sklearn.utils.validation import check_is_fitted

from skpara._messages import TrainingInterrupted
from skpara._typing import Floats

F = TypeVar("F", bound=Callable[..., Any])


def restore_on_failure(fit: F) -> F:
    """Decorate a fitting method: if it fails or is interrupted, nothing has changed.

    What an estimator has kept of interrupted training stays, unless it is part of another.
    """

    @wraps(fit)
    def wrapped(self: Any, *args: Any, **kwargs: Any) -> Any:
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


Rows = NDArray[np.intp]


def out_of_fold(
    fit_fold: Callable[[Rows, Rows], Floats],
    folds: Iterable[tuple[Rows, Rows]],
    *,
    n_jobs: int | None = 1,
) -> Floats:
    """Compute ``fit_fold(train, test)`` for each fold, joined in the order of the samples.

    scikit-learn's ``cross_val_predict`` fits estimators rather than functions, and passes weights
    and groups on only by rules that depend on whether metadata routing is enabled.

    Parameters
    ----------
    fit_fold : callable
        Gets the numbers of the rows to fit on and of the rows held out; returns results of the
        latter.
    folds : iterable of (train, test)
        Together, the held-out rows are all rows, each once.
    n_jobs : int or None, default=1
        Number of parallel jobs. ``fit_fold`` runs in this process if it is 1.
    """
    folds = list(folds)
    if n_jobs == 1:
        parts = [fit_fold(*fold) for fold in folds]
    else:
        n_jobs = min(effective_n_jobs(n_jobs), len(folds))
        parts = Parallel(n_jobs=n_jobs)(delayed(fit_fold)(*fold) for fold in folds)
    order = np.argsort(np.concatenate([test for _, test in folds]))
    return np.concatenate(parts)[order]
