"""The displays of scikit-learn that the guide names draw models of pairs."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.calibration import CalibrationDisplay
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.metrics import PrecisionRecallDisplay
from sklearn.model_selection import LearningCurveDisplay
from sklearn.pipeline import make_pipeline

from skpara import FusionClassifier, FusionRegressor, LexicalFeatures
from skpara.metrics import pearson_scorer


@pytest.fixture(scope="module")
def decided(sample):
    """A fitted classifier, its pairs, and their labels."""
    pairs, labels = sample.data[:200], np.where(sample.target[:200] >= 3, "same", "different")
    fusion = FusionClassifier(LogisticRegression(), cv=2, random_state=0)
    return make_pipeline(LexicalFeatures("counts"), fusion).fit(pairs, labels), pairs, labels


def test_calibration_is_that_of_the_probabilities(decided):
    model, pairs, labels = decided
    display = CalibrationDisplay.from_estimator(model, pairs, labels, n_bins=5, pos_label="same")
    probabilities = model.predict_proba(pairs)[:, 1]
    np.testing.assert_array_equal(display.y_prob, probabilities)
    top = probabilities > 0.8
    assert display.prob_true[-1] == pytest.approx((labels[top] == "same").mean())


def test_precision_and_recall(decided):
    model, pairs, labels = decided
    display = PrecisionRecallDisplay.from_estimator(model, pairs, labels, pos_label="same")
    assert display.average_precision > 0.7


def test_learning_curve(sample):
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    # scikit-learn derives names from functions, not from scorers
    options = {"cv": 2, "scoring": pearson_scorer, "score_name": "Pearson's r"}
    display = LearningCurveDisplay.from_estimator(
        model, sample.data, sample.target, train_sizes=[0.2, 1.0], **options
    )
    first, last = display.test_scores.mean(axis=1)
    assert last > first
