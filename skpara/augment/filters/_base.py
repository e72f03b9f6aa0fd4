"""The base class of the filters."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.utils.validation import check_is_fitted

from skpara._estimators import restore_on_failure
from skpara._pairs import PairEstimatorMixin
from skpara._public import set_module
from skpara._sklearn import BaseEstimator, checks_parameters
from skpara._typing import Bools, Constraints, Floats, PairsLike
from skpara._validation import COUNT
from skpara.augment._paraphrases import Paraphrases, as_paraphrases


@set_module("skpara.augment.filters")
class PairFilter(PairEstimatorMixin, BaseEstimator):
    """Base class of filters that keep the pairs whose score lies within bounds.

    A subclass writes ``measure``, and ``learn`` if it has something to learn. Most filters, and
    the bounds worth trying, come from Wieting and others (2017), who fit them to other pairs than
    they filter: fit a filter first, then pass it to a paraphraser in a ``FrozenEstimator``.

    Parameters
    ----------
    lower, upper : float, default=None
        Inclusive bounds of the score; None means no bound.

    References
    ----------
    Wieting, Mallinson and Gimpel (2017), Learning paraphrastic sentence embeddings from
    back-translated bitext, EMNLP.
    """

    _parameter_constraints: ClassVar[Constraints] = {
        "lower": [Real, None],
        "upper": [Real, None],
    }
    learns = False

    def __init__(self, lower: float | None = None, upper: float | None = None) -> None:
        self.lower = lower
        self.upper = upper

    @checks_parameters
    @restore_on_failure
    def fit(self, X: PairsLike, y: Any = None) -> Self:
        """Learn from the pairs; most filters learn nothing.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)
            A reference and its paraphrase in each row.
        y : object, default=None
            Ignored.

        Returns
        -------
        self
            The fitted filter.
        """
        paraphrases, name = self._paraphrases(X, reset=True), type(self).__name__
        if self.learns and not len(paraphrases):
            raise ValueError(f"Found no pairs to fit {name} to: pass at least one.")
        self.learn(paraphrases)
        self._has_fitted = True
        return self

    # Most filters need no fit, so their parameters are checked here too.
    @checks_parameters
    def score_pairs(self, X: PairsLike) -> Floats:
        """Compute the score of each pair.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)
            A reference and its paraphrase in each row.

        Returns
        -------
        ndarray of float64, shape (n_pairs,)
            The numbers to be within ``lower`` and ``upper``.
        """
        if self.learns:
            check_is_fitted(self)
        return self.measure(self._paraphrases(X, reset=False))

    def select(self, X: PairsLike) -> Bools:
        """Decide which pairs to keep.

        Parameters
        ----------
        X : Paraphrases, or pairs of shape (n_pairs, 2)
            A reference and its paraphrase in each row.

        Returns
        -------
        ndarray of bool, shape (n_pairs,)
            True for the pairs whose score lies within the bounds.

        Raises
        ------
        ValueError
            If ``lower`` is greater than ``upper``.
        """
        scores = self.score_pairs(X)
        if self.lower is not None and self.upper is not None and self.lower > self.upper:
            raise ValueError(
                f"lower must be at most upper, got {self.lower:g} and {self.upper:g}."
            )
        mask = np.ones(len(scores), dtype=bool)
        if self.lower is not None:
            mask &= scores >= self.lower
        if self.upper is not None:
            mask &= scores <= self.upper
        return mask

    def learn(self, paraphrases: Paraphrases) -> None:
        """Learn from references and their paraphrases, in ``fit``; by default nothing.

        Parameters
        ----------
        paraphrases : Paraphrases
            Validated pairs.
        """

    def measure(self, paraphrases: Paraphrases) -> Floats:
        """Compute what ``score_pairs`` returns for validated pairs.

        Parameters
        ----------
        paraphrases : Paraphrases
            Validated pairs.

        Returns
        -------
        ndarray of float64, shape (n_pairs,)
            The numbers to be within ``lower`` and ``upper``.
        """
        raise NotImplementedError

    def _paraphrases(self, X: PairsLike, *, reset: bool) -> Paraphrases:
        # A filter may get no pairs, if earlier filters have dropped all.
        if isinstance(X, Paraphrases) or (hasattr(X, "__len__") and len(X) == 0):
            return as_paraphrases(X)
        return as_paraphrases(self.check_pairs(X, reset=reset))

    def __sklearn_is_fitted__(self) -> bool:
        return not self.learns or hasattr(self, "_has_fitted")

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: most filters need no fit."""
        tags = super().__sklearn_tags__()
        tags.requires_fit = self.learns
        return tags


# Of filters that count n-grams.
ORDER_CONSTRAINTS: Constraints = {
    **PairFilter._parameter_constraints,
    "order": [COUNT],
}
