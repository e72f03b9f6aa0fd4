from __future__ import annotations

import numpy as np

from skpara.features._padding import groups


def test_groups_are_of_similar_size_and_bounded():
    positions = [group.tolist() for group in groups(np.array([5, 2, 20, 3]), 10)]
    assert positions == [[1, 3], [0], [2]]
