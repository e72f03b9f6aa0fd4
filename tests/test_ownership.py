"""The caller's arrays, threads, seeds, warning filters, environment and settings stay as they are.

tests/contract.py checks global state for each estimator of pairs.
"""

from __future__ import annotations

import locale
import logging
import os
import random
import signal
import sys
import threading
import warnings

import joblib
import numpy as np
import platformdirs
import pytest
import sklearn
import torch
from sklearn.ensemble import GradientBoostingRegressor
from threadpoolctl import threadpool_info, threadpool_limits

from skpara import FusionRegressor, ParagramEncoder, WordVectors, explain, make_sts_pipeline
from skpara.augment import FunctionTranslator, PivotParaphraser
from skpara.augment.filters import BleuFilter, LanguageModelFilter, LengthFilter, OverlapFilter
from skpara.cli import main
from skpara.datasets import get_data_home, load_sts_sample
from skpara.metrics import bootstrap_interval, semeval_intervals

WORDS = ["dog", "cat", "cow"]
MATRIX = np.eye(3, 4, dtype=np.float32)


@pytest.mark.parametrize(
    "own", [np.asarray, lambda m: m.astype(np.float64), np.asfortranarray, memoryview]
)
def test_changed_arrays_change_no_vectors(own):
    matrix = own(MATRIX.copy())
    vectors = WordVectors(WORDS, matrix)
    np.asarray(matrix)[...] = 7.0  # it stays writable
    np.testing.assert_array_equal(vectors.matrix, MATRIX)


def test_changed_codes_and_rows_change_no_vectors():
    codes, scales = np.eye(3, dtype=np.int8), np.ones(3, dtype=np.float32)
    vectors = WordVectors(WORDS, codes, scales)
    rows = np.full((1, 3), 5, dtype=np.float32)
    tuned = vectors.with_rows(np.array([1]), rows)
    codes[...], scales[...], rows[...] = 9, 9, 9
    np.testing.assert_array_equal(vectors.matrix, np.eye(3))
    assert tuned["cat"].tolist() == [5, 5, 5]


def test_without_a_home_directory_nothing_is_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(platformdirs, "user_cache_dir", lambda *_, **__: "~no-such-user/.cache")
    monkeypatch.delenv("SKPARA_DATA", raising=False)
    with pytest.raises(FileNotFoundError, match="Pass data_home="):
        get_data_home()
    assert list(tmp_path.iterdir()) == []


def state():
    """Everything that a library might change for its caller."""
    return {
        "threads": {info["filepath"]: info["num_threads"] for info in threadpool_info()},
        "threads of torch": (torch.get_num_threads(), torch.get_num_interop_threads()),
        "environment": (dict(os.environ), os.getcwd(), locale.setlocale(locale.LC_ALL)),
        "generators": joblib.hash(
            [random.getstate(), np.random.get_state(), torch.get_rng_state().numpy()]  # noqa: NPY002
        ),
        "torch": (
            torch.get_default_dtype(),
            torch.is_grad_enabled(),
            torch.are_deterministic_algorithms_enabled(),
            torch.get_float32_matmul_precision(),
            torch.backends.mkldnn.enabled,
            torch.backends.cudnn.benchmark,
        ),
        "warnings": (list(warnings.filters), warnings.showwarning),
        "settings": (sklearn.get_config(), np.geterr(), np.get_printoptions()),
        "logging": (logging.root.level, list(logging.root.handlers), logging.root.manager.disable),
        "signals": [signal.getsignal(number) for number in (2, 15)],
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "limits": (sys.getrecursionlimit(), sys.get_int_max_str_digits()),
    }


PAIRS = [
    (f"the dog number {i} runs to the {place}", f"a dog runs to the {place} {i % 4}")
    for i, place in enumerate(["house", "park", "sea"] * 8)
]
TEXTS = [first for first, _ in PAIRS]
VECTORS = {word: [len(word), i] for i, word in enumerate({w for t in TEXTS for w in t.split()})}


def whole_system():
    model = make_sts_pipeline(
        encoder=ParagramEncoder("lstm", vectors=VECTORS, max_iter=1, random_state=0),
        regressor=FusionRegressor(GradientBoostingRegressor(n_estimators=5), random_state=0),
        random_state=0,  # as in scikit-learn, None draws from the caller's generator
    )
    model.fit(PAIRS, np.linspace(0, 5, len(PAIRS))).predict(PAIRS)
    explain(model, PAIRS[:1])
    model[0].transformer_list[0][1].similarity(TEXTS, TEXTS)


def augmentation():
    def translators(source, target):
        return FunctionTranslator(lambda texts: [t + "." for t in texts], source + target)

    paraphrases = PivotParaphraser(translator=translators).fit().paraphrase(TEXTS)
    for pair_filter in (LengthFilter(), OverlapFilter(), BleuFilter(), LanguageModelFilter()):
        paraphrases.filtered([pair_filter])


def command():
    main(["evaluate", "/nowhere/pairs.tsv", "--model", "/nowhere/model"])


def metrics_in_threads():
    sample = load_sts_sample()
    gold, groups = sample.target[:20], sample.groups[:20]
    barrier = threading.Barrier(3)

    def work():
        barrier.wait()
        for _ in range(2):
            bootstrap_interval(gold, gold**2, n_resamples=20, random_state=0)
            semeval_intervals(gold, gold**2, groups, n_resamples=9, random_state=0)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


@pytest.mark.parametrize("use", [whole_system, augmentation, command, metrics_in_threads])
def test_global_state_is_unchanged(use):
    before = state()
    with threadpool_limits(1):
        use()
        assert torch.get_num_threads() == 1
    after = state()
    # Libraries that were loaded in between have thread pools of their own.
    after["threads"] = {path: after["threads"][path] for path in before["threads"]}
    for name, value in before.items():
        assert after[name] == value, name
