"""Decision thresholds for a target precision or recall, from out-of-fold probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.stats import beta

from skpara._typing import Floats

# Fewest held-out pairs above a threshold; the share of right ones among fewer is luck.
_LEAST_COUNT = 30
_N_POINTS = 256  # of the curve: 6 kB in a model file


def threshold_curve(
    probabilities: Floats, labels: NDArray[np.intp] | Floats, weights: Floats | None
) -> Floats:
    """Return thresholds, the number of pairs at or above each, and how many are right.

    ``labels`` are 1 for the second class, else 0, or in between where they are not certain.
    """
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-probabilities, kind="stable")
    thresholds, weights, labels = probabilities[order], weights[order], labels[order]
    # All pairs of the same probability are above a threshold, or none.
    ends = np.flatnonzero(np.append(np.diff(thresholds) < 0, True))
    places = np.unique(np.linspace(0, len(ends) - 1, _N_POINTS).round().astype(int))
    ends = ends[places]
    counts = np.cumsum(weights), np.cumsum(weights * labels)
    return np.column_stack([thresholds[ends], *(count[ends] for count in counts)])


def read_threshold(
    curve: Floats, precision: float | None, recall: float | None, confidence: float | None = None
) -> float:
    """Return the lowest threshold of this precision, or the highest one of this recall."""
    thresholds, predicted, right = curve[curve[:, 1] >= _LEAST_COUNT].T
    # The highest threshold comes first.
    if precision is not None:
        name, target, counts, place = "precision", precision, predicted, -1
    else:
        assert recall is not None
        name, target, place = "recall", recall, 0
        counts = np.full(len(right), right.max(initial=1e-9))
    shares = right / counts
    if confidence is not None:
        # Lower ends of one-sided intervals of Clopper and Pearson (1934).
        with np.errstate(invalid="ignore"):  # it is 0 if no pair is right
            shares = np.nan_to_num(beta.ppf(1 - confidence, right, counts - right + 1))
    places = np.flatnonzero(shares >= target)
    if not len(places):
        sure = "" if confidence is None else f" with a confidence of {confidence:g}"
        raise ValueError(
            f"No threshold has a {name} of {target:g}{sure} on held-out pairs, the best one has "
            f"{shares.max(initial=0):.3f}. Ask for less, or train on more pairs."
        )
    return float(thresholds[places[place]])
