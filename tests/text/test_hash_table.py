from __future__ import annotations

import numpy as np
import pytest

from skpara.text._hash_table import HashTable


@pytest.mark.parametrize("n_parts", [1, 2])
def test_few_keys_have_to_share_a_slot(n_parts):
    # Consecutive integers are the hardest to spread. Otherwise searches are right, but slow.
    keys = [np.arange(1, 20_001, dtype=np.uint64)] * n_parts
    table = HashTable(*keys)
    np.testing.assert_array_equal(table.find(*keys), np.arange(20_000))
    assert len(np.unique(table._slot(*keys))) > 15_000


def test_keys_that_share_the_last_slot():
    candidates = np.arange(1, 200, dtype=np.uint64)
    last = candidates[HashTable(candidates[:3])._slot(candidates) == 15]
    keys, absent = last[:3], last[3:]
    assert len(absent) > 0
    table = HashTable(keys)
    np.testing.assert_array_equal(table.find(keys), [0, 1, 2])
    np.testing.assert_array_equal(table.find(absent), -1)
