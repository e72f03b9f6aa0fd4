"""Pairs to learn from that are like those to be scored count more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

_Floats = NDArray[np.float64]
# No pair counts more than ten times as much as the mean one, or less than a tenth. Between 3 and
# 20, and with a regularisation of a tenth or ten times, nothing changes by more than .001.
_MOST = 10.0
_C = 0.01


def domain_weights(X: _Floats, domain: _Floats) -> _Floats:
    """How much more likely each row is among the pairs to be scored than among those at hand.

    A logistic regression tells the two apart by their features; the odds that it gives a row are
    its weight (Bickel, Brückner and Scheffer 2007, Discriminative learning for differing training
    and test distributions, ICML).

    Parameters
    ----------
    X : ndarray of shape (n_rows, n_features)
        Features of the pairs to learn from.
    domain : ndarray of shape (n_others, n_features)
        Features of those to be scored.

    Returns
    -------
    ndarray of shape (n_rows,)
        Positive, with a mean of 1.
    """
    both = StandardScaler().fit_transform(np.vstack([X, domain]))
    to_score = np.repeat([0, 1], [len(X), len(domain)])
    logits = LogisticRegression(C=_C, max_iter=1000).fit(both, to_score).decision_function(both)
    odds = np.exp(logits[: len(X)] - logits[: len(X)].max())
    weights: _Floats = np.clip(odds / odds.mean(), 1 / _MOST, _MOST)
    return weights / weights.mean()
