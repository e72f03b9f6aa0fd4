"""Errors of regressors and classifiers for sentences in place of features."""

import numpy as np
import pandas as pd
import pytest

from skpara import FusionClassifier, FusionRegressor
from skpara.fusion import CosineRegressor

PAIRS = [("a dog runs", "a dog"), ("a cat", "the house")] * 10


@pytest.mark.parametrize(
    ("model", "transformer"),
    [
        (FusionRegressor(), "LexicalFeatures()"),
        (FusionClassifier(), "LexicalFeatures()"),
        (CosineRegressor(), "ParagramEncoder()"),
    ],
)
def test_sentences_in_place_of_features_are_refused_with_the_remedy(model, transformer):
    remedy = rf"make_pipeline\({transformer[:-2]}\(\), {type(model).__name__}\(\)\)"
    with pytest.raises(ValueError, match=remedy):
        model.fit(PAIRS, [0, 1] * 10)
    model.fit(np.linspace(0, 1, 20)[:, None], [0, 1] * 10)
    with pytest.raises(ValueError, match=remedy):
        model.predict(pd.DataFrame(PAIRS))
