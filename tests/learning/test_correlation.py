"""The objective on graded scores."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning import CorrelationObjective, Negatives
from skpara.learning._correlation import correlation_loss

SENTENCES = ["w1 w2", "w3 w4", "w5", "w6 w7", "w1", "w3", "w8 w5", "w9"]
SCORES = np.array([3.0, 5.0, 0.5, 1.0])


def make_objective(anchor=0.0, scores=SCORES):
    return CorrelationObjective(scores, 4, anchor=anchor, negatives=Negatives("random"))


def cosines(session):
    vectors = session.encode(SENTENCES)
    u, v = np.split(vectors / np.linalg.norm(vectors, axis=1, keepdims=True), 2)
    return (u * v).sum(axis=1)


def z(values):
    return (values - values.mean()) / values.std()


def test_the_loss_is_one_minus_the_correlation():
    x, y = np.random.default_rng(0).standard_normal((2, 9)).astype(np.float32)
    for counts in (np.ones(9, int), np.arange(9)):
        weights = (counts / counts.mean()).astype(np.float32)
        loss = correlation_loss(*map(torch.from_numpy, (x, y, weights)))
        r = np.corrcoef(np.repeat(x, counts), np.repeat(y, counts))[0, 1]
        assert float(loss) == pytest.approx(1 - r, abs=1e-6)


def test_constant_cosines_have_a_finite_gradient():
    x = torch.full((5,), 0.3, requires_grad=True)
    correlation_loss(x, torch.arange(5.0), torch.ones(5)).backward()
    assert torch.isfinite(x.grad).all()


@pytest.mark.parametrize("anchor", [0.0, 2.0])
def test_targets_are_scores_and_initial_cosines(make_session, anchor):
    session = make_session(sentences=SENTENCES, word_decay=0.0)
    initial = cosines(session)
    objective = make_objective(anchor)
    history = session.fit(objective, 2)
    target = z(SCORES) + anchor * z(initial)
    assert history[0]["loss"] == pytest.approx(1 - np.corrcoef(initial, target)[0, 1], abs=1e-5)
    session.fit(objective, 50)
    # The target is that of the start, also after many epochs.
    assert np.corrcoef(cosines(session), target)[0, 1] > 0.99
