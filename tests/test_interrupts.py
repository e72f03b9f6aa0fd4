"""Interrupted fits, and processes that are killed: nothing is half done."""

from __future__ import annotations

import os
import pickle
import random
import signal
import sqlite3
import sys
import time
from contextlib import closing
from multiprocessing import Process
from pathlib import Path

import numpy as np
import pytest
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

import skpara
from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseRegressor,
    WordVectors,
    load_model,
    make_sts_pipeline,
    save_model,
)
from skpara.augment import CachedTranslator, FunctionTranslator
from skpara.datasets import load_sts_sample
from skpara.features import TermInteractions
from skpara.learning import CorrelationObjective

PAIRS, SCORES = load_sts_sample(return_X_y=True)
FEATURES = np.random.default_rng(0).normal(size=(40, 3))
FOLDER = str(Path(skpara.__file__).parent)
WORDS = sorted({word for pair in PAIRS[:40].ravel() for word in pair.lower().split()})
MATRIX = np.random.default_rng(0).normal(size=(len(WORDS), 4)).astype(np.float32)
VECTORS = WordVectors(WORDS, MATRIX)
SMALL = {"vectors": VECTORS, "max_iter": 1, "device": "cpu", "random_state": 0}


def interrupted_after(n_lines, function):
    """Call a function and interrupt it at a line of the package; return how many it ran."""
    n_run = 0

    def trace(frame, event, _):
        nonlocal n_run
        path = frame.f_code.co_filename
        if not path.startswith(FOLDER):
            return None
        n_run += event == "line"
        if event == "line" and n_run == n_lines:
            raise KeyboardInterrupt
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        function()
    finally:
        sys.settrace(before)
    return n_run


@pytest.mark.parametrize(
    "estimator",
    [
        *(LexicalFeatures("counts"), TermInteractions(sparse_output=False)),
        FusionRegressor(linear_weight=1.0),
        *(ParagramEncoder(**SMALL), ParagramEncoder("projection", **SMALL)),
        SiameseRegressor("average", **SMALL),
        make_sts_pipeline(
            *(ParagramEncoder(**SMALL), LexicalFeatures("counts")),
            FusionRegressor(linear_weight=1.0),
        ),
    ],
    ids=lambda estimator: type(estimator).__name__,
)
def test_an_interrupted_fit_changes_nothing(estimator):
    X = FEATURES if isinstance(estimator, FusionRegressor) else PAIRS[:40]
    method = "predict" if hasattr(estimator, "predict") else "transform"

    def output(model):
        return getattr(model, method)(X)

    def refit():
        estimator.fit(X[:20], SCORES[20:40])

    estimator.fit(X, SCORES[:40])
    n_lines = interrupted_after(0, refit)
    estimator.fit(X, SCORES[:40])
    before, attributes = output(estimator), vars(estimator).copy()
    rng = np.random.default_rng(0)
    for n in [1, 2, n_lines, *rng.integers(1, n_lines, size=7)]:
        is_kept = True
        try:
            interrupted_after(n, refit)
        except KeyboardInterrupt as interrupt:
            is_kept = "is kept" in str(interrupt)  # of training, which has ended early
        if is_kept:
            # What is computed is what would be saved.
            loaded = pickle.loads(pickle.dumps(estimator))
            np.testing.assert_array_equal(output(loaded), output(estimator))
            estimator.fit(X, SCORES[:40])
            before, attributes = output(estimator), vars(estimator).copy()
        else:
            assert vars(estimator).keys() == attributes.keys()
            assert all(vars(estimator)[name] is value for name, value in attributes.items())
            np.testing.assert_array_equal(output(estimator), before)


def interrupt_in_training(monkeypatch):
    """Interrupt training before the first epoch; return how often that was."""
    interrupted = []

    def epoch(*arguments):
        interrupted.append(arguments)
        raise KeyboardInterrupt

    monkeypatch.setattr(CorrelationObjective, "epoch", epoch)
    return interrupted


def test_an_interrupt_of_training_ends_a_search(monkeypatch):
    interrupted = interrupt_in_training(monkeypatch)
    pipeline = make_pipeline(ParagramEncoder(**SMALL), FusionRegressor(linear_weight=1.0))
    search = GridSearchCV(pipeline, {"paragramencoder__word_decay": [0.0, 1e-3]}, cv=2)
    with pytest.raises(KeyboardInterrupt):
        search.fit(PAIRS[:40], SCORES[:40])
    assert len(interrupted) == 1
    assert not hasattr(search, "cv_results_")


def test_an_interrupt_of_a_part_leaves_the_pipeline_as_it_was(monkeypatch):
    encoder = ParagramEncoder(**SMALL)
    pipeline = make_sts_pipeline(encoder, LexicalFeatures("counts"), FusionRegressor())
    interrupt_in_training(monkeypatch)
    with pytest.raises(KeyboardInterrupt, match="Training was interrupted after 0"):
        pipeline.fit(PAIRS[:40], SCORES[:40])
    assert not hasattr(pipeline[-1], "score_range_")
    assert not hasattr(encoder, "state_")
    with pytest.raises(KeyboardInterrupt, match="learned until then is kept"):
        encoder.fit(PAIRS[:40], SCORES[:40])
    assert encoder.n_iter_ == 0


def upper_slowly(texts):
    time.sleep(0.1)  # more than a busy machine lets pass between two looks at the cache
    return [text.upper() for text in texts]


SENTENCES = [f"a small house number {i} stands here" for i in range(100)]


def translate(function, path):
    translator = FunctionTranslator(function, "words")
    return CachedTranslator(translator, path, chunk_size=10).translate(SENTENCES)


def rows_in(path):
    if not path.exists():
        return 0
    with closing(sqlite3.connect(path, timeout=30)) as database:
        try:
            return database.execute("SELECT count(*) FROM translations").fetchone()[0]
        except sqlite3.OperationalError:  # the table does not exist yet
            return 0


@pytest.mark.slow
def test_a_cache_has_whole_chunks_after_a_kill(tmp_path):
    path, translated = tmp_path / "cache", []
    for n_rows in (1, 30, 60):  # each run continues where the last was killed
        process = Process(target=translate, args=(upper_slowly, path))
        process.start()
        deadline = time.monotonic() + 120
        while rows_in(path) < n_rows:
            assert process.is_alive(), "the process ended before it could be killed"
            assert time.monotonic() < deadline
            time.sleep(0.02)
        process.kill()
        process.join()
        assert process.exitcode == -signal.SIGKILL
        with closing(sqlite3.connect(path)) as database:
            assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert rows_in(path) >= n_rows
        assert rows_in(path) % 10 == 0

    def record(texts):
        translated.extend(texts)
        return [text.upper() for text in texts]

    n_cached = rows_in(path)
    assert translate(record, path) == [text.upper() for text in SENTENCES]
    assert translated == SENTENCES[n_cached:]


FILES = ("v.npz", "v.safetensors", "e.safetensors", "m.skpara")


def save_until_killed(folder):
    """Save in every format until killed, 8 times; each file must be the old or the new one."""
    words = [f"w{i}" for i in range(2000)]
    tables = [WordVectors(words, np.full((2000, 100), value)) for value in (1, 2)]
    pairs = [("w1", "w2"), ("w3", "w4")]
    encoders = [ParagramEncoder(vectors=table, max_iter=0).fit(pairs) for table in tables]
    npz, arrays, encoder, model = (folder / name for name in FILES)

    def save(i):
        tables[i].save(npz)
        tables[i].save(arrays)
        save_model(encoders[i], encoder)
        save_model(encoders[i], model, data="", n_pairs=2)

    save(0)
    draw = random.Random(0)
    for _ in range(8):
        process = os.fork()
        if process == 0:
            while True:
                save(1)
                save(0)
        time.sleep(draw.uniform(0, 0.1))
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        loaded = [WordVectors.load(npz), WordVectors.load(arrays)]
        loaded += [load_model(encoder).vectors_, load_model(model).vectors_]
        for table in loaded:
            value = table.matrix[0, 0]
            assert value in (1, 2)
            assert (table.matrix == value).all(), table.matrix
    save(0)


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(os, "fork"), reason="fork and SIGKILL")
def test_a_process_killed_while_saving_leaves_whole_files(tmp_path):
    process = Process(target=save_until_killed, args=(tmp_path,))
    process.start()
    process.join()
    assert process.exitcode == 0
    unfinished = {path.name for path in tmp_path.iterdir()} - set(FILES)
    assert unfinished  # otherwise no kill came during a write
    assert all(name.startswith(".skpara-unfinished-") for name in unfinished)
