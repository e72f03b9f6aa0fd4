"""Batches that are split into chunks because a GPU has no memory for the whole."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from skpara.learning import AdaGrad
from skpara.learning._device import Compute
from skpara.learning._lexicon import NewRows
from skpara.learning._trainer import Trainer, TrainingSettings
from skpara.networks import LSTM, Average, SentenceModule
from skpara.text import TokenIds


class PairModule(SentenceModule):
    """An output for a first and a second sentence."""

    n_inputs = 2

    def __init__(self, inner):
        super().__init__()
        self.inner, self.n_dims_out = inner, inner.n_dims_out

    def forward(self, rows, ids, offsets):
        u, v = self.inner(rows, ids, offsets).chunk(2)
        return u * v


def random_batch(n_sentences):
    rng = np.random.default_rng(0)
    offsets = np.append(0, np.cumsum(rng.integers(0, 6, n_sentences)))  # some are empty
    return TokenIds(rng.integers(0, 30, offsets[-1]).astype(np.int32), offsets, [])


def make_trainer(network, n_inputs, rng):
    table = np.random.default_rng(2).standard_normal((30, 4)).astype(np.float32)
    module = network.build(4, np.random.default_rng(1))
    module = PairModule(module) if n_inputs == 2 else module
    settings = TrainingSettings(AdaGrad(0.1), 1e-3, 1e-3)
    new = NewRows(table, np.zeros_like(table))
    return Trainer(new, module, {}, settings, rng, Compute(), dropout=0.2, word_dropout=0.1)


@pytest.mark.parametrize("n_inputs", [1, 2])
@pytest.mark.parametrize("network", [Average(), LSTM(hidden_size=5)], ids=["average", "lstm"])
def test_chunks_give_the_same_result_as_the_whole_batch(network, n_inputs, limit_memory):
    batch = random_batch(26)

    def train(limit):
        rng = np.random.default_rng(3)

        def loss_function(vectors):
            order = rng.permutation(len(vectors)).tolist()  # as random negatives are drawn
            return (vectors * vectors[order]).sum() + vectors.square().sum()

        trainer = make_trainer(network, n_inputs, rng)
        sizes = limit_memory(trainer.module, limit)
        losses = [trainer.step(batch, loss_function) for _ in range(4)]
        return losses, trainer, sizes

    expected_losses, expected, _ = train(26)
    with pytest.warns(UserWarning, match="batch of 26 sentences; continued with") as warned:
        losses, trainer, sizes = train(8)
    assert [str(w.message).split("chunks of ")[1][:2] for w in warned] == ["13", "7,"]
    assert max(sizes[-4:]) <= 8
    np.testing.assert_allclose(losses, expected_losses, rtol=1e-5)
    np.testing.assert_allclose(trainer.table, expected.table, atol=1e-5)
    for name, weight in trainer.weights.items():
        np.testing.assert_allclose(weight, expected.weights[name], atol=1e-5)


def test_a_batch_that_never_fits_is_an_error(limit_memory):
    trainer = make_trainer(Average(), 1, np.random.default_rng(0))
    limit_memory(trainer.module, 0)
    with (
        pytest.warns(UserWarning, match="continued with chunks of"),
        pytest.raises(torch.OutOfMemoryError) as error,
    ):
        trainer.step(random_batch(4), torch.sum)
    assert "lower batch_size" in error.value.__notes__[0]


def test_empty_sentences_have_no_gradient():
    trainer = make_trainer(Average(), 1, np.random.default_rng(0))
    before = trainer.table.copy()
    empty = TokenIds(np.empty(0, np.int32), np.zeros(3, np.int64), [])
    assert trainer.step(empty, torch.sum) == 0
    np.testing.assert_array_equal(trainer.table, before)
