"""Errors of regressors and classifiers for sentences in place of features, and for labels."""

from datetime import date

import numpy as np
import pandas as pd
import pytest

from skpara import FusionClassifier, FusionRegressor, SentenceClassifier, SiameseClassifier
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
    columns = np.linspace(0, 1, 20)[:, None]
    model.fit(columns, [0, 1] * 10)
    masked = np.ma.array(columns, mask=columns == 1)  # NumPy's functions ignore masks
    for X, message in ((pd.DataFrame(PAIRS), remedy), (masked, "contains NaN")):
        with pytest.raises(ValueError, match=message):
            model.predict(X)


@pytest.mark.parametrize(
    "fit",
    [
        FusionClassifier().fit,
        SiameseClassifier(max_iter=1).fit,
        lambda _, labels: SentenceClassifier(max_iter=1).fit([pair[0] for pair in PAIRS], labels),
    ],
)
def test_labels_that_are_missing_masked_or_dates(fit):
    X = PAIRS if "Siamese" in str(fit) else np.linspace(0, 1, 20)[:, None]
    texts = np.array(["a", "b"] * 10)
    last = np.arange(20) == 19
    for missing in (np.ma.array(texts, mask=last), np.where(last, None, texts)):
        with pytest.raises(ValueError, match=r"1 row\(s\), the first y\[19\] = None"):
            fit(X, missing)
    for times in (np.array(["2020", "2021"] * 10, "M8[s]"), [date(2020, 1, 1), date.max] * 10):
        with pytest.raises(ValueError, match=r"got y\[0\] = .* a time"):
            fit(X, times)
    if hasattr(np.dtypes, "StringDType"):
        assert fit(X, texts.astype(np.dtypes.StringDType())).classes_.tolist() == ["a", "b"]


def test_classes_that_differ_in_spelling_are_said():
    X = np.linspace(0, 1, 20)[:, None]
    with pytest.warns(UserWarning, match="The classes 'yes' and 'Yes ' differ in case or spaces"):
        FusionClassifier().fit(X, ["yes", "no", "Yes ", "no"] * 5)


@pytest.mark.parametrize("name", ["y", "groups", "sample_weight"])
def test_what_is_not_one_for_each_row_is_named(name):
    X = np.linspace(0, 1, 20)[:, None]
    given = {"y": np.arange(20.0)} | {name: [1.0, 2.0]}
    with pytest.raises(ValueError, match=rf"{name}.*2"):
        FusionRegressor().fit(X, **given)
    given = {"y": np.arange(20.0), "sample_weight": [1.0] * 19 + [-2.0]}
    with pytest.raises(ValueError, match=r"got sample_weight\[19\] = -2"):
        FusionRegressor().fit(X, **given)
