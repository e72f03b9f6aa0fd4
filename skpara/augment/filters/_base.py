"""What a filter of pairs is: a number for each pair, and between which bounds it is kept."""

from __future__ import annotations

from collections.abc import Iterator
from numbers import Real
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from skpara._pairs import PairEstimatorMixin, as_pairs
from skpara._public import set_module
from skpara.augment._paraphrases import Paraphrases, paraphrases_of
from skpara.text import tokenize
from skpara.text._overlaps import Overlap, Sides, encode, overlaps

_CHUNK = 20_000  # pairs whose n-grams are counted at a time


@set_module("skpara.augment.filters")
class PairFilter(PairEstimatorMixin, BaseEstimator):
    """Base of the filters: a score for each pair, kept where it is within bounds.

    A subclass writes ``_score``, and ``_fit`` if there is something to learn.

    Parameters
    ----------
    lower, upper : float, default=None
        Bounds of the score, themselves included; None is no bound.
    """

    _parameter_constraints: ClassVar[dict[str, Any]] = {
        "lower": [Real, None],
        "upper": [Real, None],
    }
    _learns: ClassVar[bool] = False

    def __init__(self, lower: float | None = None, upper: float | None = None) -> None:
        self.lower = lower
        self.upper = upper

    def fit(self, X: Any, y: Any = None) -> PairFilter:
        """Learn what the score needs to know; for most filters that is nothing.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)
            A reference and its paraphrase in each row.
        y : ignored

        Returns
        -------
        self
        """
        self._validate_params()
        self._fit(self._paraphrases(X, reset=True))
        self._checked = True
        return self

    def score_pairs(self, X: Any) -> NDArray[np.float64]:
        """The number that the bounds are about.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)

        Returns
        -------
        ndarray of float64, shape (n_pairs,)

        Raises
        ------
        NotFittedError
            If the filter has to be fitted and is not.
        """
        self._validate_params()
        if self._learns:
            check_is_fitted(self)
        return self._score(self._paraphrases(X, reset=False))

    def select(self, X: Any) -> NDArray[np.bool_]:
        """Which pairs are kept.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)

        Returns
        -------
        ndarray of bool, shape (n_pairs,)
        """
        scores = self.score_pairs(X)
        kept = np.ones(len(scores), dtype=bool)
        if self.lower is not None:
            kept &= scores >= self.lower
        if self.upper is not None:
            kept &= scores <= self.upper
        return kept

    def _fit(self, paraphrases: Paraphrases) -> None:
        """Learn; nothing by default."""

    def _score(self, paraphrases: Paraphrases) -> NDArray[np.float64]:
        raise NotImplementedError

    def _paraphrases(self, X: Any, *, reset: bool) -> Paraphrases:
        """Paraphrases as they are, pairs with their columns checked as everywhere."""
        if isinstance(X, Paraphrases):
            return X
        empty = hasattr(X, "__len__") and len(X) == 0  # of no pairs, too, some can be chosen
        return paraphrases_of(as_pairs(X) if empty else self._check_pairs(X, reset=reset))

    def __sklearn_is_fitted__(self) -> bool:
        return not self._learns or hasattr(self, "_checked")

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: pairs of text; most filters have nothing to learn."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = self._learns
        return tags


def ngram_overlaps(
    paraphrases: Paraphrases, longest: int
) -> Iterator[tuple[slice, list[Overlap]]]:
    """What both sides share of n-grams of tokens, for n from 1 to ``longest``, chunk by chunk."""
    pairs = paraphrases.pairs
    for start in range(0, len(pairs), _CHUNK):
        rows = slice(start, min(start + _CHUNK, len(pairs)))
        _, codes = encode(tokenize(text) for text in pairs[rows].T.ravel())
        n_pairs = len(codes) // 2
        left, right = Sides.of(codes[:n_pairs]), Sides.of(codes[n_pairs:])
        yield rows, list(overlaps(left, right, longest))
