"""Nothing that belongs to the caller changes: threads, seeds, filters, environment, settings."""

from __future__ import annotations

import json
import locale
import logging
import os
import random
import signal
import subprocess
import sys
import warnings

import joblib
import numpy as np
import pytest
import sklearn
import torch
from sklearn.ensemble import GradientBoostingRegressor
from threadpoolctl import threadpool_info, threadpool_limits

from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseLSTMRegressor,
    WordVectors,
    explain,
    make_sts_pipeline,
)
from skpara.augment import FunctionTranslator, PivotParaphraser
from skpara.augment.filters import BleuFilter, LanguageModelFilter, LengthFilter, OverlapFilter
from skpara.cli import main
from skpara.datasets import load_sts_sample
from skpara.metrics import semeval_intervals

pytestmark = pytest.mark.slow


def state():
    """Everything that a library might change for its caller."""
    return {
        "threads of libraries": sorted(
            (i["filepath"], i["num_threads"]) for i in threadpool_info()
        ),
        "threads of torch": (torch.get_num_threads(), torch.get_num_interop_threads()),
        "environment": dict(os.environ),
        "working folder": os.getcwd(),
        "random": random.getstate(),
        "numpy.random": repr(np.random.mtrand._rand.get_state()),
        "torch's generator": torch.get_rng_state().tolist(),
        "torch's settings": (
            torch.get_default_dtype(),
            torch.is_grad_enabled(),
            torch.are_deterministic_algorithms_enabled(),
            torch.get_float32_matmul_precision(),
            torch.backends.mkldnn.enabled,
            torch.backends.cudnn.benchmark,
            torch.backends.cudnn.deterministic,
        ),
        "warnings": (list(warnings.filters), warnings.showwarning),
        "scikit-learn": sklearn.get_config(),
        "numpy": (np.geterr(), np.get_printoptions()),
        "locale": locale.setlocale(locale.LC_ALL),
        "logging": (logging.root.level, list(logging.root.handlers), logging.root.manager.disable),
        "signals": {number: signal.getsignal(number) for number in (2, 15)},
        "streams": (sys.stdin, sys.stdout, sys.stderr),
        "limits": (sys.getrecursionlimit(), sys.get_int_max_str_digits()),
    }


PAIRS = [
    (f"the dog number {i} runs to the {place}", f"a dog runs to the {place} {i % 4}")
    for i, place in enumerate(["house", "park", "sea"] * 8)
]
SCORES = np.linspace(0, 5, len(PAIRS))
TEXTS = [first for first, _ in PAIRS]
NETWORKS = ["average", "projection", "dan", "rnn", "lstm", "gran", "charagram"]


def use_network(name):
    def use(vectors):
        encoder = ParagramEncoder(
            name, vectors=vectors, max_iter=1, batch_size=8, random_state=0, device="cpu"
        )
        encoder.fit(PAIRS).partial_fit(PAIRS)
        encoder.transform(PAIRS)
        encoder.encode(TEXTS)
        encoder.similarity(TEXTS, TEXTS)

    return use


def features(_):
    LexicalFeatures().fit(PAIRS).transform(PAIRS)


def siamese(vectors):
    model = SiameseLSTMRegressor(vectors, max_iter=1, random_state=0, device="cpu")
    model.fit(PAIRS, SCORES).predict(PAIRS)


def whole_system(vectors):
    model = make_sts_pipeline(
        encoder=ParagramEncoder(vectors=vectors, max_iter=1, random_state=0),
        regressor=FusionRegressor(GradientBoostingRegressor(n_estimators=5), random_state=0),
        random_state=0,  # as in scikit-learn, None draws from the caller's generator
    )
    model.fit(PAIRS, SCORES).predict(PAIRS)
    explain(model, PAIRS[:1])


def augmentation(_):
    def translators(source, target):
        return FunctionTranslator(lambda texts: [t + "." for t in texts], source + target)

    paraphrases = PivotParaphraser(translator=translators).fit().paraphrase(TEXTS)
    for pair_filter in (LengthFilter(), OverlapFilter(), BleuFilter(), LanguageModelFilter()):
        paraphrases.filtered([pair_filter])


def command(_):
    main(["evaluate", "/nowhere/model", "/nowhere/pairs.tsv"])


def metrics_and_data(_):
    sample = load_sts_sample()
    gold, groups = sample.target[:20], sample.groups[:20]
    semeval_intervals(gold, gold**2, groups, n_resamples=9, random_state=0)


USES = {
    **{name: use_network(name) for name in NETWORKS},
    "features": features,
    "siamese": siamese,
    "whole system": whole_system,
    "augmentation": augmentation,
    "command": command,
    "metrics and data": metrics_and_data,
}


@pytest.fixture(scope="module")
def words():
    names = sorted({word for text in TEXTS for word in text.split()})
    matrix = np.random.default_rng(0).standard_normal((len(names), 12))
    return WordVectors(names, matrix)


@pytest.mark.parametrize("name", USES)
def test_global_state_is_unchanged(name, words):
    before = state()
    USES[name](words)
    after = state()
    # libraries that were loaded in between have thread pools of their own
    known = {path for path, _ in before["threads of libraries"]}
    after["threads of libraries"] = [
        entry for entry in after["threads of libraries"] if entry[0] in known
    ]
    for what, value in before.items():
        assert after[what] == value, what


@pytest.mark.parametrize("name", ["average", "lstm", "features", "siamese", "whole system"])
def test_a_limit_of_one_thread_stays_in_force(name, words):
    with threadpool_limits(1):
        inside = [info["num_threads"] for info in threadpool_info()]
        USES[name](words)
        assert [info["num_threads"] for info in threadpool_info()][: len(inside)] == inside
        assert torch.get_num_threads() == 1


# Prints the processor time of all threads but the first: within the limit, and without it.
MEASURE = """
import json, os, sys, time
import numpy as np, torch
from threadpoolctl import threadpool_limits
from skpara import LexicalFeatures, ParagramEncoder, SiameseLSTMRegressor, WordVectors

def worker_seconds():
    ticks = 0
    for task in os.listdir("/proc/self/task"):
        if int(task) != os.getpid():
            fields = open(f"/proc/self/task/{task}/stat").read().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")

rng = np.random.default_rng(0)
words = [f"w{i}" for i in range(500)]
vectors = WordVectors(words, rng.standard_normal((500, 200)))
pairs = [(" ".join(rng.choice(words, 12)), " ".join(rng.choice(words, 12))) for _ in range(40)]
scores, matrix = np.linspace(0, 5, 40), torch.rand(600, 600)

before = worker_seconds()
with threadpool_limits(1):
    encoder = ParagramEncoder("lstm", vectors=vectors, max_iter=1, batch_size=20, random_state=0)
    encoder.fit(pairs).transform(pairs)
    SiameseLSTMRegressor(vectors, max_iter=1, random_state=0).fit(pairs, scores).predict(pairs)
limited = worker_seconds() - before
for _ in range(40):
    matrix @ matrix
print(json.dumps([limited, worker_seconds() - before - limited]))
"""


@pytest.mark.skipif(not os.path.isdir("/proc/self/task"), reason="reads /proc")
@pytest.mark.skipif(joblib.cpu_count() < 2, reason="torch uses one thread on one core")
def test_a_limit_of_one_thread_starts_no_other():
    environment = {k: v for k, v in os.environ.items() if not k.endswith("_NUM_THREADS")}
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        capture_output=True,
        text=True,
        env=environment | {"CUDA_VISIBLE_DEVICES": ""},
    )
    assert done.returncode == 0, done.stderr
    limited, unlimited = json.loads(done.stdout)
    assert unlimited > 0.05  # torch does use more threads without a limit
    assert limited < 0.05
