"""Scores that several families of features share."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from skpara._typing import Floats


def f_score(shared: float, first: float, second: float) -> float:
    """Return the harmonic mean of shared / first and shared / second; 0 if none is shared."""
    return 2 * shared / (first + second) if shared else 0.0


def harmonic_mean(first: Floats, second: Floats) -> Floats:
    """Return 2ab / (a + b) element by element for non-negative values; 0 where both are 0."""
    return ratio(2 * first * second, first + second)


def ratio(numerator: ArrayLike, denominator: ArrayLike) -> Floats:
    """Divide element by element; 0 where the denominator is 0."""
    above, below = (np.asarray(values, dtype=np.float64) for values in (numerator, denominator))
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
