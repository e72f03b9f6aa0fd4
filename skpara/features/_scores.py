"""Scores that several families of features share."""

from __future__ import annotations

from collections.abc import Hashable, Set

import numpy as np
from numpy.typing import ArrayLike, NDArray


def f_score(shared: float, first: float, second: float) -> float:
    """Harmonic mean of ``shared / first`` and ``shared / second``; 0 where nothing is shared.

    Examples
    --------
    >>> from skpara.features._scores import f_score
    >>> f_score(2, 4, 2)  # of 1/2 and 1
    0.6666666666666666
    """
    return 2 * shared / (first + second) if shared else 0.0


def set_f_score(first: Set[Hashable], second: Set[Hashable]) -> float:
    """F of two sets; 1 where either is empty, as TakeLab has it: nothing speaks against them."""
    if not first or not second:
        return 1.0
    return f_score(len(first & second), len(first), len(second))


def harmonic_mean(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Element-wise 2ab / (a + b) of values that are not negative; 0 where both are 0."""
    return ratio(2 * first * second, first + second)


def ratio(above: ArrayLike, below: ArrayLike) -> NDArray[np.float64]:
    """Element-wise quotient; 0 where the divisor is 0.

    Examples
    --------
    >>> from skpara.features._scores import ratio
    >>> ratio([1, 1], [2, 0]).tolist()
    [0.5, 0.0]
    """
    above, below = np.asarray(above, dtype=np.float64), np.asarray(below, dtype=np.float64)
    return np.divide(above, below, out=np.zeros_like(above), where=below != 0)
