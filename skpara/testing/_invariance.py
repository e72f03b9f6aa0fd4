"""The output for a pair must depend on that pair alone, whatever its text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from skpara.testing._sample import (
    PAIRS,
    Outputs,
    assert_equal_outputs,
    assert_raises,
    fitted,
    is_numeric,
    outputs,
    target,
    unfitted,
)

_ANY_TEXT = [
    ("", ""),
    ("", "A man sleeps."),
    (" ", "\t\n"),
    ("!!!", "?"),
    ("ünïcode ☃ 你好", "🙂 \u200f עברית"),
    ("word " * 300, "a" * 1000),
    ("NaN", "None"),
    ("1e999 -0 3,000,000", "\x00\ufffd"),
]


def check_pair_subset_invariance(name: str, estimator_orig: Any) -> None:
    """Check that batches of other sizes give the same outputs."""
    estimator = fitted(estimator_orig)
    whole = outputs(estimator)
    cuts = [0, 1, 2, 5, 13, len(PAIRS)]
    parts = [outputs(estimator, PAIRS[a:b]) for a, b in pairwise(cuts)]
    joined = {method: np.concatenate([part[method] for part in parts]) for method in whole}
    assert_equal_outputs(joined, whole, "the batch size must not change the output")


def check_pair_order_invariance(name: str, estimator_orig: Any) -> None:
    """Check that shuffled pairs give the same outputs, shuffled."""
    estimator = fitted(estimator_orig)
    order = np.random.default_rng(0).permutation(len(PAIRS))
    shuffled = outputs(estimator, [PAIRS[i] for i in order])
    expected = {method: array[order] for method, array in outputs(estimator).items()}
    assert_equal_outputs(shuffled, expected, "the order of rows must not change the output")


def check_pair_one_row(name: str, estimator_orig: Any) -> None:
    """Check that one pair gives an array with one row."""
    for method, array in outputs(fitted(estimator_orig), PAIRS[:1]).items():
        assert array.shape[:1] == (1,), (
            f"{method} of {name} must return one row for one pair, not the shape {array.shape}."
        )


def check_pair_fit_one_pair(name: str, estimator_orig: Any) -> None:
    """Check that fit learns from one pair, or raises an error that says how many it needs."""
    estimator = unfitted(estimator_orig)
    y = target(estimator)[:1]
    try:
        estimator.fit(PAIRS[:1], y)
    except Exception:
        match = r"(?i)\b(1|one|a single|2|two)\b"
        assert_raises(f"fit of {name} with one pair", estimator.fit, PAIRS[:1], y, match=match)
    else:
        _assert_finite(name, outputs(estimator))


def check_pair_any_text(name: str, estimator_orig: Any) -> None:
    """Check that unusual text gives finite numbers: empty, long, symbols, other scripts."""
    _assert_finite(name, outputs(fitted(estimator_orig), _ANY_TEXT))
    y = target(estimator_orig)
    estimator = fitted(estimator_orig, [*PAIRS, *_ANY_TEXT], [*y, *y[: len(_ANY_TEXT)]])
    _assert_finite(name, outputs(estimator, _ANY_TEXT))


def _assert_finite(name: str, results: Outputs) -> None:
    for method, array in results.items():
        if is_numeric(array):
            bad = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
            assert not len(bad), f"{method} of {name} must not return NaN or infinity: rows {bad}."
