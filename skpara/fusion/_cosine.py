"""CosineRegressor: a similarity as a score, without learning."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.utils import check_array
from sklearn.utils.validation import check_is_fitted, validate_data

from skpara._estimators import restore_on_failure
from skpara._public import set_module
from skpara._sklearn import BaseEstimator, RegressorMixin, checks_parameters
from skpara._typing import Constraints, Floats
from skpara._validation import check_score_range, check_scores, explain_sentences, unmasked
from skpara.encoders import ParagramEncoder
from skpara.fusion._pipeline import PairPipeline


@set_module("skpara.fusion", trusted=True)
class CosineRegressor(RegressorMixin, BaseEstimator):
    """Regressor that scales a cosine to the range of the scores.

    A cosine of 0 or less is the lowest score, a cosine of 1 the highest. Nothing is learned, so
    as the last step after an encoder, the regressor lets a search choose the encoder's parameters
    by the encoder's similarities alone.

    Parameters
    ----------
    score_range : tuple of (low, high), default=(0, 5)
        Lowest and highest score.

    Attributes
    ----------
    n_features_in_ : int
        Number of features, 1.
    feature_names_in_ : ndarray of str, shape (1,)
        Column name, where ``X`` was a frame.

    References
    ----------
    C. Hokamp, P. Arora (2016). DCU-SEManiacs at SemEval-2016 Task 1: synthetic paragram
    embeddings for semantic textual similarity. SemEval.

    Examples
    --------
    >>> from sklearn.pipeline import make_pipeline
    >>> from skpara import ParagramEncoder
    >>> from skpara.fusion import CosineRegressor
    >>> pairs = [("A man plays a guitar.", "Someone is playing music."), ("It rains.",) * 2]
    >>> encoder = ParagramEncoder(max_iter=0, output="similarity")
    >>> model = make_pipeline(encoder, CosineRegressor()).fit(pairs)
    >>> model.predict(pairs).round()
    array([3., 5.])
    """

    _parameter_constraints: Constraints = {"score_range": [tuple, list]}

    def __init__(self, score_range: tuple[float, float] = (0, 5)) -> None:
        self.score_range = score_range

    @checks_parameters
    @restore_on_failure
    def fit(self, X: ArrayLike, y: ArrayLike | None = None) -> Self:
        """Validate the cosines and the scores.

        Parameters
        ----------
        X : array-like of shape (n_pairs, 1)
            Cosine of each pair.
        y : array-like of shape (n_pairs,), optional
            Scores. An error is raised if one is outside ``score_range``.

        Returns
        -------
        CosineRegressor
            The regressor itself.
        """
        score_range = check_score_range(self.score_range)
        cosines = self._check_cosines(X, reset=True)
        if y is not None:
            check_scores(y, score_range, X=cosines)
        self._fixed = {"score_range": score_range}
        return self

    def predict(self, X: ArrayLike) -> Floats:
        """Return the scaled cosines.

        Parameters
        ----------
        X : array-like of shape (n_pairs, 1)
            Cosine of each pair.

        Returns
        -------
        ndarray of shape (n_pairs,), float64
            Scores within ``score_range``.
        """
        check_is_fitted(self)
        # The range of fit; a model file has it as the parameter.
        low, high = check_score_range(vars(self).get("_fixed", vars(self))["score_range"])
        return low + (high - low) * self._check_cosines(X, reset=False).clip(0, 1)

    def _check_cosines(self, X: ArrayLike, *, reset: bool) -> Floats:
        with explain_sentences(self, "ParagramEncoder()"):
            features = check_array(
                unmasked(X), dtype=np.float64, ensure_min_samples=int(reset), estimator=self
            )
        # Raised before scikit-learn's error for a wrong number of columns, as it shows the remedy.
        if features.shape[1] != 1:
            raise ValueError(
                "CosineRegressor expects one column, the cosine of each pair, got "
                f"{features.shape[1]}. Of an encoder, take output='similarity', or combine the "
                "columns by FusionRegressor."
            )
        validate_data(self, X, reset=reset, skip_check_array=True)
        return features[:, 0]

    def _check_loaded(self) -> None:
        check_score_range(self.score_range)

    def __sklearn_tags__(self) -> Any:
        """Return scikit-learn's tags: nothing is learned, so y is not required."""
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.regressor_tags.poor_score = True
        return tags


def make_cosine_scorer(
    vectors: Any = "default", *, score_range: tuple[float, float] = (0, 5)
) -> PairPipeline:
    """Build a fitted pipeline that scores pairs without training.

    The score of a pair is the cosine of its sentence vectors, the means of the given word vectors.

    Parameters
    ----------
    vectors : "default", "multilingual", path or WordVectors, default="default"
        Word vectors, see :meth:`skpara.WordVectors.load`.
    score_range : tuple of (low, high), default=(0, 5)
        Scores of unrelated and of equal sentences.

    Returns
    -------
    PairPipeline
        A ``Pipeline`` of a :class:`~skpara.ParagramEncoder` and a :class:`CosineRegressor`.

    Examples
    --------
    >>> from skpara.fusion import make_cosine_scorer
    >>> pairs = [("A man plays a guitar.", "Someone is playing music.")]
    >>> make_cosine_scorer().predict(pairs).round(1)
    array([3.3])
    """
    # Fitting only sets the number of columns: any pair will do.
    encoder = ParagramEncoder(vectors=vectors, max_iter=0, output="similarity")
    steps = [("paragramencoder", encoder), ("cosineregressor", CosineRegressor(score_range))]
    return PairPipeline(steps).fit([("", "")])
