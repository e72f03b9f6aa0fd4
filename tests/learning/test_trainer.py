from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning._rows import Anchor
from skpara.learning._trainer import StepSettings, Trainer
from skpara.networks import Average, SentenceModule
from skpara.text import TokenIds


class Scaled(SentenceModule):
    """The mean times a matrix, enough of a network to see weights move."""

    identity_parameters = ("matrix",)

    def __init__(self, n_dims):
        super().__init__()
        self.n_dims_out = n_dims
        self.matrix = torch.nn.Parameter(2 * torch.eye(n_dims))
        self.bias = torch.nn.Parameter(torch.ones(n_dims))

    def sentence_vectors(self, rows, ids, offsets, lengths):
        mean = torch.nn.functional.embedding_bag(ids, rows, offsets, mode="mean")
        return mean @ self.matrix + self.bias


SENTENCES = TokenIds(np.array([0, 1, 1, 3, 5], np.int32), np.array([0, 3, 5]), [])


def make(module=None, anchor=None, weights=None, **settings):
    rng = np.random.default_rng(0)
    table = rng.standard_normal((6, 3)).astype(np.float32)
    module = module or Average().build(3, rng)
    anchor = Anchor((table.copy() if anchor is None else anchor,))
    return Trainer(table, module, anchor, weights or {}, StepSettings(**settings), rng)


def test_one_adagrad_step_by_hand():
    trainer = make(optimizer="adagrad", learning_rate=0.1, word_decay=0.5, anchor=np.zeros((6, 3)))
    before = trainer.table.copy()
    loss = trainer.step(SENTENCES, lambda vectors: vectors.sum())
    share = np.array([1 / 3, 2 / 3, 0, 1 / 2, 0, 1 / 2])[:, None]
    gradient = share + 2 * 0.5 * before * (share > 0)
    expected = before - 0.1 * np.sign(gradient) * (share > 0)  # AdaGrad's first step is the sign
    np.testing.assert_allclose(trainer.table, expected, atol=1e-6)
    decay = 0.5 * (before[[0, 1, 3, 5]] ** 2).sum()
    means = before[[0, 1, 1]].mean(axis=0).sum() + before[[3, 5]].mean(axis=0).sum()
    assert loss == pytest.approx(decay + means, abs=1e-5)


def test_rows_that_no_sentence_uses_stay():
    trainer = make(optimizer="adadelta", word_decay=1.0)
    before = trainer.table.copy()
    for _ in range(5):
        trainer.step(SENTENCES, lambda vectors: vectors.square().sum())
    np.testing.assert_array_equal(trainer.table[[2, 4]], before[[2, 4]])
    assert (trainer.table[[0, 1, 3, 5]] != before[[0, 1, 3, 5]]).any(axis=1).all()


def test_network_decay_pulls_to_zero_or_to_the_identity_or_to_what_is_given():
    def pulled(**weights):
        trainer = make(
            Scaled(3), weights=weights, optimizer="adagrad", learning_rate=0.3, network_decay=0.5
        )
        for _ in range(300):
            trainer.step(SENTENCES, lambda vectors: 0 * vectors.sum())
        return trainer.weights

    free = pulled()
    np.testing.assert_allclose(free["matrix"], np.eye(3), atol=1e-3)
    np.testing.assert_allclose(free["bias"], 0, atol=1e-3)
    given = {"matrix": np.full((3, 3), 1.5, np.float32), "bias": np.full(3, 2.0, np.float32)}
    held = pulled(**given)
    np.testing.assert_allclose(held["matrix"], 1.5, atol=1e-2)
    np.testing.assert_allclose(held["bias"], 2.0, atol=1e-2)


def test_clipping_bounds_the_joint_gradient():
    # One step of AdaGrad hides the gradient's size; its memory shows it.
    free, clipped = (
        make(Scaled(3), optimizer="adagrad", gradient_clip=clip) for clip in (None, 0.1)
    )
    norms = []
    for trainer in (free, clipped):
        trainer.step(SENTENCES, lambda vectors: 50 * vectors.square().sum())
        state = trainer.optimizer_arrays()
        squares = state["rows"]["square"].sum()
        squares += sum(v.sum() for k, v in state["weights"].items() if k.endswith("square"))
        norms.append(float(np.sqrt(squares)))
    assert norms[0] > 10
    assert norms[1] == pytest.approx(0.1, rel=1e-4)


def test_word_dropout_leaves_words_out_but_never_a_whole_sentence():
    trainer = make(word_dropout=0.9)
    lengths = set()
    for _ in range(50):
        thin = trainer._thinned(SENTENCES)
        assert (thin.lengths > 0).all()
        lengths.add(tuple(thin.lengths))
    assert len(lengths) > 2


def test_dropout_keeps_the_mean_and_drops_its_share():
    trainer = make(dropout=0.25)
    rows = torch.ones(400, 100)
    dropped = rows * trainer._kept(rows)
    assert (dropped == 0).double().mean() == pytest.approx(0.25, abs=0.01)
    assert dropped.double().mean() == pytest.approx(1.0, abs=0.01)


def test_encoding_is_the_network_with_rows_from_outside_too():
    trainer = make()
    extra = np.array([[10.0, 20.0, 30.0]], np.float32)
    sentences = TokenIds(np.array([6, 0, 2], np.int32), np.array([0, 2, 2, 3]), [])
    got = trainer.encode(sentences, extra).numpy()
    table = trainer.table
    expected = [(extra[0] + table[0]) / 2, np.zeros(3), table[2]]
    np.testing.assert_allclose(got, expected, atol=1e-6)


def test_grown_rows_are_trained_and_pulled_to_their_anchor():
    trainer = make(optimizer="adagrad", learning_rate=0.3, word_decay=0.5)
    trainer.grow(np.ones((1, 3), np.float32), np.full((1, 3), 3.0, np.float32))
    sentences = TokenIds(np.array([6], np.int32), np.array([0, 1]), [])
    for _ in range(300):
        trainer.step(sentences, lambda vectors: 0 * vectors.sum())
    np.testing.assert_allclose(trainer.table[6], 3.0, atol=1e-2)


def test_revert_puts_back_words_and_weights():
    trainer = make(Scaled(3))
    table, weights = trainer.table.copy(), trainer.weights
    snapshot = trainer.snapshot()
    trainer.step(SENTENCES, lambda vectors: vectors.sum())
    assert not np.array_equal(trainer.table, table)
    trainer.revert(snapshot)
    np.testing.assert_array_equal(trainer.table, table)
    for name, weight in trainer.weights.items():
        np.testing.assert_array_equal(weight, weights[name])
