"""Invalid input must raise an error; valid input gives the same outputs in any container."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np
from scipy import sparse
from sklearn.utils import get_tags

from skpara.testing._sample import (
    COLUMNS,
    PAIRS,
    assert_equal,
    assert_raises,
    data_frame,
    fitted,
    import_or_skip,
    methods,
    outputs,
    target,
    unfitted,
)

_ROW = 13  # a number that is unlikely to be in a message by chance


def check_pair_bad_cells(name: str, estimator_orig: Any) -> None:
    """Check that the error for a cell that is not a string names the row."""
    tables = {}
    for cell in (None, float("nan"), b"bytes", 7.5, ["a", "list"]):
        rows: list[Any] = list(PAIRS)
        rows[_ROW] = ("A man sleeps.", cell)
        tables[f"{cell!r} instead of a sentence"] = rows
    _assert_tables_raise(name, estimator_orig, tables, rf"\b{_ROW}\b")


def check_pair_bad_tables(name: str, estimator_orig: Any) -> None:
    """Check that everything but a table with two columns of text is rejected."""
    array = np.array(PAIRS, dtype=object)
    tables: dict[str, Any] = {
        "three columns": np.hstack([array, array[:, :1]]),
        "one column": array[:, :1],
        "three dimensions": array[:, :, None],
        "a single string": "A man sleeps.",
        "a table of numbers": np.zeros((len(PAIRS), 2)),
        "a sparse matrix": sparse.csr_matrix((len(PAIRS), 2)),
        "None": None,
    }
    if not get_tags(estimator_orig).input_tags.one_d_array:
        tables["a list of sentences"] = [first for first, _ in PAIRS]
        tables["an array of sentences"] = array[:, 0]
    _assert_tables_raise(name, estimator_orig, tables, r"(?i)pair|column|shape|2D|sentence")


def check_pair_unordered_rows(name: str, estimator_orig: Any) -> None:
    """Check that dictionaries and sets, which also have two items to iterate over, are rejected.

    A dictionary would be read as its keys, a set in an order that differs between processes, and a
    frame whose columns have one name as its column names.
    """
    tables: dict[str, Any] = {
        "a list of dictionaries": [dict(zip(COLUMNS, pair, strict=True)) for pair in PAIRS],
        "a list of sets": [set(pair) for pair in PAIRS],
        "a set of pairs": set(PAIRS),
    }
    _assert_tables_raise(name, estimator_orig, tables, r"(?i)dict|set|order")
    frame = data_frame("pandas").set_axis(["text", "text"], axis=1)
    for n_rows in (len(PAIRS), 2, 1):
        what = f"a frame of {n_rows} row(s) whose columns have one name"
        table = {what: frame[:n_rows]}
        _assert_tables_raise(name, estimator_orig, table, r"(?i)column|name", n_rows)


def check_pair_no_rows(name: str, estimator_orig: Any) -> None:
    """Check that an estimator that learns rejects an empty table."""
    if not get_tags(estimator_orig).requires_fit:
        raise SkipTest("does not learn")
    y, match = target(estimator_orig)[:0], r"(?i)\b(0|no|empty|one|1)\b"
    for what, X in (("an empty list", []), ("an array of 0 rows", np.empty((0, 2), object))):
        fit = unfitted(estimator_orig).fit
        assert_raises(f"fit of {name} with {what}", fit, X, y, match=match)


def check_pair_target_length(name: str, estimator_orig: Any) -> None:
    """Check that y must be one-dimensional and as long as X, unless it is ignored."""
    y = target(estimator_orig)
    targets = {"one score too few": y[:-1], "two scores per pair": np.column_stack([y, y])}
    match = r"(?i)inconsistent|length|shape|1d|dimension|\b(29|30)\b"
    _assert_targets_raise(name, estimator_orig, targets, match)


def check_pair_target_missing(name: str, estimator_orig: Any) -> None:
    """Check that y must be finite, unless it is ignored."""
    targets = {}
    for score in (np.nan, np.inf):
        y = target(estimator_orig).astype(float)
        y[_ROW] = score
        targets[f"{score} in y"] = y
    _assert_targets_raise(name, estimator_orig, targets, r"(?i)nan|inf|missing|unknown label")


def check_pair_target_required(name: str, estimator_orig: Any) -> None:
    """Check that fit works without y, or that the tags and an error say that it needs y."""
    estimator = unfitted(estimator_orig)
    if get_tags(estimator).target_tags.required:
        assert_raises(f"fit of {name} without y", estimator.fit, PAIRS, None, match=r"\by\b")
    else:
        outputs(estimator.fit(PAIRS))


def check_pair_lists_and_arrays(name: str, estimator_orig: Any) -> None:
    """Check lists of tuples and of lists, and arrays of all types and memory layouts."""
    array = np.array(PAIRS, dtype=object)
    containers = {
        "a list of lists": [list(pair) for pair in PAIRS],
        "a tuple of tuples": tuple(PAIRS),
        "an object array": array,
        "an array in Fortran order": np.asfortranarray(array),
        "every other row of an array": np.repeat(array, 2, axis=0)[::2],
        "a string array": np.array(PAIRS),
        "a StringDType array": np.array(PAIRS, dtype=np.dtypes.StringDType()),
    }
    _assert_same_outputs(estimator_orig, containers)


def check_pair_pandas(name: str, estimator_orig: Any) -> None:
    """Check pandas DataFrames, with any index."""
    frame = data_frame("pandas")
    containers = {
        "a pandas DataFrame": frame,
        "a pandas DataFrame of objects": frame.astype(object),
        "a pandas DataFrame with a reversed index": frame.set_axis(range(len(PAIRS))[::-1]),
    }
    _assert_same_outputs(estimator_orig, containers)


def check_pair_polars(name: str, estimator_orig: Any) -> None:
    """Check polars DataFrames."""
    _assert_same_outputs(estimator_orig, {"a polars DataFrame": data_frame("polars")})


def check_pair_target_containers(name: str, estimator_orig: Any) -> None:
    """Check y as a list, array or Series; as one column it may raise an error or a warning."""
    y = target(estimator_orig)
    expected = outputs(fitted(estimator_orig))
    containers: dict[str, Any] = {"a list": y.tolist(), "a strided array": np.repeat(y, 2)[::2]}
    for module in ("pandas", "polars"):
        try:
            containers[f"a {module} Series"] = import_or_skip(module).Series(y)
        except SkipTest:
            continue
    for what, container in containers.items():
        assert_equal(fitted(estimator_orig, y=container), expected, f"y as {what}")
    whole = np.round(y)
    integers, floats = fitted(estimator_orig, y=whole.astype(int)), fitted(estimator_orig, y=whole)
    assert_equal(integers, floats, "y as integers")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn issues a DataConversionWarning here
            estimator = fitted(estimator_orig, y=y[:, None])
    except (ValueError, TypeError):
        return
    if get_tags(estimator_orig).target_tags.required:
        column = outputs(estimator)
        flat = {method: column[method].reshape(expected[method].shape) for method in column}
        assert_equal(flat, expected, "y as a column")


def check_pair_readonly_memmap(name: str, estimator_orig: Any) -> None:
    """Check read-only memory maps, which joblib passes to its workers."""
    arrays = []
    with tempfile.TemporaryDirectory() as folder:
        for number, array in enumerate((np.array(PAIRS), target(estimator_orig))):
            path = Path(folder, f"{number}.npy")
            np.save(path, array)
            arrays.append(np.load(path, mmap_mode="r"))
        mapped = outputs(fitted(estimator_orig, *arrays), arrays[0])
        arrays.clear()  # Windows removes no file that is mapped
    assert_equal(mapped, fitted(estimator_orig), "read-only arrays")


def _assert_tables_raise(
    name: str, estimator_orig: Any, tables: dict[str, Any], match: str, n_rows: int = len(PAIRS)
) -> None:
    """Fail unless all methods reject each table."""
    y = target(estimator_orig)[:n_rows]
    estimator = fitted(estimator_orig)
    for what, X in tables.items():
        fit = unfitted(estimator_orig).fit
        assert_raises(f"fit of {name} with {what}", fit, X, y, match=match)
        for method in methods(estimator):
            if method == "transform" and what.endswith("of sentences"):
                continue  # an encoder may turn sentences into vectors
            call = getattr(estimator, method)
            assert_raises(f"{method} of {name} with {what}", call, X, match=match)


def _assert_targets_raise(
    name: str, estimator_orig: Any, targets: dict[str, Any], match: str
) -> None:
    """Fail unless fit rejects each target, or ignores it."""
    required = get_tags(estimator_orig).target_tags.required
    for what, y in targets.items():
        what = f"fit of {name} with {what}"
        try:
            estimator = fitted(estimator_orig, y=y)
        except Exception:
            assert_raises(what, unfitted(estimator_orig).fit, PAIRS, y, match=match)
            continue
        assert not required, f"{what} must raise ValueError, but raised nothing."
        without = unfitted(estimator_orig).fit(PAIRS)
        assert_equal(estimator, without, f"{what} must raise or ignore y")


def _assert_same_outputs(estimator_orig: Any, containers: dict[str, Any]) -> None:
    """Fail unless each container gives what a list of tuples gives, in fit and after it."""
    expected = outputs(fitted(estimator_orig))
    for what, X in containers.items():
        assert_equal(outputs(fitted(estimator_orig, X), X), expected, what)
