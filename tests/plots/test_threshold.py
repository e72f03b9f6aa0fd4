"""The plot of precision and recall by threshold."""

import numpy as np
import pytest

from skpara import FusionClassifier, ParagramEncoder, TableMatcher
from skpara.plots import ThresholdDisplay


def test_a_classifier_draws_the_curve_that_its_thresholds_are_read_from():
    X, labels = np.random.default_rng(0).normal(size=(300, 1)), np.arange(300) % 3 == 0
    model = FusionClassifier(random_state=0).fit(X + 2 * labels[:, None], labels)
    display = ThresholdDisplay.from_estimator(model)
    reached = display.precision[display.threshold >= model.threshold(precision=0.7)][-1]
    assert 0.7 <= reached < 1
    assert (display.recall[-1], display.precision[-1]) == (1, pytest.approx(1 / 3))
    np.testing.assert_array_equal(display.ax_.get_lines()[1].get_ydata(), display.recall)
    texts = [text.get_text() for text in display.ax_.get_legend().get_texts()]
    assert texts == ["precision", "recall"]


def test_matchers_draw_what_they_expect_and_encoders_have_no_curve():
    matcher = TableMatcher().fit(["red bicycle", "garden chair"])
    matcher.match(["bicycle, red", "garden chairs"])
    display = ThresholdDisplay.from_estimator(matcher)
    np.testing.assert_array_equal(display.precision, matcher.curve()["precision"])
    with pytest.raises(TypeError, match="ParagramEncoder has no curve"):
        ThresholdDisplay.from_estimator(ParagramEncoder())
