from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.training._objective import choose_negatives, margin_loss


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
    got = margin_loss(*map(torch.from_numpy, (x1, x2, t1, t2)), margin=0.8)
    assert float(got) == pytest.approx(expected, abs=1e-12)


def test_pairs_beyond_the_margin_cost_nothing():
    left = torch.tensor([[1.0, 0.0]])
    away = torch.tensor([[0.0, 1.0]])
    assert float(margin_loss(left, left, away, away, margin=0.8)) == 0


def test_zero_vectors_have_finite_loss_and_gradient():
    left = torch.zeros(2, 3, requires_grad=True)
    loss = margin_loss(left, torch.ones(2, 3), left, torch.zeros(2, 3), margin=0.8)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(left.grad).all()


@pytest.mark.parametrize("kind", ["random", "hardest", "mix"])
@pytest.mark.parametrize("n_pairs", [2, 3, 50])
def test_a_negative_is_never_of_the_pair_itself(kind, n_pairs):
    rng = np.random.default_rng(0)
    left, right = torch.from_numpy(rng.standard_normal((2, n_pairs, 4)))
    right = left.clone()  # the partner is the most similar sentence of all
    for _ in range(20):
        for chosen in choose_negatives(kind, left, right, rng):
            assert (chosen % n_pairs != torch.arange(n_pairs)).all()
            assert ((0 <= chosen) & (chosen < 2 * n_pairs)).all()


def test_random_negatives_reach_every_other_sentence():
    rng = np.random.default_rng(0)
    left = right = torch.zeros(4, 2)
    drawn = [choose_negatives("random", left, right, rng)[0][0].item() for _ in range(600)]
    numbers, counts = np.unique(drawn, return_counts=True)
    assert numbers.tolist() == [1, 2, 3, 5, 6, 7]
    assert counts.min() > 60


def test_hardest_is_the_most_similar_by_brute_force():
    rng = np.random.default_rng(0)
    left, right = rng.standard_normal((2, 20, 6))
    sentences = np.vstack([left, right])
    chosen = choose_negatives("hardest", torch.from_numpy(left), torch.from_numpy(right), rng)
    for i, (side, negatives) in enumerate(zip((left, right), chosen, strict=True)):
        assert i in (0, 1)
        for pair, negative in enumerate(negatives.tolist()):
            cosines = [
                cosine(side[pair], other) if number % 20 != pair else -9
                for number, other in enumerate(sentences)
            ]
            assert negative == int(np.argmax(cosines))


def test_mix_takes_both_kinds():
    rng = np.random.default_rng(0)
    left, right = torch.from_numpy(rng.standard_normal((2, 200, 6)))
    hardest = torch.cat(choose_negatives("hardest", left, right, rng))
    mixed = torch.cat(choose_negatives("mix", left, right, rng))
    assert 0.4 < (mixed == hardest).double().mean() < 0.6
