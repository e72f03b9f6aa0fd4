from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.utils._param_validation import InvalidParameterError

from skpara.augment import Paraphrases
from skpara.augment.filters import ReferenceFilter
from skpara.augment.filters._reference import _cross_entropy, _Pass
from skpara.networks import Classifier


def made(n, vectors, seed=0, n_best=1):
    """References, and translations that say a word twice."""
    rng = np.random.default_rng(seed)
    pairs, rows, ranks = [], [], []
    for row in range(n):
        words = [f"w{i}" for i in rng.choice(100, 5, replace=False)]
        for rank in range(n_best):
            place = rng.integers(5)
            pairs.append((" ".join(words), " ".join([*words[:place], "music", *words[place:]])))
            rows.append(row)
            ranks.append(rank)
    table = np.empty((len(pairs), 2), dtype=object)
    table[:] = pairs
    return Paraphrases(table, np.array(rows), np.full(len(rows), np.nan), np.array(ranks))


@pytest.mark.parametrize("network", ["average", "lstm"])
@pytest.mark.parametrize("negatives", ["random", "hardest"])
def test_it_learns_what_translations_have(network, negatives, small_vectors):
    one = ReferenceFilter(
        network,
        vectors=small_vectors,
        negatives=negatives,
        learning_rate=0.01,
        max_iter=15,
        random_state=0,
    ).fit(made(200, small_vectors, n_best=3))
    found = one.evaluate(made(100, small_vectors, seed=1))
    assert found.accuracy_references > 0.9
    assert found.accuracy_translations > 0.9
    assert found.accuracy == (found.accuracy_references + found.accuracy_translations) / 2
    assert len(one.history_) == 15
    assert one.history_[-1]["loss"] < one.history_[0]["loss"]


def fitted(small_vectors, **settings):
    given = {"max_iter": 3, "random_state": 0} | settings
    return ReferenceFilter(vectors=small_vectors, **given).fit(made(60, small_vectors))


def test_scores_are_the_softmax_of_the_linear_layer(small_vectors):
    one = fitted(small_vectors)
    text = "w1 w2 music"
    mean = one.vectors_.lookup(text.split()).astype(float).mean(axis=0)
    scores = mean @ one.weights_["weight"].astype(float).T + one.weights_["bias"]
    expected = np.exp(scores[1]) / np.exp(scores).sum()
    np.testing.assert_allclose(one.score_pairs([("", text)]), [expected], rtol=1e-5)
    assert one.score_pairs([("a", "")]).tolist() == [0.5]


def test_the_same_seed_gives_the_same_filter_and_a_pickle_scores_the_same(small_vectors):
    questions = made(20, small_vectors, seed=3)
    first, again = (fitted(small_vectors).score_pairs(questions) for _ in range(2))
    np.testing.assert_array_equal(first, again)
    other = fitted(small_vectors, random_state=1)
    assert np.any(first != other.score_pairs(questions))
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(other)).score_pairs(questions), other.score_pairs(questions)
    )
    with pytest.raises(AttributeError):
        clone(other).vectors_  # noqa: B018


def test_word_decay_holds_the_vectors(small_vectors):
    def moved(one):
        return float(
            np.abs(one.vectors_.lookup(["music"]) - small_vectors.lookup(["music"])).sum()
        )

    assert moved(fitted(small_vectors, word_decay=10.0)) < 0.5 * moved(fitted(small_vectors))


class Preferring:
    """A trainer that takes the translation with the largest id for a reference."""

    def encode(self, tokens):
        return torch.tensor([[0.0, float(i)] for i in tokens.ids])


@pytest.mark.parametrize("negatives", ["random", "hardest"])
def test_each_reference_meets_one_of_its_own_translations(negatives):
    from skpara.text import TokenIds

    owners = np.array([0, 0, 1, 2, 2, 2, 3])
    n_references, n_sentences = 4, 4 + len(owners)
    ids = np.array([0, 1, 2, 3, 9, 4, 5, 1, 8, 2, 7])
    tokens = TokenIds(ids, np.arange(n_sentences + 1), [])
    one = _Pass(Preferring(), tokens, n_references, owners, negatives, 3, np.random.default_rng(0))
    seen = set()
    for _ in range(30):
        for references in (np.array([2, 0, 3]), np.array([1]), np.array([3, 2, 1, 0])):
            chosen = one._chosen(references)
            assert owners[chosen].tolist() == references.tolist()
            seen.update(chosen.tolist())
    # The largest ids of references 0 to 3 are those of translations 0, 2, 4 and 6.
    assert seen == ({0, 2, 4, 6} if negatives == "hardest" else set(range(7)))


def test_cross_entropy_by_hand():
    scores = torch.tensor([[0.0, 2.0], [1.0, -1.0]])
    expected = (np.log(1 + np.exp(-2)) + np.log(1 + np.exp(-2))) / 2
    assert float(_cross_entropy(scores)) == pytest.approx(expected)


def test_bad_settings(small_vectors):
    with pytest.raises(InvalidParameterError, match="'negatives' parameter"):
        fitted(small_vectors, negatives="all")
    with pytest.raises(ValueError, match="network must be one of"):
        fitted(small_vectors, network="transformer")
    with pytest.raises(ValueError, match="no pairs to fit"):
        ReferenceFilter().fit(np.empty((0, 2), dtype=object))


def test_the_classifier_network_scores_empty_sentences_zero():
    module = Classifier("average").build(4, np.random.default_rng(0))
    rows, ids = torch.ones(1, 4), torch.zeros(2, dtype=torch.int64)
    scores = module(rows, ids, torch.tensor([0, 2]))
    assert scores.shape == (2, 2)
    assert scores[1].tolist() == [0.0, 0.0]
    np.testing.assert_allclose(
        scores[0].detach().numpy(), module.weight.sum(dim=1).detach().numpy(), rtol=1e-5
    )
