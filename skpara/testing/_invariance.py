"""A row's result depends on the row alone, whatever its text."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_refused,
    fitted,
    fresh,
    is_numeric,
    outputs,
    target,
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
    """Pairs in batches of any size give what they give together."""
    estimator = fitted(estimator_orig)
    whole = outputs(estimator)
    cuts = [0, 1, 2, 5, 13, len(PAIRS)]
    parts = [outputs(estimator, PAIRS[a:b]) for a, b in pairwise(cuts)]
    joined = {method: np.concatenate([part[method] for part in parts]) for method in whole}
    assert_equal_outputs(joined, whole, "a batch of another size gives something else")


def check_pair_order_invariance(name: str, estimator_orig: Any) -> None:
    """Pairs in another order give the same, in that order."""
    estimator = fitted(estimator_orig)
    order = np.random.default_rng(0).permutation(len(PAIRS))
    shuffled = outputs(estimator, [PAIRS[i] for i in order])
    expected = {method: found[order] for method, found in outputs(estimator).items()}
    assert_equal_outputs(shuffled, expected, "another order of rows gives something else")


def check_pair_one_row(name: str, estimator_orig: Any) -> None:
    """One pair gives one row."""
    for method, found in outputs(fitted(estimator_orig), PAIRS[:1]).items():
        assert found.ndim >= 1, f"{method} of {name} gives a bare number for one pair."
        assert len(found) == 1, f"{method} of {name} gives {len(found)} rows for one pair."


def check_pair_fit_one_pair(name: str, estimator_orig: Any) -> None:
    """One pair to learn from is enough, or too few with an error that says how many."""
    estimator = fresh(estimator_orig)
    y = target(estimator)[:1]
    try:
        estimator.fit(PAIRS[:1], y)
    except Exception:
        says = r"(?i)\b(1|one|a single|2|two)\b"
        assert_refused("One pair at fit", estimator.fit, PAIRS[:1], y, says=says)
    else:
        _assert_finite(name, outputs(estimator))


def check_pair_any_text(name: str, estimator_orig: Any) -> None:
    """Empty sentences, signs, other scripts and long words give finite numbers, in fit too."""
    _assert_finite(name, outputs(fitted(estimator_orig), _ANY_TEXT))
    y = target(estimator_orig)
    estimator = fitted(estimator_orig, [*PAIRS, *_ANY_TEXT], [*y, *y[: len(_ANY_TEXT)]])
    _assert_finite(name, outputs(estimator, _ANY_TEXT))


def _assert_finite(name: str, found: dict[str, Any]) -> None:
    for method, array in found.items():
        if is_numeric(array):
            bad = np.flatnonzero(~np.isfinite(array.reshape(len(array), -1)).all(axis=1))
            assert not len(bad), f"{method} of {name} gives NaN or infinity in rows {bad}."
