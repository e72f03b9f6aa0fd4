"""Epochs, history, early stopping and interruption, in sessions with scripted objectives."""

from __future__ import annotations

import pickle
from contextlib import nullcontext

import numpy as np
import pytest
from sklearn.base import clone

from skpara import ParagramEncoder, SiameseLSTMRegressor
from skpara.learning import Adam, Objective

VALIDATION = np.array([["w1", "w2"]], dtype=object), None


class Scripted(Objective):
    """Moves the vectors in each epoch, and returns scores that were decided before.

    Parameters
    ----------
    scores : list of float
        Of the state before training and after each epoch.
    interrupted, diverging : int
        Epoch that is interrupted, or in which the loss is not finite, after its first step.
    """

    def __init__(self, scores=(), interrupted=0, diverging=0):
        self.scores, self.interrupted, self.diverging = scores, interrupted, diverging
        self.n_epochs = 0
        self.states = []

    def epoch(self, session, tokens):
        self.n_epochs += 1
        session.trainer.step(tokens, lambda vectors: vectors.square().sum())
        yield 2.0, 10
        if self.n_epochs == self.interrupted:
            raise KeyboardInterrupt
        yield float("nan") if self.n_epochs == self.diverging else 1.0, 30

    def score(self, session, pairs, scores):
        self.states.append(session.encode(["w1 w2"]))
        return self.scores[self.n_epochs]


def test_history_has_loss_and_speed(make_session):
    history = make_session().fit(Scripted(), 2)
    assert [epoch["epoch"] for epoch in history] == [1, 2]
    assert history[0]["loss"] == pytest.approx((2 * 10 + 30) / 40)
    assert history[0]["n_pairs"] == 40
    assert history[0]["score"] is None
    assert history[0]["pairs_per_second"] == pytest.approx(40 / history[0]["seconds"])


@pytest.mark.parametrize(
    ("scores", "n_epochs", "best"),
    [
        ([0.0, 0.1, 0.3, 0.2, 0.2, 0.9], 4, 2),  # two epochs without a better score
        ([0.5, 0.4, 0.4], 2, 0),  # the initial state was best
        ([0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 6, 6),
    ],
)
def test_early_stopping_restores_the_best_state(make_session, scores, n_epochs, best):
    session, objective = make_session(), Scripted(scores)
    history = session.fit(objective, 6, validation=VALIDATION, patience=2)
    assert len(history) == n_epochs
    assert [epoch["score"] for epoch in history] == scores[1 : n_epochs + 1]
    assert session.best_score == max(scores[: n_epochs + 1])
    np.testing.assert_array_equal(session.encode(["w1 w2"]), objective.states[best])
    assert len(np.unique(objective.states, axis=0)) == n_epochs + 1


def test_an_interruption_keeps_what_was_learned(make_session):
    session, expected = make_session(), make_session()
    history = session.fit(Scripted(interrupted=2), 3)
    expected.fit(Scripted(), 2)
    assert len(history) == 1
    with pytest.raises(KeyboardInterrupt, match=r"after 1 complete epoch.*nothing is kept"):
        session.raise_interrupt()
    np.testing.assert_array_equal(session.encode(["w1 w2"]), expected.encode(["w1 w2"]))
    session.fit(Scripted(), 3)  # goes on
    session.raise_interrupt()
    assert len(history) == 3


def test_an_infinite_loss_is_an_error(make_session):
    with pytest.raises(ValueError, match=r"diverged in epoch 2, .* nan\. Lower the optimizer's"):
        make_session().fit(Scripted(diverging=2), 3)


@pytest.mark.parametrize("event", ["diverging", "interrupted"])
def test_an_early_end_with_early_stopping_restores_the_best(make_session, event):
    session, objective = make_session(), Scripted([0.0, 0.5], **{event: 2})
    warns = pytest.warns(UserWarning, match=r"diverged in epoch 2.*best score .* is kept")
    with warns if event == "diverging" else nullcontext():
        history = session.fit(objective, 3, validation=VALIDATION, patience=2)
    assert session.interrupted == (event == "interrupted")
    assert len(history) == 1
    np.testing.assert_array_equal(session.encode(["w1 w2"]), objective.states[1])
    assert session.best_score == 0.5


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_last_step_to_infinity_is_an_error(make_session, value):
    class Last(Objective):
        def epoch(self, session, tokens):
            yield 1.0, 1
            session.trainer._table[1, 2] = value

    with pytest.raises(ValueError, match=r"became infinite or NaN\. Lower the optimizer's"):
        make_session().fit(Last(), 1)
    with pytest.raises(NotImplementedError, match="Last has no validation score"):
        make_session().fit(Last(), 1, validation=VALIDATION)


ESTIMATORS = [
    ParagramEncoder("average", max_iter=3),
    ParagramEncoder("lstm", max_iter=3),
    SiameseLSTMRegressor(max_iter=3, batch_size=4),
]


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("estimator", ESTIMATORS, ids=repr)
def test_a_fit_that_diverges_changes_nothing(estimator, small_pairs, small_vectors):
    model = clone(estimator).set_params(vectors=small_vectors, random_state=0, device="cpu")
    scores = np.linspace(0, 5, 12)
    model.set_params(optimizer=Adam()).fit(small_pairs[:12], scores)
    before = pickle.dumps(model)
    with pytest.raises(ValueError, match="Lower the optimizer's learning_rate"):
        model.set_params(optimizer=Adam(1e38)).fit(small_pairs[:12], scores)
    assert pickle.dumps(model.set_params(optimizer=Adam())) == before
