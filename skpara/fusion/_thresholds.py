"""Thresholds that keep a promise, read from a curve of held-out pairs."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import beta
from sklearn.utils.validation import check_is_fitted

from skpara._typing import Floats

# Held-out pairs that a threshold must have at least; the share of right ones among fewer is luck.
_LEAST_COUNT = 30
_TOLERANCE = 1e-6  # of estimated shares
_N_POINTS = 256  # of the curve that thresholds are read from: 3 kB in a model file


class ThresholdsMixin:
    """Cut-offs of a classifier that has the ``curve_`` of held-out pairs."""

    classes_: NDArray[Any]
    curve_: Floats
    intercept_: Floats
    decision_function: Callable[[Any], Floats]

    def adapt_share(self, X: Any) -> Self:
        """Adapt probabilities and thresholds to how often the second class occurs in new pairs.

        Where a class is rarer than it was at ``fit``, its probabilities are too high. Its share
        of the new pairs is estimated from their probabilities by expectation maximization
        (Saerens et al. 2002), as if nothing else had changed: pairs of one class look as they
        did. All odds are then multiplied by one number, so the order of pairs stays the same.
        For pairs of another kind than those of ``fit``, the estimate may be far off.

        Parameters
        ----------
        X : array-like or sparse matrix of shape (n_pairs, n_features)
            Features of some hundred or more pairs to be classified, without labels.

        Returns
        -------
        FusionClassifier
            The classifier itself. Another call replaces this estimate.

        Raises
        ------
        ValueError
            If there are more than two classes, or no pairs.
        """
        decisions = self.decision_function(X)
        self._check_two_classes("adapt_share is for two")
        if not len(decisions):
            raise ValueError("adapt_share needs pairs, and X has none.")
        old = curve_share(self.curve_)
        share = estimate_share(decisions, old)
        self.intercept_ = self.intercept_ + (logit(share) - logit(old))
        self.curve_ = adapt_curve(self.curve_, share)
        return self

    def threshold(
        self,
        *,
        precision: float | None = None,
        recall: float | None = None,
        confidence: float | None = None,
    ) -> float:
        """Return the cut-off of probabilities that keeps a promise.

        It is read from the probabilities of held-out training pairs. Of new pairs of the same
        kind, those with at least this probability of the second class have about this precision or
        recall: of 400 such pairs, the precision may differ by .02. Pass it to scikit-learn's
        ``FixedThresholdClassifier`` to predict by it.

        Parameters
        ----------
        precision : float, optional
            Least share of right pairs among those at or above the threshold, which is the lowest
            one that has it.
        recall : float, optional
            Least share of the pairs of the second class that is at or above the threshold, which
            is the highest one that has it.
        confidence : float, default=None
            Probability that pairs like the training pairs keep the promise: the lower end of a
            one-sided interval of the share has to keep it. None takes the share itself.

        Returns
        -------
        float
            The threshold.

        Raises
        ------
        ValueError
            If not exactly one of precision and recall is passed, if no threshold keeps the
            promise, if ``confidence`` is out of range, or if there are more than two classes.
        """
        check_is_fitted(self)
        if (precision is None) == (recall is None):
            raise ValueError("Pass one of precision and recall.")
        if confidence is not None and not 0 < confidence < 1:
            raise ValueError(f"confidence must be between 0 and 1, got {confidence!r}.")
        self._check_two_classes("thresholds need two of them")
        return read_threshold(self.curve_, precision, recall, confidence)

    def _check_two_classes(self, purpose: str) -> None:
        if len(self.classes_) != 2:
            raise ValueError(f"There are {len(self.classes_)} classes; {purpose}.")


def threshold_curve(
    probabilities: Floats, labels: NDArray[np.intp] | Floats, weights: Floats | None
) -> Floats:
    """Return thresholds with how many pairs reach them, and how many of the second class.

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


def read_threshold(
    curve: Floats, precision: float | None, recall: float | None, confidence: float | None = None
) -> float:
    """Return the lowest threshold of this precision, or the highest one of this recall."""
    thresholds, predicted, right = curve[curve[:, 1] >= _LEAST_COUNT].T
    # The highest threshold comes first.
    if precision is not None:
        name, promise, counts, place = "precision", precision, predicted, -1
    else:
        assert recall is not None
        name, promise, place = "recall", recall, 0
        counts = np.full(len(right), right.max(initial=1e-9))
    shares = right / counts if confidence is None else _least_shares(right, counts, confidence)
    places = np.flatnonzero(shares >= promise)
    if not len(places):
        sure = "" if confidence is None else f" with a confidence of {confidence:g}"
        raise ValueError(
            f"No threshold has a {name} of {promise:g}{sure} on held-out pairs, the best one has "
            f"{shares.max(initial=0):.3f}. Ask for less, or train on more pairs."
        )
    return float(thresholds[places[place]])


def _least_shares(right: Floats, counts: Floats, confidence: float) -> Floats:
    """Return the lower ends of one-sided intervals of shares (Clopper and Pearson, 1934)."""
    with np.errstate(invalid="ignore"):  # of no right pairs, it is 0
        shares: Floats = np.nan_to_num(beta.ppf(1 - confidence, right, counts - right + 1))
    return shares
