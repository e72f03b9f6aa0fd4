"""Features in model files."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from skpara import LexicalFeatures, load_model, save_model
from skpara.features import TermInteractions

PAIRS = [("a man plays a guitar", "someone plays music"), ("it rains", "a man sleeps"), ("", "x")]


@pytest.mark.parametrize(
    "features",
    [
        LexicalFeatures(["cosine_icf", "char_ngrams", "align_f"]),
        LexicalFeatures("counts"),
        TermInteractions(min_df=1),
        TermInteractions((1, 3), min_df=1, ordered=True, sparse_output=False),
    ],
    ids=repr,
)
def test_loaded_features_are_the_same(features, tmp_path):
    features.fit(PAIRS)
    loaded = load_model(save_model(features, tmp_path / "features.skpara"))
    assert repr(loaded) == repr(features)
    found, expected = (x.transform(PAIRS) for x in (loaded, features))
    if hasattr(found, "toarray"):
        found, expected = found.toarray(), expected.toarray()
    np.testing.assert_array_equal(found, expected)
    assert loaded.get_feature_names_out().tolist() == features.get_feature_names_out().tolist()


@pytest.mark.parametrize("features", [LexicalFeatures(), TermInteractions()], ids=repr)
def test_features_that_were_not_fitted_say_so(features, tmp_path):
    for use in (
        lambda: features.get_feature_names_out(),
        lambda: features.transform(PAIRS),
        lambda: save_model(features, tmp_path / "features.skpara"),
    ):
        with pytest.raises(NotFittedError):
            use()
