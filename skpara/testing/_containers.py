"""Lists, arrays and frames of the same pairs must give the same outputs."""

from __future__ import annotations

import tempfile
import warnings
from pathlib import Path
from typing import Any
from unittest import SkipTest

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import get_tags

from skpara.testing._sample import (
    PAIRS,
    assert_equal_outputs,
    fitted,
    import_or_skip,
    outputs,
    target,
    unfitted,
)

_NAMES = ["sentence1", "sentence2"]


def check_pair_lists_and_arrays(name: str, estimator_orig: Any) -> None:
    """Check lists of tuples and of lists, and arrays of all types and memory layouts."""
    array = np.array(PAIRS, dtype=object)
    spaced = np.full((2 * len(PAIRS), 2), "gap", dtype=object)
    spaced[::2] = array
    containers = {
        "a list of lists": [list(pair) for pair in PAIRS],
        "a tuple of tuples": tuple(PAIRS),
        "an object array": array,
        "an array in Fortran order": np.asfortranarray(array),
        "every other row of an array": spaced[::2],
        "a string array": np.array(PAIRS),
        "a StringDType array": np.array(PAIRS, dtype=np.dtypes.StringDType()),
    }
    _assert_same_outputs(estimator_orig, containers)


def check_pair_pandas(name: str, estimator_orig: Any) -> None:
    """Check pandas DataFrames, with any index."""
    pandas = import_or_skip("pandas")
    frame = pandas.DataFrame(PAIRS, columns=_NAMES)
    containers = {
        "a pandas DataFrame": frame,
        "a pandas DataFrame of objects": frame.astype(object),
        "a pandas DataFrame with a reversed index": frame.set_axis(range(len(PAIRS))[::-1]),
    }
    _assert_same_outputs(estimator_orig, containers)


def check_pair_polars(name: str, estimator_orig: Any) -> None:
    """Check polars DataFrames."""
    polars = import_or_skip("polars")
    frame = polars.DataFrame(PAIRS, schema=_NAMES, orient="row")
    _assert_same_outputs(estimator_orig, {"a polars DataFrame": frame})


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
        assert_equal_outputs(
            outputs(fitted(estimator_orig, y=container)), expected, f"y as {what}"
        )
    whole = np.round(y)
    assert_equal_outputs(
        outputs(fitted(estimator_orig, y=whole.astype(int))),
        outputs(fitted(estimator_orig, y=whole)),
        "y as integers",
    )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # scikit-learn issues a DataConversionWarning here
            estimator = unfitted(estimator_orig).fit(PAIRS, y[:, None])
    except (ValueError, TypeError):
        return
    if get_tags(estimator_orig).target_tags.required:
        column = outputs(estimator)
        flat = {method: column[method].reshape(expected[method].shape) for method in column}
        assert_equal_outputs(flat, expected, "y as a column")


def check_pair_readonly_memmap(name: str, estimator_orig: Any) -> None:
    """Check read-only memory maps, which joblib passes to its workers."""
    with tempfile.TemporaryDirectory() as folder:
        X = _memory_map(np.array(PAIRS), Path(folder, "X.npy"))
        y = _memory_map(target(estimator_orig), Path(folder, "y.npy"))
        mapped = outputs(fitted(estimator_orig, X, y), X)
        del X, y  # Windows removes no file that is mapped
    assert_equal_outputs(mapped, outputs(fitted(estimator_orig)), "read-only arrays")


def _assert_same_outputs(estimator_orig: Any, containers: dict[str, Any]) -> None:
    """Fail unless each container gives what a list of tuples gives, in fit and after it."""
    expected = outputs(fitted(estimator_orig))
    for what, X in containers.items():
        assert_equal_outputs(outputs(fitted(estimator_orig, X), X), expected, what)


def _memory_map(array: NDArray[Any], path: Path) -> Any:
    np.save(path, array)
    return np.load(path, mmap_mode="r")
