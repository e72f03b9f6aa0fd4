from __future__ import annotations

from functools import partial
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from sklearn.utils._param_validation import InvalidParameterError

from skpara._core import Ragged
from skpara.augment import Paraphrases
from skpara.augment.filters import ReferenceFilter
from skpara.augment.filters._reference import _ReferenceObjective
from skpara.learning import Adam, Session
from skpara.networks import Average


def make_paraphrases(n, seed=0, n_best=1):
    """Make references, and translations that contain an additional word."""
    rng = np.random.default_rng(seed)
    pairs = []
    for _ in range(n):
        words = [f"w{i}" for i in rng.choice(100, 5, replace=False)]
        for _ in range(n_best):
            place = rng.integers(5)
            translation = [*words[:place], "music", *words[place:]]
            pairs.append((" ".join(words), " ".join(translation)))
    rows, ranks = np.divmod(np.arange(n * n_best), n_best)
    return Paraphrases(np.array(pairs, dtype=object), rows, np.full(len(rows), np.nan), ranks)


@pytest.mark.parametrize("network", ["average", "lstm"])
@pytest.mark.parametrize("negatives", ["random", "hardest"])
def test_it_learns_to_recognize_translations(network, negatives, small_vectors):
    model = ReferenceFilter(network, vectors=small_vectors, negatives=negatives, random_state=0)
    model.set_params(optimizer=Adam(0.01), max_iter=15).fit(make_paraphrases(200, n_best=3))
    result = model.evaluate(make_paraphrases(100, seed=1))
    assert result.accuracy_references > 0.9
    assert result.accuracy_translations > 0.9
    assert result.accuracy == (result.accuracy_references + result.accuracy_translations) / 2
    assert len(model.history_) == 15
    assert model.history_[-1]["loss"] < model.history_[0]["loss"]


def fitted(small_vectors, **settings):
    settings = {"network": Average(redundancy=0.0), "max_iter": 3, "random_state": 0} | settings
    return ReferenceFilter(vectors=small_vectors, **settings).fit(make_paraphrases(60))


def test_scores_are_the_softmax_of_the_linear_layer(small_vectors):
    model = fitted(small_vectors)
    text = "w1 w2 music"
    mean = model.vectors_.lookup(text.split()).astype(float).mean(axis=0)
    scores = mean @ model.weights_["head.output"].astype(float).T
    scores += model.weights_["head.output_bias"]
    expected = np.exp(scores[1]) / np.exp(scores).sum()
    np.testing.assert_allclose(model.score_pairs([("", text)]), [expected], rtol=1e-5)
    # Of an empty sentence only the bias counts.
    bias = model.weights_["head.output_bias"].astype(float)
    expected = 1 / (1 + np.exp(bias[0] - bias[1]))
    np.testing.assert_allclose(model.score_pairs([("a", "")]), [expected], rtol=1e-5)


def test_word_decay_keeps_vectors_close_to_the_initial_ones(small_vectors):
    def distance(model):
        change = model.vectors_.lookup(["music"]) - small_vectors.lookup(["music"])
        return float(np.abs(change).sum())

    assert distance(fitted(small_vectors, word_decay=10.0)) < 0.5 * distance(fitted(small_vectors))


class Trainer:
    """Prefers translations with a large id, and records batches and losses."""

    def __init__(self):
        self.batches, self.losses = [], []
        self.compute = SimpleNamespace(device="cpu")

    def outputs(self, tokens):
        return torch.tensor([[0.0, float(i)] for i in tokens.ids])

    def step(self, batch, loss_function):
        self.batches.append(batch.ids.tolist())
        self.losses.append(float(loss_function(self.outputs(batch))))
        return self.losses[-1]


@pytest.mark.parametrize("negatives", ["random", "hardest"])
def test_each_reference_meets_one_of_its_own_translations(negatives):
    owners = np.array([0, 0, 1, 2, 2, 2, 3])
    pairs = np.array([(f"reference {i}", "translation") for i in owners], dtype=object)
    paraphrases = Paraphrases(pairs, owners, np.full(7, np.nan), np.zeros(7, dtype=int))
    # Four references, then the translations, all of one token.
    ids = np.array([0, 1, 2, 3, 19, 14, 15, 11, 18, 12, 17])
    tokens = Ragged(ids, np.arange(len(ids) + 1))
    trainer = Trainer()
    session = SimpleNamespace(trainer=trainer, rng=np.random.default_rng(0))
    session.batches = partial(Session.batches, session)
    objective, chosen = _ReferenceObjective(paraphrases, negatives, batch_size=3), set()
    for _ in range(30):
        trainer.batches.clear()
        assert [n for _, n in objective.epoch(session, tokens)] == [3, 1]
        references = [i for batch in trainer.batches for i in batch[: len(batch) // 2]]
        translations = [i for batch in trainer.batches for i in batch[len(batch) // 2 :]]
        assert sorted(references) == [0, 1, 2, 3]
        assert owners[[ids.tolist().index(i) - 4 for i in translations]].tolist() == references
        chosen.update(translations)
    assert chosen == ({19, 15, 18, 17} if negatives == "hardest" else set(ids[4:]))
    # The loss is the cross entropy of classes 1 (references) and 0 at scores of 0 and the id.
    z = np.array(trainer.batches[-1], dtype=float)
    expected = np.mean(np.logaddexp(0, [-z[0], z[1]]))
    assert trainer.losses[-1] == pytest.approx(expected, rel=1e-5)


def test_a_probability_of_one_half_reads_as_a_translation(small_vectors):
    model = fitted(small_vectors)
    for weight in model.weights_.values():
        weight[:] = 0
    pairs = make_paraphrases(5)
    np.testing.assert_array_equal(model.score_pairs(pairs), 0.5)
    result = model.evaluate(pairs)
    assert (result.accuracy_references, result.accuracy_translations) == (0.0, 1.0)
    assert model.select(pairs).all()  # the default of ``lower`` is inclusive


def test_bad_parameters_are_refused(small_vectors):
    with pytest.raises(InvalidParameterError, match="'negatives' parameter"):
        fitted(small_vectors, negatives="all")
    with pytest.raises(ValueError, match="network must be one of"):
        fitted(small_vectors, network="transformer")
    with pytest.raises(ValueError, match="no pairs to fit"):
        ReferenceFilter().fit(np.empty((0, 2), dtype=object))
