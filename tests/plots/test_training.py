"""The training curve."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from skpara import ParagramEncoder
from skpara.plots import TrainingCurveDisplay


def test_loss_and_score_of_a_fitted_encoder(small_vectors, small_pairs):
    y = np.random.default_rng(0).uniform(0, 5, 40)
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=4, n_iter_no_change=9)
    encoder.fit(small_pairs[40:], validation=(small_pairs[:40], y))
    display = TrainingCurveDisplay.from_estimator(encoder, linewidth=3)
    (loss,), (score, *_) = display.ax_.lines, display.score_ax_.lines
    np.testing.assert_array_equal(loss.get_ydata(), encoder.loss_curve_)
    np.testing.assert_array_equal(score.get_ydata(), [e["score"] for e in encoder.history_])
    assert loss.get_linewidth() == 3
    best = int(np.argmax([e["score"] for e in encoder.history_])) + 1
    assert display.best_epoch == best
    assert f"after epoch {best}" in display.ax_.get_title(loc="left")


def test_without_scores_there_is_one_axis(small_vectors, small_pairs):
    encoder = ParagramEncoder(vectors=small_vectors, max_iter=2).fit(small_pairs)
    from matplotlib.figure import Figure

    figure = Figure()
    display = TrainingCurveDisplay.from_estimator(encoder, ax=figure.subplots())
    assert display.score_ax_ is None
    assert display.best_epoch is None
    assert len(figure.axes) == 1
    assert display.figure_ is figure


def test_an_untrained_model_is_refused(small_vectors):
    with pytest.raises(NotFittedError):
        TrainingCurveDisplay.from_estimator(ParagramEncoder(vectors=small_vectors))
    with pytest.raises(ValueError, match="at least one epoch"):
        TrainingCurveDisplay(history=[])
