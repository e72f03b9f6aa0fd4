from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning._distillation import similarity_loss


def units(rng, *shape):
    vectors = rng.standard_normal(shape)
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def test_by_hand_over_all_pairs_of_sentences():
    rng = np.random.default_rng(0)
    student, teacher = units(rng, 6, 3), units(rng, 6, 8)
    expected = 0.0
    for i in range(6):
        for j in range(6):
            wanted = teacher[i] @ teacher[j]
            weight = 1 + 50 * max(0.0, wanted) ** 2
            expected += weight * (student[i] @ student[j] - wanted) ** 2 / 6
    got = similarity_loss(torch.from_numpy(student), torch.from_numpy(teacher))
    assert float(got) == pytest.approx(expected, rel=1e-12)


def test_a_rotated_student_has_nothing_to_learn():
    rng = np.random.default_rng(0)
    teacher = units(rng, 7, 4)
    rotation, _ = np.linalg.qr(rng.standard_normal((4, 4)))
    loss = similarity_loss(torch.from_numpy(teacher @ rotation), torch.from_numpy(teacher))
    assert float(loss) == pytest.approx(0, abs=1e-24)
