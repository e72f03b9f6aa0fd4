"""The sample in the package."""

from __future__ import annotations

import numpy as np

from skpara.datasets import load_sts_sample

GENRES = {"headlines", "captions", "questions", "answers", "definitions"}


def test_sample_is_whole():
    sample = load_sts_sample()
    n_pairs = len(sample.data)
    assert sample.data.shape == (n_pairs, 2)
    assert sample.data.dtype == object
    assert sample.target.shape == sample.groups.shape == (n_pairs,)
    assert set(sample.groups) == GENRES
    assert np.all((sample.target >= 0) & (sample.target <= 5))
    assert all(isinstance(cell, str) and cell.strip() for cell in sample.data.ravel())
    assert len(sample.DESCR) > 100


def test_forms_agree():
    sample = load_sts_sample()
    X, y = load_sts_sample(return_X_y=True)
    np.testing.assert_array_equal(X, sample.data)
    np.testing.assert_array_equal(y, sample.target)
    framed = load_sts_sample(as_frame=True)
    assert list(framed.data.columns) == ["sentence1", "sentence2"]
    assert framed.data["sentence2"].tolist() == sample.data[:, 1].tolist()
    assert framed.target.name == "score"
    assert framed.frame["group"].tolist() == sample.groups.tolist()
    X, y = load_sts_sample(return_X_y=True, as_frame=True)
    assert list(X.columns) == ["sentence1", "sentence2"]
