"""FusionRegressor: from features to a score."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.utils import check_consistent_length, check_random_state
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.validation import (
    _check_sample_weight,
    check_is_fitted,
    has_fit_parameter,
    validate_data,
)

from skpara._public import set_module
from skpara.fusion._domain import domain_weights
from skpara.fusion._linear import LinearPart, fit_linear


@set_module("skpara", trusted=True)
class FusionRegressor(RegressorMixin, BaseEstimator):
    """Similarity features in, a score on the task's scale out.

    A regressor, gradient boosting by default, averaged over several seeds; beside it a linear
    model, since trees know nothing of what lies beyond the scores and features they have seen;
    and the result is clipped to the range of the scores.

    Parameters
    ----------
    estimator : regressor, default=None
        None is gradient boosting in many small steps, each on half of the pairs, each split
        choosing among a sixth of the features, so that no single similarity is relied on alone.
    linear_weight : "auto" or float, default="auto"
        Weight of the linear model, from 0 to 1; the regressor has the rest. "auto" is 0.5 beside
        the default regressor, 0 beside another. The linear model is a ridge regression on
        standardised features, learned from differences within ``groups``. On kinds of text that
        were left out of training (STS 2012-2015) it gained .006.
    score_range : tuple of (low, high) or None, default=(0, 5)
        Predictions are clipped to it; None leaves them as they are.
    n_repeats : int, default=1
        How many copies of the regressor, each with its own seed, are averaged.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    estimators_ : list of regressors, length ``n_repeats``
    linear_ : LinearPart or None
        The linear model, with ``coef``, ``centre`` and ``baseline``; None where its weight is 0.
    linear_weight_ : float
        Its weight.
    feature_importances_ : ndarray of shape (n_features,)
        Mean importance over the copies (Gini importance for trees), summing to 1. There where the
        regressor has it. The linear model has no part in it; what both make of a feature is seen
        by ``sklearn.inspection.permutation_importance`` and by :func:`skpara.explain`.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Column names, where ``X`` was a frame.

    References
    ----------
    S. Bickel, M. Brückner, T. Scheffer (2007). Discriminative learning for differing training and
    test distributions. ICML. (``domain``)

    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara import FusionRegressor
    >>> cosines = np.linspace(0, 1, 50)[:, None]
    >>> model = FusionRegressor(random_state=0).fit(cosines, 5 * cosines.ravel())
    >>> bool(0 <= model.predict([[0.5]])[0] <= 5)
    True
    """

    # With metadata routing on, what is given to a pipeline or a search comes here unasked for.
    __metadata_request__fit = {"groups": True, "domain": True, "sample_weight": True}
    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "linear_weight": [Interval(Real, 0, 1, closed="both"), StrOptions({"auto"})],
        "score_range": [tuple, list, None],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        linear_weight: float | str = "auto",
        score_range: tuple[float, float] | None = (0, 5),
        n_repeats: int = 1,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.linear_weight = linear_weight
        self.score_range = score_range
        self.n_repeats = n_repeats
        self.random_state = random_state

    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
        domain: ArrayLike | None = None,
    ) -> FusionRegressor:
        """Fit the regressor.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)
        y : array-like of shape (n_pairs,)
            Scores.
        sample_weight : array-like of shape (n_pairs,), optional
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair, such as ``fetch_sts(2015).groups``. The linear model then does
            not take what sets the data sets apart for what makes sentences alike.
        domain : array-like of shape (n_others, n_features), optional
            Features of pairs that are to be scored. Pairs to learn from that are like them then
            weigh more: by the odds that a logistic regression gives them of being one of these
            (Bickel et al. 2007), times ``sample_weight``.

        Returns
        -------
        self
        """
        self._validate_params()
        self._check_range()
        least = 2 if self.estimator is None else 1  # boosting on half of the rows needs a half
        rows, scores = validate_data(
            self, X, y, y_numeric=True, dtype=np.float64, ensure_min_samples=least
        )
        base = _boosting() if self.estimator is None else self.estimator
        weight = None if sample_weight is None else _check_sample_weight(sample_weight, rows)
        if domain is not None:
            others = validate_data(self, domain, reset=False, dtype=np.float64)
            weight = domain_weights(rows, others) * (1.0 if weight is None else weight)
        if weight is not None and not has_fit_parameter(base, "sample_weight"):
            what = "sample_weight" if domain is None else "sample_weight, which domain needs"
            raise ValueError(f"{type(base).__name__} takes no {what}; leave it out.")
        weights = {} if weight is None else {"sample_weight": weight}
        self.linear_weight_ = self._linear_weight()
        self.linear_: LinearPart | None = None
        if self.linear_weight_:
            if groups is not None:
                check_consistent_length(rows, groups)
            self.linear_ = fit_linear(rows, scores, groups, weight)
        rng = check_random_state(self.random_state)
        self.estimators_ = [
            _seeded(base, rng).fit(rows, scores, **weights) for _ in range(self.n_repeats)
        ]
        return self

    def _linear_weight(self) -> float:
        if self.linear_weight == "auto":
            return 0.5 if self.estimator is None else 0.0
        return float(self.linear_weight)

    def predict(self, X: ArrayLike) -> NDArray[np.float64]:
        """Scores of pairs.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)

        Returns
        -------
        ndarray of shape (n_pairs,), float64, within ``score_range``
        """
        check_is_fitted(self)
        rows = validate_data(self, X, reset=False, dtype=np.float64)
        scores = np.mean([fitted.predict(rows) for fitted in self.estimators_], axis=0)
        if self.linear_ is not None:
            part = self.linear_weight_
            scores = (1 - part) * scores + part * self.linear_.predict(rows)
        return scores if self.score_range is None else np.clip(scores, *self.score_range)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Mean importance of each feature over the copies."""
        importances = [fitted.feature_importances_ for fitted in self.estimators_]
        mean: NDArray[np.float64] = np.mean(importances, axis=0)
        return mean

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimators_")

    def __sklearn_tags__(self) -> Any:
        """Scikit-learn's tags: clipping loses scores outside the range."""
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags

    def _check_range(self) -> None:
        if self.score_range is None:
            return
        if len(self.score_range) != 2 or not self.score_range[0] < self.score_range[1]:
            raise ValueError(
                f"score_range must be (low, high) with low < high, got {self.score_range!r}."
            )


def _seeded(estimator: Any, rng: np.random.RandomState) -> Any:
    """A clone with every ``random_state`` in it, nested ones too, drawn from ``rng``."""
    fresh = clone(estimator)
    names = [n for n in fresh.get_params() if n.split("__")[-1] == "random_state"]
    return fresh.set_params(**{name: int(rng.randint(2**31)) for name in sorted(names)})


def _boosting() -> GradientBoostingRegressor:
    # Chosen among some twenty settings by leaving out kinds of text, STS 2012-2015.
    return GradientBoostingRegressor(
        n_estimators=500,
        learning_rate=0.03,
        max_depth=4,
        min_samples_leaf=20,
        subsample=0.5,
        max_features=1 / 6,
    )
