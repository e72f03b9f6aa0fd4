"""Scores, labels, weights and shares of the wrong kind, and sentences in place of features."""

from datetime import date

import numpy as np
import pandas as pd
import pytest

from skpara import FusionClassifier, FusionRegressor, SentenceClassifier, SiameseClassifier
from skpara._validation import check_count, check_scores, check_share
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
