"""Clusters of pairs that come in batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skpara.matching import complete_merges, connected
from skpara.scale._link import Pairs, linked

N = 12


@st.composite
def batches(draw):
    rows = st.integers(0, N - 1)
    pairs = draw(st.lists(st.tuples(rows, rows), max_size=40))
    pairs = sorted({(min(pair), max(pair)) for pair in pairs if pair[0] != pair[1]})
    scores = draw(
        st.lists(st.sampled_from([0.9, 0.91, 0.95, 1.0]), min_size=len(pairs), max_size=len(pairs))
    )
    # A row that is compared through an earlier one is in no other pair.
    last = [pair for pair in pairs if sum(pair[1] in other for other in pairs) == 1]
    equal = [pair in last[::2] for pair in pairs]
    size = draw(st.integers(1, 50))
    columns = np.array(pairs, dtype=np.int64).reshape(-1, 2)
    everything = Pairs(*columns.T, np.array(scores), np.array(equal, dtype=bool))
    return everything, [
        Pairs(*(x[start : start + size] for x in everything))
        for start in range(0, len(pairs), size)
    ]


@pytest.mark.parametrize("linkage", ["single", "complete"])
@settings(max_examples=30)
@given(given_pairs=batches(), most_pairs=st.integers(1, 50))
def test_clusters_do_not_depend_on_batches(given_pairs, most_pairs, linkage):
    everything, parts = given_pairs
    found = linked(N, linkage, lambda: iter(parts), most_pairs, np.arange(N))
    pairs = np.column_stack(everything[:2])
    if linkage == "complete":
        equal = everything.are_equal
        merges = complete_merges(pairs[~equal], everything.scores[~equal])
        pairs = np.concatenate([merges, pairs[equal]])
    labels = connected(pairs, N)
    # Each cluster is known by its lowest row.
    assert found.tolist() == [int(np.flatnonzero(labels == label)[0]) for label in labels]
