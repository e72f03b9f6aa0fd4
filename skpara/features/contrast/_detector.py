"""The base class of detectors, and the search with several of them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from skpara._public import set_module
from skpara._typing import Bools
from skpara.features.contrast._alignment import AlignedPairs
from skpara.features.contrast._comparison import Comparison

# A difference of this weight is a reason to keep two sentences apart.
REASON = 1.0
# A difference of this weight is only a hint.
HINT = 0.5
# Words that differ if one word and those that depend on it have changed.
FEW_CHANGED = 3

Examples = Sequence[Sequence[str]]


@set_module("skpara.features.contrast")
class Difference(NamedTuple):
    """A difference between two sentences.

    Parameters
    ----------
    column : str
        The feature that it changes, such as "name_flip".
    first, second : sequence of int
        The positions of its tokens in both sentences.
    weight : float, default=1.0
        1 for a reason to keep the sentences apart, 0.5 for a hint.
    """

    column: str
    first: Sequence[int]
    second: Sequence[int]
    weight: float = REASON


@set_module("skpara.features.contrast")
class Detector(ABC):
    """Base class of rules that find one kind of difference between two sentences.

    Attributes
    ----------
    name : str
        A short name.
    columns : tuple of str
        The columns of the differences that it may find.
    different, same : sequences of pairs of str
        Pairs of sentences that have such a difference, and pairs that have none.
    """

    name: str
    columns: tuple[str, ...]
    different: Examples
    same: Examples = ()

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"

    def find(self, pairs: AlignedPairs) -> Iterator[tuple[Comparison, Difference]]:
        """Find the differences of all pairs of a batch.

        Parameters
        ----------
        pairs : AlignedPairs
            The pairs, and how their words correspond.

        Yields
        ------
        tuple of Comparison and Difference
            A pair, and one of its differences.
        """
        for number in np.flatnonzero(self._may_differ(pairs)).tolist():
            comparison = pairs[number]
            for difference in self._detect(comparison):
                yield comparison, difference

    def _may_differ(self, pairs: AlignedPairs) -> Bools:
        """Return which pairs are searched: all, unless a detector knows better.

        This asks for all pairs at once what is cheap to ask.
        """
        return np.ones(len(pairs), dtype=bool)

    @abstractmethod
    def _detect(self, comparison: Comparison) -> Iterator[Difference]:
        """Find the differences between two sentences."""


def find_differences(
    pairs: AlignedPairs, detectors: Iterable[Detector]
) -> Iterator[tuple[Comparison, Difference]]:
    """Find the differences of all pairs, one detector after another."""
    for detector in detectors:
        yield from detector.find(pairs)
