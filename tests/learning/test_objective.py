from __future__ import annotations

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from skpara.learning._objective import choose_negatives, hardest_negatives, margin_loss


def cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


def test_equation_2_by_hand():
    rng = np.random.default_rng(0)
    x1, x2, t1, t2 = rng.standard_normal((4, 7, 5))
    expected = np.mean(
        [
            max(0, 0.8 - cosine(a, b) + cosine(a, c)) + max(0, 0.8 - cosine(a, b) + cosine(b, d))
            for a, b, c, d in zip(x1, x2, t1, t2, strict=True)
        ]
    )
    vectors = torch.from_numpy(np.vstack([x1, x2, t1, t2]))
    got = margin_loss(normalize(vectors), torch.arange(14, 28), margin=0.8)
    assert float(got) == pytest.approx(expected, abs=1e-12)


def test_pairs_beyond_the_margin_cost_nothing():
    vectors = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    assert float(margin_loss(vectors, torch.tensor([2, 2]), margin=0.8)) == 0


def test_zero_vectors_have_finite_loss_and_gradient():
    vectors = torch.cat([torch.zeros(2, 3), torch.ones(2, 3)]).requires_grad_()
    loss = margin_loss(normalize(vectors), torch.tensor([1, 0, 1, 2]), margin=0.8)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(vectors.grad).all()


@pytest.mark.parametrize("kind", ["random", "hardest", "mix"])
@pytest.mark.parametrize("n_pairs", [2, 3, 50, 700])
def test_a_negative_is_never_of_the_pair_itself(kind, n_pairs):
    rng = np.random.default_rng(0)
    left = torch.from_numpy(rng.standard_normal((n_pairs, 4)))
    both = normalize(torch.cat([left, left]))  # the partner is the most similar sentence of all
    own = torch.arange(n_pairs).repeat(2)
    for _ in range(20 if n_pairs < 100 else 2):
        chosen = choose_negatives(kind, both, rng)
        assert (chosen % n_pairs != own).all()
        assert ((chosen >= 0) & (chosen < 2 * n_pairs)).all()


def test_random_negatives_reach_every_other_sentence():
    rng = np.random.default_rng(0)
    drawn = [choose_negatives("random", torch.zeros(8, 2), rng)[0].item() for _ in range(600)]
    numbers, counts = np.unique(drawn, return_counts=True)
    assert numbers.tolist() == [1, 2, 3, 5, 6, 7]
    assert counts.min() > 60


@pytest.mark.parametrize("n_pairs", [20, 600])  # the larger one is searched in blocks
def test_hardest_is_the_most_similar_by_brute_force(n_pairs):
    sentences = np.random.default_rng(0).standard_normal((2 * n_pairs, 6))
    units = sentences / np.linalg.norm(sentences, axis=1, keepdims=True)
    cosines = units @ units.T
    own = np.tile(np.arange(n_pairs), 2)
    cosines[own[:, None] == own] = -9
    got = hardest_negatives(torch.from_numpy(units)).numpy()
    np.testing.assert_array_equal(got, cosines.argmax(axis=1))


def test_mix_takes_both_kinds():
    rng = np.random.default_rng(0)
    vectors = normalize(torch.from_numpy(rng.standard_normal((400, 6))))
    same = choose_negatives("mix", vectors, rng) == hardest_negatives(vectors)
    assert 0.4 < same.double().mean() < 0.6
