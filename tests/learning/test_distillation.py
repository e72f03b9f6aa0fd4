from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning import AdaGrad, Adam, DirectionObjective, DistillationObjective
from skpara.learning._distillation import similarity_loss
from skpara.networks import Average


def random_units(rng, *shape):
    vectors = rng.standard_normal(shape)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_loss_by_hand_over_all_pairs_of_sentences():
    rng = np.random.default_rng(0)
    student, teacher = random_units(rng, 6, 3), random_units(rng, 6, 8)
    expected = 0.0
    for i in range(6):
        for j in range(6):
            target = teacher[i] @ teacher[j]
            weight = 1 + 50 * max(0.0, target) ** 2
            expected += weight * (student[i] @ student[j] - target) ** 2 / 6
    loss = similarity_loss(torch.from_numpy(student), torch.from_numpy(teacher))
    assert float(loss) == pytest.approx(expected, rel=1e-12)


def test_training_approaches_the_teachers_cosines(make_session):
    rng = np.random.default_rng(0)
    sentences = [f"w{i} w{i + 1}" for i in range(30)]
    teacher = random_units(rng, 30, 8).astype(np.float32)
    session = make_session(sentences=sentences, optimizer=AdaGrad(0.01))
    history = session.fit(DistillationObjective(teacher), 20)
    assert history[0]["n_pairs"] == 30
    assert history[-1]["loss"] < 0.2 * history[0]["loss"]


def test_direction_objective_by_hand(make_session):
    # One batch and one epoch: Adam's first step moves each number by the learning rate, against
    # the sign of its derivative, which is computed here from the definition of the loss.
    rng = np.random.default_rng(0)
    sentences = ["w1 w2", "w2 w3 w4", "w5", "w1 w5"]
    session = make_session(Average(redundancy=0.0), sentences, Adam())
    session.trainer.row_optimizer.learning_rate = DirectionObjective.learning_rate
    start = np.array(session.trainer.table, dtype=np.float64)
    teacher = random_units(rng, 4, start.shape[1]).astype(np.float32)
    ids = np.split(session.tokens.ids, session.tokens.offsets[1:-1])

    def loss(table):
        means = np.array([table[rows].mean(axis=0) for rows in ids])
        units = means / np.linalg.norm(means, axis=1, keepdims=True)
        target = teacher @ teacher.T
        weights = 1 + 50 * np.maximum(target, 0) ** 2
        direction = 1 - (units * teacher).sum(axis=1).mean()
        return direction + (weights * (units @ units.T - target) ** 2).mean()

    derivative = np.zeros_like(start)
    for place in np.ndindex(*start.shape):
        shift = np.zeros_like(start)
        shift[place] = 1e-6
        derivative[place] = (loss(start + shift) - loss(start - shift)) / 2e-6
    history = session.fit(DirectionObjective(teacher, 1), 1)
    assert history[0]["loss"] == pytest.approx(loss(start), rel=1e-5)
    moved = session.trainer.table - start
    clear = np.abs(derivative) > 1e-4
    assert clear.mean() > 0.9
    expected = -DirectionObjective.learning_rate * np.sign(derivative[clear])
    np.testing.assert_allclose(moved[clear], expected, rtol=1e-2)


def test_steps_of_the_direction_objective_become_smaller(make_session):
    rng = np.random.default_rng(0)
    sentences = [f"w{i} w{i + 1}" for i in range(30)]
    session = make_session(sentences=sentences, optimizer=Adam())
    teacher = random_units(rng, 30, session.trainer.table.shape[1]).astype(np.float32)
    rates = []
    objective = DirectionObjective(teacher, 4)
    for epochs in range(1, 5):
        session.fit(objective, epochs)
        rates.append(session.trainer.row_optimizer.learning_rate)
    np.testing.assert_allclose(rates, np.array([0.75, 0.5, 0.25, 0]) * objective.learning_rate)
