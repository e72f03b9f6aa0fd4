"""Pairs that are compared because others of their groups are probably the same."""

from __future__ import annotations

import re
from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from skpara.matching import Deduplicator
from skpara.matching._clusters import average_merges, connected
from skpara.matching._groups import _MOST_WITHIN, _inside, compared_pairs


@given(st.lists(st.integers(0, 4), min_size=1, max_size=12), st.data())
def test_pairs_within_groups_are_all_that_are_not_known(labels, data):
    groups = np.unique(labels, return_inverse=True)[1]
    n = len(groups)
    inside = [(i, j) for i, j in combinations(range(n), 2) if groups[i] == groups[j]]
    known = data.draw(st.lists(st.sampled_from(inside), unique=True)) if inside else []
    keys = np.array([i * n + j for i, j in known], dtype=np.int64)
    rows, columns = _inside(groups, keys)
    found = list(zip(rows.tolist(), columns.tolist(), strict=True))
    assert sorted(found) == sorted(set(inside) - set(known))
    assert len(found) == len(set(found))


def test_in_a_large_group_each_is_compared_with_some():
    n = 3 * _MOST_WITHIN
    rows, columns = _inside(np.zeros(n, dtype=np.int64), np.empty(0, dtype=np.int64))
    counts = np.bincount(np.append(rows, columns), minlength=n)
    assert set(counts.tolist()) == {2 * (_MOST_WITHIN // 2)}
    assert (rows < columns).all()


class Points:
    """Points on a line, of which those within 1 of each other are one thing."""

    def __init__(self, points, k=None, refuse=False):
        self.points, self.k, self.refuse = points, k, refuse
        self.compared = np.empty((0, 2), dtype=np.int64)

    def propose(self, numbers, k):
        k = min(self.k or k, len(self.points) - 1)
        distances = np.abs(self.points[numbers, None] - self.points)
        distances[np.arange(len(numbers)), numbers] = np.inf
        return np.repeat(numbers, k), np.argsort(distances, axis=1, kind="stable")[:, :k].ravel()

    def compare(self, rows, columns):
        self.compared = np.vstack([self.compared, np.column_stack([rows, columns])])

    def log_odds(self, pairs):
        np.testing.assert_array_equal(pairs, self.compared)
        return 1 - np.abs(np.diff(self.points[pairs], axis=1)).ravel()

    def refused(self, pairs):
        return np.full(len(pairs), self.refuse)


def test_groups_are_larger_than_the_number_of_neighbours():
    """Pairs within groups are compared, though ten neighbours of each show a part of them only."""
    rng = np.random.default_rng(0)
    sizes = [100, 40, 3, 1, 1]
    numbers = np.repeat(np.arange(5), sizes)
    within = Points(numbers * 10 + rng.random(len(numbers)))
    pairs, odds = compared_pairs(len(numbers), 10, within)
    assert len(np.unique(pairs, axis=0)) == len(pairs)  # each once, the lower number first
    assert (pairs[:, 0] < pairs[:, 1]).all()
    assert connected(average_merges(pairs, odds), len(numbers)).tolist() == numbers.tolist()
    inside = numbers[pairs[:, 0]] == numbers[pairs[:, 1]]
    assert inside.sum() == sum(size * (size - 1) // 2 for size in sizes)


def test_the_progress_of_names_is_shown(capsys):
    names = ["Ada Blackworth", "Bruno Eastbury", "Ada Blackworht"]
    Deduplicator(verbose=1).fit(names)
    assert {"Search", "Compare"} <= set(re.findall(r"\w+", capsys.readouterr().err))
    Deduplicator().fit(names)
    assert capsys.readouterr().err == ""


def test_what_is_refused_makes_no_groups():
    """A template with another number in each row is compared with the first neighbours only."""
    first = Points(np.zeros(300), k=10)
    neighbours = len(
        np.unique(np.sort(np.column_stack(first.propose(np.arange(300), 10))), axis=0)
    )
    pairs, odds = compared_pairs(300, 10, Points(np.zeros(300), k=10, refuse=True))
    assert len(pairs) == neighbours
    assert (odds == 1).all()
