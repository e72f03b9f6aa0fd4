"""Which device, in which precision, compiled or not; and what happens where memory runs out."""

from __future__ import annotations

import os
import pickle
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import skpara
from skpara import ParagramEncoder, SiameseRegressor
from skpara.augment.filters import ReferenceFilter
from skpara.learning._device import resolve_device
from skpara.learning._memory import Blocks
from skpara.learning._trainer import StepSettings, Trainer
from skpara.networks import LSTM, Average, SentenceModule
from skpara.text import TokenIds

THERE = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available()}
ABSENT = next(name for name, there in THERE.items() if not there)  # no machine has both
NETWORKS = ["projection", "dan", "rnn", "irnn", "lstm", "lstm_no_output_gate", "gran", "charagram"]


def test_auto_takes_what_there_is():
    expected = next((name for name, there in THERE.items() if there), "cpu")
    assert resolve_device("auto") == expected
    assert resolve_device("cpu") == "cpu"


@pytest.mark.parametrize("make", [ParagramEncoder, SiameseRegressor, ReferenceFilter])
def test_a_device_that_is_not_there_is_an_error_at_fit_only(make, small_vectors, small_pairs):
    estimator = make("lstm", vectors=small_vectors, max_iter=1, device=ABSENT)
    y = {"y": np.full(len(small_pairs), 4.0)} if make is SiameseRegressor else {}
    with pytest.raises(ValueError, match=f"device='{ABSENT}' was asked for"):
        estimator.fit(small_pairs, **y)
    estimator.set_params(device="cpu", random_state=0).fit(small_pairs, **y)
    method = {SiameseRegressor: "predict", ReferenceFilter: "score_pairs"}.get(make, "transform")
    expected = getattr(estimator, method)(small_pairs)
    moved = pickle.loads(pickle.dumps(estimator.set_params(device=ABSENT)))
    ask = getattr(moved, method)
    with pytest.warns(UserWarning, match="the CPU is used") as warned:
        np.testing.assert_array_equal(ask(small_pairs), expected)
    assert len(warned) == 1
    np.testing.assert_array_equal(ask(small_pairs), expected)  # said once


def test_a_second_device_sees_no_tensor_of_the_first():
    """On a device made up for this, with the results of the CPU."""
    script = Path(__file__).with_name("second_device.py")
    run([sys.executable, str(script)])


@pytest.mark.parametrize("network", NETWORKS)
def test_bfloat16_learns_nearly_the_same_and_gives_float32(network, small_vectors, small_pairs):
    def fitted(**how):
        return ParagramEncoder(
            network, vectors=small_vectors, max_iter=2, random_state=0, device="cpu", **how
        ).fit(small_pairs)

    exact, mixed = fitted(), fitted(precision="bfloat16")
    np.testing.assert_allclose(mixed.loss_curve_, exact.loss_curve_, rtol=0.01)
    sentences = [pair[0] for pair in small_pairs]
    found, expected = mixed.encode(sentences), exact.encode(sentences)
    assert type(found) is np.ndarray
    assert found.dtype == np.float32
    assert all(weight.dtype == np.float32 for weight in mixed.weights_.values())
    cosines = (found * expected).sum(1) / np.sqrt((found**2).sum(1) * (expected**2).sum(1))
    assert cosines.min() > 0.99
    if network != "charagram":  # which has no product to round
        assert not np.array_equal(found, expected)


def test_bfloat16_predicts_nearly_the_same(small_vectors, small_pairs):
    y = np.linspace(0, 5, len(small_pairs))
    model = SiameseRegressor(
        "gran", vectors=small_vectors, max_iter=1, random_state=0, device="cpu"
    ).fit(small_pairs, y)
    expected = model.predict(small_pairs)
    found = model.set_params(precision="bfloat16").predict(small_pairs)
    assert 0 < np.abs(found - expected).max() < 0.1
    again = model.fit(small_pairs, y).predict(small_pairs)
    assert np.abs(again - expected).max() < 0.1


def test_a_sentence_without_words_has_zeros_in_bfloat16_too(small_vectors, small_pairs):
    encoder = ParagramEncoder(
        "projection", vectors=small_vectors, max_iter=1, precision="bfloat16", device="cpu"
    ).fit([*small_pairs[:20], ("", "w1")])
    assert not encoder.encode(["w1", ""])[1].any()


@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # torch warns of itself
@pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler")
def test_compiled_is_the_same(small_vectors, small_pairs):
    def fitted(compile):
        return ParagramEncoder(
            "projection",
            vectors=small_vectors,
            max_iter=2,
            batch_size=30,
            random_state=0,
            device="cpu",
            compile=compile,
        ).fit([*small_pairs, ("", "w1 w2")])

    plain, compiled = fitted(False), fitted(True)
    np.testing.assert_allclose(compiled.loss_curve_, plain.loss_curve_, atol=1e-5)
    for sentences in (["w1 w5"], [pair[0] for pair in small_pairs]):
        np.testing.assert_allclose(compiled.encode(sentences), plain.encode(sentences), atol=1e-5)
    assert len(pickle.dumps(compiled)) < len(pickle.dumps(plain)) + 1000


class Scarce:
    """Refuses, as a GPU does, batches of more than so many sentences; counts what it was given."""

    def __init__(self, module, most):
        self.most, self.given = most, []
        self._forward, module.forward = module.forward, self

    def __call__(self, rows, ids, offsets):
        self.given.append(len(offsets))
        if len(offsets) > self.most:
            raise torch.OutOfMemoryError("CUDA out of memory. Tried to allocate 2.00 GiB.")
        return self._forward(rows, ids, offsets)


@pytest.mark.parametrize("network", ["average", *NETWORKS])
def test_encoding_halves_a_block_that_finds_no_memory(network, small_vectors, small_pairs):
    encoder = ParagramEncoder(network, vectors=small_vectors, max_iter=1, device="cpu")
    encoder.fit(small_pairs)
    sentences = [sentence for pair in small_pairs for sentence in pair]
    expected = encoder.encode(sentences)
    if network == "average":
        return  # by NumPy, sentence by sentence
    scarce = Scarce(encoder._ready().module, 150)
    with pytest.warns(UserWarning, match="512 sentences at a time; went on with 100,") as warned:
        found = encoder.encode(sentences)
    assert len(warned) == 1
    assert scarce.given == [400, 200, 100, 100, 100, 100]
    np.testing.assert_allclose(found, expected, atol=1e-6)
    encoder.encode(sentences)  # it remembers, and is quiet
    assert max(scarce.given[6:]) == 100


def test_predicting_halves_a_block_that_finds_no_memory(small_vectors, small_pairs):
    model = SiameseRegressor(vectors=small_vectors, max_iter=1, device="cpu", random_state=0)
    expected = model.fit(small_pairs, np.full(len(small_pairs), 3.0)).predict(small_pairs)
    Scarce(model._ready().module.encoder, 64)
    with pytest.warns(UserWarning, match="went on with 50"):
        np.testing.assert_allclose(model.predict(small_pairs), expected, atol=1e-6)


def test_blocks_are_halved_down_to_one_row_and_no_further():
    seen = []

    def compute(rows):
        if rows.stop - rows.start > 1:
            raise torch.OutOfMemoryError
        seen.append(rows.start)

    with pytest.warns(UserWarning, match="went on with 1,"):
        Blocks(100, "rows").run(13, compute)
    assert seen == list(range(13))

    def never(rows):
        raise torch.OutOfMemoryError

    with pytest.raises(torch.OutOfMemoryError) as error:
        Blocks(100, "rows").run(13, never)
    assert "batch_size" in error.value.__notes__[0]


class Pair(SentenceModule):
    """One output for a left and a right sentence."""

    n_inputs = 2

    def __init__(self, inner):
        super().__init__()
        self.inner, self.n_dims_out = inner, inner.n_dims_out

    def forward(self, rows, ids, offsets):
        u, v = self.inner(rows, ids, offsets).chunk(2)
        return u * v


@pytest.mark.parametrize("sides", [1, 2])
@pytest.mark.parametrize("network", [Average(), LSTM(hidden_size=5)], ids=["average", "lstm"])
def test_a_training_batch_that_finds_no_memory_is_learned_from_in_parts(network, sides):
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 6, 26)  # some are empty
    offsets = np.append(0, np.cumsum(lengths))
    batch = TokenIds(rng.integers(0, 30, offsets[-1]).astype(np.int32), offsets, [])
    table = rng.standard_normal((30, 4)).astype(np.float32)

    def trained(most):
        draws = np.random.default_rng(3)

        def objective(vectors):
            order = draws.permutation(len(vectors)).tolist()  # as random negatives are drawn
            return (vectors * vectors[order]).sum() + vectors.square().sum()

        module = network.build(4, np.random.default_rng(1))
        module = Pair(module) if sides == 2 else module
        settings = StepSettings("adagrad", 0.1, 1e-3, 1e-3, dropout=0.2, word_dropout=0.1)
        trainer = Trainer(table.copy(), module, None, {}, settings, draws)
        scarce = Scarce(module, most)
        losses = [trainer.step(batch, objective) for _ in range(4)]
        return losses, trainer, scarce.given

    losses, whole, _ = trained(26)
    with pytest.warns(UserWarning, match="learned from") as warned:
        found, parts, given = trained(8)
    assert [str(w.message).split(" at a time")[0][-2:] for w in warned] == ["13", " 7"]
    assert max(given[-4:]) <= 8
    np.testing.assert_allclose(found, losses, rtol=1e-5)
    np.testing.assert_allclose(parts.table, whole.table, atol=1e-5)
    for name, weight in parts.weights.items():
        np.testing.assert_allclose(weight, whole.weights[name], atol=1e-5)


def run(command):
    """A script of the tests, with this very package and one thread."""
    root = str(Path(skpara.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": root, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return done.stdout
