from __future__ import annotations

import numpy as np
import torch

from skpara.networks import Average


def test_mean_of_rows_by_hand_with_an_empty_sentence():
    rows = np.random.default_rng(0).standard_normal((6, 3)).astype(np.float32)
    ids, offsets = np.array([0, 1, 1, 5, 2]), np.array([0, 3, 3])
    got = Average()(*map(torch.from_numpy, (rows, ids, offsets))).numpy()
    expected = [rows[[0, 1, 1]].mean(axis=0), np.zeros(3), rows[[5, 2]].mean(axis=0)]
    np.testing.assert_allclose(got, expected, atol=1e-6)
