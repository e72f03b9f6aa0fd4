"""Validation of scores."""

import numpy as np
import pytest

from skpara._validation import check_count, check_scores, check_share


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


@pytest.mark.parametrize("check", [check_share, check_count])
@pytest.mark.parametrize("value", ["0.5", None, [1], 1j])
def test_what_is_no_number_is_refused_by_name(check, value):
    with pytest.raises(TypeError, match=r"^n_rounds must be an instance of"):
        check("n_rounds", value)


def test_ends_of_a_share_may_be_taken():
    assert check_share("precision", 0, ends=True) == 0
    assert check_share("precision", 1, ends=True) == 1
    for value in (0, 1, -0.1, 1.1):
        with pytest.raises(ValueError, match="precision must be between 0 and 1, got"):
            check_share("precision", value)
    with pytest.raises(ValueError, match=r"got 95\. Did you mean 0\.95\?"):
        check_share("precision", 95)
    assert check_count("n", 1) is None
    with pytest.raises(ValueError, match="n == 0, must be >= 1"):
        check_count("n", 0)
