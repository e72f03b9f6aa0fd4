from __future__ import annotations

import numpy as np
import pytest

from skpara.training._loop import batches


@pytest.mark.parametrize("n_pairs", [2, 3, 99, 100, 101, 102, 199, 200, 201, 1000])
def test_batches_hold_every_pair_once_and_never_one_alone(n_pairs):
    drawn = list(batches(n_pairs, 100, np.random.default_rng(0)))
    assert sorted(np.concatenate(drawn).tolist()) == list(range(n_pairs))
    assert all(2 <= len(batch) <= 101 for batch in drawn)


def test_order_is_new_each_time():
    rng = np.random.default_rng(0)
    one, two = (np.concatenate(list(batches(50, 10, rng))) for _ in range(2))
    assert one.tolist() != two.tolist()
