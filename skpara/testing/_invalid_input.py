"""Invalid pairs and targets must raise errors that say what to do."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any
from unittest import SkipTest

import numpy as np
from scipy import sparse
from sklearn.utils import get_tags

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    assert_raises,
    fitted,
    methods,
    outputs,
    target,
    unfitted,
)

_ROW = 13  # a number that is unlikely to be in a message by chance


def check_pair_bad_cells(name: str, estimator_orig: Any) -> None:
    """Check that the error for a cell that is not a string names the row."""
    tables = []
    for cell in (None, float("nan"), b"bytes", 7.5, ["a", "list"]):
        rows: list[Any] = list(PAIRS)
        rows[_ROW] = ("A man sleeps.", cell)
        tables.append((f"{cell!r} instead of a sentence", rows))
    _assert_tables_raise(name, estimator_orig, tables, rf"\b{_ROW}\b")


def check_pair_bad_tables(name: str, estimator_orig: Any) -> None:
    """Check that everything but a table with two columns of text is rejected."""
    array = np.array(PAIRS, dtype=object)
    tables: list[tuple[str, Any]] = [
        ("three columns", np.hstack([array, array[:, :1]])),
        ("one column", array[:, :1]),
        ("three dimensions", array[:, :, None]),
        ("a single string", "A man sleeps."),
        ("a table of numbers", np.zeros((len(PAIRS), 2))),
        ("a sparse matrix", sparse.csr_matrix((len(PAIRS), 2))),
        ("None", None),
    ]
    if not get_tags(estimator_orig).input_tags.one_d_array:
        sentences = [first for first, _ in PAIRS]
        tables += [("a list of sentences", sentences), ("an array of sentences", array[:, 0])]
    _assert_tables_raise(name, estimator_orig, tables, r"(?i)pair|column|shape|2D|sentence")


def check_pair_no_rows(name: str, estimator_orig: Any) -> None:
    """Check that an estimator that learns rejects an empty table."""
    if not get_tags(estimator_orig).requires_fit:
        raise SkipTest("does not learn")
    y = target(estimator_orig)[:0]
    for what, X in (("an empty list", []), ("an array of 0 rows", np.empty((0, 2), object))):
        match = r"(?i)\b(0|no|empty|one|1)\b"
        assert_raises(
            f"fit of {name} with {what}", unfitted(estimator_orig).fit, X, y, match=match
        )


def check_pair_target_length(name: str, estimator_orig: Any) -> None:
    """Check that y must be one-dimensional and as long as X, unless it is ignored."""
    y = target(estimator_orig)
    _assert_targets_raise(
        name,
        estimator_orig,
        [("one score too few", y[:-1]), ("two scores per pair", np.column_stack([y, y]))],
        r"(?i)inconsistent|length|shape|1d|dimension|\b(29|30)\b",
    )


def check_pair_target_missing(name: str, estimator_orig: Any) -> None:
    """Check that y must be finite, unless it is ignored."""
    targets = []
    for score in (np.nan, np.inf):
        y = target(estimator_orig).astype(float)
        y[_ROW] = score
        targets.append((f"{score} in y", y))
    _assert_targets_raise(name, estimator_orig, targets, r"(?i)nan|inf|missing|unknown label")


def check_pair_target_required(name: str, estimator_orig: Any) -> None:
    """Check that fit works without y, or that the tags and an error say that it needs y."""
    estimator = unfitted(estimator_orig)
    if get_tags(estimator).target_tags.required:
        assert_raises(f"fit of {name} without y", estimator.fit, PAIRS, None, match=r"\by\b")
    else:
        outputs(estimator.fit(PAIRS))


def _assert_tables_raise(
    name: str, estimator_orig: Any, tables: Iterable[tuple[str, Any]], match: str
) -> None:
    """Fail unless all methods reject each table."""
    y = target(estimator_orig)
    estimator = fitted(estimator_orig)
    calls = {method: getattr(estimator, method) for method in methods(estimator)}
    for what, X in tables:
        fit = unfitted(estimator_orig).fit
        assert_raises(f"fit of {name} with {what}", fit, X, y, match=match)
        for method, call in calls.items():
            if method == "transform" and what.endswith("of sentences"):
                continue  # an encoder may turn sentences into vectors
            assert_raises(f"{method} of {name} with {what}", call, X, match=match)


def _assert_targets_raise(
    name: str, estimator_orig: Any, targets: Iterable[tuple[str, Any]], match: str
) -> None:
    """Fail unless fit rejects each target, or ignores it."""
    required = get_tags(estimator_orig).target_tags.required
    for what, y in targets:
        what = f"fit of {name} with {what}"
        try:
            estimator = unfitted(estimator_orig).fit(PAIRS, y)
        except Exception:
            assert_raises(what, unfitted(estimator_orig).fit, PAIRS, y, match=match)
            continue
        assert not required, f"{what} must raise ValueError, but raised nothing."
        expected = outputs(unfitted(estimator_orig).fit(PAIRS))
        assert_equal_outputs(outputs(estimator), expected, f"{what} must raise or ignore y")
