"""The average without torch, against torch."""

from __future__ import annotations

import numpy as np
import pytest

from skpara._core import Ragged
from skpara.learning import AdaDelta, AdaGrad, Adam, TrainingSettings, _averages, mean_vectors
from skpara.learning._averages import mean_gradient, means
from skpara.learning._correlation import CorrelationLoss
from skpara.learning._device import Compute
from skpara.learning._lexicon import NewRows
from skpara.learning._margin import MarginLoss
from skpara.learning._trainer import Trainer
from skpara.networks import Average

N_PAIRS = 12


def random_sentences(rng, n_sentences):
    """Sentences of up to five words, one of which is empty."""
    lengths = rng.integers(1, 6, n_sentences)
    lengths[3] = 0
    offsets = np.append(0, np.cumsum(lengths))
    return Ragged(rng.integers(0, 40, offsets[-1]).astype(np.int32), offsets)


def make_loss(kind, rng):
    targets = np.random.default_rng(1).standard_normal(N_PAIRS)
    weights = np.linspace(0.5, 1.5, N_PAIRS)
    if kind == "correlation":
        return CorrelationLoss(targets, weights)
    return MarginLoss(kind, 0.4, weights, rng)


def train(kind, n_sentences, *, with_torch, n_steps, redundancy, **settings):
    """Return the losses and the table after some steps."""
    rng, data = np.random.default_rng(2), np.random.default_rng(0)
    table = data.standard_normal((40, 24)).astype(np.float32)
    module = Average(redundancy=redundancy).build(24, rng) if with_torch else None
    rates = settings.pop("dropout", 0.0), settings.pop("word_dropout", 0.0)
    settings, new = TrainingSettings(**settings), NewRows(table, table.copy())
    trainer = Trainer(new, module, {}, settings, rng, Compute(), *rates, redundancy=redundancy)
    losses = []
    for _ in range(n_steps):
        losses.append(trainer.step(random_sentences(data, n_sentences), make_loss(kind, rng)))
    assert (trainer._module is not None) == with_torch
    return losses, trainer.table


@pytest.mark.parametrize(
    ("kind", "n_sentences"),
    [
        ("correlation", 2 * N_PAIRS),
        ("hardest", 2 * N_PAIRS),
        ("random", 2 * N_PAIRS),
        ("mix", 2 * N_PAIRS),
        ("hardest", 4 * N_PAIRS),  # with negatives from outside the batch
    ],
)
@pytest.mark.parametrize(
    "settings",
    [
        {"optimizer": AdaGrad(0.002), "word_decay": 0.01},
        {"optimizer": AdaDelta(), "word_dropout": 0.2},
        {"optimizer": Adam(gradient_clip=0.1), "dropout": 0.3},
    ],
    ids=["adagrad", "adadelta", "adam"],
)
@pytest.mark.parametrize("redundancy", [0.0, 0.5])
def test_training_without_torch_equals_training_with_it(kind, n_sentences, redundancy, settings):
    settings = settings | {"redundancy": redundancy, "n_steps": 5}
    losses, table = train(kind, n_sentences, with_torch=False, **settings)
    expected_losses, expected = train(kind, n_sentences, with_torch=True, **settings)
    np.testing.assert_allclose(losses, expected_losses, rtol=0, atol=1e-6)
    np.testing.assert_allclose(table, expected, rtol=0, atol=1e-6)


@pytest.mark.parametrize("kind", ["correlation", "hardest", "random"])
def test_gradients_are_those_of_finite_differences(kind):
    vectors = np.random.default_rng(0).standard_normal((2 * N_PAIRS, 4))
    _, gradient = make_loss(kind, np.random.default_rng(5)).gradient(vectors)
    for place in ((0, 1), (7, 3), (N_PAIRS + 2, 0)):
        shifted = []
        for step in (-1e-5, 1e-5):
            moved = vectors.copy()
            moved[place] += step
            shifted.append(make_loss(kind, np.random.default_rng(5)).gradient(moved)[0])
        assert gradient[place] == pytest.approx((shifted[1] - shifted[0]) / 2e-5, abs=1e-5)


@pytest.mark.parametrize("redundancy", [0.0, 0.5, 4.0])
def test_gradients_of_rows_are_those_of_finite_differences(redundancy):
    rng = np.random.default_rng(0)
    batch, direction = random_sentences(rng, 8), rng.standard_normal((8, 6))
    rows = rng.standard_normal((40, 6))
    rows[batch.ids[2]] = 0  # has no direction, and gets only the gradient of its part of the mean

    def loss(rows):
        return float((means(rows, batch, redundancy) * direction).sum())

    _, gradient = mean_gradient(rows, batch, lambda _: (0.0, direction), redundancy)
    for row in set(batch.ids.tolist()) - {int(batch.ids[2])}:
        for column in (1, 4):
            higher, lower = rows.copy(), rows.copy()
            higher[row, column] += 1e-3
            lower[row, column] -= 1e-3
            difference = (loss(higher) - loss(lower)) / 2e-3
            assert gradient[row, column] == pytest.approx(difference, abs=1e-3)
    assert np.isfinite(gradient).all()


@pytest.mark.parametrize("oov", ["subword", "rare", "zero"])
@pytest.mark.parametrize("redundancy", [0.0, 0.7])
def test_vectors_of_sentences_are_means_by_any_number_of_threads(
    small_vectors, oov, redundancy, monkeypatch
):
    monkeypatch.setattr(_averages, "_MIN_SENTENCES", 8)
    monkeypatch.setattr(_averages, "_ROWS_PER_TASK", 3)
    rng = np.random.default_rng(0)
    words = [*small_vectors.words[:30], "unheard", "unseen"]
    sentences = [" ".join(rng.choice(words, n)) for n in rng.integers(0, 9, 40)]
    options = {"redundancy": redundancy}
    found = mean_vectors(small_vectors, sentences, oov, **options)
    expected = []
    for sentence in sentences:
        tokens = dict.fromkeys(sentence.split())
        if oov != "subword":  # unknown words are one word
            tokens = dict.fromkeys(x if x in small_vectors else "unheard" for x in tokens)
        rows = small_vectors.lookup(list(tokens), oov).astype(np.float64).reshape(-1, 20)
        lengths = np.linalg.norm(rows, axis=1, keepdims=True)
        units = rows / np.where(lengths, lengths, 1)
        similarities = (units @ units.T).sum(axis=1) - (lengths.ravel() > 0)
        weights = 1 / (1 + redundancy * np.maximum(similarities, 0))
        expected.append(weights @ rows / max(weights.sum(), 1e-9))
    np.testing.assert_allclose(found, expected, atol=1e-5)
    for n_jobs in (1, 2, 4):
        again = mean_vectors(small_vectors, sentences, oov, n_jobs, **options)
        np.testing.assert_array_equal(again, found)
    assert mean_vectors(small_vectors, []).shape == (0, 20)
