"""Saved and loaded estimators must give the same outputs."""

from __future__ import annotations

import pickle
import tempfile
from pathlib import Path
from typing import Any

import joblib

from skpara.testing._sample import (
    assert_equal_outputs,
    fitted,
    import_or_skip,
    outputs,
    unfitted,
)


def check_pair_pickle(name: str, estimator_orig: Any) -> None:
    """Check pickle before fit, after fit, and after use."""
    refitted = fitted(pickle.loads(pickle.dumps(unfitted(estimator_orig))))
    estimator = fitted(estimator_orig)
    unused = pickle.dumps(estimator)
    expected = outputs(estimator)
    assert_equal_outputs(outputs(refitted), expected, "pickled before fit")
    assert_equal_outputs(outputs(pickle.loads(unused)), expected, "pickled after fit")
    used = pickle.loads(pickle.dumps(estimator))
    assert_equal_outputs(outputs(used), expected, "pickled after use")


def check_pair_cloudpickle(name: str, estimator_orig: Any) -> None:
    """Check cloudpickle, which sends estimators to other processes."""
    cloudpickle = import_or_skip("cloudpickle")
    estimator = fitted(estimator_orig)
    loaded = pickle.loads(cloudpickle.dumps(estimator))
    assert_equal_outputs(outputs(loaded), outputs(estimator), "pickled by cloudpickle")


def check_pair_joblib(name: str, estimator_orig: Any) -> None:
    """Check joblib, also with read-only arrays that stay in the file."""
    estimator = fitted(estimator_orig)
    expected = outputs(estimator)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "estimator.joblib")
        joblib.dump(estimator, path)
        assert_equal_outputs(outputs(joblib.load(path)), expected, "loaded by joblib")
        mapped = joblib.load(path, mmap_mode="r")
        assert_equal_outputs(outputs(mapped), expected, "memory-mapped by joblib")
        del mapped  # Windows removes no file that is mapped
