from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nltk import ngrams

from skpara.text import Sides, _overlaps, overlaps

sentences = st.lists(st.integers(0, 4), max_size=9)


def sides(lists):
    ids = np.array([i for ids in lists for i in ids], dtype=np.int64)
    return Sides(ids, np.array([len(ids) for ids in lists], dtype=np.int64))


def check(pairs, longest):
    left, right = (sides([pair[k] for pair in pairs]) for k in (0, 1))
    n = 0
    for n, overlap in enumerate(overlaps(left, right, longest), 1):
        counts = [[Counter(ngrams(side, n)) for side in pair] for pair in pairs]
        assert overlap.n_left.tolist() == [sum(a.values()) for a, _ in counts]
        assert overlap.n_right.tolist() == [sum(b.values()) for _, b in counts]
        assert overlap.shared.tolist() == [(a & b).total() for a, b in counts]
    assert n == longest


@given(st.lists(st.tuples(sentences, sentences), max_size=5))
def test_counts_are_those_of_nltk(pairs):
    check(pairs, 4)


@given(st.lists(st.tuples(sentences, sentences), min_size=1, max_size=5))
def test_keys_that_would_overflow_are_renumbered(pairs):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_overlaps, "_LARGEST", 30)
        check(pairs, 4)


def test_ids_of_any_size():
    check([([0x10FFFF, 3, 0x10FFFF], [3, 0x10FFFF, 0xD800]), ([], [5])], 3)
    rng = np.random.default_rng(0)
    check([(rng.integers(0, 2000, 4000).tolist(), rng.integers(0, 2000, 4000).tolist())], 6)


def test_more_distinct_items_than_there_are_characters():
    items = np.arange(1_200_000).reshape(2, 2, -1)
    left, right = Sides.number(*items.tolist())
    assert [count.shared.tolist() for count in overlaps(left, right, 2)] == [[0, 0]] * 2
    assert left.ids.max() + 1 == right.ids.min() == 600_000
