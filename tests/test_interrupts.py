"""A fit that is interrupted anywhere leaves the estimator as it was."""

from __future__ import annotations

import pickle
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import skpara
from skpara import (
    FusionRegressor,
    LexicalFeatures,
    ParagramEncoder,
    SiameseRegressor,
    WordVectors,
    make_sts_pipeline,
)
from skpara.datasets import load_sts_sample
from skpara.features import TermInteractions

pytestmark = pytest.mark.slow

PAIRS, SCORES = load_sts_sample(return_X_y=True)
FEATURES = np.random.default_rng(0).normal(size=(40, 3))
FOLDER = str(Path(skpara.__file__).parent)
WORDS = sorted({word for pair in PAIRS[:40].ravel() for word in pair.lower().split()})
VECTORS = WordVectors(
    WORDS, np.random.default_rng(0).normal(size=(len(WORDS), 4)).astype(np.float32)
)
SMALL = {"vectors": VECTORS, "max_iter": 1, "device": "cpu", "random_state": 0}


def interrupted_after(n_lines, function):
    """Call a function and interrupt it at a line of the package; return how many it ran."""
    n_run = 0

    def trace(frame, event, _):
        nonlocal n_run
        if not frame.f_code.co_filename.startswith(FOLDER):
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
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # training that is interrupted warns and is kept
            estimator.fit(X[:20], SCORES[20:40])

    estimator.fit(X, SCORES[:40])
    n_lines = interrupted_after(0, refit)
    estimator.fit(X, SCORES[:40])
    before, attributes = output(estimator), vars(estimator).copy()
    rng = np.random.default_rng(0)
    for n in [1, 2, n_lines, *rng.integers(1, n_lines, size=12)]:
        try:
            interrupted_after(n, refit)
            # Training that ends early is kept. What is computed is what would be saved.
            loaded = pickle.loads(pickle.dumps(estimator))
            np.testing.assert_array_equal(output(loaded), output(estimator))
        except KeyboardInterrupt:
            assert vars(estimator).keys() == attributes.keys()
            assert all(vars(estimator)[name] is value for name, value in attributes.items())
            np.testing.assert_array_equal(output(estimator), before)
        else:
            estimator.fit(X, SCORES[:40])
            before, attributes = output(estimator), vars(estimator).copy()
