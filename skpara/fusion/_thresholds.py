"""Thresholds that keep a promise, read from a curve of held-out pairs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit

from skpara._typing import Floats

# Held-out pairs that a threshold must have at least; the share of right ones among fewer is luck.
_LEAST_COUNT = 30
_TOLERANCE = 1e-6  # of estimated shares
_N_POINTS = 256  # of the curve that thresholds are read from: 3 kB in a model file


def threshold_curve(
    probabilities: Floats, labels: NDArray[np.intp], weights: Floats | None
) -> Floats:
    """Return thresholds with how many pairs reach them, and how many of the second class."""
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-probabilities, kind="stable")
    thresholds, weights, labels = probabilities[order], weights[order], labels[order]
    # All pairs of the same probability are above a threshold, or none.
    ends = np.flatnonzero(np.append(np.diff(thresholds) < 0, True))
    places = np.unique(np.linspace(0, len(ends) - 1, _N_POINTS).round().astype(int))
    ends = ends[places]
    counts = np.cumsum(weights), np.cumsum(weights * labels)
    return np.column_stack([thresholds[ends], *(count[ends] for count in counts)])


def estimate_share(decisions: Floats, share: float) -> float:
    """Estimate the share of the second class among new pairs (Saerens and others, 2002).

    ``decisions`` are their log odds by a classifier that expects ``share``.
    """
    edge = 0.5 / len(decisions)  # half a pair: neither class is impossible
    new, old = share, -1.0
    while abs(new - old) > _TOLERANCE:
        old = new
        new = expit(decisions + logit(old) - logit(share)).mean().clip(edge, 1 - edge)
    return float(new)


def curve_share(curve: Floats) -> float:
    """Return the share of the second class among the pairs of a curve."""
    return float(curve[-1, 2] / curve[-1, 1])


def adapt_curve(curve: Floats, share: float) -> Floats:
    """Weight the pairs of a curve so that the second class has another share."""
    thresholds, predicted, right = curve.T
    old = curve_share(curve)
    wrong = (predicted - right) * (1 - share) / (1 - old)
    right = right * share / old
    thresholds = expit(logit(thresholds) + logit(share) - logit(old))
    return np.column_stack([thresholds, right + wrong, right])


def read_threshold(curve: Floats, precision: float | None, recall: float | None) -> float:
    """Return the lowest threshold of this precision, or the highest one of this recall."""
    thresholds, predicted, right = curve[curve[:, 1] >= _LEAST_COUNT].T
    # The highest threshold comes first.
    if precision is not None:
        name, promise, shares = "precision", precision, right / predicted
        places = np.flatnonzero(shares >= promise)[-1:]
    else:
        assert recall is not None
        name, promise, shares = "recall", recall, right / right.max(initial=1e-9)
        places = np.flatnonzero(shares >= promise)[:1]
    if not len(places):
        raise ValueError(
            f"No threshold has a {name} of {promise:g} on held-out pairs, the best one has "
            f"{shares.max(initial=0):.3f}. Ask for less, or train on more pairs."
        )
    return float(thresholds[places[0]])
