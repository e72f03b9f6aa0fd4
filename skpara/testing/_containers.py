"""Lists, arrays and frames of the same pairs give the same."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np
from sklearn.utils import get_tags

from skpara.testing._sample import PAIRS, assert_equal_outputs, fitted, fresh, outputs, target

_NAMES = ["sentence1", "sentence2"]


def check_pair_lists_and_arrays(name: str, estimator_orig: Any) -> None:
    """Lists of tuples or lists, object and string arrays of any memory layout."""
    array = np.array(PAIRS, dtype=object)
    spaced = np.full((2 * len(PAIRS), 2), "gap", dtype=object)
    spaced[::2] = array
    _assert_same(
        estimator_orig,
        [
            ("a list of lists", [list(pair) for pair in PAIRS]),
            ("a tuple of tuples", tuple(PAIRS)),
            ("an object array", array),
            ("an array in Fortran's order", np.asfortranarray(array)),
            ("every other row of an array", spaced[::2]),
            ("a string array", np.array(PAIRS)),
            ("a StringDType array", np.array(PAIRS, dtype=np.dtypes.StringDType())),
        ],
    )


def check_pair_pandas(name: str, estimator_orig: Any) -> None:
    """Frames of pandas, with any index."""
    pandas = needed("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES)
    index = np.arange(len(PAIRS))[::-1]
    _assert_same(
        estimator_orig,
        [
            ("a pandas frame", frame),
            ("a pandas frame of objects", frame.astype(object)),
            ("a pandas frame with another index", frame.set_axis(index)),
        ],
    )


def check_pair_polars(name: str, estimator_orig: Any) -> None:
    """Frames of polars."""
    polars = needed("polars")
    frame = polars.DataFrame(PAIRS, schema=_NAMES, orient="row")
    _assert_same(estimator_orig, [("a polars frame", frame)])


def check_pair_target_containers(name: str, estimator_orig: Any) -> None:
    """Scores as a list, an array or a series; a single column with a warning or not at all."""
    y = target(estimator_orig)
    expected = outputs(fitted(estimator_orig))
    forms: list[tuple[str, Any]] = [
        ("a list", y.tolist()),
        ("every other cell", np.repeat(y, 2)[::2]),
    ]
    for module in ("pandas", "polars"):
        try:
            forms.append((f"a series of {module}", needed(module).Series(y)))
        except SkipTest:
            continue
    for what, form in forms:
        assert_equal_outputs(outputs(fitted(estimator_orig, y=form)), expected, f"y as {what}")
    whole = np.round(y)
    exact = outputs(fitted(estimator_orig, y=whole))
    of_integers = outputs(fitted(estimator_orig, y=whole.astype(int)))
    assert_equal_outputs(of_integers, exact, "y as integers")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # DataConversionWarning is in place
            column = fresh(estimator_orig).fit(PAIRS, y[:, None])
    except (ValueError, TypeError):
        return
    if get_tags(estimator_orig).target_tags.required:
        flat = {
            method: found.reshape(expected[method].shape)
            for method, found in outputs(column).items()
        }
        assert_equal_outputs(flat, expected, "y as a column")


def check_pair_readonly_memmap(name: str, estimator_orig: Any) -> None:
    """Pairs and scores that lie in files and cannot be written to, as joblib passes them on."""
    with tempfile.TemporaryDirectory() as folder:
        X = _mapped(np.array(PAIRS), os.path.join(folder, "X.npy"))
        y = _mapped(target(estimator_orig), os.path.join(folder, "y.npy"))
        found = outputs(fitted(estimator_orig, X, y), X)
        del X, y
    assert_equal_outputs(found, outputs(fitted(estimator_orig)), "read-only arrays")


def needed(module: str) -> Any:
    """The module, or a check that is skipped."""
    try:
        return __import__(module)
    except ImportError as error:
        raise SkipTest(f"{module} is not installed") from error


def _assert_same(estimator_orig: Any, forms: Iterable[tuple[str, Any]]) -> None:
    """Fitted to, and asked for, each form it gives what it does for a list of tuples."""
    expected = outputs(fitted(estimator_orig))
    for what, form in forms:
        assert_equal_outputs(outputs(fitted(estimator_orig, form), form), expected, what)


def _mapped(array: Any, path: str | Path) -> Any:
    np.save(path, array)
    return np.load(path, mmap_mode="r")
