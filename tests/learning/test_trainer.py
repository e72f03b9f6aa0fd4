from __future__ import annotations

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from skpara._core import Ragged
from skpara.learning import AdaGrad, TrainingSettings
from skpara.learning._device import Compute
from skpara.learning._lexicon import NewRows
from skpara.learning._trainer import Trainer, unique_ids
from skpara.networks import Average, SentenceModule


class ScaledModule(SentenceModule):
    """The mean times a matrix, plus a bias."""

    identity_parameters = ("matrix",)

    def __init__(self, n_dims):
        super().__init__()
        self.n_dims_out = n_dims
        self.matrix = torch.nn.Parameter(2 * torch.eye(n_dims))
        self.bias = torch.nn.Parameter(torch.ones(n_dims))

    def sentence_vectors(self, rows, ids, offsets, lengths):
        mean = torch.nn.functional.embedding_bag(ids, rows, offsets, mode="mean")
        return mean @ self.matrix + self.bias


SENTENCES = Ragged(np.array([0, 1, 1, 3, 5], np.int32), np.array([0, 3, 5]))


def make_trainer(module=None, target=None, weight_targets=None, **settings):
    rng = np.random.default_rng(0)
    table = rng.standard_normal((6, 3)).astype(np.float32)
    module = module or Average(redundancy=0.0).build(3, rng)
    start = NewRows(table, table.copy() if target is None else target)
    rates = settings.pop("dropout", 0.0), settings.pop("word_dropout", 0.0)
    settings = TrainingSettings(**settings)
    return Trainer(start, module, weight_targets or {}, settings, rng, Compute(), *rates)


def total(vectors):
    return vectors.sum()


def nothing(vectors):
    return 0 * vectors.sum()


def test_one_adagrad_step_by_hand():
    zeros = np.zeros((6, 3), np.float32)
    trainer = make_trainer(optimizer=AdaGrad(0.1), word_decay=0.5, target=zeros)
    before = trainer.table.copy()
    loss = trainer.step(SENTENCES, total)
    share = np.array([1 / 3, 2 / 3, 0, 1 / 2, 0, 1 / 2])[:, None]
    gradient = share + 2 * 0.5 * before * (share > 0)
    expected = before - 0.1 * np.sign(gradient) * (share > 0)  # AdaGrad's first step is the sign
    np.testing.assert_allclose(trainer.table, expected, atol=1e-6)
    decay = 0.5 * (before[[0, 1, 3, 5]] ** 2).sum()
    means = before[[0, 1, 1]].mean(axis=0).sum() + before[[3, 5]].mean(axis=0).sum()
    assert loss == pytest.approx(decay + means, abs=1e-5)


def test_no_row_moves_where_words_are_not_trained():
    trainer = make_trainer(ScaledModule(3), train_words=False, word_decay=1.0, dropout=0.5)
    table, weights = trainer.table.copy(), trainer.weights
    trainer.step(SENTENCES, total)
    np.testing.assert_array_equal(trainer.table, table)
    assert all((weight != weights[name]).any() for name, weight in trainer.weights.items())


def test_network_decay_pulls_to_zero_to_the_identity_or_to_targets():
    def decayed_weights(**targets):
        settings = {"optimizer": AdaGrad(0.5), "network_decay": 0.5}
        trainer = make_trainer(ScaledModule(3), weight_targets=targets, **settings)
        for _ in range(120):
            trainer.step(SENTENCES, nothing)
        return trainer.weights

    weights = decayed_weights()
    np.testing.assert_allclose(weights["matrix"], np.eye(3), atol=1e-3)
    np.testing.assert_allclose(weights["bias"], 0, atol=1e-3)
    targets = {"matrix": np.full((3, 3), 1.5, np.float32), "bias": np.full(3, 2.0, np.float32)}
    weights = decayed_weights(**targets)
    np.testing.assert_allclose(weights["matrix"], 1.5, atol=1e-2)
    np.testing.assert_allclose(weights["bias"], 2.0, atol=1e-2)


def test_gradient_clip_bounds_the_joint_gradient():
    # AdaGrad's first step does not depend on the size of the gradient; its state does.
    norms = []
    for clip in (None, 0.1):
        trainer = make_trainer(ScaledModule(3), optimizer=AdaGrad(gradient_clip=clip))
        trainer.step(SENTENCES, lambda vectors: 50 * vectors.square().sum())
        state = trainer.optimizer_state()
        squares = state["rows"]["square"].sum()
        squares += sum(weight["square"].sum() for weight in state["weights"])
        norms.append(float(np.sqrt(squares)))
    assert norms[0] > 10
    assert norms[1] == pytest.approx(0.1, rel=1e-4)


def test_word_dropout_never_drops_a_whole_sentence():
    trainer = make_trainer(word_dropout=0.9)
    all_lengths = set()
    for _ in range(50):
        lengths = trainer._apply_word_dropout(SENTENCES).lengths
        assert (lengths > 0).all()
        all_lengths.add(tuple(lengths))
    assert len(all_lengths) > 2


def test_encode_takes_rows_beyond_the_table():
    trainer = make_trainer()
    extra = np.array([[10.0, 20.0, 30.0]], np.float32)
    sentences = Ragged(np.array([6, 0, 2], np.int32), np.array([0, 2, 2, 3]))
    vectors = trainer.encode(sentences, extra).numpy()
    table = trainer.table
    expected = [(extra[0] + table[0]) / 2, np.zeros(3), table[2]]
    np.testing.assert_allclose(vectors, expected, atol=1e-6)


def test_added_rows_are_trained_and_pulled_to_their_first_values():
    trainer = make_trainer(optimizer=AdaGrad(0.3), word_decay=0.5)
    trainer.grow(NewRows(*[np.full((1, 3), 3.0, np.float32)] * 2))
    sentences = Ragged(np.array([6], np.int32), np.array([0, 1]))
    for _ in range(3):
        trainer.step(sentences, total)
    assert (trainer.table[6] < 2.9).all()
    for _ in range(300):
        trainer.step(sentences, nothing)
    np.testing.assert_allclose(trainer.table[6], 3.0, atol=1e-2)


def test_revert_restores_words_and_weights():
    trainer = make_trainer(ScaledModule(3))
    table, weights = trainer.table.copy(), trainer.weights
    snapshot = trainer.snapshot()
    trainer.grow(NewRows(*[np.ones((1, 3), np.float32)] * 2))
    trainer.step(SENTENCES, total)
    assert not np.array_equal(trainer.table[:6], table)
    trainer.revert(snapshot)
    np.testing.assert_array_equal(trainer.table, [*table, np.ones(3)])
    for name, weight in trainer.weights.items():
        np.testing.assert_array_equal(weight, weights[name])


def test_empty_sentences_have_no_gradient():
    trainer = make_trainer(ScaledModule(3))
    before = trainer.table.copy()
    empty = Ragged(np.empty(0, np.int32), np.zeros(3, np.int64))
    assert trainer.step(empty, total) == 0
    np.testing.assert_array_equal(trainer.table, before)


@given(st.lists(st.integers(0, 20), max_size=60))
def test_unique_ids_restore_the_ids(ids):
    array = np.array(ids, dtype=np.int32)
    unique, local = unique_ids(array, np.empty(21, dtype=np.int64))
    assert len(set(unique.tolist())) == len(unique)
    np.testing.assert_array_equal(unique[local], array)
