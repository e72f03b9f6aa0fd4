"""Out-of-fold results."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import NDArray
from sklearn.utils.parallel import Parallel, delayed

from skpara._typing import Floats

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
