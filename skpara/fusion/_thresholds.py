"""Decision thresholds for a target precision or recall, from out-of-fold probabilities."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.special import expit, logit
from scipy.stats import beta

from skpara._typing import Floats
from skpara._validation import check_share

# Fewest held-out pairs above a threshold; the share of right ones among fewer is luck.
_LEAST_COUNT = 30
# Multiples of the number of pairs that are tried, to estimate how many would be enough.
_TIMES_MORE = np.geomspace(1.1, 100, 48)
_N_POINTS = 256  # of the curve: 12 kB in a model file


def threshold_curve(
    probabilities: Floats, labels: NDArray[np.intp] | Floats, weights: Floats | None
) -> Floats:
    """Return thresholds, and sums over the pairs at or above each.

    These are the weights, the weights times the labels (0 or 1), the weights times the
    probabilities, the squared weights, and the squared weights times the labels.
    """
    weights = np.ones(len(labels)) if weights is None else weights
    order = np.argsort(-probabilities, kind="stable")
    thresholds = probabilities[order]
    weights = weights[order]
    labels = labels[order]
    # All pairs of the same probability are above a threshold, or none.
    ends = np.flatnonzero(np.append(np.diff(thresholds) < 0, True))
    places = np.unique(np.linspace(0, len(ends) - 1, _N_POINTS).round().astype(int))
    squares = weights**2
    sums = weights, weights * labels, weights * thresholds, squares, squares * labels
    return np.column_stack([thresholds, *map(np.cumsum, sums)])[ends[places]]


def cut_offs(
    curve: Floats, precision: float, confidence: float | None = None
) -> tuple[float, float]:
    """Return the probabilities below which and from which on each class has the precision."""
    low = read_threshold(_of_first_class(curve), precision, None, confidence, 0.0)
    # No probability is above 1. If neither class has the precision, the error is the second's.
    otherwise = np.nextafter(1, 2) if low else None
    high = read_threshold(curve, precision, None, confidence, otherwise)
    if low > high:
        low = high = min(max(0.5, high), low)
    return low, high


def _of_first_class(curve: Floats) -> Floats:
    """Return the curve of the first class: its sums are over the pairs below each threshold."""
    thresholds, n, right, expected, squares, right_squares = _complete(curve).T
    below = [sums[-1] - sums for sums in (n, n - right, n - expected, squares)]
    below.append(below[-1] - (right_squares[-1] - right_squares))
    return np.column_stack([thresholds, *below])[::-1]


def share_of_second(curve: Floats) -> float:
    """Return the share of the second class among the pairs that a curve was made of."""
    return float(_complete(curve)[-1, 2] / curve[-1, 1])


def with_base_rate(curve: Floats, base_rate: float) -> Floats:
    """Return the curve of pairs with another share of the second class.

    Pairs of a class stand for more, or fewer, of them, with the same features.
    """
    thresholds, n, right, expected, squares, right_squares = _complete(curve).T
    usual = share_of_second(curve)
    of_second = base_rate / usual
    of_first = (1 - base_rate) / (1 - usual)
    pairs = of_second * right + of_first * (n - right)
    expected_pairs = of_second * expected + of_first * (n - expected)
    shifted = expit(logit(thresholds) + logit(base_rate) - logit(usual))
    columns = [
        shifted,
        pairs,
        of_second * right,
        pairs * of_second * expected / expected_pairs,
        of_second**2 * right_squares + of_first**2 * (squares - right_squares),
        of_second**2 * right_squares,
    ]
    return np.column_stack(columns)


def _complete(curve: Floats) -> Floats:
    # In files of 0.2.0 three columns: half of "right" is expected, and weights are counts.
    return curve if curve.shape[1] > 3 else curve[:, [0, 1, 2, 2, 1, 2]]


def read_threshold(
    curve: Floats,
    precision: float | None,
    recall: float | None,
    confidence: float | None = None,
    otherwise: float | None = None,
) -> float:
    """Return the threshold of most pairs with this precision, or of fewest with this recall.

    ``otherwise`` is returned if there is none; None raises a ValueError.

    Two estimates of a share are at hand, one of the labels and one of the probabilities, and the
    lower one counts: the best of many thresholds by the labels alone is the best by chance.
    """
    name = "precision" if recall is None else "recall"
    target = check_share(name, precision if recall is None else recall, ends=True)
    curve = _complete(curve)
    # Weights are not counts: as many equal ones would vary as much (Kish, 1965).
    curve = curve[curve[:, 1] > 0]
    n_above = curve[:, 1] ** 2 / curve[:, 4]
    shares, counts = _shares(curve, name)
    lowest = np.where(n_above >= _LEAST_COUNT, _lower_ends(shares, counts, confidence), 0)
    # The highest threshold comes first.
    places = np.flatnonzero(lowest >= target)
    if len(places):
        return float(curve[places[-1 if name == "precision" else 0], 0])
    if otherwise is not None:
        return otherwise
    sure = "" if confidence is None else f" with a confidence of {confidence:g}"
    remedy = (
        "Ask for less, or learn from pairs and features of your own, as make_pair_classifier() "
        "does: more pairs like these will not do."
    )
    for times in _TIMES_MORE.tolist():
        enough = times * n_above >= _LEAST_COUNT
        if (enough & (_lower_ends(shares, times * counts, confidence) >= target)).any():
            n_pairs = float(f"{times * n_above[-1]:.2g}")
            remedy = f"Ask for less, or train on more pairs: about {n_pairs:,.0f} may do."
            break
    raise ValueError(
        f"No threshold has a {name} of {target:g}{sure} on held-out pairs, the best one has "
        f"{lowest.max(initial=0):.3f}. {remedy}"
    )


def _shares(curve: Floats, name: str) -> tuple[Floats, Floats]:
    """Return the precision or the recall at each threshold, and the number of pairs it is of."""
    totals = curve[-1]
    _, weights, right, expected, squares, _ = curve.T
    if name == "precision":
        return np.minimum(right, expected) / weights, weights**2 / squares
    with np.errstate(invalid="ignore"):  # nothing is right
        shares = np.minimum(right / totals[2], expected / totals[3])
        counts = np.full(len(curve), totals[2] ** 2 / totals[5])
    return np.nan_to_num(shares), np.nan_to_num(counts)


def _lower_ends(shares: Floats, counts: Floats, confidence: float | None) -> Floats:
    """Return what shares are at least."""
    if confidence is None:
        # As if one more pair were wrong: the next one may be.
        return shares * counts / (counts + 1)
    # Lower ends of one-sided intervals of Clopper and Pearson (1934).
    return np.nan_to_num(beta.ppf(1 - confidence, shares * counts, (1 - shares) * counts + 1))
