"""More distinct words in one call than there are characters in Unicode."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from skpara.augment import filters

pytestmark = pytest.mark.slow
N_WORDS = 15  # of each sentence


def distinct_words(n_words):
    """Pairs whose words are all different, but for the first one of each pair."""
    words = iter(range(n_words))
    n_pairs = n_words // (2 * N_WORDS - 1)
    pairs = np.empty((n_pairs, 2), dtype=object)
    for i in range(n_pairs):
        names = [f"w{next(words):x}" for _ in range(2 * N_WORDS - 1)]
        pairs[i] = " ".join(names[:N_WORDS]), " ".join([names[0], *names[N_WORDS:]])
    return pairs


def test_a_filter():
    pairs = distinct_words(sys.maxunicode + 100_000)
    scores = filters.OverlapFilter(upper=0.9).score_pairs(pairs)
    assert len(set(scores.tolist())) == 1
    assert 0 < scores[0] < 0.2
