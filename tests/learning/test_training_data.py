from __future__ import annotations

import numpy as np
import pytest

from skpara.learning._training_data import Chunks, as_validation

PAIRS = [("a", "b"), ("c", "d"), ("e", "f")]


def test_a_tuple_is_pairs_and_scores_anything_else_is_pairs():
    pairs, scores = as_validation((PAIRS, [1, 2, 3]))
    assert pairs.shape == (3, 2)
    assert scores.tolist() == [1, 2, 3]
    pairs, scores = as_validation(PAIRS[:2])
    assert pairs.tolist() == [["a", "b"], ["c", "d"]]
    assert scores is None
    assert as_validation(None) is None


def test_scores_that_rank_nothing_are_dropped():
    assert as_validation((PAIRS, [1, 1, 1]))[1] is None


def test_a_bad_validation_set_is_refused():
    with pytest.raises(ValueError, match="at least 2"):
        as_validation(PAIRS[:1])
    with pytest.raises(ValueError, match="inconsistent"):
        as_validation((PAIRS, [1, 2]))


def test_lists_are_read_again_and_iterators_once():
    def all_of(pairs, scores, number):
        return np.array(pairs, dtype=object)

    chunks = Chunks([PAIRS, PAIRS[:2]], all_of)
    assert not chunks.once
    for _ in range(2):
        assert [len(chunk) for chunk in chunks.read()] == [3, 2]
        assert chunks.n_pairs == 5
    assert Chunks(iter([PAIRS]), all_of).once
