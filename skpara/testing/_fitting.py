"""fit must be repeatable and must change nothing but the estimator."""

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
    assert_equal,
    fingerprint,
    fitted,
    outputs,
    target,
    unfitted,
)


def check_pair_fit_idempotent(name: str, estimator_orig: Any) -> None:
    """Check that a second fit to the same pairs gives the same outputs."""
    _skip_if(estimator_orig, "warm_start")
    estimator = fitted(estimator_orig)
    first = outputs(estimator)
    second = estimator.fit(PAIRS, target(estimator))
    assert_equal(second, first, "a second fit must give the same")


def check_pair_refit_forgets(name: str, estimator_orig: Any) -> None:
    """Check that fit to other pairs keeps nothing of an earlier fit."""
    _skip_if(estimator_orig, "warm_start")
    y = target(estimator_orig)
    other_pairs = [(second[::-1], first) for first, second in PAIRS[:20]]
    estimator = fitted(estimator_orig, other_pairs, y[:20])
    outputs(estimator)
    refitted = estimator.fit(PAIRS, y)
    assert_equal(refitted, fitted(estimator), "fit must keep nothing of an earlier fit")


def check_pair_random_state(name: str, estimator_orig: Any) -> None:
    """Check that random_state decides, whatever the state of the global generators."""
    if get_tags(estimator_orig).non_deterministic:
        raise SkipTest("has the tag non_deterministic")
    results = []
    for seed in (1, 2):
        with _globally_seeded(seed):
            results.append(outputs(fitted(estimator_orig)))
    assert_equal(results[1], results[0], "random_state=0 must always give the same")


def check_pair_fit_transform(name: str, estimator_orig: Any) -> None:
    """Check that fit_transform gives what fit and transform give, unless it is out of fold."""
    estimator = unfitted(estimator_orig)
    if not hasattr(estimator, "fit_transform"):
        raise SkipTest("no fit_transform")
    if estimator.get_params().get("cross_fit") is not None:
        raise SkipTest("with cross_fit, fit_transform is out of fold")
    transformed = {"transform": np.asarray(estimator.fit_transform(PAIRS, target(estimator)))}
    expected = {"transform": outputs(fitted(estimator))["transform"]}
    assert_equal(transformed, expected, "fit_transform must give what transform gives")
    assert_equal(estimator, expected, "fit_transform must fit as fit does")


def check_pair_partial_fit(name: str, estimator_orig: Any) -> None:
    """Check that partial_fit starts, continues, returns self and is repeatable."""
    if not hasattr(estimator_orig, "partial_fit"):
        raise SkipTest("no partial_fit")
    _skip_if(estimator_orig, "early_stopping")
    y = target(estimator_orig)
    estimators = [unfitted(estimator_orig), unfitted(estimator_orig)]
    for estimator in estimators:
        for rows in (slice(0, 15), slice(15, 30)):
            returned = estimator.partial_fit(PAIRS[rows], y[rows])
            assert returned is estimator, f"partial_fit of {name} must return self."
            n_features = estimator.n_features_in_
            assert n_features == 2, f"n_features_in_ of {name} must be 2, not {n_features}."
    assert_equal(estimators[1], estimators[0], "partial_fit must be repeatable")


def check_pair_learned_attributes(name: str, estimator_orig: Any) -> None:
    """Check that attributes that fit sets end with an underscore, or start with one."""
    estimator = unfitted(estimator_orig)
    before = set(vars(estimator))
    added = set(vars(estimator.fit(PAIRS, target(estimator)))) - before
    public = sorted(a for a in added if not (a.endswith("_") or a.startswith("_")))
    assert not public, f"fit of {name} sets {public}: end their names with an underscore."


def check_pair_methods_learn_nothing(name: str, estimator_orig: Any) -> None:
    """Check that methods other than fit set no attribute and leave what was learned.

    What they cache is neither in the estimator nor in its pickles.
    """
    estimator = fitted(estimator_orig)
    before, learned = dict(vars(estimator)), _learned(estimator)
    outputs(estimator)
    after = vars(estimator)
    changed = {a for a in {*before, *after} if before.get(a) is not after.get(a)}
    changed |= {a for a, value in _learned(estimator).items() if learned.get(a) != value}
    assert not changed, f"Only fit of {name} may change {sorted(changed)}."


def check_pair_input_unchanged(name: str, estimator_orig: Any) -> None:
    """Check that no method writes into X or y."""
    estimator = unfitted(estimator_orig)
    y = target(estimator)
    for X in (np.array(PAIRS, dtype=object), [list(pair) for pair in PAIRS]):
        X_before, y_before = copy.deepcopy(X), y.copy()
        outputs(estimator.fit(X, y), X)
        np.testing.assert_array_equal(X, X_before, err_msg=f"{name} must not change X.")
        np.testing.assert_array_equal(y, y_before, err_msg=f"{name} must not change y.")


def check_pair_global_state(name: str, estimator_orig: Any) -> None:
    """Check that generators, threads, warning filters, settings and environment are unchanged."""
    while True:
        n_modules = len(sys.modules)
        with _globally_seeded(1):
            before = _global_state()
            outputs(fitted(estimator_orig))
            after = _global_state()
        # A module may set things up when it is imported, so try again until all are imported.
        if len(sys.modules) == n_modules:
            break
    changed = sorted(what for what in before if before[what] != after[what])
    assert not changed, f"{name} must not change global state: {changed}."


def _skip_if(estimator: Any, parameter: str) -> None:
    if estimator.get_params().get(parameter):
        raise SkipTest(f"{parameter} is set")


def _learned(estimator: Any) -> dict[str, Any]:
    public = {a: v for a, v in vars(estimator).items() if a.endswith("_") and a[0] != "_"}
    return {attribute: fingerprint(value) for attribute, value in public.items()}


@contextmanager
def _globally_seeded(seed: int) -> Iterator[None]:
    """Seed the global generators, and restore their states afterwards."""
    torch = sys.modules.get("torch")
    states = random.getstate(), np.random.get_state()  # noqa: NPY002
    torch_state = torch and torch.get_rng_state()
    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002
    if torch:
        torch.default_generator.manual_seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])  # noqa: NPY002
        if torch:
            torch.set_rng_state(torch_state)


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
    if torch := sys.modules.get("torch"):
        state |= {
            "torch generator": torch.get_rng_state().numpy().tobytes(),
            "torch threads": (torch.get_num_threads(), torch.get_num_interop_threads()),
            "torch dtype": torch.get_default_dtype(),
            "torch gradients": torch.is_grad_enabled(),
            "torch determinism": torch.are_deterministic_algorithms_enabled(),
            "torch matmul precision": torch.get_float32_matmul_precision(),
        }
    return state
