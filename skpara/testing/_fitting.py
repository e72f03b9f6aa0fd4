"""What fit does: the same each time, with nothing around it changed."""

from __future__ import annotations

import copy
import os
import random
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn import get_config
from sklearn.utils import get_tags
from threadpoolctl import threadpool_info

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    fingerprint,
    fitted,
    fresh,
    outputs,
    target,
)


def check_pair_fit_idempotent(name: str, estimator_orig: Any) -> None:
    """Fitted again to the same pairs it gives the same."""
    estimator = fresh(estimator_orig)
    _skip_if(estimator, "warm_start")
    first = outputs(estimator.fit(PAIRS, target(estimator)))
    again = outputs(estimator.fit(PAIRS, target(estimator)))
    assert_equal_outputs(again, first, "a second fit gives something else")


def check_pair_refit_forgets(name: str, estimator_orig: Any) -> None:
    """Fitted to other pairs it remembers nothing of the first."""
    estimator = fresh(estimator_orig)
    _skip_if(estimator, "warm_start")
    y = target(estimator)
    outputs(estimator.fit([(b[::-1], a) for a, b in PAIRS[:20]], y[:20]))
    again = outputs(estimator.fit(PAIRS, y))
    assert_equal_outputs(again, outputs(fitted(estimator)), "it remembers an earlier fit")


def check_pair_random_state(name: str, estimator_orig: Any) -> None:
    """The seed given decides, whatever the state of the global generators of numbers."""
    if get_tags(estimator_orig).non_deterministic:
        raise SkipTest("declares to be not deterministic")
    results = []
    for seed in (1, 2):
        with _globally_seeded(seed):
            results.append(outputs(fitted(estimator_orig)))
    assert_equal_outputs(results[1], results[0], "random_state=0 gives two results")


def check_pair_fit_transform(name: str, estimator_orig: Any) -> None:
    """fit_transform gives what fit and then transform give, unless it is out of fold."""
    estimator = fresh(estimator_orig)
    if not hasattr(estimator, "fit_transform"):
        raise SkipTest("no fit_transform")
    if estimator.get_params().get("cross_fit") is not None:
        raise SkipTest("cross_fit makes them differ")
    found = {"transform": np.asarray(estimator.fit_transform(PAIRS, target(estimator)))}
    expected = {"transform": outputs(fitted(estimator))["transform"]}
    assert_equal_outputs(found, expected, "fit_transform differs from fit and transform")
    assert_equal_outputs(outputs(estimator), expected, "fit_transform leaves another state")


def check_pair_partial_fit(name: str, estimator_orig: Any) -> None:
    """partial_fit starts, goes on, gives self and two columns, and repeats with its seed."""
    if not hasattr(estimator_orig, "partial_fit"):
        raise SkipTest("no partial_fit")
    _skip_if(estimator_orig, "early_stopping")
    results = []
    for _ in range(2):
        estimator = fresh(estimator_orig)
        y = target(estimator)
        for rows in (slice(0, 15), slice(15, 30)):
            assert estimator.partial_fit(PAIRS[rows], y[rows]) is estimator, "gives not self"
            assert estimator.n_features_in_ == 2, f"n_features_in_ = {estimator.n_features_in_}"
        results.append(outputs(estimator))
    assert_equal_outputs(results[1], results[0], "partial_fit gives two results")


def check_pair_learned_attributes(name: str, estimator_orig: Any) -> None:
    """What fit adds ends with an underscore, or starts with one if it is private."""
    estimator = fresh(estimator_orig)
    before = set(vars(estimator))
    added = set(vars(estimator.fit(PAIRS, target(estimator)))) - before
    public = sorted(a for a in added if not (a.endswith("_") or a.startswith("_")))
    assert not public, f"fit of {name} adds {public}; end their names with an underscore."


def check_pair_methods_learn_nothing(name: str, estimator_orig: Any) -> None:
    """Predicting and transforming leave what was learned as it is; private caches may come."""
    estimator = fitted(estimator_orig)
    before = _learned(estimator)
    outputs(estimator)
    after = _learned(estimator)
    changed = sorted(a for a in {*before, *after} if before.get(a) != after.get(a))
    assert not changed, f"Methods of {name} change {changed}."


def check_pair_input_unchanged(name: str, estimator_orig: Any) -> None:
    """Neither fit nor another method writes into X or y."""
    estimator = fresh(estimator_orig)
    y = target(estimator)
    for X in (np.array(PAIRS, dtype=object), [list(pair) for pair in PAIRS]):
        X_before, y_before = copy.deepcopy(X), y.copy()
        outputs(estimator.fit(X, y), X)
        np.testing.assert_array_equal(X, X_before, err_msg=f"{name} changes X.")
        np.testing.assert_array_equal(y, y_before, err_msg=f"{name} changes y.")


def check_pair_global_state(name: str, estimator_orig: Any) -> None:
    """Seeds, threads, warnings, settings and environment are as they were."""
    while True:
        n_modules = len(sys.modules)
        with _globally_seeded(1):
            before = _global_state()
            outputs(fitted(estimator_orig))
            after = _global_state()
        if len(sys.modules) == n_modules:  # what is imported may set up itself, once
            break
    changed = sorted(what for what in before if before[what] != after[what])
    assert not changed, f"{name} changes global state: {changed}."


def _skip_if(estimator: Any, parameter: str) -> None:
    if estimator.get_params().get(parameter):
        raise SkipTest(f"{parameter} is on")


def _learned(estimator: Any) -> dict[str, Any]:
    public = {a: v for a, v in vars(estimator).items() if a.endswith("_") and a[0] != "_"}
    return {attribute: fingerprint(value) for attribute, value in public.items()}


@contextmanager
def _globally_seeded(seed: int) -> Iterator[None]:
    """Seed the global generators, and put back the states that they had."""
    torch = sys.modules.get("torch")
    held = random.getstate(), np.random.get_state()  # noqa: NPY002
    held_by_torch = None if torch is None else torch.get_rng_state()
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    if torch is not None:
        torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(held[0])
        np.random.set_state(held[1])  # noqa: NPY002
        if torch is not None:
            torch.set_rng_state(held_by_torch)


def _global_state() -> dict[str, Any]:
    state = {
        "random": fingerprint(random.getstate()),
        "numpy.random": fingerprint(np.random.get_state()),  # noqa: NPY002
        "numpy.errstate": np.geterr(),
        "warnings.filters": list(warnings.filters),
        "sklearn.get_config": get_config(),
        "os.environ": dict(os.environ),
        "working directory": os.getcwd(),
        "threads": [(pool["filepath"], pool["num_threads"]) for pool in threadpool_info()],
    }
    torch = sys.modules.get("torch")
    if torch is not None:
        state["torch generator"] = torch.get_rng_state().numpy().tobytes()
        state["torch threads"] = torch.get_num_threads(), torch.get_num_interop_threads()
        state["torch dtype"] = torch.get_default_dtype()
        state["torch gradients"] = torch.is_grad_enabled()
        state["torch determinism"] = torch.are_deterministic_algorithms_enabled()
        state["torch matmul precision"] = torch.get_float32_matmul_precision()
    return state
