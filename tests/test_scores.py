"""Validation of scores."""

import numpy as np
import pytest

from skpara._scores import check_scores


@pytest.mark.parametrize(
    ("y", "message"),
    [
        ([1, 2], "inconsistent"),
        ([1, np.nan, 2], r"NaN or infinity in 1 row\(s\), the first is scores\[1\] = nan"),
        ([1, np.inf, -np.inf], r"in 2 row\(s\), the first is scores\[1\] = inf"),
        (np.ma.masked_array([1, 2, 3], [0, 0, 1]), r"scores\[2\] = nan"),
        ([1, "2", 3], r"numbers, got scores\[0\] = '1'\. Convert scores with"),
        ([1, 10**400, 2], "scores has an integer of over 308 digits"),
        (np.array([1, 2, 3], "M8[s]"), r"numbers, got scores\[0\] = datetime"),
        ([1, 2, 5.5], r"in \[0, 5\], got scores\[2\] = 5\.5\. Clip them or pass .*\(0, 5\.5\)"),
        ([[1, 2, 3]], "1d array"),
    ],
)
def test_bad_scores_are_named(y, message):
    with pytest.raises(ValueError, match=message):
        check_scores(y, (0, 5), X=["a", "b", "c"], name="scores")


@pytest.mark.parametrize("y", [[0, 2, 5], [False, True, True], np.array([1, 2, 3], dtype=object)])
def test_scores_are_returned_as_float64(y):
    scores = check_scores(y, (0, 5))
    assert scores.dtype == np.float64
    np.testing.assert_array_equal(scores, np.asarray(y, dtype=float))
