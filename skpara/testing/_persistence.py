"""What was saved and loaded gives the same."""

from __future__ import annotations

import os
import pickle
import tempfile
from typing import Any

import joblib

from skpara.testing._containers import needed
from skpara.testing._sample import assert_equal_outputs, fitted, fresh, outputs


def check_pair_pickle(name: str, estimator_orig: Any) -> None:
    """pickle, before fit, after it, and after it was used."""
    fit = outputs(fitted(pickle.loads(pickle.dumps(fresh(estimator_orig)))))
    estimator = fitted(estimator_orig)
    early = pickle.dumps(estimator)
    expected = outputs(estimator)
    assert_equal_outputs(fit, expected, "unpickled, then fitted")
    assert_equal_outputs(outputs(pickle.loads(early)), expected, "unpickled")
    late = pickle.loads(pickle.dumps(estimator))
    assert_equal_outputs(outputs(late), expected, "unpickled after use")


def check_pair_cloudpickle(name: str, estimator_orig: Any) -> None:
    """cloudpickle, by which estimators go to other processes."""
    cloudpickle = needed("cloudpickle")
    estimator = fitted(estimator_orig)
    loaded = pickle.loads(cloudpickle.dumps(estimator))
    assert_equal_outputs(outputs(loaded), outputs(estimator), "unpickled")


def check_pair_joblib(name: str, estimator_orig: Any) -> None:
    """joblib, and with its arrays left in the file, where they cannot be written to."""
    estimator = fitted(estimator_orig)
    expected = outputs(estimator)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "estimator.joblib")
        joblib.dump(estimator, path)
        assert_equal_outputs(outputs(joblib.load(path)), expected, "loaded by joblib")
        mapped = joblib.load(path, mmap_mode="r")
        assert_equal_outputs(outputs(mapped), expected, "memory-mapped by joblib")
        del mapped
