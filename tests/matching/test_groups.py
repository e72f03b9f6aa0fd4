"""Pairs that are compared because others of their groups are probably the same."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skpara.matching._groups import _MOST_WITHIN, Found, _joined, _within


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.data())
def test_pairs_within_groups_are_all_that_are_not_known(labels, data):
    groups = np.unique(labels, return_inverse=True)[1]
    n = len(groups)
    inside = [(i, j) for i, j in combinations(range(n), 2) if groups[i] == groups[j]]
    known = data.draw(st.lists(st.sampled_from(inside), unique=True)) if inside else []
    keys = np.array([i * n + j for i, j in known], dtype=np.int64)
    rows, columns = _within(groups, keys)
    found = list(zip(rows.tolist(), columns.tolist(), strict=True))
    assert sorted(found) == sorted(set(inside) - set(known))
    assert len(found) == len(set(found))


def test_in_a_large_group_each_is_compared_with_some():
    n = 3 * _MOST_WITHIN
    rows, columns = _within(np.zeros(n, dtype=np.int64), np.empty(0, dtype=np.int64))
    counts = np.bincount(np.append(rows, columns), minlength=n)
    assert set(counts.tolist()) == {2 * (_MOST_WITHIN // 2)}
    assert (rows < columns).all()


def test_pairs_are_added_in_both_directions_and_compared_once():
    asked = []

    def compare(rows, columns):
        asked.extend(zip(rows.tolist(), columns.tolist(), strict=True))
        return (10.0 * rows + columns)[:, None]

    first = _joined(None, 4, np.array([0, 2]), np.array([1, 3]), compare)
    both = _joined(first, 4, np.array([1, 3]), np.array([0, 0]), compare)
    assert isinstance(both, Found)
    assert asked == [(0, 1), (1, 0), (2, 3), (3, 2), (0, 3), (3, 0)]
    pairs = list(zip(both.rows.tolist(), both.columns.tolist(), strict=True))
    assert pairs == sorted(asked)
    assert both.values.ravel().tolist() == [10.0 * i + j for i, j in pairs]
