from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning import DistillationObjective
from skpara.learning._distillation import similarity_loss


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


def test_a_rotated_teacher_leaves_nothing_to_learn():
    rng = np.random.default_rng(0)
    teacher = random_units(rng, 7, 4)
    rotation, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    loss = similarity_loss(torch.from_numpy(teacher @ rotation), torch.from_numpy(teacher))
    assert float(loss) == pytest.approx(0, abs=1e-24)


def test_training_approaches_the_teachers_cosines(make_session):
    rng = np.random.default_rng(0)
    sentences = [f"w{i} w{i + 1}" for i in range(30)]
    teacher = random_units(rng, 30, 8).astype(np.float32)
    session = make_session(sentences=sentences, optimizer="adagrad", learning_rate=0.01)
    history = session.fit(DistillationObjective(teacher), 20)
    assert history[0]["n_pairs"] == 30
    assert history[-1]["loss"] < 0.2 * history[0]["loss"]
