"""What is not pairs, or not a score for each, is refused with an error that says what to do."""

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
    assert_refused,
    fitted,
    fresh,
    methods,
    outputs,
    target,
)

_ROW = 13  # an unlikely number to be in a message by chance


def check_pair_bad_cells(name: str, estimator_orig: Any) -> None:
    """None, NaN, bytes, a number or a list for a sentence: the message names the row."""
    tables = []
    for cell in (None, float("nan"), b"bytes", 7.5, ["a", "list"]):
        rows: list[Any] = list(PAIRS)
        rows[_ROW] = ("A man sleeps.", cell)
        tables.append((f"{cell!r} for a sentence", rows))
    _refuses(name, estimator_orig, tables, rf"\b{_ROW}\b")


def check_pair_bad_tables(name: str, estimator_orig: Any) -> None:
    """What has not two columns of text, or is no table."""
    array = np.array(PAIRS, dtype=object)
    tables: list[tuple[str, Any]] = [
        ("three columns", np.hstack([array, array[:, :1]])),
        ("one column", array[:, :1]),
        ("three dimensions", array[:, :, None]),
        ("a bare string", "A man sleeps."),
        ("a table of numbers", np.zeros((len(PAIRS), 2))),
        ("a sparse matrix", sparse.csr_matrix((len(PAIRS), 2))),
        ("None", None),
    ]
    if not get_tags(estimator_orig).input_tags.one_d_array:
        sentences = [first for first, _ in PAIRS]
        tables += [("a list of sentences", sentences), ("an array of sentences", array[:, 0])]
    _refuses(name, estimator_orig, tables, r"(?i)pair|column|shape|2D|sentence")


def check_pair_no_rows(name: str, estimator_orig: Any) -> None:
    """Nothing to learn from, where there is something to learn."""
    if not get_tags(estimator_orig).requires_fit:
        raise SkipTest("has nothing to learn")
    for what, X in (("an empty list", []), ("an array of 0 rows", np.empty((0, 2), object))):
        y = target(estimator_orig)[:0]
        says = r"(?i)\b(0|no|empty|one|1)\b"
        assert_refused(f"{what} at fit", fresh(estimator_orig).fit, X, y, says=says)


def check_pair_target_length(name: str, estimator_orig: Any) -> None:
    """As many scores as pairs, in one dimension; or y is ignored altogether."""
    y = target(estimator_orig)
    _refuses_or_ignores(
        estimator_orig,
        [("a score too few", y[:-1]), ("two scores a pair", np.column_stack([y, y]))],
        r"(?i)inconsistent|length|shape|1d|dimension|\b(29|30)\b",
    )


def check_pair_target_missing(name: str, estimator_orig: Any) -> None:
    """A score that is NaN or infinite is none; or y is ignored altogether."""
    targets = []
    for cell in (np.nan, np.inf):
        y = target(estimator_orig).astype(float)
        y[_ROW] = cell
        targets.append((f"{cell} among the scores", y))
    _refuses_or_ignores(estimator_orig, targets, r"(?i)nan|inf|missing|unknown label")


def check_pair_target_required(name: str, estimator_orig: Any) -> None:
    """Without y it fits, or the tags say that it is needed and an error does, too."""
    estimator = fresh(estimator_orig)
    if get_tags(estimator).target_tags.required:
        assert_refused("No y at fit", estimator.fit, PAIRS, None, says=r"\by\b")
    else:
        outputs(estimator.fit(PAIRS))


def _refuses(name: str, estimator_orig: Any, tables: Iterable[tuple[str, Any]], says: str) -> None:
    """All methods refuse each table."""
    y = target(estimator_orig)
    estimator = fitted(estimator_orig)
    calls = {method: getattr(estimator, method) for method in methods(estimator)}
    for what, X in tables:
        unfitted = fresh(estimator_orig)
        assert_refused(f"{what} at fit of {name}", unfitted.fit, X, y, says=says)
        for method, call in calls.items():
            if method == "transform" and what.endswith("of sentences"):
                continue  # an encoder may turn sentences into vectors
            assert_refused(f"{what} at {method} of {name}", call, X, says=says)


def _refuses_or_ignores(
    estimator_orig: Any, targets: Iterable[tuple[str, Any]], says: str
) -> None:
    required = get_tags(estimator_orig).target_tags.required
    for what, y in targets:
        try:
            estimator = fresh(estimator_orig).fit(PAIRS, y)
        except Exception:
            assert_refused(what, fresh(estimator_orig).fit, PAIRS, y, says=says)
            continue
        assert not required, f"{what} is taken without an error."
        without = fresh(estimator_orig).fit(PAIRS)
        assert_equal_outputs(outputs(estimator), outputs(without), f"{what} change it")
