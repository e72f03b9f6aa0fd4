"""The scaled cosine as a score."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from skpara import LexicalFeatures, ParagramEncoder
from skpara.fusion import CosineRegressor
from skpara.metrics import pearson_scorer

COSINES = np.array([[-0.2], [0.0], [0.5], [1.0], [1.0 + 1e-7]])


def test_cosines_are_scaled_and_clipped():
    model = CosineRegressor().fit(COSINES)
    np.testing.assert_array_equal(model.predict(COSINES), [0, 0, 2.5, 5, 5])
    other = CosineRegressor(score_range=(1, 5)).fit(COSINES, [1, 2, 3, 4, 5])
    np.testing.assert_array_equal(other.predict(COSINES), [1, 1, 3, 5, 5])
    assert model.predict(COSINES[:0]).shape == (0,)


@pytest.mark.parametrize(
    ("options", "X", "y", "message"),
    [
        ({"score_range": (5, 0)}, COSINES, None, "low < high"),
        ({"score_range": "auto"}, COSINES, None, "score_range"),
        ({"score_range": ("10", "5")}, COSINES, None, "score_range"),
        ({}, COSINES, [0, 1, 2, 3, 50], r"y\[4\] = 50\. Clip them or pass score_range=\(0, 50\)"),
        ({}, COSINES, [0, 1, 2, 3], "inconsistent numbers of samples"),
        ({}, COSINES, ["a"] * 5, "by make_pair_classifier"),
        ({}, np.hstack([COSINES, COSINES]), None, "one column, the cosine of each pair, got 2"),
    ],
)
def test_what_is_wrong_is_said(options, X, y, message):
    with pytest.raises(ValueError, match=message):
        CosineRegressor(**options).fit(X, y)


def test_a_search_tunes_the_encoder_alone(scored_sample):
    pairs, scores = scored_sample
    encoder = ParagramEncoder(max_iter=1, output="similarity", random_state=0)
    model = make_pipeline(encoder, CosineRegressor())
    search = GridSearchCV(
        model, {"paragramencoder__positive_threshold": [3.0, 4.5]}, scoring=pearson_scorer, cv=2
    ).fit(pairs[:100], scores[:100])
    expected = 5 * search.best_estimator_[0].transform(pairs).ravel().clip(0, 1)
    np.testing.assert_allclose(search.predict(pairs), expected)
    several = make_pipeline(LexicalFeatures("counts"), CosineRegressor())
    with pytest.raises(ValueError, match=r"output='similarity'.*FusionRegressor"):
        several.fit(pairs[:10], scores[:10])


def test_it_is_fitted_before_it_predicts():
    with pytest.raises(NotFittedError):
        CosineRegressor().predict(COSINES)
