from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skpara.learning._rows import Anchor, Distinct


@given(st.lists(st.integers(0, 20), max_size=60))
def test_distinct_ids_give_back_the_ids(ids):
    array = np.array(ids, dtype=np.int32)
    rows, local = Distinct(21)(array)
    assert len(set(rows.tolist())) == len(rows)
    np.testing.assert_array_equal(rows[local], array)


def test_anchors_of_several_tables_are_those_of_one():
    whole = np.random.default_rng(0).standard_normal((9, 2)).astype(np.float32)
    parts = Anchor((whole[:4],)).then(whole[4:6]).then(whole[6:])
    rows = np.array([8, 0, 5, 4, 3, 6, 0])
    np.testing.assert_array_equal(parts.take(rows), whole[rows])
    np.testing.assert_array_equal(Anchor((whole,)).take(rows), whole[rows])
