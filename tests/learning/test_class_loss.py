"""The loss of classes, and learning them from sentences."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from sklearn.metrics import log_loss

from skpara.learning import AdaGrad, ClassLoss, LabelObjective
from skpara.networks import Classifier


def test_the_loss_is_scikit_learns():
    outputs = np.random.default_rng(0).standard_normal((6, 3))
    labels = np.array([0, 2, 1, 1, 0, 2])
    loss = ClassLoss(3)
    probabilities = loss.probabilities(torch.tensor(outputs))
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    expected = log_loss(labels, probabilities)
    targets = torch.tensor(loss.targets(labels)).double()
    assert float(loss(torch.tensor(outputs), targets)) == pytest.approx(expected)
    assert loss.score(torch.tensor(outputs), labels) == pytest.approx(-expected)


def test_weights_do_not_depend_on_the_batch():
    outputs = torch.tensor(np.random.default_rng(0).standard_normal((4, 2)))
    labels, weights = np.array([0, 1, 0, 0]), np.array([0.5, 3.0])
    loss = ClassLoss(2, weights)
    probabilities = loss.probabilities(outputs)
    expected = log_loss(labels, probabilities, sample_weight=weights[labels], normalize=False) / 4
    targets = torch.tensor(loss.targets(labels)).double()
    assert float(loss(outputs, targets)) == pytest.approx(expected)
    parts = [float(loss(outputs[rows], targets[rows])) for rows in (slice(0, 2), slice(2, 4))]
    assert np.mean(parts) == pytest.approx(expected)


def test_an_epoch_learns_from_every_sentence_once(make_session):
    sentences, labels = [f"w{i}" for i in range(9)], np.arange(9) % 3
    session = make_session(Classifier("average", 3), sentences, optimizer=AdaGrad(1.0))
    objective = LabelObjective(ClassLoss(3), labels, batch_size=4, unit="sentence")
    assert objective.n_samples(session.tokens) == 9
    assert [count for _, count in objective.epoch(session, session.tokens)] == [4, 4, 1]
    before = objective.score(session, np.array(sentences, dtype=object), labels)
    session.fit(objective, 20)
    assert objective.score(session, np.array(sentences, dtype=object), labels) > before
