"""Several workers give what one gives, and are asked only where it pays."""

from __future__ import annotations

import numpy as np
import pytest
from joblib import parallel_config
from joblib.parallel import ThreadingBackend, register_parallel_backend

from skpara import ParagramEncoder
from skpara.encoders import _base, _blocks


class Counting(ThreadingBackend):
    """Threads that remember how many tasks they were given."""

    tasks = 0

    def submit(self, func, callback=None):
        Counting.tasks += 1
        return super().submit(func, callback)


@pytest.fixture
def counted():
    Counting.tasks = 0
    register_parallel_backend("counting", Counting)
    with parallel_config(backend="counting", n_jobs=2):
        yield Counting


@pytest.fixture(scope="module")
def sentences():
    rng = np.random.default_rng(0)
    lengths = rng.integers(0, 9, 9000)
    return [" ".join(f"w{i}" for i in rng.integers(0, 320, n)) for n in lengths]


@pytest.fixture(scope="module")
def average(small_vectors, small_pairs):
    return ParagramEncoder(vectors=small_vectors, max_iter=1, random_state=0).fit(small_pairs)


@pytest.fixture(scope="module")
def lstm(small_vectors, small_pairs):
    encoder = ParagramEncoder("lstm", vectors=small_vectors, max_iter=1, random_state=0)
    return encoder.fit(small_pairs[:40])


def small_shares(monkeypatch):
    """Make a few thousand sentences worth two workers."""
    monkeypatch.setattr(_base, "_SENTENCES_OF_A_NETWORK", 4096)
    monkeypatch.setattr(_base, "_PAIRS_OF_THE_AVERAGE", 2048)


def test_processes_compute_the_same_bits(average, sentences, monkeypatch):
    small_shares(monkeypatch)
    halves = sentences[:4500], sentences[4500:]
    alone = average.similarity(*halves)
    average.set_params(n_jobs=2)
    np.testing.assert_array_equal(average.similarity(*halves), alone)
    pairs = np.array(halves, dtype=object).T
    np.testing.assert_array_equal(average.transform(pairs)[:, 0], alone)
    average.set_params(n_jobs=None)


def test_networks_are_spread_too(lstm, sentences, counted):
    import torch

    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as a worker has: another number may round the last bit otherwise
    try:
        spread = lstm.encode(sentences)
        assert counted.tasks == 2
        with parallel_config(backend="threading", n_jobs=1):
            np.testing.assert_array_equal(spread, lstm.encode(sentences))
            blocks = [lstm.encode(sentences[i : i + 2048]) for i in range(0, 9000, 2048)]
        np.testing.assert_array_equal(spread, np.concatenate(blocks))
    finally:
        torch.set_num_threads(n_threads)


def test_little_work_stays_here(average, lstm, sentences, counted):
    average.similarity(sentences[:4500], sentences[4500:])
    lstm.encode(sentences[:5000])
    lstm.similarity(sentences[:2500], sentences[2500:5000])
    assert counted.tasks == 0


def test_vectors_of_the_average_are_never_sent(average, sentences, counted, monkeypatch):
    small_shares(monkeypatch)
    average.encode(sentences)
    average.transform(sentences)
    average.set_params(output="interaction").transform(
        list(zip(sentences, sentences, strict=True))
    )
    average.set_params(output="similarity")
    assert counted.tasks == 0


def test_an_average_before_fit_is_spread_too(small_vectors, sentences, counted, monkeypatch):
    small_shares(monkeypatch)
    encoder = ParagramEncoder(vectors=small_vectors)
    spread = encoder.similarity(sentences, sentences[::-1])
    assert counted.tasks == 2
    with parallel_config(backend="threading", n_jobs=1):
        np.testing.assert_array_equal(spread, encoder.similarity(sentences, sentences[::-1]))


@pytest.mark.parametrize("n_rows", [0, 1, 2047, 2048, 2049, 4096, 10_000])
@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_every_row_is_worked_on_once_in_order(n_rows, n_jobs):
    text = [str(i) for i in range(n_rows)]
    with parallel_config(backend="threading"):
        found = _blocks.in_blocks(_numbers, None, [text, text], least=100, n_jobs=n_jobs)
    np.testing.assert_array_equal(found, np.repeat(np.arange(n_rows), 2).reshape(-1, 2))


def _numbers(model, first, second):
    assert len(first) <= 2048
    return np.array([first, second], dtype=np.int64).T
