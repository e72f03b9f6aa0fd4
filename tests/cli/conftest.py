"""A model that is quick to make, and pairs in a file."""

from __future__ import annotations

import joblib
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.pipeline import make_pipeline

from skpara import FusionRegressor, LexicalFeatures
from skpara.datasets import load_sts_sample


@pytest.fixture(scope="session")
def sample():
    return load_sts_sample()


@pytest.fixture(scope="session")
def model(sample):
    """Counts of shared words into a score."""
    model = make_pipeline(LexicalFeatures("counts"), FusionRegressor(LinearRegression()))
    return model.fit(sample.data, sample.target)


@pytest.fixture(scope="session")
def model_file(model, tmp_path_factory):
    """The model as joblib alone writes it."""
    path = tmp_path_factory.mktemp("model") / "model.joblib"
    joblib.dump(model, path)
    return path


@pytest.fixture(scope="session")
def rows(sample):
    """Forty scored pairs of two groups: sentence, sentence, score, group."""
    pairs, scores = sample.data[:40].tolist(), sample.target[:40].tolist()
    groups = ["odd", "even"] * 20
    return [(a, b, y, g) for (a, b), y, g in zip(pairs, scores, groups, strict=True)]
