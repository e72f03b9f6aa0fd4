"""FusionRegressor: from features to a score."""

from __future__ import annotations

from dataclasses import KW_ONLY
from numbers import Integral
from typing import Any, ClassVar, Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.base import clone
from sklearn.pipeline import Pipeline
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, StrOptions
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from skpara._array_files import check_array
from skpara._compatibility import DefaultsMixin
from skpara._estimators import out_of_fold, restore_on_failure
from skpara._public import set_module, with_fields
from skpara._sklearn import BaseEstimator, RegressorMixin, checks_parameters
from skpara._typing import Attributes, Constraints, Floats
from skpara._validation import (
    COUNT,
    SHARE,
    check_groups,
    check_score_range,
    check_scores,
    check_share,
    counted,
    validate_features,
)
from skpara.fusion._boosting import boosting_regressor, seeded
from skpara.fusion._linear import feature_limits, within_group_linear
from skpara.saving import LinearModel, to_arrays, valid_rows

# Weight of the linear model beside boosting. On kinds of text left out of training, both together
# are more accurate than either alone. A single similarity is nearly linear in the scores, and the
# bends that trees learn hold on the training sets: more than a fifth of them harms others.
_LINEAR_WEIGHT = 0.6
_LINEAR_WEIGHT_OF_ONE = 0.8
# Folds whose errors intervals are read from. Fewer pairs would show no large errors.
_N_FOLDS = 5
_FEWEST_FOR_INTERVALS = 20


@set_module("skpara", trusted=True)
@with_fields
class FusionRegressor(DefaultsMixin, RegressorMixin, BaseEstimator):
    """Regressor from similarity features to a score on the task's scale.

    A score is the weighted mean of two predictions, one of a regressor, gradient boosting by
    default, and one of a linear model, since trees do not extrapolate beyond the scores and
    features they have seen. Scores are clipped to the range of the training scores.

    Parameters
    ----------
    estimator : regressor, default=None
        None is gradient boosting: 300 trees with a learning rate of 0.05, each on half of the
        pairs, each split choosing among a sixth of the features, so that no single similarity
        dominates.
    linear_weight : "auto" or float, default="auto"
        Weight of the linear model, from 0 to 1; the regressor has the remaining weight. "auto" is
        0.6 beside the default regressor (0.8 where ``X`` has one column), 0 beside another. The
        linear model has standardised features and is fitted to differences within ``groups``. It
        is the mean of a ridge regression and of a regression on the five features that correlate
        most with the scores; of five features or fewer, the ridge regression alone. It limits
        features far beyond those of the training pairs, see ``feature_limits_``.
    score_range : tuple of (low, high), default=None
        Range of the scores, to which predictions are clipped. None is the range of ``y`` at
        ``fit``. Scores outside a given range raise an error. ``(-inf, inf)`` does not clip.
    n_repeats : int, default=1
        Number of copies of the regressor, each with its own seed, that are averaged.
    intervals : bool, default=False
        Whether ``fit`` also learns how far off the scores may be, for :meth:`predict_interval`.
        It then fits five more regressors, on parts of the pairs; predictions do not change.
    random_state : int, RandomState or None, default=None
        Seed of the copies of the regressor.

    Attributes
    ----------
    estimators_ : list of regressors, length ``n_repeats``
        The fitted copies of the regressor, each a :class:`~skpara.fusion.TreeEnsemble` for the
        default; none if the linear model has all of the weight.
    linear_ : Pipeline or None
        The linear model, a ``StandardScaler`` and a ``Ridge`` with the mean of the coefficients
        of both regressions; None where its weight is 0.
    feature_limits_ : ndarray of shape (2, n_features)
        Lowest and highest value of each feature that the linear model takes: those in ``X``, or
        five standard deviations from the mean if that is farther. Values beyond count as the
        limit. None without a linear model.
    linear_weight_ : float
        Weight of the linear model.
    score_range_ : tuple of (float, float)
        Lowest and highest score that can be predicted.
    interval_errors_ : ndarray of shape (n_pairs,)
        Absolute errors of predictions for held-out pairs, sorted; only with ``intervals``.
    feature_importances_ : ndarray of shape (n_features,)
        Mean importance over the copies (Gini importance for trees), summing to 1; only where the
        regressor has it. The linear model does not contribute to it;
        ``sklearn.inspection.permutation_importance`` and :func:`skpara.explain` take both into
        account.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str, shape (n_features,)
        Column names, where ``X`` was a frame.

    References
    ----------
    V. Vovk (2015). Cross-conformal predictors. Annals of Mathematics and Artificial Intelligence.

    Examples
    --------
    >>> import numpy as np
    >>> from skpara import FusionRegressor
    >>> cosines = np.linspace(0, 1, 50)[:, None]
    >>> model = FusionRegressor(random_state=0).fit(cosines, 5 * cosines.ravel())
    >>> bool(0 <= model.predict([[0.5]])[0] <= 5)
    True
    """

    estimator: Any = None
    _: KW_ONLY
    linear_weight: float | Literal["auto"] = "auto"
    score_range: tuple[float, float] | None = None
    n_repeats: int = 1
    intervals: bool = False
    random_state: Any = None

    # Requested by default, so that pipelines and searches with metadata routing pass them on.
    __metadata_request__fit = {"groups": True, "sample_weight": True}
    _read_by_fit = ("estimator",)
    _parameter_constraints: ClassVar[Constraints] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "linear_weight": [SHARE, StrOptions({"auto"})],
        "score_range": [tuple, list, None],
        "n_repeats": [COUNT],
        "intervals": ["boolean"],
        "random_state": ["random_state"],
    }

    @checks_parameters
    @restore_on_failure
    def fit(
        self,
        X: ArrayLike,
        y: ArrayLike,
        sample_weight: ArrayLike | None = None,
        groups: ArrayLike | None = None,
    ) -> Self:
        """Fit the regressor and the linear model.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)
            Features of the pairs.
        y : array-like of shape (n_pairs,)
            Scores.
        sample_weight : array-like of shape (n_pairs,), optional
            Weight of each pair; those of weight 0 are left out.
        groups : array-like of shape (n_pairs,), optional
            Data set of each pair, such as ``fetch_sts(2015).groups``. The linear model then does
            not mistake differences between data sets for differences in similarity. ``intervals``
            then hold for pairs of other data sets.

        Returns
        -------
        FusionRegressor
            The fitted regressor itself.
        """
        score_range = None if self.score_range is None else check_score_range(self.score_range)
        # The default trains each tree on half of the rows.
        min_samples = 2 if self.estimator is None else 1
        # A missing y is scikit-learn's error; check_scores has better ones for a wrong y.
        labels = None if y is None else "no_validation"
        features = validate_features(
            self, X, labels, dtype=np.float64, ensure_min_samples=min_samples
        )
        scores = check_scores(y, score_range, X=features)
        groups = check_groups(groups, features)
        base = boosting_regressor() if self.estimator is None else self.estimator
        features, scores, groups, weight = counted(sample_weight, features, scores, groups)
        if weight is not None and not has_fit_parameter(base, "sample_weight"):
            raise ValueError(f"{type(base).__name__} takes no sample_weight; leave it out.")
        if self.linear_weight == "auto":
            beside_trees = _LINEAR_WEIGHT_OF_ONE if features.shape[1] == 1 else _LINEAR_WEIGHT
            self.linear_weight_ = beside_trees if self.estimator is None else 0.0
        else:
            self.linear_weight_ = float(self.linear_weight)
        self.score_range_ = score_range or (float(scores.min()), float(scores.max()))
        self.linear_: Pipeline | None = None
        self.feature_limits_: Floats | None = None
        if self.linear_weight_:
            self.feature_limits_ = feature_limits(features)
            self.linear_ = within_group_linear(features, scores, groups, weight)
        rng = check_random_state(self.random_state)
        weights = {} if weight is None else {"sample_weight": weight}
        # With all of the weight on the linear model, the regressor would not be used.
        n_repeats = self.n_repeats if self.linear_weight_ < 1 else 0
        fitted = [seeded(base, rng).fit(features, scores, **weights) for _ in range(n_repeats)]
        self.estimators_ = fitted if self.estimator is not None else list(map(to_arrays, fitted))
        self.__dict__.pop("interval_errors_", None)  # of an earlier fit
        if self.intervals:
            self._fit_intervals(features, scores, weight, groups)
        return self

    def _fit_intervals(
        self, features: Floats, scores: Floats, weight: Floats | None, groups: Any
    ) -> None:
        if len(scores) < _FEWEST_FOR_INTERVALS:
            raise ValueError(
                f"Intervals need at least {_FEWEST_FOR_INTERVALS} pairs, got {len(scores)}. Pass "
                "more pairs, or leave out the intervals."
            )
        # With the same seed, so that the predictions of the regressor itself do not change.
        seed = self.random_state if isinstance(self.random_state, Integral) else 0
        part = clone(self).set_params(intervals=False, random_state=seed)

        def predict(learned: Any, held_out: Any) -> Floats:
            metadata = {"sample_weight": weight, "groups": groups}
            chosen = {name: v[learned] for name, v in metadata.items() if v is not None}
            part.fit(features[learned], scores[learned], **chosen)
            return part.predict(features[held_out])

        from sklearn.model_selection import GroupKFold, KFold

        # Errors are smaller on pairs of a data set that others were learned from, so groups are
        # held out as a whole.
        n_groups = 0 if groups is None else len(np.unique(groups))
        splitter: Any = KFold(_N_FOLDS, shuffle=True, random_state=0)
        if n_groups > 1:
            splitter = GroupKFold(min(_N_FOLDS, n_groups))
        predicted = out_of_fold(predict, splitter.split(features, groups=groups))
        self.interval_errors_ = np.sort(np.abs(predicted - scores))

    def predict(self, X: ArrayLike) -> Floats:
        """Predict the scores of pairs.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)
            Features of the pairs.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            Scores within ``score_range_``; none for an empty ``X``.
        """
        check_is_fitted(self)
        features = valid_rows(self, X)
        if not len(features):  # which most regressors refuse
            return np.empty(0)
        scores = np.zeros(len(features))
        if self.estimators_:
            scores = np.mean([fitted.predict(features) for fitted in self.estimators_], axis=0)
        if self.linear_ is not None:
            scaler, ridge = self.linear_
            limits = self.feature_limits_
            within = features if limits is None else np.clip(features, *limits)
            # Summed row by row: a matrix kernel may sum in another order for another batch size.
            scaled = (within - scaler.mean_) / scaler.scale_  # as the scaler, without its checks
            linear = ridge.intercept_ + (scaled * ridge.coef_).sum(axis=1)
            scores = (1 - self.linear_weight_) * scores + self.linear_weight_ * linear
        return np.clip(scores, *self.score_range_)

    def predict_interval(self, X: ArrayLike, coverage: float = 0.9) -> Floats:
        """Predict intervals that contain the scores of pairs.

        An interval is the score plus or minus a quantile of the errors on held-out pairs, clipped
        to the range of the scores (Vovk 2015). It contains the share ``coverage`` of the scores of
        pairs like the training pairs; with ``groups`` at ``fit``, of pairs of other data sets, on
        average over data sets.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)
            Features of the pairs.
        coverage : float, default=0.9
            Probability that an interval contains the score, between 0 and 1.

        Returns
        -------
        ndarray of shape (n_pairs, 2), float64
            Lower and upper ends, within ``score_range_``. The predicted score is in between.

        Raises
        ------
        ValueError
            If the regressor was fitted without ``intervals``, or ``coverage`` is out of range.

        Examples
        --------
        >>> import numpy as np
        >>> from skpara import FusionRegressor
        >>> cosines = np.linspace(0, 1, 200)[:, None]
        >>> scores = 5 * cosines.ravel() + np.tile([-0.5, 0.5], 100)
        >>> model = FusionRegressor(intervals=True, random_state=0).fit(cosines, scores)
        >>> model.predict_interval([[0.5]], coverage=0.9).round().tolist()
        [[2.0, 3.0]]
        """
        check_is_fitted(self)
        check_share("coverage", coverage)
        if not hasattr(self, "interval_errors_"):
            raise ValueError(
                "The regressor was fitted without intervals. Fit FusionRegressor(intervals=True), "
                "or make_sts_pipeline(intervals=True)."
            )
        n = len(self.interval_errors_)
        # The pair itself counts as one more, which matters where there are few.
        place = int(np.ceil(coverage * (n + 1))) - 1
        error = self.interval_errors_[place] if place < n else np.inf
        scores = self.predict(X)
        return np.column_stack([scores - error, scores + error]).clip(*self.score_range_)

    def __setstate__(self, state: Attributes) -> None:
        # Pickles of earlier versions have no limits.
        added = {"feature_limits_": None} if "linear_" in state else {}
        super().__setstate__(added | state)

    def _check_loaded(self) -> None:
        """Raise a ValueError unless the regressors of a file fit together."""
        self.__dict__.setdefault("feature_limits_", None)  # files of earlier versions have none
        low, high = (0.0 + bound for bound in self.score_range_)
        if not (low <= high and 0 <= self.linear_weight_ <= 1):
            raise ValueError(f"its range is {low} to {high}, its weight {self.linear_weight_}")
        if hasattr(self, "interval_errors_"):
            check_array("interval_errors_", self.interval_errors_, np.floating, (None,))
        parts = list(self.estimators_)
        if self.linear_ is not None:
            scaler, linear = self.linear_
            if not (scaler.with_mean and scaler.with_std and isinstance(linear, LinearModel)):
                raise ValueError("its linear model has other parts")
            parts += [scaler, linear]
            if self.feature_limits_ is not None:
                shape = (2, self.n_features_in_)
                check_array("feature_limits_", self.feature_limits_, np.floating, shape)
        if not parts or {part.n_features_in_ for part in parts} != {self.n_features_in_}:
            raise ValueError("its regressors have different numbers of features, or there is none")

    @property
    def feature_importances_(self) -> Floats:
        """Mean importance of each feature over the copies."""
        if not self.estimators_:
            raise AttributeError(
                "Without a regressor there are no feature_importances_: the linear model has all "
                "of the weight."
            )
        estimators: list[Any] = self.estimators_  # trees, or the estimator that was passed
        importances = [fitted.feature_importances_ for fitted in estimators]
        return np.mean(importances, axis=0)

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: clipping loses scores outside the range."""
        tags = super().__sklearn_tags__()
        tags.regressor_tags.poor_score = True
        return tags
