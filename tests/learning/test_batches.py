from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning._batches import pair_batches, pooled_batches, row_batches
from skpara.text import TokenIds


def numbered(n_pairs):
    """Pairs of one-word sentences: the word is the number of the sentence."""
    ids = np.arange(2 * n_pairs, dtype=np.int32)
    return TokenIds(ids, np.arange(2 * n_pairs + 1), [])


@pytest.mark.parametrize("n_pairs", [2, 3, 99, 100, 101, 102, 199, 200, 201, 1000])
def test_batches_hold_every_pair_once_and_never_one_alone(n_pairs):
    drawn = list(row_batches(n_pairs, 100, np.random.default_rng(0)))
    assert sorted(np.concatenate(drawn).tolist()) == list(range(n_pairs))
    assert all(2 <= len(batch) <= 101 for batch in drawn)


def test_order_is_new_each_time():
    rng = np.random.default_rng(0)
    one, two = (np.concatenate(list(row_batches(50, 10, rng))) for _ in range(2))
    assert one.tolist() != two.tolist()


def test_partners_stay_together():
    for sentences, n_pairs in pair_batches(numbered(25), 10, np.random.default_rng(0)):
        left, right = sentences.ids.reshape(2, n_pairs)
        np.testing.assert_array_equal(right, left + 25)


@pytest.mark.parametrize("n_pairs", [30, 41, 95])
def test_pooled_negatives_are_the_hardest_of_the_pool(n_pairs):
    table = torch.from_numpy(np.random.default_rng(0).standard_normal((2 * n_pairs, 5)))
    pools = []

    def encode(sentences):
        pools.append(sentences.ids)
        return table[sentences.ids]

    units = (table / table.norm(dim=1, keepdim=True)).numpy()
    seen = []
    for sentences, size in pooled_batches(
        numbered(n_pairs), 10, 3, "hardest", encode, np.random.default_rng(0)
    ):
        left, right, *negatives = sentences.ids.reshape(4, size)
        seen.append(left)
        np.testing.assert_array_equal(right, left + n_pairs)
        pool = pools[-1]
        for side, chosen in zip((left, right), negatives, strict=True):
            for sentence, negative in zip(side, chosen, strict=True):
                others = pool[pool % n_pairs != sentence % n_pairs]
                best = others[np.argmax(units[others] @ units[sentence])]
                assert negative == best
    assert sorted(np.concatenate(seen).tolist()) == list(range(n_pairs))
    assert len(pools[0]) == 60
