"""Several workers give what a single one gives, and are used only where it pays."""

from __future__ import annotations

import copy

import numpy as np
import pytest
from joblib import parallel_config
from joblib.parallel import ThreadingBackend, register_parallel_backend
from sklearn.base import clone
from sklearn.model_selection import KFold

from skpara import LexicalFeatures, ParagramEncoder
from skpara.encoders import _paragram
from skpara.encoders._parallel import in_blocks


class Counting(ThreadingBackend):
    """Threads that count their tasks."""

    n_tasks = n_workers = 0

    def configure(self, n_jobs=1, *arguments, **options):
        Counting.n_workers = n_jobs
        return super().configure(n_jobs, *arguments, **options)

    def submit(self, func, callback=None):
        Counting.n_tasks += 1
        return super().submit(func, callback)

    def apply_async(self, func, callback=None):  # the name of submit in joblib before 1.5
        Counting.n_tasks += 1
        return super().apply_async(func, callback)


@pytest.fixture
def counting():
    Counting.n_tasks = 0
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


@pytest.fixture
def small_shares(monkeypatch):
    """Make a few thousand sentences worth two workers."""
    monkeypatch.setattr(_paragram, "_MIN_SENTENCES_PER_PROCESS", 4096)
    monkeypatch.setattr(_paragram, "_MIN_PAIRS_PER_THREAD", 2048)


def test_processes_compute_the_same_bits(average, sentences, small_shares):
    halves = sentences[:4500], sentences[4500:]
    alone = average.similarity(*halves)
    parallel = copy.copy(average).set_params(n_jobs=2)
    np.testing.assert_array_equal(parallel.similarity(*halves), alone)
    pairs = np.array(halves, dtype=object).T
    np.testing.assert_array_equal(parallel.transform(pairs)[:, 0], alone)


def test_networks_are_parallel_too(lstm, sentences, counting):
    import torch

    n_threads = torch.get_num_threads()
    torch.set_num_threads(1)  # as in a worker: another number may round the last bit otherwise
    try:
        parallel = lstm.encode(sentences)
        assert counting.n_tasks == 2
        with parallel_config(backend="threading", n_jobs=1):
            np.testing.assert_array_equal(parallel, lstm.encode(sentences))
            blocks = [lstm.encode(sentences[i : i + 2048]) for i in range(0, 9000, 2048)]
        np.testing.assert_array_equal(parallel, np.concatenate(blocks))
    finally:
        torch.set_num_threads(n_threads)


def test_little_work_starts_no_worker(average, lstm, sentences, counting):
    average.similarity(sentences[:4500], sentences[4500:])
    lstm.encode(sentences[:5000])
    lstm.similarity(sentences[:2500], sentences[2500:5000])
    assert counting.n_tasks == 0


def test_vectors_of_the_average_are_parallel_too(average, sentences, counting, small_shares):
    pairs = list(zip(sentences, sentences[::-1], strict=True))
    parallel = average.transform(pairs)
    average_tasks = counting.n_tasks
    with parallel_config(backend="threading", n_jobs=1):
        np.testing.assert_array_equal(parallel, average.transform(pairs))
    assert average_tasks == 2


@pytest.mark.parametrize("method", ["transform", "encode", "fit_transform"])
def test_no_more_workers_are_started_than_there_are_pieces(lstm, sentences, counting, method):
    pairs = list(zip(sentences, sentences, strict=True))
    lexical = LexicalFeatures("counts", n_jobs=2**31).fit(pairs[:9])
    folds = clone(lstm).set_params(vectors=lstm, cross_fit=2, n_jobs=2**31, max_iter=0)
    {
        "transform": lambda: lexical.transform(pairs),
        "encode": lambda: copy.copy(lstm).set_params(n_jobs=2**31).encode(sentences),
        "fit_transform": lambda: folds.fit_transform(pairs[:40]),
    }[method]()
    assert 1 < counting.n_workers == counting.n_tasks


@pytest.mark.parametrize("n_rows", [0, 1, 2047, 2048, 2049, 4096, 10_000])
@pytest.mark.parametrize("n_jobs", [1, 2, 3])
def test_every_row_is_computed_once_in_order(n_rows, n_jobs):
    text = [str(i) for i in range(n_rows)]
    with parallel_config(backend="threading"):
        rows = in_blocks(_numbers, None, [text, text], min_rows=100, n_jobs=n_jobs)
    np.testing.assert_array_equal(rows, np.repeat(np.arange(n_rows), 2).reshape(-1, 2))


def _numbers(model, first, second):
    assert len(first) <= 2048
    return np.array([first, second], dtype=np.int64).T


# Out-of-fold features


def test_no_encoder_sees_the_pairs_of_its_fold(encoder, small_pairs):
    encoder.set_params(cross_fit=4)
    features = encoder.fit_transform(small_pairs)
    X = np.array(small_pairs, dtype=object)
    for train, test in KFold(4, shuffle=True, random_state=0).split(X):
        fold = clone(encoder).set_params(cross_fit=None).fit(X[train])
        np.testing.assert_array_equal(features[test], fold.transform(X[test]))
    # Pairs look more similar than they are to the encoder that was trained on them.
    assert encoder.transform(small_pairs).mean() > features.mean()


@pytest.mark.slow
def test_folds_start_from_the_same_encoder(encoder, small_pairs):
    encoder.fit(small_pairs)
    folds = clone(encoder).set_params(vectors=encoder, cross_fit=2, n_jobs=2, max_iter=1)
    assert folds.fit_transform(small_pairs).shape == (120, 3)
