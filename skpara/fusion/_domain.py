"""Weights for training pairs that are like the pairs to be scored."""

from __future__ import annotations

import numpy as np
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from skpara._typing import Floats

# No pair counts more than ten times as much as the mean one, or less than a tenth, as odds of
# outliers are extreme. With a limit of 3 or 20, or a C of 0.001 or 0.1, correlations on STS differ
# by .001 at most.
_MAX_RATIO = 10.0
_C = 0.01


def domain_weights(X: Floats, domain: Floats) -> Floats:
    """Weights with a mean of 1, by how much more likely each row of ``X`` is in ``domain``.

    A logistic regression is fitted to tell the two apart; the weight of a row is the odds that it
    belongs to ``domain`` (Bickel et al. 2007, see FusionRegressor).
    """
    rows = StandardScaler().fit_transform(np.vstack([X, domain]))
    in_domain = np.repeat([0, 1], [len(X), len(domain)])
    classifier = LogisticRegression(C=_C, max_iter=1000).fit(rows, in_domain)
    logits = classifier.decision_function(rows[: len(X)])
    odds = np.exp(logits - logits.max())  # subtracting the maximum avoids overflow
    weights: Floats = np.clip(odds / odds.mean(), 1 / _MAX_RATIO, _MAX_RATIO)
    return weights / weights.mean()
