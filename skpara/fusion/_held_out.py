"""Folds of labeled pairs, and the logits of held-out pairs."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from skpara._estimators import Rows, out_of_fold
from skpara._typing import Floats
from skpara._validation import check_groups

# Keeps the logarithm of a probability finite; no tree is that sure.
_LEAST = 1e-6
Labels = NDArray[np.intp]


def class_folds(
    cv: Any, classes: NDArray[Any], labels: Labels, groups: Any, rng: np.random.RandomState
) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return the rows to fit on and the rows held out, of each fold.

    ``labels`` are positions in ``classes``.
    """
    from sklearn.model_selection import StratifiedGroupKFold, StratifiedKFold, check_cv

    groups = check_groups(groups, labels)
    splitter = cv
    if isinstance(cv, Integral):
        counts = np.bincount(labels)
        if counts.min() < 2:
            rare = classes.tolist()[counts.argmin()]
            raise ValueError(
                f"Only one pair is of the class {rare!r}; each class needs at least two, "
                "because some are held out."
            )
        n_folds = min(int(cv), int(counts.min()))
        if groups is not None:
            n_folds = min(n_folds, len(set(np.asarray(groups).tolist())))
        kind = StratifiedKFold if groups is None else StratifiedGroupKFold
        splitter = kind(max(2, n_folds), shuffle=True, random_state=int(rng.randint(2**31)))
    splitter = check_cv(splitter, labels, classifier=True)
    folds = list(splitter.split(np.zeros(len(labels)), labels, groups))
    if sorted(np.concatenate([test for _, test in folds]).tolist()) != list(range(len(labels))):
        raise ValueError(f"cv={cv!r} must hold out each pair once.")
    for train, _ in folds:
        if len(np.unique(labels[train])) < len(classes):
            raise ValueError(
                "A class is in one fold only, so that it cannot be learned when this fold is "
                "held out. Use smaller groups, or fewer classes."
            )
    return folds


def fit_clone(model: Any, X: Any, labels: Labels, weights: Floats | None) -> Any:
    """Fit a clone of a classifier."""
    parameters = {} if weights is None else {"sample_weight": weights}
    return clone(model).fit(X, labels, **parameters)


def fit_folds(
    model: Any, X: Any, labels: Labels, weights: Floats | None, folds: list[Any], **per_pair: float
) -> tuple[list[Any], Floats]:
    """Fit a clone without each fold; return the clones, and their logits of the held-out pairs.

    Parameters ``per_pair`` of the model are divided by the number of pairs that it is fitted to.
    """
    models: list[Any] = []

    def fit_fold(train: Rows, test: Rows) -> Floats:
        kept = None if weights is None else weights[train]
        model.set_params(**{name: value / len(train) for name, value in per_pair.items()})
        models.append(fit_clone(model, X[train], labels[train], kept))
        return logits_of(models[-1], X[test])

    return models, out_of_fold(fit_fold, folds)


def _decides_by_logits(model: Any) -> bool:
    from sklearn.ensemble import HistGradientBoostingClassifier
    from sklearn.linear_model import LogisticRegression

    return isinstance(model, HistGradientBoostingClassifier | LogisticRegression)


def logits_of(model: Any, X: Any) -> Floats:
    """Compute the logits: one column for two classes, else one for each."""
    if not hasattr(model, "predict_proba") or _decides_by_logits(model):
        return np.asarray(model.decision_function(X)).reshape(X.shape[0], -1)
    logarithms = np.log(np.clip(model.predict_proba(X), _LEAST, None))
    return logarithms[:, 1:] - logarithms[:, :1] if logarithms.shape[1] == 2 else logarithms
