"""Features into a score: the regressor on top, and the whole system as one pipeline."""

from __future__ import annotations

from numbers import Integral
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.ensemble import GradientBoostingRegressor
from sklearn.pipeline import FeatureUnion, Pipeline
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import HasMethods, Interval
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from skpara.encoders import ParagramEncoder
from skpara.features import LexicalFeatures


class FusionRegressor(RegressorMixin, BaseEstimator):
    """Similarity features in, a score on the task's scale out.

    A regressor, gradient boosting by default, whose predictions are averaged over several seeds
    and clipped to the range of the scores.

    Parameters
    ----------
    estimator : regressor, default=None
        None is gradient boosting in many small steps, each split choosing among a sixth of the
        features, so that no single similarity is relied on alone: on STS 2015, learned from the
        years before, that gave .815 against .809 with scikit-learn's defaults.
    score_range : tuple of (low, high) or None, default=(0, 5)
        Predictions are clipped to it; None leaves them as they are.
    n_repeats : int, default=1
        How many copies of the regressor, each with its own seed, are averaged.
    random_state : int, RandomState or None, default=None

    Attributes
    ----------
    estimators_ : list of regressors, length ``n_repeats``
    feature_importances_ : ndarray of shape (n_features,)
        Mean importance over the copies (Gini importance for trees), summing to 1. There where the
        regressor has it.
    n_features_in_ : int
    feature_names_in_ : ndarray of str, shape (n_features,)
        Column names, where ``X`` was a frame.

    References
    ----------
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

    _parameter_constraints: dict[str, list[Any]] = {
        "estimator": [HasMethods(["fit", "predict"]), None],
        "score_range": [tuple, list, None],
        "n_repeats": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        estimator: Any = None,
        *,
        score_range: tuple[float, float] | None = (0, 5),
        n_repeats: int = 1,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.score_range = score_range
        self.n_repeats = n_repeats
        self.random_state = random_state

    def fit(
        self, X: ArrayLike, y: ArrayLike, sample_weight: ArrayLike | None = None
    ) -> FusionRegressor:
        """Fit the regressor.

        Parameters
        ----------
        X : array-like of shape (n_pairs, n_features)
        y : array-like of shape (n_pairs,)
            Scores.
        sample_weight : array-like of shape (n_pairs,), optional

        Returns
        -------
        self
        """
        self._validate_params()
        self._check_range()
        X, y = validate_data(self, X, y, y_numeric=True)
        base = _boosting() if self.estimator is None else self.estimator
        weights = {} if sample_weight is None else {"sample_weight": sample_weight}
        if weights and not has_fit_parameter(base, "sample_weight"):
            raise ValueError(f"{type(base).__name__} takes no sample_weight; leave it out.")
        rng = check_random_state(self.random_state)
        self.estimators_ = [_seeded(base, rng).fit(X, y, **weights) for _ in range(self.n_repeats)]
        return self

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
        X = validate_data(self, X, reset=False)
        scores = np.mean([fitted.predict(X) for fitted in self.estimators_], axis=0)
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


def make_sts_pipeline(
    encoder: Any = None,
    lexical: Any = None,
    regressor: Any = None,
    *,
    random_state: Any = None,
    verbose: int = 0,
) -> Pipeline:
    """Sentence pairs in, similarity scores out: the fusion system as one pipeline.

    The similarity of a task-internal encoder, and lexical features (the cosine of the untuned
    vectors, ``sum_w2v``, among them), joined by gradient boosting.

    Parameters
    ----------
    encoder : transformer, default=None
        None is a ``ParagramEncoder`` with ``cross_fit=5``, so that the regressor sees similarities
        of encoders that did not train on the pair, and with the settings that did best on STS
        2013, 2014 and 2015: hardest negatives, AdaGrad, a margin of 0.4.
    lexical : transformer, default=None
        None is ``LexicalFeatures()``.
    regressor : regressor, default=None
        None is ``FusionRegressor()``.
    random_state : int or None, default=None
        Given to the default encoder and regressor.
    verbose : int, default=0
        1 shows the encoder's progress.

    Returns
    -------
    Pipeline
        With the steps ``features`` (a union of ``encoder`` and ``lexical``) and ``fusion``.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from skpara import make_sts_pipeline
    >>> from skpara.datasets import load_sts_sample
    >>> pairs, scores = load_sts_sample(return_X_y=True)
    >>> model = make_sts_pipeline(random_state=0).fit(pairs[:100], scores[:100])
    >>> model.predict([("A man plays a guitar.", "Someone is playing music.")]).shape
    (1,)
    """
    if encoder is None:
        encoder = ParagramEncoder(
            negatives="hardest",
            optimizer="adagrad",
            learning_rate=0.005,
            margin=0.4,
            max_iter=6,
            cross_fit=5,
            random_state=random_state,
            verbose=verbose,
        )
    if lexical is None:
        lexical = LexicalFeatures()
    if regressor is None:
        regressor = FusionRegressor(random_state=random_state)
    features = FeatureUnion([("encoder", encoder), ("lexical", lexical)])
    return Pipeline([("features", features), ("fusion", regressor)])


def _seeded(estimator: Any, rng: np.random.RandomState) -> Any:
    """A clone with every ``random_state`` in it, nested ones too, drawn from ``rng``."""
    fresh = clone(estimator)
    names = [n for n in fresh.get_params() if n.split("__")[-1] == "random_state"]
    return fresh.set_params(**{name: int(rng.randint(2**31)) for name in sorted(names)})


def _boosting() -> GradientBoostingRegressor:
    return GradientBoostingRegressor(
        n_estimators=300, learning_rate=0.05, max_depth=3, max_features=1 / 6
    )
