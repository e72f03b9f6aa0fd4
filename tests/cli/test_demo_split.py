"""Which pairs the demo learns from, holds out, and shows."""

from __future__ import annotations

import numpy as np
import pytest

from skpara.cli._demo_split import example_rows, split_sample, split_sts


def test_the_sample_is_split_with_every_genre_in_equal_part():
    split = split_sample(0, test_size=0.25)
    n = len(split.train) + len(split.test)
    assert len(split.test) / n == pytest.approx(0.25, abs=0.01)
    again = split_sample(0, test_size=0.25)
    np.testing.assert_array_equal(split.test, again.test)
    train, test = ({tuple(pair) for pair in part} for part in (split.train, split.test))
    assert not train & test


def test_sts_years_are_looked_for_but_never_downloaded(tmp_path):
    with pytest.raises(FileNotFoundError):
        split_sts(tmp_path)


def test_examples_are_chosen_by_gold_score_alone():
    assert example_rows(np.array([1.0, 5.0, 3.0])) == [1, 2, 0]
    assert example_rows(np.array([2.0])) == [0]
