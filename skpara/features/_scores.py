"""Scores that several families of features share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Set

import numpy as np
from numpy.typing import NDArray


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


def numbered(items: Iterable[Hashable]) -> frozenset[Hashable]:
    """A multiset as a set, so that set operations count repeats.

    The second "a" becomes (1, "a"), the third (2, "a"): the size of an intersection is then the
    sum of the smaller counts, at the speed of sets.

    Examples
    --------
    >>> from skpara.features._scores import numbered
    >>> len(numbered(["a", "a", "b"]) & numbered(["a", "a", "a"]))
    2
    """
    listed = list(items)
    once = frozenset(listed)
    if len(once) == len(listed):
        return once
    seen: Counter[Hashable] = Counter()
    distinct: list[Hashable] = []
    for item in listed:
        distinct.append((seen[item], item) if seen[item] else item)
        seen[item] += 1
    return frozenset(distinct)


def harmonic_mean(first: NDArray[np.float64], second: NDArray[np.float64]) -> NDArray[np.float64]:
    """Element-wise 2ab / (a + b) of values that are not negative; 0 where both are 0."""
    total = first + second
    return np.divide(2 * first * second, total, out=np.zeros_like(total), where=total > 0)
