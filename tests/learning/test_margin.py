from __future__ import annotations

import warnings

import numpy as np
import pytest
import torch
from torch.nn.functional import normalize

from skpara import ParagramEncoder
from skpara._core import Ragged
from skpara.learning import Adam, MarginObjective, Negatives, Session
from skpara.learning._margin import choose_negatives, hardest_negatives, margin_loss


def cosine(u, v):
    return u @ v / np.sqrt((u @ u) * (v @ v))


def random_pairs(n_pairs):
    """Pairs of single words."""
    numbers = np.random.default_rng(0).integers(0, 290, (n_pairs, 2))
    return np.array([[f"w{number}" for number in row] for row in numbers], dtype=object)


def numbered_pairs(n_pairs):
    """Pairs of one-word sentences: the word is the number of the sentence."""
    ids = np.arange(2 * n_pairs, dtype=np.int32)
    return Ragged(ids, np.arange(2 * n_pairs + 1))


class RecordedSession:
    """Stands in for a session and its trainer: records what is encoded and learned from."""

    batches = Session.batches

    def __init__(self, table):
        self.rng, self.trainer, self.table = np.random.default_rng(0), self, table
        self.encoded, self.learned = [], []

    def encode(self, sentences):
        self.encoded.append(sentences.ids)
        return self.table[sentences.ids]

    def step(self, sentences, loss_function):
        self.learned.append(sentences.ids)
        return 1.0


@pytest.mark.parametrize("n_pairs", [2, 3, 99, 100, 101, 102, 199, 200, 201, 1000])
def test_batches_hold_every_row_once_and_never_a_single_one(n_pairs):
    batches = list(RecordedSession(None).batches(n_pairs, 100, min_size=2))
    assert sorted(np.concatenate(batches).tolist()) == list(range(n_pairs))
    assert all(2 <= len(batch) <= 101 for batch in batches)


def test_partners_stay_together():
    session = RecordedSession(torch.zeros(50, 5))
    objective = MarginObjective(Negatives(), batch_size=10)
    sizes = [n_pairs for _, n_pairs in objective.epoch(session, numbered_pairs(25))]
    assert sizes == [10, 10, 5]
    for batch, size in zip(session.learned, sizes, strict=True):
        first, second = batch.reshape(2, size)
        np.testing.assert_array_equal(second, first + 25)


@pytest.mark.parametrize("n_pairs", [30, 41, 95])
def test_megabatch_negatives_are_the_hardest_of_the_megabatch(n_pairs):
    table = torch.from_numpy(np.random.default_rng(0).standard_normal((2 * n_pairs, 5)))
    units = normalize(table).numpy()
    session = RecordedSession(table)
    objective = MarginObjective(Negatives("hardest", megabatch_size=3), batch_size=10)
    all_first = []
    for _, size in objective.epoch(session, numbered_pairs(n_pairs)):
        first, second, *negatives = session.learned[-1].reshape(4, size)
        all_first.append(first)
        np.testing.assert_array_equal(second, first + n_pairs)
        megabatch = session.encoded[-1]
        for side, chosen in zip((first, second), negatives, strict=True):
            for sentence, negative in zip(side, chosen, strict=True):
                candidates = megabatch[megabatch % n_pairs != sentence % n_pairs]
                assert negative == candidates[np.argmax(units[candidates] @ units[sentence])]
    assert sorted(np.concatenate(all_first).tolist()) == list(range(n_pairs))
    assert len(session.encoded[0]) == 60


def test_the_validation_score_without_scores_is_minus_the_loss(make_session):
    session, pairs = make_session(), random_pairs(9)
    units = normalize(torch.from_numpy(session.encode(pairs.T.ravel().tolist())))
    losses = []
    for start, stop in ((0, 5), (5, 9)):  # batches of 4, with the remainder spread over them
        batch = torch.cat([units[start:stop], units[9 + start : 9 + stop]])
        losses += [float(margin_loss(batch, hardest_negatives(batch), 0.8))] * (stop - start)
    score = MarginObjective(Negatives(), batch_size=4).score(session, pairs, None)
    assert score == pytest.approx(-np.mean(losses), rel=1e-5)


def test_the_validation_score_with_scores_is_pearsons_r(make_session):
    session, pairs = make_session(), random_pairs(9)
    scores = np.random.default_rng(1).uniform(0, 5, 9)
    u, v = np.split(session.encode(pairs.T.ravel().tolist()), 2)
    cosines = [cosine(*sides) for sides in zip(u, v, strict=True)]
    objective = MarginObjective(Negatives(), batch_size=4)
    expected = np.corrcoef(cosines, scores)[0, 1]
    assert objective.score(session, pairs, scores) == pytest.approx(expected, abs=1e-6)
    empty = np.full((3, 2), "", dtype=object)  # all cosines are zero
    assert objective.score(session, empty, scores[:3]) == -1


def test_equation_2_by_hand():
    x1, x2, t1, t2 = np.random.default_rng(0).standard_normal((4, 7, 5))
    losses = [
        max(0, 0.8 - cosine(a, b) + cosine(a, c)) + max(0, 0.8 - cosine(a, b) + cosine(b, d))
        for a, b, c, d in zip(x1, x2, t1, t2, strict=True)
    ]
    vectors = torch.from_numpy(np.vstack([x1, x2, t1, t2]))
    loss = margin_loss(normalize(vectors), np.arange(14, 28), margin=0.8)
    assert float(loss) == pytest.approx(np.mean(losses), abs=1e-12)


def test_zero_vectors_have_finite_loss_and_gradient():
    vectors = torch.cat([torch.zeros(2, 3), torch.ones(2, 3)]).requires_grad_()
    loss = margin_loss(normalize(vectors), np.array([1, 0, 1, 2]), margin=0.8)
    loss.backward()
    assert torch.isfinite(loss)
    assert torch.isfinite(vectors.grad).all()


@pytest.mark.parametrize("kind", ["random", "hardest", "mix"])
@pytest.mark.parametrize("n_pairs", [2, 3, 50, 700])
def test_a_negative_is_never_of_the_pair_itself(kind, n_pairs):
    rng = np.random.default_rng(0)
    first = torch.from_numpy(rng.standard_normal((n_pairs, 4)))
    both = normalize(torch.cat([first, first]))  # the partner is the most similar sentence of all
    own = np.tile(np.arange(n_pairs), 2)
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
    np.testing.assert_array_equal(hardest_negatives(units), cosines.argmax(axis=1))


def fit_to_unrelated_pairs(small_vectors, negatives, **parameters):
    """Learn pairs of which nothing can be learned: random words of a small vocabulary."""
    numbers = np.random.default_rng(1).integers(0, 10, (300, 2, 4))
    pairs = [[" ".join(f"w{n}" for n in side) for side in pair] for pair in numbers]
    parameters = {"batch_size": 50, "max_iter": 4, "random_state": 0, "device": "cpu"} | parameters
    settings = {"negatives": Negatives(negatives, margin=0.4), "optimizer": Adam(0.02)}
    return ParagramEncoder(vectors=small_vectors, **settings, **parameters).fit(pairs)


def test_equal_vectors_of_all_sentences_are_warned_of(small_vectors):
    with pytest.warns(UserWarning, match=r"collapsed.* 2 \* margin = 0\.8.*negatives='mix'"):
        encoder = fit_to_unrelated_pairs(small_vectors, network="dan", negatives="hardest")
    assert encoder.loss_curve_[-1] == pytest.approx(0.8, rel=0.01)
    assert encoder.similarity(["w1 w2 w3"], ["w4 w5 w6"]) > 0.99
    with pytest.warns(UserWarning, match=r"collapsed.*Use a lower learning_rate\.$"):
        fit_to_unrelated_pairs(small_vectors, network="dan", negatives="mix")


@pytest.mark.parametrize("parameters", [{}, {"network": "dan", "max_iter": 0}])
def test_other_fits_do_not_warn_of_a_collapse(small_vectors, parameters):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fit_to_unrelated_pairs(small_vectors, negatives="hardest", **parameters)
